"""A queue of the review is read anew when findings or waivers changed: a number that grows with every such change.

The newest row's id did not tell: ids of findings that are replaced are given out again, and withdrawing a waiver adds
no row.
"""

SCRIPT = """
CREATE TABLE lint_counter (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    changes INTEGER NOT NULL
) STRICT;
INSERT INTO lint_counter (id, changes) VALUES (1, 0);
"""
