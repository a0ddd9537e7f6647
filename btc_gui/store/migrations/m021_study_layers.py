"""Studies that are published: more states, layers of labels, repeats, practice, masked passages, parts of a label.

A packet is one layer of an annotator's labels (blind, assisted, revealed, adjudication); the mode of a study says
which layers there are. CHECKs can't be changed in place: both tables are made anew under their names. Labels got two
columns: the annotator's confidence, and the parts of the form (query labels, evidence) that the label follows from.
What the practice items brought is kept apart from the labels that are analysed.
"""

SCRIPT = """
CREATE TABLE study_new (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('blind', 'assisted', 'blind_then_revealed')),
    state TEXT NOT NULL CHECK (
        state IN ('draft', 'locked', 'practice', 'labelling', 'closed', 'unblinded', 'analysed', 'amended')
    ),
    design TEXT NOT NULL CHECK (json_valid(design)),
    manifest TEXT CHECK (manifest IS NULL OR json_valid(manifest)),
    manifest_sha256 TEXT NOT NULL DEFAULT '',
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
INSERT INTO study_new (id, name, kind, mode, state, design, manifest, manifest_sha256, created_by, created_at)
    SELECT id, name, kind, mode, state, design, manifest, manifest_sha256, created_by, created_at FROM study;
DROP TABLE study;
ALTER TABLE study_new RENAME TO study;

CREATE TABLE packet_new (
    id TEXT PRIMARY KEY,
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    annotator TEXT NOT NULL,
    layer TEXT NOT NULL CHECK (layer IN ('blind', 'assisted', 'revealed', 'adjudication')),
    digest TEXT NOT NULL,
    items INTEGER NOT NULL,
    issued_at TEXT NOT NULL,
    returned_at TEXT NOT NULL DEFAULT '',
    labels_sha256 TEXT NOT NULL DEFAULT '',
    UNIQUE (study_id, annotator, layer)
) STRICT;
INSERT INTO packet_new (id, study_id, annotator, layer, digest, items, issued_at, returned_at, labels_sha256)
    SELECT id, study_id, annotator, mode, digest, items, issued_at, returned_at, labels_sha256 FROM packet
    ORDER BY rowid;
DROP TABLE packet;
ALTER TABLE packet_new RENAME TO packet;

ALTER TABLE human_label ADD COLUMN confidence INTEGER CHECK (confidence BETWEEN 1 AND 3);
ALTER TABLE human_label ADD COLUMN answers TEXT NOT NULL DEFAULT '';

ALTER TABLE study_item ADD COLUMN role TEXT NOT NULL DEFAULT 'sample' CHECK (role IN ('sample', 'repeat'));
ALTER TABLE study_item ADD COLUMN repeats TEXT NOT NULL DEFAULT '';

CREATE TABLE practice_label (
    packet_id TEXT NOT NULL REFERENCES packet (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    item TEXT NOT NULL,
    label TEXT NOT NULL,
    answers TEXT NOT NULL DEFAULT '',
    active_seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (packet_id, sequence)
) STRICT;

-- Part of the key: what was masked in a shown text because it names its author.
CREATE TABLE masked (
    study_id INTEGER NOT NULL,
    item TEXT NOT NULL,
    field TEXT NOT NULL,
    place INTEGER NOT NULL,
    original TEXT NOT NULL,
    PRIMARY KEY (study_id, item, field, place),
    FOREIGN KEY (study_id, item) REFERENCES study_item (study_id, item) ON DELETE CASCADE
) STRICT;
"""
