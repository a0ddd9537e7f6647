"""Read an unblinded study whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from btc_gui.domain.category import Category
from btc_gui.domain.codebook_change import present_pages
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import Study, StudyId
from btc_gui.domain.study_record import StudyRecord
from btc_gui.domain.study_report import StudyReport, build_report
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import StudyError
from btc_gui.jobs.unblind_study import study_problems
from btc_gui.progress import Progress
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.findings import Findings
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import VerdictStore


def study_report(
    database: Database, study_id: StudyId, progress: Progress, categories: Mapping[str, Category] | None = None
) -> StudyReport:
    """The report of a study. With `categories` it tells which labels their present criteria ask to redo.

    Raises `StudyError` before it is unblinded: nothing is compared while people label.
    """
    return StudyReports(database).report(study_id, progress, categories)


class StudyReports:
    """The reports of a project's studies; one is computed again only when what it rests on has changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made: dict[StudyId, tuple[StudyRecord, StudyReport]] = {}

    def report(
        self, study_id: StudyId, progress: Progress, categories: Mapping[str, Category] | None = None
    ) -> StudyReport:
        """The same as `study_report`."""
        record = _read(self._database, study_id, progress, categories or {})
        made = self._made.get(study_id)
        if made is None or made[0] != record:
            made = self._made[study_id] = record, build_report(record)
        return made[1]


def _read(database: Database, study_id: StudyId, progress: Progress, categories: Mapping[str, Category]) -> StudyRecord:
    store, packets = StudyStore(database), PacketStore(database)
    study = store.get(study_id)
    if not study.state.is_unblinded:
        raise StudyError(
            f"“{study.name}” is {study.state}: there is no report before it is unblinded.",
            "Take the packets back, close the study, then unblind it.",
        )
    progress.report(0, 1, "Reading labels")
    issued = packets.of_study(study_id)
    items = store.items(study_id)
    kind = study_kind(study.design.kind)
    rationales = _rationales(database, study, {item.answer_id: item.machine_label for item in items})
    return StudyRecord(
        study=study,
        items=items,
        packets=issued,
        labels={packet.id: packets.labels(packet.id) for packet in issued},
        events=store.events(study_id),
        log=store.log(study_id),
        exposures=store.exposures(study_id),
        problems=study_problems(database, study),
        practice={packet.id: packets.practice_labels(packet.id) for packet in issued},
        masked=Counter(each.field for passages in packets.masked(study_id).values() for each in passages),
        # Only those that the drawn labels came with: not what a later classification found.
        findings=Findings(database).of_classifier(study.machine, list(rationales))
        if kind.machine == "classifier"
        else {},
        rationales=rationales,
        pages=present_pages(kind, categories),
    )


def _rationales(database: Database, study: Study, labels: Mapping[AnswerId, str]) -> dict[AnswerId, str]:
    """The machine's words for the labels that were drawn; none for an answer that got another label since."""
    if study_kind(study.design.kind).machine == "classifier":
        modes = ClassificationStore(database).of_classifier(study.machine, list(labels))
        said = {answer: (str(each.mode or ""), each.rationale) for answer, each in modes.items()}
    else:
        verdicts = VerdictStore(database).of_judge(study.machine, list(labels))
        said = {answer: (str(each.label or ""), each.rationale) for answer, each in verdicts.items()}
    return {answer: words for answer, (label, words) in said.items() if label == labels[answer]}
