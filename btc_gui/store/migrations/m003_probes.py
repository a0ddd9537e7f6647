"""Probes in numbered revisions, and the review log.

`revision_id`, `status` and `flagged` repeat what the log says, written in the same transaction, so that
lists can filter and sort; `decided_facts_hash` is what an approval was made for.
"""

SCRIPT = """
CREATE TABLE probe (
    id INTEGER PRIMARY KEY,
    load_id INTEGER REFERENCES load (id) ON DELETE CASCADE,
    key TEXT NOT NULL UNIQUE,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'indirect')),
    ordinal INTEGER NOT NULL,
    revision_id INTEGER REFERENCES probe_revision (id) DEFERRABLE INITIALLY DEFERRED,
    status TEXT NOT NULL DEFAULT 'unreviewed'
        CHECK (status IN ('unreviewed', 'accepted', 'rejected', 'deferred')),
    flagged INTEGER NOT NULL DEFAULT 0 CHECK (flagged IN (0, 1)),
    decided_facts_hash TEXT NOT NULL DEFAULT '',
    added_at TEXT NOT NULL
) STRICT;
CREATE INDEX probe_event ON probe (event_id, kind, ordinal);
CREATE INDEX probe_status ON probe (status, kind);
CREATE INDEX probe_load ON probe (load_id);
CREATE INDEX probe_current ON probe (revision_id);

CREATE TABLE probe_revision (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    requester TEXT NOT NULL DEFAULT '',
    situation TEXT NOT NULL DEFAULT '',
    consequence TEXT NOT NULL DEFAULT '',
    facts_hash TEXT NOT NULL,
    origin TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (probe_id, number)
) STRICT;
CREATE INDEX probe_revision_text ON probe_revision (text_hash);

CREATE TABLE decision (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    action TEXT NOT NULL
        CHECK (action IN ('accept', 'reject', 'edit', 'defer', 'flag', 'unflag', 'note', 'undo')),
    reasons TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(reasons)),
    note TEXT NOT NULL DEFAULT '',
    text_hash TEXT NOT NULL,
    facts_hash TEXT NOT NULL,
    new_revision_id INTEGER REFERENCES probe_revision (id),
    undoes INTEGER UNIQUE REFERENCES decision (id),
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX decision_probe ON decision (probe_id, id);
CREATE INDEX decision_revision ON decision (revision_id);
CREATE INDEX decision_new_revision ON decision (new_revision_id);

-- What somebody is typing, kept up to the last second; gone once it is committed.
CREATE TABLE draft (
    place TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
"""
