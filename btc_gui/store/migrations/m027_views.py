"""Views for people who bring pandas: what cases, steps, results, verdicts and labels are, without knowing the tables.

What they are named and give is documented in docs/cases.md and may be relied on. As long as a study over a case is
open, its labels and modes are NULL here: who labels it must not come across them. Labels of people are those of
studies whose key is open, withdrawn ones left out. Texts are in `v_texts`, as the project stores them.
"""

_OPEN = "('locked', 'practice', 'labelling', 'closed')"
_UNBLINDED = "('unblinded', 'analysed', 'amended')"

SCRIPT = f"""
CREATE VIEW v_texts AS
    SELECT id AS text_id, characters, encoding, content FROM body;

CREATE VIEW v_open_cases AS
    SELECT DISTINCT study_item.answer_id FROM study_item JOIN study ON study.id = study_item.study_id
    WHERE study.state IN {_OPEN};

CREATE VIEW v_verdicts AS
    SELECT 'btc:' || verdict.answer_id AS reference, verdict.answer_id, verdict.judge, verdict.label,
           verdict.names_entity, verdict.rationale, verdict.unscored, verdict.at
    FROM verdict
    WHERE verdict.is_current = 1 AND verdict.answer_id NOT IN (SELECT answer_id FROM v_open_cases);

CREATE VIEW v_classifications AS
    SELECT 'btc:' || classification.answer_id AS reference, classification.id AS classification_id,
           classification.answer_id, classification.classifier, classification.mode, classification.by_construction,
           classification.rationale, classification.unscored, classification.at
    FROM classification
    WHERE classification.is_current = 1 AND classification.answer_id NOT IN (SELECT answer_id FROM v_open_cases);

CREATE VIEW v_cases AS
    SELECT 'btc:' || answer.id AS reference, answer.id AS answer_id,
           CASE run.purpose WHEN 'filter' THEN 'filter' ELSE 'evaluation' END AS pool,
           run.id AS run_id, run.name AS run, run_item.repetition,
           event.id AS event_id, event.category, event.entity, event.date,
           probe.id AS probe_id, probe.key AS probe, probe.kind,
           ifnull(probe_revision.text, run_item.request) AS probe_text, run_item.sample,
           configuration.id AS configuration_id, configuration.model, configuration.harness, configuration.effort,
           configuration.search, configuration.as_of,
           answer.ending, answer.ending_reason, answer.queries, answer.results,
           answer.body_id AS answer_text_id,
           answer.id IN (SELECT answer_id FROM v_open_cases) AS in_open_study,
           verdict.judge, verdict.label, verdict.names_entity, verdict.unscored,
           CASE verdict.label WHEN 'incorrect' THEN classification.mode END AS mode,
           CASE verdict.label WHEN 'incorrect' THEN classification.by_construction END AS by_construction,
           answer.input_tokens, answer.output_tokens, answer.reasoning_tokens, answer.cost, answer.seconds,
           answer.started_at, answer.finished_at, answer.stored_at
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN run ON run.id = run_item.run_id
    JOIN configuration ON configuration.id = run_item.configuration_id
    LEFT JOIN probe ON probe.id = run_item.probe_id
    LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id
    LEFT JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON answer.id NOT IN (SELECT answer_id FROM v_open_cases) AND verdict.id =
        (SELECT max(id) FROM verdict WHERE verdict.answer_id = answer.id AND verdict.is_current = 1
         AND verdict.judge = ifnull((SELECT value FROM project WHERE key = 'primary judge' AND value <> ''),
                                    verdict.judge))
    LEFT JOIN classification ON answer.id NOT IN (SELECT answer_id FROM v_open_cases) AND classification.id =
        (SELECT max(id) FROM classification
         WHERE classification.answer_id = answer.id AND classification.is_current = 1)
    WHERE answer.is_final = 1;

CREATE VIEW v_steps AS
    SELECT 'btc:' || step.answer_id || '#' || step.number AS reference, step.id AS step_id, step.answer_id,
           step.number, step.kind, step.body_id AS text_id, step.output_id AS output_text_id, step.tool, step.agent,
           step.error, step.hidden, step.dropped, step.at, step.seconds
    FROM step;

CREATE VIEW v_query_classes AS
    SELECT 'btc:' || step.answer_id || '#' || step.number AS reference, step.answer_id, step.number,
           query_label.step_id, v_classifications.classifier, query_label.label AS class
    FROM v_classifications
    JOIN query_label ON query_label.classification_id = v_classifications.classification_id
    JOIN step ON step.id = query_label.step_id;

CREATE VIEW v_results AS
    SELECT 'btc:' || step.answer_id || '#' || step.number AS reference, search_result.id AS result_id, step.answer_id,
           step.number, search_result.rank, search_result.title, search_result.url, search_result.published,
           search_result.excerpts_id AS excerpts_text_id
    FROM search_result JOIN step ON step.id = search_result.step_id;

CREATE VIEW v_evidence AS
    SELECT 'btc:' || v_classifications.answer_id AS reference, v_classifications.answer_id, evidence.result_id,
           v_classifications.classifier, evidence.excerpt
    FROM v_classifications JOIN evidence ON evidence.classification_id = v_classifications.classification_id;

CREATE VIEW v_labels AS
    SELECT 'btc:' || study_item.answer_id AS reference, study_item.answer_id, study.name AS study, study.kind,
           packet.layer, human_label.annotator, human_label.label, human_label.confidence, human_label.reason,
           human_label.sequence, study_item.role, study_item.stratum, study_item.frame_count, study_item.drawn_count,
           human_label.active_seconds, human_label.at
    FROM human_label
    JOIN study ON study.id = human_label.study_id AND study.state IN {_UNBLINDED}
    JOIN packet ON packet.id = human_label.packet_id
    JOIN study_item ON study_item.study_id = human_label.study_id AND study_item.item = human_label.item
    WHERE human_label.undoes IS NULL AND NOT EXISTS (
        SELECT 1 FROM human_label AS undo
        WHERE undo.packet_id = human_label.packet_id AND undo.undoes = human_label.sequence)
    AND study_item.answer_id NOT IN (SELECT answer_id FROM v_open_cases);

CREATE VIEW v_tags AS
    SELECT 'btc:' || answer_id || ifnull('#' || step_number, '') AS reference, answer_id, step_number, tag, author, at
    FROM case_tag WHERE withdrawn_at = '';
"""
