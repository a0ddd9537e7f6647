"""A study from design to matrix: what can be done when, what comes back, what the report counts."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.packet import ItemId, Layer, Mode, PacketId, summarise
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import EXPOSED, LATE, StudyId, StudyState
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError, PacketError, StudyError
from btc_gui.jobs.check_project import check_project
from btc_gui.jobs.issue_packet import issue_packet, opaque_ids
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import StudyReports, study_report
from btc_gui.jobs.unblind_study import close_study, study_problems, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.study_frame import StudyFrameStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_configuration, make_trajectory
from tests.study_builders import (
    LABELS,
    MODELS,
    add_judged,
    add_locked_study,
    issue,
    make_categories,
    make_design,
    mode_answers,
)

UNSURE_REASON = "Two people have this name."


def label_all(packet: Path, labels: Mapping[ItemId, str] | str) -> None:
    """Label every item: all alike, or by item id; items that `labels` lacks are skipped."""
    with LabellingSession(packet) as session:
        for _ in range(session.total):
            assert session.current is not None
            item = session.current.item
            value = labels if isinstance(labels, str) else labels.get(item, "")
            if value:
                reason = UNSURE_REASON if value == "unsure" else ""
                answers = mode_answers(value) if session.manifest.relations else ""
                session.label(item, value, reason=reason, note=f"about {item}", answers=answers)
            else:
                session.skip(item)


def take_back(database: Database, packet: Path) -> None:
    return_packet(database, packet, "tests", Progress())


def unblinded(database: Database, study_id: StudyId) -> None:
    close_study(database, study_id, "tests", abandon_reason="The annotator left.")
    unblind_study(database, study_id, "tests")


@pytest.fixture
def judged(database: Database) -> list[AnswerId]:
    return add_judged(database)


@pytest.fixture
def study_id(database: Database, judged: list[AnswerId]) -> StudyId:
    return add_locked_study(database)


def _state(database: Database, study_id: StudyId) -> StudyState:
    return StudyStore(database).get(study_id).state


def test_locking_draws_what_was_asked_for_and_keeps_the_cell_sizes(database: Database, study_id: StudyId) -> None:
    """5 correct and 3 incorrect answers a model: 4 + 4 drawn, two from each of the four cells."""
    items = StudyStore(database).items(study_id)
    assert sorted((i.stratum, i.machine_label, i.frame_count, i.drawn_count) for i in items) == (
        [("accepted", "correct", 5, 2)] * 4 + [("rejected", "incorrect", 3, 2)] * 4
    )
    manifest = StudyStore(database).get(study_id).manifest
    assert manifest["frame"]["by_label"] == {"correct": 10, "incorrect": 6}


def test_the_same_design_draws_the_same_answers_again(database: Database, study_id: StudyId) -> None:
    store = StudyStore(database)
    again = store.create("Again", make_design(), "tests")
    lock_study(database, again, make_categories(), "tests", Progress())
    assert [i.answer_id for i in store.items(again)] == [i.answer_id for i in store.items(study_id)]
    assert {i.item for i in store.items(again)}.isdisjoint(i.item for i in store.items(study_id))


def test_a_stratum_that_is_too_small_refuses_the_lock_unless_accepted(
    database: Database, judged: list[AnswerId]
) -> None:
    """S1, A3: never fewer than asked for without saying so."""
    store = StudyStore(database)
    strict = store.create("Strict", make_design(50, 4), "tests")
    with pytest.raises(StudyError, match="50 items of “accepted” are wanted, the frame has 10"):
        lock_study(database, strict, make_categories(), "tests", Progress())
    assert _state(database, strict) is StudyState.DRAFT
    loose = store.create("Loose", make_design(50, 4, accept_shortfall=True), "tests")
    locked = lock_study(database, loose, make_categories(), "tests", Progress())
    assert (len(locked.items), locked.shortfall) == (14, {"accepted": 40})


def test_steps_come_in_their_order_only(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    for step in (
        lambda: lock_study(database, study_id, make_categories(), "tests", Progress()),
        lambda: close_study(database, study_id, "tests"),
        lambda: unblind_study(database, study_id, "tests"),
        lambda: study_report(database, study_id, Progress()),
    ):
        with pytest.raises(StudyError):
            step()
    packet = issue(database, study_id, tmp_path)
    assert _state(database, study_id) is StudyState.LABELLING
    with pytest.raises(StudyError, match="PK has a packet"):
        issue(database, study_id, tmp_path)
    with pytest.raises(InputError, match="not an annotator"):
        issue(database, study_id, tmp_path, "Somebody")
    with pytest.raises(StudyError, match="PK: 8"):
        close_study(database, study_id, "tests")
    label_all(packet, "correct")
    take_back(database, packet)
    close_study(database, study_id, "tests")
    with pytest.raises(StudyError, match="closed"):
        study_report(database, study_id, Progress())
    unblind_study(database, study_id, "tests")
    assert _state(database, study_id) is StudyState.UNBLINDED
    assert [entry.step for entry in StudyStore(database).log(study_id)] == [
        "create",
        "lock",
        "issue a packet",
        "take a packet back",
        "close",
        "unblind",
    ]
    assert study_problems(database, StudyStore(database).get(study_id)) == []


def test_returning_twice_is_the_same_as_once(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """X4 for packets: sent, back and missing are accounted for, and nothing is counted twice."""
    packet = issue(database, study_id, tmp_path)
    half = {item.item: "correct" for item in StudyStore(database).items(study_id)[:5]}
    label_all(packet, half)
    first = return_packet(database, packet, "tests", Progress())
    assert (first.sent, first.back, first.missing, first.new_rows) == (8, 5, 3, 5)
    again = return_packet(database, packet, "tests", Progress())
    assert (again.sent, again.back, again.missing, again.new_rows) == (8, 5, 3, 0)
    with LabellingSession(packet) as session:
        while session.current:
            session.label(session.current.item, "incorrect")
    last = return_packet(database, packet, "tests", Progress())
    assert (last.back, last.missing, last.new_rows) == (8, 0, 3)
    assert len(PacketStore(database).labels(last_packet(database, study_id))) == 8


def last_packet(database: Database, study_id: StudyId) -> PacketId:
    return PacketStore(database).of_study(study_id)[-1].id


def test_a_lost_packet_is_written_again_as_it_was(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """The same items in the same order under the same seal; labels in both copies would contradict each other."""
    lost = issue(database, study_id, tmp_path)
    again = issue_packet(database, study_id, "PK", tmp_path, make_categories(), "tests", Progress(), again=True)
    assert again != lost
    with PacketFile.open(lost, to_label=False) as one, PacketFile.open(again, to_label=False) as two:
        assert one.outline() == two.outline()
    label_all(again, "correct")
    assert return_packet(database, again, "tests", Progress()).new_rows == 8
    close_study(database, study_id, "tests")
    with pytest.raises(StudyError):
        issue_packet(database, study_id, "PK", tmp_path, make_categories(), "tests", Progress(), again=True)
    assert len(list(tmp_path.glob("packet-*"))) == 2


def test_an_older_state_of_a_packet_changes_nothing(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    packet = issue(database, study_id, tmp_path)
    old = tmp_path / "old.btcp"
    shutil.copy(packet, old)
    label_all(packet, "correct")
    take_back(database, packet)
    report = return_packet(database, old, "tests", Progress())
    assert (report.back, report.new_rows) == (8, 0)


def test_a_packet_labelled_on_two_machines_is_merged(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """Nothing is lost, the label of the earlier time counts, both files may come back again, in either order."""
    packet = issue(database, study_id, tmp_path)
    other = tmp_path / "other.btcp"
    shutil.copy(packet, other)
    items = [item.item for item in StudyStore(database).items(study_id)]
    label_all(other, dict.fromkeys(items[3:7], "incorrect"))
    label_all(packet, dict.fromkeys(items[:5], "correct"))
    first = return_packet(database, packet, "tests", Progress())
    assert (first.back, first.new_rows, first.labelled_twice) == (5, 5, 0)
    second = return_packet(database, other, "tests", Progress())
    assert (second.back, second.missing, second.new_rows, second.labelled_twice) == (7, 1, 4, 2)
    assert "2 were labelled on two machines" in second.text
    merged = PacketStore(database).labels(last_packet(database, study_id))
    assert [row.sequence for row in merged] == list(range(1, 10))
    assert [row.at for row in merged] == sorted(row.at for row in merged)
    analysed = {item: row.label for item, row in summarise(merged).analysed.items()}
    assert analysed == {**dict.fromkeys(items[:3], "correct"), **dict.fromkeys(items[3:7], "incorrect")}
    for path in (packet, other, packet):
        assert return_packet(database, path, "tests", Progress()).new_rows == 0
    assert PacketStore(database).labels(last_packet(database, study_id)) == merged
    close_study(database, study_id, "tests", abandon_reason="One is missing.")
    assert study_problems(database, StudyStore(database).get(study_id)) == []


def test_a_label_that_was_altered_after_it_came_back_is_refused(
    database: Database, study_id: StudyId, tmp_path: Path
) -> None:
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    connection = sqlite3.connect(packet)
    connection.execute("UPDATE label SET label = 'incorrect' WHERE sequence = 4")
    connection.commit()
    connection.close()
    with pytest.raises(PacketError, match="altered"):
        take_back(database, packet)
    assert {row.label for row in PacketStore(database).labels(last_packet(database, study_id))} == {"correct"}


def test_a_foreign_packet_is_refused(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    with Database.create(tmp_path / "elsewhere.btc") as elsewhere:
        add_judged(elsewhere)
        foreign = issue(elsewhere, add_locked_study(elsewhere), tmp_path)
    issue(database, study_id, tmp_path)
    label_all(foreign, "correct")
    with pytest.raises(PacketError, match="was not issued by this project"):
        take_back(database, foreign)


@pytest.mark.parametrize("resealed", [False, True])
def test_an_altered_packet_is_refused(database: Database, study_id: StudyId, tmp_path: Path, resealed: bool) -> None:
    """Also one whose seal was made to fit: the study remembers the seal."""
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    with PacketFile.open(packet, to_label=False) as file:
        sealed = file.outline()
    forged = replace(sealed, pages={"demise/indirect": "Say correct."}) if resealed else sealed
    connection = sqlite3.connect(packet)
    connection.execute("UPDATE page SET content = 'Say correct.'")
    connection.execute("UPDATE manifest SET digest = ?", (forged.digest,))
    connection.commit()
    connection.close()
    with pytest.raises(PacketError, match="was altered"):
        take_back(database, packet)


def test_a_packet_that_is_being_labelled_is_not_taken(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    packet = issue(database, study_id, tmp_path)
    with LabellingSession(packet), pytest.raises(PacketError, match="open in another window"):
        take_back(database, packet)


def test_labels_after_the_study_closed_are_kept_and_do_not_count(
    database: Database, study_id: StudyId, tmp_path: Path
) -> None:
    """Also after unblinding: they stand apart, the log tells of them, and what was sealed stays as it was."""
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    for step, state in ((close_study, StudyState.CLOSED), (unblind_study, StudyState.UNBLINDED)):
        step(database, study_id, "tests")
        with LabellingSession(packet) as session:
            session.back()
            assert session.current is not None
            session.label(session.current.item, "incorrect")
        report = return_packet(database, packet, "tests", Progress())
        assert (report.back, report.changed, report.new_rows, report.late_rows) == (8, 0, 0, 1)
        assert f"the study is {state}" in report.text
        assert StudyStore(database).log(study_id)[-1].step == LATE
        assert return_packet(database, packet, "tests", Progress()).late_rows == 0
        assert _state(database, study_id) is state
    assert study_problems(database, StudyStore(database).get(study_id)) == []
    assert study_report(database, study_id, Progress()).primary.matrix.counts == ((4, 0), (4, 0))
    assert not [found for found in check_project(database, Progress()) if found.check == "blinding"]


def test_a_changed_label_manifest_or_log_is_found(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """The seal over the labels and the hash chain: a study that was tampered with is not unblinded."""
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    close_study(database, study_id, "tests")
    for statement, found in (
        ("UPDATE human_label SET label = 'incorrect' WHERE sequence = 3", "labels are not those"),
        ("UPDATE study SET manifest = json_set(manifest, '$.design.seed', 'other')", "manifest was changed"),
        ("UPDATE study_log SET actor = 'nobody' WHERE number = 2", "line 2 was changed"),
        ("DELETE FROM study_log WHERE number = 3", "line 4 is missing|line 3 is missing"),
        ("DELETE FROM study_log WHERE number = 5", "the log ends"),
        (
            "UPDATE study_item SET machine_label = 'correct' WHERE machine_label = 'incorrect'",
            "the key was changed",
        ),
        ("UPDATE study_item SET frame_count = frame_count + 1", "the key was changed"),
    ):
        copy = database.copy(tmp_path / f"copy-{abs(hash(statement))}.btc")
        with Database.open(copy) as tampered:
            with tampered.write() as connection:
                connection.execute(statement)
            with pytest.raises(StudyError, match="can't be unblinded"):
                unblind_study(tampered, study_id, "tests")
            problems = " ".join(study_problems(tampered, StudyStore(tampered).get(study_id)))
            assert any(part in problems for part in found.split("|")), problems
    unblind_study(database, study_id, "tests")


def test_what_was_changed_before_the_close_is_found_too(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """Labels between return and close, which a seal alone would only confirm, and exposures taken out again."""
    answer = StudyStore(database).items(study_id)[0].answer_id
    packet = issue(database, study_id, tmp_path)
    CaseStore(database).record_exposure(answer, "PK")
    label_all(packet, "correct")
    take_back(database, packet)
    for statement, found in (
        ("UPDATE human_label SET label = 'incorrect' WHERE sequence = 3", "labels are not those that came back"),
        ("DELETE FROM human_label WHERE sequence = 8", "labels are not those that came back"),
        ("DELETE FROM exposure", "not among the exposures"),
    ):
        copy = database.copy(tmp_path / f"copy-{abs(hash(statement))}.btc")
        with Database.open(copy) as tampered:
            with tampered.write() as connection:
                connection.execute(statement)
            with pytest.raises(StudyError, match=f"can't be closed: .*{found}"):
                close_study(tampered, study_id, "tests", abandon_reason="no time")
    close_study(database, study_id, "tests")


def _human(database: Database, study_id: StudyId) -> dict[ItemId, str]:
    """Of the 4 accepted: 3 correct, 1 incorrect. Of the 4 rejected: 2 incorrect, 1 unsure, 1 without a label."""
    items = StudyStore(database).items(study_id)
    accepted = [item.item for item in items if item.machine_label == "correct"]
    rejected = [item.item for item in items if item.machine_label == "incorrect"]
    labels = dict(zip(accepted, ["correct", "correct", "correct", "incorrect"], strict=True))
    return labels | dict(zip(rejected, ["incorrect", "incorrect", "unsure"], strict=False))


def test_the_matrix_has_rows_judge_and_columns_human(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """S7, S8: against a hand-computed table; S6, S10: who is not in it is counted by reason."""
    packet = issue(database, study_id, tmp_path)
    labels = _human(database, study_id)
    label_all(packet, labels)
    take_back(database, packet)
    unblinded(database, study_id)
    report = study_report(database, study_id, Progress())
    matrix = report.primary.matrix
    assert matrix == ConfusionMatrix(
        ("correct", "incorrect"),
        ((3, 1), (0, 2)),
        "judge",
        "human",
        {"no human label": 1, "unsure": 1},
    )
    assert matrix.cell("correct", "incorrect") == 1
    (wrong,) = report.primary.cases_of("correct", "incorrect")
    assert labels[wrong.item] == "incorrect"
    assert [case.reason for case in report.primary.unsure] == [UNSURE_REASON]
    assert len(report.primary.missing) == 1
    assert report.frame_shares == {"correct": 10 / 16, "incorrect": 6 / 16}
    agreement = report.primary.agreement.find("observed_agreement")
    assert agreement is not None
    assert agreement.count == (5, 6)
    assert (report.drawn, report.events) == (8, len({case.event for case in report.primary.cases}))


def test_labels_of_one_class_leave_kappa_undefined(database: Database, tmp_path: Path) -> None:
    """S2: the judge and the human used one class: no number, but the reason and the agreement."""
    add_judged(database, [Label.CORRECT] * 4)
    study_id = add_locked_study(database, make_design(8, 0))
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    unblinded(database, study_id)
    report = study_report(database, study_id, Progress()).primary.agreement
    kappa, observed = report.find("kappa"), report.find("observed_agreement")
    assert kappa is not None
    assert observed is not None
    assert kappa.value is None
    assert "one class" in kappa.reason
    assert (observed.value, observed.count) == (1.0, (8, 8))


def test_unscored_and_unanswered_stay_out_of_the_frame_and_are_counted(database: Database, tmp_path: Path) -> None:
    """S10: an unscored reply is no label; the report lists it beside the matrix."""
    add_judged(database, [*LABELS, None])
    probe = add_probe(database, add_event(database, entity="Nobody"))
    silent = make_trajectory("", ending=Ending.NO_ANSWER)
    add_answers(
        database, probe, [silent, make_trajectory("An answer that nobody judged.")], make_configuration(MODELS[0])
    )
    study_id = add_locked_study(database)
    manifest = StudyStore(database).get(study_id).manifest
    assert manifest["frame"]["considered"] == 20
    assert manifest["frame"]["excluded"] == {"no final answer": 1, "not judged": 1, "unscored": 2}
    assert manifest["frame"]["in_frame"] == 16
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    unblinded(database, study_id)
    assert study_report(database, study_id, Progress()).primary.matrix.left_out == {"unscored and never drawn": 2}


def test_failure_modes_have_a_second_matrix_with_two_classes_joined(database: Database, tmp_path: Path) -> None:
    """The 4×4 matrix and the 3×3 one with indirect and unrelated taken together, hand-computed; marked as assisted."""
    modes = [FailureMode.INDIRECT, FailureMode.NONE, FailureMode.INDIRECT, FailureMode.EXPLICIT]
    for mode, answer_id in zip(modes, add_judged(database, [Label.INCORRECT] * 2), strict=True):
        new = NewClassification(answer_id, "Sorter", None, mode)
        ClassificationStore(database).add(new)
    with database.write() as connection:
        connection.execute("UPDATE answer SET queries = 2")
    strata = study_kind("failure_mode").strata(8)
    design = make_design(kind="failure_mode", mode=Mode.ASSISTED, strata=strata, accept_shortfall=True)
    study_id = add_locked_study(database, design)
    packet = issue(database, study_id, tmp_path)
    human = {"indirect": "none", "none": "none", "explicit": "explicit"}
    label_all(packet, {item.item: human[item.machine_label] for item in StudyStore(database).items(study_id)})
    take_back(database, packet)
    unblinded(database, study_id)
    report = study_report(database, study_id, Progress())
    assert report.primary.matrix.classes == ("Reasoning", "Explicit", "Indirect", "No/unrelated")
    assert report.primary.matrix.counts == ((0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 2), (0, 0, 0, 1))
    assert report.primary.merged is not None
    assert report.primary.merged.counts == ((0, 0, 0), (0, 1, 0), (0, 0, 3))
    assert (report.machine_role, report.machine) == ("classifier", "Sorter")
    assert any("Assisted" in note for note in report.primary.agreement.notes)


def test_two_annotators_are_reported_apart_and_against_each_other(
    database: Database, judged: list[AnswerId], tmp_path: Path
) -> None:
    """S12: each pair has its own table."""
    study_id = add_locked_study(database, make_design(annotators=("PK", "DG")))
    items = StudyStore(database).items(study_id)
    for annotator, labels in (("PK", "correct"), ("DG", {item.item: item.machine_label for item in items})):
        packet = issue(database, study_id, tmp_path, annotator)
        label_all(packet, labels)
        take_back(database, packet)
    unblinded(database, study_id)
    report = study_report(database, study_id, Progress())
    assert [r.annotator for r in report.annotators] == ["PK", "DG"]
    assert report.primary.matrix.counts == ((4, 0), (4, 0))
    assert report.annotators[1].matrix.counts == ((4, 0), (0, 4))
    (between,) = report.between
    table = between.matrix
    assert (table.rows_name, table.columns_name, table.counts) == ("PK", "DG", ((4, 4), (0, 0)))


def test_an_annotator_without_a_packet_counts_as_missing(
    database: Database, judged: list[AnswerId], tmp_path: Path
) -> None:
    study_id = add_locked_study(database, make_design(annotators=("PK", "DG")))
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    with pytest.raises(StudyError, match="DG: 8"):
        close_study(database, study_id, "tests")
    unblinded(database, study_id)
    report = study_report(database, study_id, Progress())
    assert report.annotators[1].matrix.left_out == {"no human label": 8}
    assert report.annotators[1].matrix.total == 0


def test_facts_that_changed_are_not_labelled_by_old_criteria(
    database: Database, study_id: StudyId, tmp_path: Path
) -> None:
    """Everything is bound to a revision: answers to old facts leave the frame, and a locked study refuses."""
    with database.write() as connection:
        connection.execute("UPDATE event_revision SET facts_hash = 'other'")
    with pytest.raises(StudyError, match="facts behind 8 answers changed"):
        issue(database, study_id, tmp_path)
    draft = StudyStore(database).create("Another", make_design(), "tests")
    with pytest.raises(StudyError):
        lock_study(database, draft, make_categories(), "tests", Progress())


def test_cases_opened_during_a_study_are_reported(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """Exposure: noted while the study is open, once a person, for drawn answers only."""
    store = StudyStore(database)
    drawn = store.items(study_id)[0].answer_id
    assert [study.id for study in store.open_over([drawn])] == [study_id]
    for answer_id in (drawn, drawn, AnswerId(999)):
        CaseStore(database).record_exposure(answer_id, "PK")
    packet = issue(database, study_id, tmp_path)
    label_all(packet, "correct")
    take_back(database, packet)
    unblinded(database, study_id)
    CaseStore(database).record_exposure(drawn, "Late")
    report = study_report(database, study_id, Progress())
    assert [(exposure.answer_id, exposure.person) for exposure in report.exposures] == [(drawn, "PK")]
    told = [(entry.actor, entry.detail) for entry in store.log(study_id) if entry.step == EXPOSED]
    assert told == [("PK", {"answer": drawn})]
    assert report.problems == ()


@pytest.mark.parametrize("state", [state for state in StudyState if state.is_open])
def test_a_case_of_a_study_in_any_open_state_leaves_a_trace(
    database: Database, study_id: StudyId, state: StudyState
) -> None:
    """While people practise and while adjudicators label, too; and its label is kept from who has not opened it."""
    with database.write() as connection:
        connection.execute("UPDATE study SET state = ?", (state,))
    drawn = StudyStore(database).items(study_id)[0].answer_id
    assert CaseStore(database, blind_for="PK").get(drawn).is_blind
    assert CaseStore(database).record_exposure(drawn, "PK") == 1
    assert not CaseStore(database, blind_for="PK").get(drawn).is_blind


def test_recorded_labels_find_their_items(database: Database, study_id: StudyId) -> None:
    names = opaque_ids(database, study_id)
    items = {item.item for item in StudyStore(database).items(study_id)}
    assert set(names.values()) == items
    assert all(model in MODELS and effort == "low" and repetition == 1 for _, model, effort, repetition in names)


def test_nobody_practises_on_an_answer_that_could_be_drawn(database: Database, tmp_path: Path) -> None:
    """Spaces and capitals make no other answer of it; an invented one is taken."""
    add_judged(database)
    design = make_design(practice=1)
    study_id = StudyStore(database).create("Own practice", design, "tests")
    item = StudyFrameStore(database).frame(design).items[0].row
    ((_, text),) = StudyFrameStore(database).answer_texts([item.answer_id])
    kind = study_kind("judge_verdict")
    own = tmp_path / "own.jsonl"

    def write(answer: str) -> None:
        values = {field.name: "x" for field in kind.fields(Layer.BLIND)} | {"answer": answer}
        row = {"kind": kind.name, "category": "demise", "probe": "indirect", "values": values, "label": "correct"}
        own.write_text(json.dumps({**row, "why": "because"}), encoding="utf-8")

    write(f"  {text.upper()}\n")
    with pytest.raises(InputError, match=r"own\.jsonl, line 1 is an answer of the frame"):
        lock_study(database, study_id, make_categories(), "tests", Progress(), practice_file=own)
    write(f"{text} And more.")
    assert lock_study(database, study_id, make_categories(), "tests", Progress(), practice_file=own).manifest[
        "practice"
    ]


def test_a_judge_study_can_only_be_blind() -> None:
    with pytest.raises(InputError, match="can't be labelled assisted"):
        make_design(mode=Mode.ASSISTED).check()


def test_packets_of_an_illustrative_project_say_so(database: Database, study_id: StudyId, tmp_path: Path) -> None:
    """Made-up material is marked wherever it is shown: the mark travels with the packet."""
    ProjectStore(database).set_value("illustrative", "yes")
    with PacketFile.open(issue(database, study_id, tmp_path), to_label=False) as packet:
        assert packet.outline().manifest.note.startswith("Illustrative")


def test_a_report_is_computed_again_only_when_something_has_changed(
    database: Database, study_id: StudyId, tmp_path: Path
) -> None:
    packet = issue(database, study_id, tmp_path)
    label_all(packet, _human(database, study_id))
    take_back(database, packet)
    unblinded(database, study_id)
    reports = StudyReports(database)
    first = reports.report(study_id, Progress())
    assert reports.report(study_id, Progress()) is first
    drawn = StudyStore(database).items(study_id)[0].answer_id
    with database.write() as connection:
        connection.execute(
            "INSERT INTO exposure (study_id, answer_id, person, at) VALUES (?, ?, 'PK', '2026-07-01')",
            (study_id, drawn),
        )
    second = reports.report(study_id, Progress())
    assert second is not first
    assert second == study_report(database, study_id, Progress())
