"""Notes on cases and their steps, appended with author and time; a note can be withdrawn."""

SCRIPT = """
CREATE TABLE case_note (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    step_number INTEGER,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX case_note_answer ON case_note (answer_id);
"""
