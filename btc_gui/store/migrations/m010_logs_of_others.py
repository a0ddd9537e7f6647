"""Answers from logs that are not ours: any effort and harness, what the sample was asked, where a run is from.

A CHECK can't be changed in place: the table is made anew under its name (foreign keys are off meanwhile,
so nothing that points to it is touched). `origin` names the log, or the run of another project, that a run
was read from; a second load finds the run by it. `shard_lease` lets several processes drive the shards of
one run.
"""

SCRIPT = """
CREATE TABLE configuration_new (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    harness TEXT NOT NULL CHECK (harness IN ('shared', 'native', 'none', 'other')),
    effort TEXT NOT NULL
        CHECK (effort IN ('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'unknown')),
    search TEXT NOT NULL DEFAULT '',
    prompt_hash TEXT NOT NULL DEFAULT '',
    as_of TEXT NOT NULL DEFAULT '',
    settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings))
) STRICT;
INSERT INTO configuration_new (id, identity, model, harness, effort, search, prompt_hash, as_of, settings)
    SELECT id, identity, model, harness, effort, search, prompt_hash, as_of, settings FROM configuration;
DROP TABLE configuration;
ALTER TABLE configuration_new RENAME TO configuration;

ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX run_origin ON run (origin) WHERE origin <> '';

ALTER TABLE run_item ADD COLUMN request TEXT NOT NULL DEFAULT '';

CREATE TABLE shard_lease (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    shard TEXT NOT NULL,
    owner TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (run_id, shard)
) STRICT;
"""
