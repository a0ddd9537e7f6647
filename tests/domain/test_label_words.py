"""Labels in words."""

from __future__ import annotations

from btc_gui.domain.mode_form import EvidenceAnswer, EvidenceSpan, ModeForm, OverrideCode, QueryAnswer, QueryLabel
from btc_gui.domain.packet import GivenLabel, ItemId
from btc_gui.domain.studies.label_words import label_text, rationale_text


def test_labels_are_called_as_matrices_and_choices_call_them() -> None:
    assert label_text("failure_mode", "none") == "No/unrelated"
    assert label_text("judge_verdict", "broken") == "Broken item"
    assert label_text("judge_verdict", "of an older version") == "of an older version"


def test_the_parts_of_a_failure_mode_are_told_with_the_passage() -> None:
    form = ModeForm(
        queries=(QueryAnswer(QueryLabel.INDIRECT), QueryAnswer()),
        evidence=EvidenceAnswer.YES,
        spans=(EvidenceSpan(1, 4, 20, "mourned in Leeds", result=2, published="2026-06-12"),),
        override=OverrideCode.RULE,
        override_text="The page was cut.",
    )
    given = GivenLabel(1, ItemId("0" * 16), "explicit", note="Hard.", confidence=1, answers=form.text)
    assert rationale_text("failure_mode", given).splitlines() == [
        "Hard.",
        "low confidence",
        "Queries: 1 indirect, 2 not labelled",
        "Evidence: yes",
        "“mourned in Leeds” states the change (query 1, result 2, 2026-06-12)",
        "Overridden: the rule does not fit this case: The page was cut.",
    ]
    assert rationale_text("judge_verdict", GivenLabel(1, ItemId("0" * 16), "correct")) == ""
