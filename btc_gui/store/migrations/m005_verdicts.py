"""Calls to language models, the judge's verdicts and the classifier's findings.

A call is kept whole (its reply too), so that a verdict can be read again and is never paid for twice.
Verdicts and classifications are appended; the newest of a judge or classifier counts.
"""

SCRIPT = """
CREATE TABLE model_call (
    id INTEGER PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('generator', 'judge', 'classifier')),
    model TEXT NOT NULL,
    subject TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    reply_id INTEGER REFERENCES body (id),
    error TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX model_call_request ON model_call (request_hash, model);

CREATE TABLE verdict (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    call_id INTEGER REFERENCES model_call (id),
    judge TEXT NOT NULL,
    label TEXT CHECK (label IN ('correct', 'incorrect')),
    names_entity INTEGER CHECK (names_entity IN (0, 1)),
    rationale TEXT NOT NULL DEFAULT '',
    unscored TEXT NOT NULL DEFAULT '',
    is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
    at TEXT NOT NULL,
    CHECK ((label IS NULL) = (unscored <> ''))
) STRICT;
CREATE UNIQUE INDEX verdict_current ON verdict (answer_id, judge) WHERE is_current = 1;
CREATE INDEX verdict_label ON verdict (label, is_current);

CREATE TABLE classification (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    call_id INTEGER REFERENCES model_call (id),
    classifier TEXT NOT NULL,
    mode TEXT CHECK (mode IN ('reasoning', 'explicit', 'indirect', 'none')),
    trace TEXT NOT NULL DEFAULT '',
    rationale TEXT NOT NULL DEFAULT '',
    by_construction INTEGER NOT NULL DEFAULT 0 CHECK (by_construction IN (0, 1)),
    unscored TEXT NOT NULL DEFAULT '',
    is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
    at TEXT NOT NULL,
    CHECK ((mode IS NULL) = (unscored <> ''))
) STRICT;
CREATE UNIQUE INDEX classification_current ON classification (answer_id, classifier) WHERE is_current = 1;
CREATE INDEX classification_mode ON classification (mode, is_current);

CREATE TABLE query_label (
    classification_id INTEGER NOT NULL REFERENCES classification (id) ON DELETE CASCADE,
    step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
    label TEXT NOT NULL CHECK (label IN ('explicit', 'indirect', 'unrelated')),
    PRIMARY KEY (classification_id, step_id)
) STRICT;

CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    classification_id INTEGER NOT NULL REFERENCES classification (id) ON DELETE CASCADE,
    result_id INTEGER NOT NULL REFERENCES search_result (id) ON DELETE CASCADE,
    excerpt TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_classification ON evidence (classification_id);
"""
