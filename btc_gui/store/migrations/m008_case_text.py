"""Finding answers by their words: trigrams of the distinct texts of answers and queries, by body id.

Trigrams find parts of words, and scripts that are written without spaces. The index holds no text of its
own and no positions (`content=''`, `detail='none'`): it names candidates, and the stored texts decide.
"""

SCRIPT = """
CREATE VIRTUAL TABLE case_text USING fts5(text, content='', tokenize='trigram', detail='none');
CREATE INDEX answer_body ON answer (body_id);
CREATE INDEX step_body ON step (body_id);
"""
