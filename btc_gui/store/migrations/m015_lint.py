"""What the linter found, so that lists can filter by it.

A check names the wording, the facts and the rules it was made with: whatever moves makes it stale. Prints are the
least hashes of a wording's word triples: wordings that are nearly the same share some, so that one edited probe finds
its likes without reading all others. A waiver is for one wording and its facts, as an approval is.
"""

SCRIPT = """
CREATE TABLE lint_check (
    probe_id INTEGER PRIMARY KEY REFERENCES probe (id) ON DELETE CASCADE,
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id) ON DELETE CASCADE,
    event_revision_id INTEGER NOT NULL REFERENCES event_revision (id) ON DELETE CASCADE,
    version TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX lint_check_revision ON lint_check (revision_id);
CREATE INDEX lint_check_event_revision ON lint_check (event_revision_id);

CREATE TABLE lint_waiver (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id) ON DELETE CASCADE,
    facts_hash TEXT NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_by TEXT,
    withdrawn_at TEXT
) STRICT;
CREATE INDEX lint_waiver_probe ON lint_waiver (probe_id);
CREATE INDEX lint_waiver_revision ON lint_waiver (revision_id);

CREATE TABLE lint_finding (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    rule TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    excerpt TEXT NOT NULL,
    why TEXT NOT NULL,
    like_probe_id INTEGER REFERENCES probe (id) ON DELETE CASCADE,
    waiver_id INTEGER REFERENCES lint_waiver (id)
) STRICT;
CREATE INDEX lint_finding_probe ON lint_finding (probe_id);
CREATE INDEX lint_finding_rule ON lint_finding (rule, severity, probe_id);
CREATE INDEX lint_finding_like ON lint_finding (like_probe_id) WHERE like_probe_id IS NOT NULL;
CREATE INDEX lint_finding_waiver ON lint_finding (waiver_id) WHERE waiver_id IS NOT NULL;

CREATE TABLE lint_print (
    print INTEGER NOT NULL,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    PRIMARY KEY (print, probe_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lint_print_probe ON lint_print (probe_id);
"""
