"""Finding cases by words with operators: one row a case, one column a kind of text, with the places of the words.

Before, each distinct text had one row of trigrams, which could only be asked for one piece of text at a time. With a
row a case, “both words, wherever in it” and “not this word” are quick to tell. The answers of filters, many times more,
have a table of their own, so that a search of the evaluation does not pay for them. What was stored before is put in
by `jobs/index_cases.py`, in short batches: doing it here would keep the project closed for minutes.
"""

SCRIPT = """
DROP TABLE case_text;
CREATE VIRTUAL TABLE case_words USING fts5(answer, query, result, reasoning, probe, content='', tokenize='ascii');
CREATE VIRTUAL TABLE filter_words USING fts5(answer, query, result, reasoning, probe, content='', tokenize='ascii');
"""
