"""Samples of retained probes, frozen when drawn: what a model is evaluated on.

An item names the wording and the facts that it was drawn with, so that a later edit shows. `sha256` is over
all items: a published sample can be told from another one of the same name. A common sample was drawn from
the probes that all its models retain.
"""

SCRIPT = """
CREATE TABLE sample (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    algorithm TEXT NOT NULL,
    seed TEXT NOT NULL,
    size INTEGER NOT NULL,
    per_event INTEGER NOT NULL,
    common INTEGER NOT NULL CHECK (common IN (0, 1)),
    extends INTEGER REFERENCES sample (id),
    cells TEXT NOT NULL CHECK (json_valid(cells)),
    sha256 TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX sample_extends ON sample (extends);

CREATE TABLE sample_item (
    sample_id INTEGER NOT NULL REFERENCES sample (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    category TEXT NOT NULL,
    place INTEGER NOT NULL,
    event_id INTEGER NOT NULL REFERENCES event (id),
    probe_id INTEGER NOT NULL REFERENCES probe (id),
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    text_hash TEXT NOT NULL,
    direct_id INTEGER REFERENCES probe (id),
    direct_revision_id INTEGER REFERENCES probe_revision (id),
    direct_text_hash TEXT NOT NULL DEFAULT '',
    facts_hash TEXT NOT NULL,
    PRIMARY KEY (sample_id, model, probe_id),
    UNIQUE (sample_id, model, category, place)
) STRICT;
CREATE INDEX sample_item_event ON sample_item (event_id);
CREATE INDEX sample_item_probe ON sample_item (probe_id);
CREATE INDEX sample_item_revision ON sample_item (revision_id);
CREATE INDEX sample_item_direct ON sample_item (direct_id);
CREATE INDEX sample_item_direct_revision ON sample_item (direct_revision_id);
"""
