"""Which verdict counts for an answer, as one piece of SQL: the primary judge's, else the newest."""

#: The project's value that names the judge whose verdicts count.
PRIMARY_JUDGE = "primary judge"
#: The verdict that counts for an answer: the current one of the primary judge; without one the newest, whoever gave it.
COUNTING_VERDICT = (
    "(SELECT max(id) FROM verdict WHERE verdict.answer_id = answer.id AND verdict.is_current = 1 AND verdict.judge = "
    f"ifnull((SELECT value FROM project WHERE key = '{PRIMARY_JUDGE}' AND value <> ''), verdict.judge))"
)

#: The same as a condition on the table `verdict`, for reading all of them: no answer is looked up for it.
IS_COUNTING = (
    "(verdict.is_current = 1 AND CASE "
    f"WHEN EXISTS (SELECT 1 FROM project WHERE key = '{PRIMARY_JUDGE}' AND value <> '') "
    f"THEN verdict.judge = (SELECT value FROM project WHERE key = '{PRIMARY_JUDGE}') "
    "ELSE NOT EXISTS (SELECT 1 FROM verdict AS later WHERE later.answer_id = verdict.answer_id "
    "AND later.is_current = 1 AND later.id > verdict.id) END)"
)
