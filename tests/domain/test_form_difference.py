"""Practice names the part that was wrong: a query's class, the evidence, how a passage bears on the change."""

from __future__ import annotations

import pytest

from btc_gui.domain.form_difference import parts_apart
from btc_gui.domain.mode_form import (
    EvidenceAnswer,
    EvidenceSpan,
    ModeForm,
    QueryAnswer,
    QueryLabel,
    Relation,
    make_span,
)

TEXT = "She was chair. The board announced her death on Tuesday. The recital was cancelled."
COUNT = ("states", "entails")
EXPLICIT, INDIRECT = QueryAnswer(QueryLabel.EXPLICIT), QueryAnswer(QueryLabel.INDIRECT)
STATES = make_span(1, TEXT, 15, 56)
SUGGESTS = make_span(1, TEXT, 57, 83, Relation.SUGGESTS)


def form(
    *queries: QueryAnswer, evidence: EvidenceAnswer = EvidenceAnswer.YES, spans: tuple[EvidenceSpan, ...] = ()
) -> str:
    return ModeForm(queries, evidence, spans).text


def test_a_query_of_another_class_is_named() -> None:
    assert parts_apart(form(INDIRECT, EXPLICIT), form(INDIRECT, INDIRECT), COUNT) == (
        "Query 2 is indirect; you said explicit.",
    )
    assert parts_apart(form(INDIRECT, QueryAnswer()), form(INDIRECT, INDIRECT), COUNT) == (
        "Query 2 is indirect; you gave it no class.",
    )


def test_a_passage_that_touches_the_known_one_is_enough() -> None:
    known = form(INDIRECT, spans=(STATES,))
    assert parts_apart(form(INDIRECT, spans=(make_span(1, TEXT, 40, 50),)), known, COUNT) == ()
    (missed,) = parts_apart(form(INDIRECT, evidence=EvidenceAnswer.NO), known, COUNT)
    assert missed == ("Evidence: “The board announced her death on Tuesday.” (query 1); it is not among your passages.")


def test_what_only_suggests_is_told_as_such() -> None:
    known, said = form(INDIRECT, spans=(SUGGESTS,)), make_span(1, TEXT, 57, 70, Relation.ENTAILS)
    assert parts_apart(form(INDIRECT, spans=(said,)), known, COUNT) == (
        "“The recital w” (query 1) is no evidence of the change.",
        "“The recital was cancelled.” (query 1) suggests the change; you said it entails it.",
    )
    unsure = form(INDIRECT, evidence=EvidenceAnswer.UNSURE)
    assert parts_apart(unsure, form(INDIRECT, evidence=EvidenceAnswer.NO), COUNT) == (
        "There is no evidence; you were unsure.",
    )


@pytest.mark.parametrize("given", ["", "no form", "{}"])
def test_without_parts_nothing_is_compared(given: str) -> None:
    assert parts_apart(given, "", COUNT) == parts_apart("", given, COUNT) == ()
