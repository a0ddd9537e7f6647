"""What was to be written anew and did not come may stay as it is: who put the failure aside, and when."""

SCRIPT = """
ALTER TABLE generation ADD COLUMN dismissed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE generation ADD COLUMN dismissed_at TEXT NOT NULL DEFAULT '';
"""
