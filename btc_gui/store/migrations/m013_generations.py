"""What generators were asked for, and what came of it: a reply that can't be used is a row with its reason.

Each wording that a model wrote names its generation, and so model, prompt, cost and raw reply; the other people whom
the model thought of stand beside it.
"""

SCRIPT = """
CREATE TABLE generation (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'indirect')),
    -- The one probe that was to be written anew; NULL for an event's set.
    probe_id INTEGER REFERENCES probe (id) ON DELETE CASCADE,
    call_id INTEGER REFERENCES model_call (id),
    model TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    facts_hash TEXT NOT NULL,
    context_hash TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    problem TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX generation_event ON generation (event_id, kind, id);
CREATE INDEX generation_probe ON generation (probe_id);
CREATE INDEX generation_call ON generation (call_id);

CREATE TABLE generated_wording (
    revision_id INTEGER PRIMARY KEY REFERENCES probe_revision (id) ON DELETE CASCADE,
    generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
    candidates TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(candidates))
) STRICT;
CREATE INDEX generated_wording_generation ON generated_wording (generation_id);
"""
