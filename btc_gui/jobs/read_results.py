"""Read all that the tables and figures of results are made from, in one go."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.model_tables import ModelFacts
from btc_gui.domain.result_blinding import Blinding
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.results import results_of
from btc_gui.domain.results_record import ILLUSTRATIVE, ResultsRecord
from btc_gui.domain.study_report import StudyReport
from btc_gui.errors import BtcError
from btc_gui.jobs.study_report import StudyReports
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, role_models
from btc_gui.store.projects import ProjectStore
from btc_gui.store.results import ResultStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore


class ResultsReader:
    """Reads the results of a project; what has not changed since the last time is not made again.

    Answers of trials count only `with_trials`; `person` is who looks (see `ResultStore`). Retention is read apart
    (`with_retention`): it rests on the answers of filters, which are many more.
    """

    def __init__(self, database: Database, *, with_trials: bool = False, person: str | None = None) -> None:
        self._database = database
        self._answers = ResultStore(database, with_trials=with_trials, person=person)
        self._reports = StudyReports(database)
        self._last: ResultsRecord | None = None
        self._made_of: tuple[list[ResultAnswer], dict[ConfigurationId, Configuration], Blinding] | None = None

    def read(self, progress: Progress) -> ResultsRecord:
        """All but the retention; the very same record as before when nothing of it has changed."""
        database, last = self._database, self._last
        answers, configurations = self._answers.answers(), RunStore(database).configurations()
        blinding = self._answers.blinding()
        progress.check()
        # The store gives the very same list again when no answer has changed.
        known = self._made_of
        if last is not None and known is not None and known[0] is answers and known[1:] == (configurations, blinding):
            results = last.results
        else:
            results = results_of(answers, configurations, blinding)
        self._made_of = answers, configurations, blinding
        progress.check()
        reports, problems = self._all_reports(progress)
        used = {group.head.configuration_id for group in results.whole}
        record = ResultsRecord(
            results,
            (),
            ModelFacts(available_models(database), role_models(database), self._answers.judges()),
            reports,
            problems,
            blinding.answers,
            ILLUSTRATIVE if ProjectStore(database).is_illustrative else "",
            self._answers.sides({number: each for number, each in configurations.items() if number in used}),
        )
        if last is None or not _is_same(record, last):
            self._last = record
        assert self._last is not None
        return self._last

    def _all_reports(self, progress: Progress) -> tuple[tuple[StudyReport, ...], tuple[str, ...]]:
        reports, problems = [], []
        for study in StudyStore(self._database).all():
            if study.state.is_unblinded:
                try:
                    reports.append(self._reports.report(study.id, progress))
                except BtcError as error:
                    problems.append(f"“{study.name}”: {error}")
        return tuple(reports), tuple(problems)


def with_retention(record: ResultsRecord, database: Database) -> ResultsRecord:
    """The record with the retention of each model, which takes seconds where a filter has very many answers."""
    return replace(record, retention=tuple(RetentionStore(database).counts()))


def read_results(
    database: Database, progress: Progress, *, with_trials: bool = False, person: str | None = None
) -> ResultsRecord:
    """The whole results of a project, read once; `with_trials` counts what was only tried out as well."""
    return with_retention(ResultsReader(database, with_trials=with_trials, person=person).read(progress), database)


def _is_same(one: ResultsRecord, other: ResultsRecord) -> bool:
    """Whether two records say the same. Results and reports are kept, so that being the same object is enough."""
    return (
        one.results is other.results
        and len(one.reports) == len(other.reports)
        and all(a is b for a, b in zip(one.reports, other.reports, strict=True))
        and (one.facts, one.problems, one.blinded, one.note, one.sides)
        == (other.facts, other.problems, other.blinded, other.note, other.sides)
    )
