"""Collecting from Wikidata: what was asked, every answer as it came, what became of every row; articles; asking again.

Answers are kept so that a stopped collection goes on where it stopped, and so that its decisions can be made again.
"""

SCRIPT = """
CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    service TEXT NOT NULL,
    address TEXT NOT NULL,
    -- Of the queries' texts: answers to other queries are not continued.
    plan_hash TEXT NOT NULL,
    started_at TEXT NOT NULL,
    started_by TEXT NOT NULL,
    -- The date of the service's data, as it says itself; empty when it does not say.
    data_date TEXT NOT NULL DEFAULT '',
    completed_at TEXT,
    requests INTEGER NOT NULL DEFAULT 0,
    waited REAL NOT NULL DEFAULT 0,
    lease_owner TEXT NOT NULL DEFAULT '',
    lease_until TEXT NOT NULL DEFAULT ''
) STRICT;

-- `part` is the stretch of days or the hash of the ids that were asked for. A part that took too long is kept as
-- such: its halves are parts of their own.
CREATE TABLE collection_reply (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    query TEXT NOT NULL,
    part TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'out_of_time')),
    rows INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    body_id INTEGER REFERENCES body (id),
    UNIQUE (collection_id, query, part)
) STRICT;
CREATE INDEX collection_reply_body ON collection_reply (body_id);

CREATE TABLE collection_step (
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    dropped INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    PRIMARY KEY (collection_id, ordinal)
) STRICT;

CREATE TABLE candidate (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    -- The id of the statement.
    key TEXT NOT NULL,
    qid TEXT NOT NULL,
    name TEXT NOT NULL,
    date TEXT NOT NULL,
    position TEXT NOT NULL DEFAULT '',
    rank TEXT NOT NULL DEFAULT '',
    facts TEXT CHECK (facts IS NULL OR json_valid(facts)),
    kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
    step TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    marks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(marks)),
    event_id INTEGER REFERENCES event (id) ON DELETE SET NULL,
    UNIQUE (collection_id, key)
) STRICT;
CREATE INDEX candidate_list ON candidate (collection_id, kept, step);
CREATE INDEX candidate_event ON candidate (event_id);

-- By key, so that later collections take the candidate too.
CREATE TABLE put_back (
    id INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    key TEXT NOT NULL,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT,
    withdrawn_by TEXT
) STRICT;
CREATE INDEX put_back_key ON put_back (category, key);

-- The article about an event's entity (or its position), as of a revision; `problem` says why there is none.
CREATE TABLE event_article (
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    about TEXT NOT NULL CHECK (about IN ('entity', 'position')),
    asked TEXT NOT NULL,
    as_of TEXT NOT NULL,
    before_day TEXT NOT NULL DEFAULT '',
    fetched_at TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    page_id INTEGER,
    revision_id INTEGER,
    revised_at TEXT NOT NULL DEFAULT '',
    url TEXT NOT NULL DEFAULT '',
    attribution TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    -- Places that tell of the change: [[start, end, why], …]
    leaks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(leaks)),
    body_id INTEGER REFERENCES body (id),
    PRIMARY KEY (event_id, about)
) STRICT;
CREATE INDEX event_article_body ON event_article (body_id);

-- What asking again found to have moved: a queue, answered by a person.
CREATE TABLE event_movement (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    movement TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- The facts that it was found for, and those of the source now.
    facts_hash TEXT NOT NULL,
    now TEXT CHECK (now IS NULL OR json_valid(now)),
    service TEXT NOT NULL,
    found_at TEXT NOT NULL,
    answer TEXT CHECK (answer IN ('taken', 'rejected', 'left')),
    note TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL DEFAULT '',
    answered_at TEXT
) STRICT;
CREATE INDEX event_movement_open ON event_movement (event_id) WHERE answer IS NULL;
CREATE INDEX event_movement_event ON event_movement (event_id);

CREATE TABLE event_check (
    event_id INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
    checked_at TEXT NOT NULL,
    movement TEXT NOT NULL
) STRICT;

CREATE TABLE event_rejection (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT,
    withdrawn_by TEXT
) STRICT;
CREATE INDEX event_rejection_event ON event_rejection (event_id);
"""
