"""Vetting by several people and in bulk, saved filters, and finding probes by their words.

* A probe that is assigned to several curators is judged by each blind to the others; where they differ it is
  `disputed` (and deferred) until somebody decides once more. Derived from the log, like the status.
* The decisions of one bulk action name it, so that one undo withdraws them all, also one that was cut short.
* `probe_text` holds the wordings as they are compared in a search (without case, accents and differences in white
  space), in trigrams, which find parts of words and scripts without spaces. The trigger: ids of wordings that go with
  a broken load are given again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from btc_gui.store.probe_text import index_all

if TYPE_CHECKING:
    from sqlite_utils import Database as SqliteUtilsDatabase

SCRIPT = """
ALTER TABLE probe ADD COLUMN disputed INTEGER NOT NULL DEFAULT 0 CHECK (disputed IN (0, 1));
CREATE INDEX probe_disputed ON probe (id) WHERE disputed = 1;

CREATE TABLE review_bulk (
    id INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    planned INTEGER NOT NULL,
    -- What was chosen, in words.
    scope TEXT NOT NULL DEFAULT '',
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
ALTER TABLE decision ADD COLUMN bulk_id INTEGER REFERENCES review_bulk (id);
CREATE INDEX decision_bulk ON decision (bulk_id);
CREATE INDEX decision_reviewer ON decision (reviewer, id);

CREATE TABLE review_round (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    shared INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE TABLE review_assignment (
    round_id INTEGER NOT NULL REFERENCES review_round (id) ON DELETE CASCADE,
    reviewer TEXT NOT NULL,
    place INTEGER NOT NULL,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    PRIMARY KEY (probe_id, reviewer)
) STRICT;
CREATE INDEX review_assignment_round ON review_assignment (round_id, reviewer, place);
CREATE INDEX review_assignment_reviewer ON review_assignment (reviewer, round_id, place);

CREATE TABLE saved_filter (
    page TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL CHECK (json_valid(content)),
    at TEXT NOT NULL,
    PRIMARY KEY (page, name)
) STRICT;

CREATE VIRTUAL TABLE probe_text USING fts5(text, tokenize='trigram', detail='none');
CREATE TRIGGER probe_text_gone AFTER DELETE ON probe_revision BEGIN
    DELETE FROM probe_text WHERE rowid = old.id;
END;
"""


def fill(db: SqliteUtilsDatabase) -> None:
    """Make the wordings that exist findable."""
    index_all(db.conn)
