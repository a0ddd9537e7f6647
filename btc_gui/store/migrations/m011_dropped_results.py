"""How many results of a search the as-of day of its configuration kept from the agent.

An agent that found nothing because nothing had been written yet is another case than one that searched badly.
"""

SCRIPT = """
ALTER TABLE step ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
"""
