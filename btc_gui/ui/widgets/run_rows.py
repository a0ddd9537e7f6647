"""The live rows of a run: one a configuration, with its bar, endings, spend, what was asked again, rate, time left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Signal

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.run import ConfigurationProgress
from btc_gui.domain.trajectory import Ending
from btc_gui.ui.run_driver import RunDriver, ending_words
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme
from btc_gui.ui.words import duration, money, tokens


@dataclass(frozen=True, slots=True)
class RunRow:
    """A configuration of a run and, while the run goes, its answers a minute."""

    progress: ConfigurationProgress
    rate: float | None = None


def _done(row: RunRow) -> str:
    return f"{row.progress.done:,}/{row.progress.planned:,}"


def _part_done(row: RunRow) -> float:
    return row.progress.done / max(row.progress.planned, 1)


def _endings(row: RunRow) -> str:
    return ending_words([(ending, row.progress.by_ending.get(ending, 0)) for ending in Ending]) or "–"


def _again(row: RunRow) -> str:
    return f"{sum(row.progress.retries.values()):,}" if row.progress.retries else "–"


def _why_again(row: RunRow) -> str:
    why = ", ".join(f"{reason}: {count:,}" for reason, count in row.progress.retries.items())
    return f"Calls made again – {why}" if why else "No call was made again"


def _rate(row: RunRow) -> str:
    return f"{row.rate:,.0f}" if row.rate else "–"


def _left(row: RunRow) -> str:
    pending = row.progress.pending
    return duration(pending / row.rate * 60) if row.rate and pending else ("–" if pending else "done")


_COLUMNS: Final[tuple[Column[RunRow], ...]] = (
    Column(
        "Configuration",
        lambda row: row.progress.configuration.title,
        0,
        least=190,
        most=300,
        hover=lambda row: f"{row.progress.configuration.title}: show its answers in Cases, also while they come",
        is_link=True,
    ),
    Column("Progress", lambda row: f"{_part_done(row):.0%}", 96, bar=_part_done),
    Column("Done", _done, 92, is_number=True),
    Column("Endings", _endings, 0, least=96),
    Column("Tokens", lambda row: tokens(row.progress.usage.total), 68, is_number=True),
    Column("Cost", lambda row: money(row.progress.cost) if row.progress.done else "–", 76, is_number=True),
    Column("Again", _again, 60, is_number=True, hover=_why_again, words="Calls that were made again"),
    Column("A minute", _rate, 74, is_number=True, words="Answers a minute in this session"),
    Column("Left", _left, 70, is_number=True, words="How long the rest will take at this pace"),
)
#: Columns that tell nothing leave their room to the others: calls made again, and the rate once all is done.
_PERHAPS_EMPTY: Final = {6: _again, 7: _rate}


class RunRows(TableView[ConfigurationId]):
    """The configurations of a run. `opened_configuration` asks for the answers of one."""

    opened_configuration = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self._rows: Mapping[ConfigurationId, RunRow] = {}
        self._configurations: LazyTable[ConfigurationId, RunRow] = LazyTable(_COLUMNS, self._fetch)
        super().__init__(self._configurations, theme, "configurations")
        self.setAccessibleName("Configurations of the run")
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.opened.connect(self._open_answers)

    def show_progress(self, rows: Sequence[ConfigurationProgress], driver: RunDriver | None) -> None:
        """Show how far each configuration is; `driver` knows how fast it goes. Only what has changed is painted."""
        self._rows = {
            each.configuration_id: RunRow(each, driver.rate(each.configuration_id, each.done) if driver else None)
            for each in rows
        }
        hidden = {
            column for column, words in _PERHAPS_EMPTY.items() if all(words(row) == "–" for row in self._rows.values())
        }
        self.hide_columns(hidden)
        self._configurations.show_ids(list(self._rows), self._rows)

    def _fetch(self, ids: Sequence[ConfigurationId]) -> dict[ConfigurationId, RunRow]:
        return {each: self._rows[each] for each in ids if each in self._rows}

    def _open_answers(self, configuration_id: ConfigurationId) -> None:
        self.opened_configuration.emit(self._rows[configuration_id].progress.configuration)
