"""What happened while a run was driven, so that it can be told after the window was closed.

Calls made again are counted apart from the lines: lines are bounded, counts must not be.
"""

SCRIPT = """
CREATE TABLE run_log (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    configuration_id INTEGER REFERENCES configuration (id),
    at TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX run_log_run ON run_log (run_id, id);
CREATE INDEX run_log_configuration ON run_log (configuration_id);

CREATE TABLE run_retry (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    configuration_id INTEGER NOT NULL REFERENCES configuration (id),
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run_id, configuration_id, reason)
) STRICT;
CREATE INDEX run_retry_configuration ON run_retry (configuration_id);
"""
