"""Tags on cases and steps, collections of cases, and notes that can be edited.

All of it is appended and withdrawn, never overwritten: an edited note is a new row that `replaces` the old one, which
is withdrawn in the same transaction; a collection's name and description are its newest row of
`case_collection_text`. What stands has an empty `withdrawn_at`. Only the place of a case in its collection is moved in
place.
"""

SCRIPT = """
ALTER TABLE case_note ADD COLUMN withdrawn_by TEXT NOT NULL DEFAULT '';
ALTER TABLE case_note ADD COLUMN replaces INTEGER REFERENCES case_note (id);

CREATE TABLE case_tag (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    step_number INTEGER,
    tag TEXT NOT NULL CHECK (tag <> ''),
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT '',
    withdrawn_by TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX case_tag_standing ON case_tag (answer_id, ifnull(step_number, -1), tag) WHERE withdrawn_at = '';
CREATE INDEX case_tag_tag ON case_tag (tag, answer_id) WHERE withdrawn_at = '';

CREATE TABLE case_collection (
    id INTEGER PRIMARY KEY,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT '',
    withdrawn_by TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE case_collection_text (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES case_collection (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (name <> ''),
    description TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX case_collection_text_collection ON case_collection_text (collection_id, id);

CREATE TABLE case_collection_item (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES case_collection (id) ON DELETE CASCADE,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT '',
    withdrawn_by TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX case_collection_item_standing ON case_collection_item (collection_id, answer_id)
    WHERE withdrawn_at = '';
CREATE INDEX case_collection_item_answer ON case_collection_item (answer_id);
"""
