"""Runs, their planned items, and answers with their whole trajectories.

An item is planned once for each repetition; attempts at it are answers. At most one of them is final:
the others (cancelled, or failed and retried) stay as rows. `uuid` is the engine's id of the sample, so
that the same sample twice is a no-op.
"""

SCRIPT = """
CREATE TABLE configuration (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    harness TEXT NOT NULL CHECK (harness IN ('shared', 'native', 'none')),
    effort TEXT NOT NULL CHECK (effort IN ('low', 'high')),
    search TEXT NOT NULL DEFAULT '',
    prompt_hash TEXT NOT NULL DEFAULT '',
    as_of TEXT NOT NULL DEFAULT '',
    settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings))
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('evaluate', 'filter', 'import')),
    recipe TEXT NOT NULL CHECK (json_valid(recipe)),
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    log_dir TEXT NOT NULL DEFAULT '',
    -- A run is driven by one process at a time: who, and until when without a renewal.
    lease_owner TEXT NOT NULL DEFAULT '',
    lease_until TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE run_item (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    configuration_id INTEGER NOT NULL REFERENCES configuration (id),
    probe_id INTEGER REFERENCES probe (id),
    revision_id INTEGER REFERENCES probe_revision (id),
    sample TEXT NOT NULL DEFAULT '',
    repetition INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX run_item_once
    ON run_item (run_id, configuration_id, ifnull(revision_id, 0), sample, repetition);
CREATE INDEX run_item_probe ON run_item (probe_id);
CREATE INDEX run_item_revision ON run_item (revision_id);
CREATE INDEX run_item_configuration ON run_item (configuration_id);

CREATE TABLE answer (
    id INTEGER PRIMARY KEY,
    run_item_id INTEGER NOT NULL REFERENCES run_item (id) ON DELETE CASCADE,
    uuid TEXT NOT NULL UNIQUE,
    is_final INTEGER NOT NULL CHECK (is_final IN (0, 1)),
    ending TEXT NOT NULL CHECK (ending IN ('answered', 'no_answer', 'refused', 'failed', 'cancelled')),
    ending_reason TEXT NOT NULL DEFAULT '',
    body_id INTEGER REFERENCES body (id),
    queries INTEGER NOT NULL DEFAULT 0,
    results INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL,
    seconds REAL,
    started_at TEXT NOT NULL DEFAULT '',
    finished_at TEXT NOT NULL DEFAULT '',
    stored_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX answer_final ON answer (run_item_id) WHERE is_final = 1;
CREATE INDEX answer_item ON answer (run_item_id);
CREATE INDEX answer_ending ON answer (ending, is_final);

CREATE TABLE step (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('reasoning', 'query', 'tool', 'message', 'answer')),
    body_id INTEGER REFERENCES body (id),
    output_id INTEGER REFERENCES body (id),
    error TEXT NOT NULL DEFAULT '',
    tool TEXT NOT NULL DEFAULT '',
    agent TEXT NOT NULL DEFAULT '',
    span TEXT NOT NULL DEFAULT '',
    parent_span TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL DEFAULT '',
    seconds REAL,
    hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
    UNIQUE (answer_id, number)
) STRICT;

CREATE TABLE search_result (
    id INTEGER PRIMARY KEY,
    step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    published TEXT NOT NULL DEFAULT '',
    excerpts_id INTEGER REFERENCES body (id),
    UNIQUE (step_id, rank)
) STRICT;
"""
