"""All that the tables and figures of results are made from."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.model_tables import ModelFacts
from btc_gui.domain.results import Results
from btc_gui.domain.retention import RetentionCount
from btc_gui.domain.study_report import StudyReport
from btc_gui.domain.trajectory import AnswerId

#: Stands on every export of a project with made-up behaviour.
ILLUSTRATIVE = "Illustrative: invented behaviour of fictional models."


@dataclass(frozen=True, slots=True)
class ResultsRecord:
    """What window, tables and figures are made from.

    `reports` are those of unblinded studies; `problems` say of which none could be made. `blinded` are the answers of
    studies whose key is closed: nothing may tell what was said of one of them. `note` goes on every export.
    """

    results: Results
    retention: tuple[RetentionCount, ...]
    facts: ModelFacts
    reports: tuple[StudyReport, ...]
    problems: tuple[str, ...]
    blinded: frozenset[AnswerId]
    note: str
