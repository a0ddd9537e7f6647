"""Notes on cases and collections of cases as views, beside those of answers and labels."""

SCRIPT = """
CREATE VIEW v_notes AS
    SELECT 'btc:' || answer_id || ifnull('#' || step_number, '') AS reference, answer_id, step_number, note, author, at
    FROM case_note WHERE withdrawn_at = '';

CREATE VIEW v_collections AS
    SELECT 'btc:' || item.answer_id AS reference, item.answer_id, wording.name AS collection, wording.description,
           row_number() OVER (PARTITION BY item.collection_id ORDER BY item.position, item.id) AS place,
           item.author, item.at
    FROM case_collection_item AS item
    JOIN case_collection ON case_collection.id = item.collection_id AND case_collection.withdrawn_at = ''
    JOIN case_collection_text AS wording ON wording.id = (
        SELECT max(id) FROM case_collection_text WHERE collection_id = item.collection_id)
    JOIN answer ON answer.id = item.answer_id AND answer.is_final = 1
    WHERE item.withdrawn_at = '';
"""
