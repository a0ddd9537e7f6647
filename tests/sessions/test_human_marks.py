"""Passages that people marked: evidence once the key is open, found again where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.mode_form import (
    DateOrigin,
    EvidenceAnswer,
    EvidenceSpan,
    ModeForm,
    QueryAnswer,
    QueryLabel,
    Relation,
)
from btc_gui.domain.received import received_text
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.trajectory import AnswerId
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.comparing import ComparingSession, TargetKind
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_verdict, make_query, make_result, make_trajectory
from tests.study_builders import add_locked_study, issue, make_design

TOLD = "Ada Example, the painter, died on 9 May 2026."


def _failure(database: Database) -> AnswerId:
    probe = add_probe(database, add_event(database))
    asked = make_query("Ada Example today", make_result("Nothing of her."), make_result(TOLD, title="News"))
    answer = add_answer(database, probe, make_trajectory("Ask Ada Example.", [asked]))
    add_verdict(database, answer)
    ClassificationStore(database).add(NewClassification(answer, "classifier", None, FailureMode.INDIRECT))
    return answer


@pytest.mark.parametrize(
    ("relation", "quote", "is_evidence"),
    [(Relation.STATES, "died on 9 May 2026", True), (Relation.SUGGESTS, "the painter", False)],
)
def test_what_people_marked_is_evidence_once_the_key_is_open(
    database: Database, tmp_path: Path, relation: Relation, quote: str, is_evidence: bool
) -> None:
    answer = _failure(database)
    (step,) = AnswerStore(database).trajectory(answer).queries
    received = received_text(step)
    start = received.index(quote)
    result = 2 if received.startswith("[1]") else 0
    span = EvidenceSpan(
        1, start, start + len(quote), quote, result, published="2026-05-12", dated_by=DateOrigin.TEXT, relation=relation
    )
    form = ModeForm((QueryAnswer(QueryLabel.INDIRECT),), EvidenceAnswer.YES, (span,), has_opened=True)
    design = make_design(kind="failure_mode", strata=(Stratum("all", 1, {}),))
    study = add_locked_study(database, design)
    packet = issue(database, study, tmp_path)
    with LabellingSession(packet) as session:
        assert session.current is not None
        mode = form.derived(design.relations).mode
        assert mode is not None
        assert session.label_as(session.current.item, ItemState(choice=mode.value, answers=form.text))
    return_packet(database, packet, "tests", Progress())
    reading = ComparingSession(database, load_categories(paths.resources() / "categories"), "ann")
    reading.open(answer)
    assert reading.targets(TargetKind.EVIDENCE) == []
    close_study(database, study, "tests")
    unblind_study(database, study, "tests")
    assert StudyStore(database).get(study).state.is_unblinded
    reading.open(answer)
    evidence = reading.left.evidence(reading.left.trajectory.queries[0])
    found = [TOLD[each.start - 5 : each.stop - 5] for own in evidence.values() for each in own]
    assert found == ([quote] if is_evidence else [])
    assert bool(reading.left.evidence_by(reading.left.trajectory.queries[0])) is is_evidence
    # What words suggest is a guess only where nobody located evidence.
    assert bool(reading.targets(TargetKind.GUESS)) is not is_evidence
