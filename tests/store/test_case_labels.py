"""What people said of an answer: told once the study is unblinded, the first label apart from what came later."""

from __future__ import annotations

from pathlib import Path

from btc_gui.domain.verdict import Label
from btc_gui.jobs.explain_case import OpinionKind, opinions_on
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.case_labels import case_labels
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from tests.study_builders import RATIONALE, add_judged, add_locked_study, issue, make_categories, make_design


def test_labels_are_told_after_unblinding_with_the_rationales_of_machine_and_person(
    database: Database, tmp_path: Path
) -> None:
    add_judged(database, [Label.CORRECT, Label.INCORRECT])
    study_id = add_locked_study(database, make_design(1, 1))
    packet = issue(database, study_id, tmp_path)
    with LabellingSession(packet) as session:
        assert session.current is not None
        first = session.current.item
        session.label(first, "incorrect")
        session.undo()
        session.label(first, "unsure", reason="It could be meant for the widow.")
        session.back()
        session.label(first, "correct", note="Now I see it.")
        assert session.current is not None
        session.label(session.current.item, "incorrect")
    answers = {item.item: item.answer_id for item in StudyStore(database).items(study_id)}
    return_packet(database, packet, "tests", Progress())
    assert case_labels(database, answers[first]) == []
    close_study(database, study_id, "tests")
    assert case_labels(database, answers[first]) == []
    unblind_study(database, study_id, "tests")
    told = case_labels(database, answers[first])
    assert [(each.annotator, each.layer, each.given.label, each.is_first) for each in told] == [
        ("PK", "blind", "unsure", True),
        ("PK", "blind", "correct", False),
    ]
    opinions = opinions_on(database, answers[first], make_categories())
    said = [(each.kind, each.who, each.text, each.rationale, each.counts) for each in opinions]
    assert said[0][0] is OpinionKind.VERDICT
    assert said[0][3] == RATIONALE
    assert said[1:] == [
        (OpinionKind.LABEL, "PK", "Unsure", "It could be meant for the widow.", True),
        (OpinionKind.LABEL, "PK", "correct", "Now I see it.", False),
    ]
    assert opinions[2].reason == "blind, in “Test study”; changed later: the first one is analysed"
