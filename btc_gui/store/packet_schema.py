"""What a packet's file is built of: exactly these tables, and nothing that runs."""

from __future__ import annotations

from functools import cache

from btc_gui.store.outside_file import Part, parts_of

#: The tables of a packet.
SCHEMA = """
    CREATE TABLE manifest (
        content TEXT NOT NULL CHECK (json_valid(content)),
        digest TEXT NOT NULL
    ) STRICT;
    CREATE TABLE page (
        name TEXT PRIMARY KEY,
        content TEXT NOT NULL
    ) STRICT;
    CREATE TABLE item (
        position INTEGER PRIMARY KEY,
        item TEXT NOT NULL UNIQUE,
        page TEXT NOT NULL REFERENCES page (name),
        digest TEXT NOT NULL
    ) STRICT;
    CREATE TABLE shown (
        position INTEGER NOT NULL REFERENCES item (position),
        field TEXT NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (position, field)
    ) STRICT;
    CREATE TABLE label (
        sequence INTEGER PRIMARY KEY,
        item TEXT NOT NULL REFERENCES item (item),
        label TEXT NOT NULL,
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        undoes INTEGER UNIQUE REFERENCES label (sequence),
        active_seconds REAL NOT NULL,
        at TEXT NOT NULL,
        confidence INTEGER CHECK (confidence BETWEEN 1 AND 3),
        answers TEXT NOT NULL
    ) STRICT;
    CREATE TABLE skip (
        sequence INTEGER PRIMARY KEY,
        item TEXT NOT NULL REFERENCES item (item),
        at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE draft (
        item TEXT PRIMARY KEY REFERENCES item (item),
        content TEXT NOT NULL
    ) STRICT;
    CREATE TABLE practice (
        position INTEGER PRIMARY KEY,
        item TEXT NOT NULL UNIQUE,
        page TEXT NOT NULL REFERENCES page (name),
        content TEXT NOT NULL CHECK (json_valid(content))
    ) STRICT;
    CREATE TABLE practice_label (
        sequence INTEGER PRIMARY KEY,
        item TEXT NOT NULL REFERENCES practice (item),
        label TEXT NOT NULL,
        answers TEXT NOT NULL,
        active_seconds REAL NOT NULL,
        at TEXT NOT NULL
    ) STRICT;
"""

_FIRST_LABEL = """
    CREATE TABLE label (
        sequence INTEGER PRIMARY KEY,
        item TEXT NOT NULL REFERENCES item (item),
        label TEXT NOT NULL,
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        undoes INTEGER UNIQUE REFERENCES label (sequence),
        active_seconds REAL NOT NULL,
        at TEXT NOT NULL
    ) STRICT;
"""


@cache
def known_parts(version: int) -> frozenset[Part]:
    """The tables of a packet of that version. The first one asked for labels only, and had no practice."""
    now = parts_of([SCHEMA])
    if version > 1:
        return now
    later = ("label", "practice", "practice_label")
    return frozenset(part for part in now if part[2] not in later) | parts_of([_FIRST_LABEL])
