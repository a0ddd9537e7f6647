"""Validation studies: the locked manifest, the key, the packets, the labels that came back, the log.

The key (which opaque item is which answer, in which stratum) never leaves this file. Labels are appended;
the first one of an annotator for an item is the one analysed. The log is a hash chain.
"""

SCRIPT = """
CREATE TABLE study (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('blind', 'assisted', 'blind_then_revealed')),
    state TEXT NOT NULL
        CHECK (state IN ('draft', 'locked', 'labelling', 'closed', 'unblinded')),
    design TEXT NOT NULL CHECK (json_valid(design)),
    manifest TEXT CHECK (manifest IS NULL OR json_valid(manifest)),
    manifest_sha256 TEXT NOT NULL DEFAULT '',
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE study_item (
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    item TEXT NOT NULL,
    answer_id INTEGER NOT NULL REFERENCES answer (id),
    stratum TEXT NOT NULL,
    cell TEXT NOT NULL,
    frame_count INTEGER NOT NULL,
    drawn_count INTEGER NOT NULL,
    machine_label TEXT NOT NULL,
    PRIMARY KEY (study_id, item)
) STRICT;
CREATE INDEX study_item_answer ON study_item (answer_id);

CREATE TABLE packet (
    id TEXT PRIMARY KEY,
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    annotator TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('blind', 'assisted')),
    digest TEXT NOT NULL,
    items INTEGER NOT NULL,
    issued_at TEXT NOT NULL,
    returned_at TEXT NOT NULL DEFAULT '',
    labels_sha256 TEXT NOT NULL DEFAULT '',
    -- Blind then revealed is two packets for one annotator.
    UNIQUE (study_id, annotator, mode)
) STRICT;

CREATE TABLE human_label (
    id INTEGER PRIMARY KEY,
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    packet_id TEXT NOT NULL REFERENCES packet (id),
    item TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    annotator TEXT NOT NULL,
    label TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    undoes INTEGER,
    active_seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    UNIQUE (packet_id, sequence),
    FOREIGN KEY (study_id, item) REFERENCES study_item (study_id, item)
) STRICT;
CREATE INDEX human_label_item ON human_label (study_id, item);

CREATE TABLE study_log (
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    step TEXT NOT NULL,
    detail TEXT NOT NULL CHECK (json_valid(detail)),
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (study_id, number)
) STRICT;

-- Cases that somebody opened while a study over them was open.
CREATE TABLE exposure (
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (study_id, answer_id, person)
) STRICT;
"""
