"""The columns of the list of cases."""

from __future__ import annotations

from typing import Final

from btc_gui.domain.case import CaseRow
from btc_gui.domain.probe import ProbeKind
from btc_gui.ui.tables.lazy_table import Column


def _label_mark(case: CaseRow) -> str:
    return case.label.value if case.label else "unreviewed"


def _mode_mark(case: CaseRow) -> str:
    return case.mode.value if case.mode else ""


def _entity(case: CaseRow) -> str:
    return case.entity


def _configuration(case: CaseRow) -> str:
    kind = " direct" if case.kind is ProbeKind.DIRECT else ""
    which = f" · {case.repetition}" if case.repetition > 1 else ""
    return f"{case.configuration.model} {case.configuration.effort.text}{kind}{which}"


def _queries(case: CaseRow) -> str:
    return "?" if case.hides_queries else str(case.queries)


CASE_COLUMNS: Final[tuple[Column[CaseRow], ...]] = (
    Column("Case", _entity, 0, "entity", mark=_label_mark),
    Column("Configuration", _configuration, 158, "model", mark=_mode_mark),
    Column("Q", _queries, 32, "queries", is_number=True),
)
