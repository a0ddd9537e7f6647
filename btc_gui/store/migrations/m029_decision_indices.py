"""Only edits name a new wording, only bulk actions one of theirs: a decision of another kind has no place in their
indices, each of which it had to write a page of."""

SCRIPT = """
DROP INDEX decision_new_revision;

CREATE INDEX decision_new_revision ON decision (new_revision_id) WHERE new_revision_id IS NOT NULL;

DROP INDEX decision_bulk;

CREATE INDEX decision_bulk ON decision (bulk_id) WHERE bulk_id IS NOT NULL;
"""
