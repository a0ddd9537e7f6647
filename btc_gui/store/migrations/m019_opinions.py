"""All verdicts and classifications of an answer are shown with it: they are found without reading all others.

The indexes on current ones do not hold those that were replaced.
"""

SCRIPT = """
CREATE INDEX verdict_answer ON verdict (answer_id);
CREATE INDEX classification_answer ON classification (answer_id);
"""
