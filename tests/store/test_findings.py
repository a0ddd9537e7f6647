"""What a classifier found, as annotators see it: queries in order, results by their number in the query."""

from __future__ import annotations

from btc_gui.domain.classification import Evidence
from btc_gui.domain.component_agreement import Components, Passage
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.trajectory import SearchResult
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.findings import Findings
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_trajectory


def test_queries_and_results_are_numbered_as_on_the_form(database: Database) -> None:
    queries = (
        ("first", (SearchResult("A", "https://a"), SearchResult("B", "https://b"))),
        ("second", (SearchResult("C", "https://c"), SearchResult("D", "https://d"))),
    )
    probe = add_probe(database, add_event(database), "Whom to invite?")
    ids = add_answers(database, probe, [make_trajectory("No.", queries) for _ in range(3)])[1]
    store = ClassificationStore(database)
    for answer_id in ids[:2]:
        asked = AnswerStore(database).trajectory(answer_id).queries[1]
        second, result = asked.id, asked.results[1].id
        assert second is not None
        assert result is not None
        mode = FailureMode.REASONING if answer_id == ids[0] else None
        store.add(
            NewClassification(
                answer_id,
                "Sorter",
                None,
                mode,
                unscored="" if mode else "no JSON",
                queries={second: QueryClass.EXPLICIT},
                evidence=[Evidence(result, "D", 0, 1)],
            )
        )
    # The second answer has no usable classification, the third none at all.
    assert Findings(database).of_classifier("Sorter", ids) == {
        ids[0]: Components((None, QueryClass.EXPLICIT), True, (Passage(2, 2, "D"),))
    }
    assert Findings(database).of_classifier("Another", ids) == {}
