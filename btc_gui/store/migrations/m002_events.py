"""Events and what was read from which file.

A load's rows count only once `completed_at` is set; a broken load is cleared on the next open. Facts are
kept by revision, since approvals are bound to the facts they were made for.
"""

SCRIPT = """
CREATE TABLE load (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL CHECK (subject IN ('events', 'probes', 'logs', 'answers')),
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    mapping TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(mapping)),
    started_at TEXT NOT NULL,
    -- Renewed while the load is going on: one that stands still has died and is cleared.
    alive_at TEXT NOT NULL DEFAULT '',
    completed_at TEXT,
    read INTEGER NOT NULL DEFAULT 0,
    new INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX load_unfinished ON load (id) WHERE completed_at IS NULL;

CREATE TABLE load_rejection (
    load_id INTEGER NOT NULL REFERENCES load (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    reason TEXT NOT NULL,
    content TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX load_rejection_load ON load_rejection (load_id);

-- How a file with these columns was read last time, so that the next one needs no questions.
CREATE TABLE column_mapping (
    subject TEXT NOT NULL,
    columns_hash TEXT NOT NULL,
    mapping TEXT NOT NULL CHECK (json_valid(mapping)),
    at TEXT NOT NULL,
    PRIMARY KEY (subject, columns_hash)
) STRICT;

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    load_id INTEGER REFERENCES load (id) ON DELETE CASCADE,
    revision_id INTEGER REFERENCES event_revision (id) DEFERRABLE INITIALLY DEFERRED,
    category TEXT NOT NULL,
    entity TEXT NOT NULL,
    date TEXT NOT NULL,
    added_at TEXT NOT NULL
) STRICT;
CREATE INDEX event_load ON event (load_id);
CREATE INDEX event_list ON event (category, date, id);
-- Every revision that is added or removed is looked for here: without it, by reading all events.
CREATE INDEX event_current ON event (revision_id);

CREATE TABLE event_revision (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    facts TEXT NOT NULL CHECK (json_valid(facts)),
    facts_hash TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (event_id, number)
) STRICT;

-- The keys under which an event is recognised: by QID, by article title, by name. Namesakes share one.
CREATE TABLE event_identity (
    identity TEXT NOT NULL,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    PRIMARY KEY (identity, event_id)
) STRICT;
CREATE INDEX event_identity_event ON event_identity (event_id);
"""
