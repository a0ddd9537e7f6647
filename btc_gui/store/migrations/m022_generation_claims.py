"""Who is having an event's probes written now: two windows or terminals at once would pay for the same probes twice."""

SCRIPT = """
CREATE TABLE generation_claim (
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'indirect')),
    holder TEXT NOT NULL,
    -- Renewed while its process is at work: a claim that is over belongs to one that has died.
    until TEXT NOT NULL,
    PRIMARY KEY (event_id, kind)
) STRICT;
CREATE INDEX generation_claim_holder ON generation_claim (holder);
"""
