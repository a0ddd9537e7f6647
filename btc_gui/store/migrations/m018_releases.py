"""Releases: what was accepted, frozen under a name.

A pair is kept as the line that others get: facts and wordings may be corrected later, a release stays as it was, and
its files are written from here alone. An item also names the wordings of this project, so that what has come between
can be told.
"""

SCRIPT = """
CREATE TABLE release (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    note TEXT NOT NULL DEFAULT '',
    counts TEXT NOT NULL CHECK (json_valid(counts)),
    -- Of the file of pairs.
    sha256 TEXT NOT NULL,
    datasheet_id INTEGER NOT NULL REFERENCES body (id),
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX release_datasheet ON release (datasheet_id);

CREATE TABLE release_item (
    release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    line_id INTEGER NOT NULL REFERENCES body (id),
    probe_id INTEGER NOT NULL REFERENCES probe (id),
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    direct_id INTEGER NOT NULL REFERENCES probe (id),
    direct_revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    PRIMARY KEY (release_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_item_line ON release_item (line_id);
CREATE INDEX release_item_probe ON release_item (probe_id);
CREATE INDEX release_item_revision ON release_item (revision_id);
CREATE INDEX release_item_direct ON release_item (direct_id);
CREATE INDEX release_item_direct_revision ON release_item (direct_revision_id);
"""
