"""What the project is, and the long texts of all subjects.

Long texts live apart, once each, so that lists and counts never read them; compressed where it pays.
"""

SCRIPT = """
CREATE TABLE project (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE body (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    characters INTEGER NOT NULL,
    encoding TEXT NOT NULL CHECK (encoding IN ('utf8', 'zlib')),
    content BLOB NOT NULL
) STRICT;
"""
