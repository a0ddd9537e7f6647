"""What was asked of a generator and did not come, with the reasons, to be asked for again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.generation import FailedGeneration
from btc_gui.domain.probe import ProbeKind
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window, text_scale_of
from btc_gui.ui.widgets.plain_text import PlainView, label, one_line, tooltip
from btc_gui.ui.words import counted, moment

_COLUMNS = ("Event", "Asked for", "Reason", "When")


class FailedGenerations(QDialog):
    """`again` carries the rows that are to be asked for again.

    `dismissed` carries those selected ones that are to be put aside: what was to be written anew may stay as it is.
    """

    again = Signal(object)
    dismissed = Signal(object)

    def __init__(self, failures: Sequence[FailedGeneration], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._failures = list(failures)
        self.setWindowTitle("Generations without probes")
        size_window(self, 860, 520)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(f"{counted(len(failures), 'request')} without probes", "title"))
        words = (
            "Replies that break a rule are kept and never become probes. Asked again, the model is told why its last "
            "reply could not be used."
            if failures
            else "Everything that was asked for has come."
        )
        column.addWidget(label(words, "secondary"))
        self.table = self._table()
        column.addWidget(self.table, 1)
        self.reason = PlainView()
        self.reason.setAccessibleName("The reason in full")
        self.reason.setFixedHeight(88)
        column.addWidget(self.reason)
        self.retry_button = button("Retry…", "refresh", role="primary")
        self.retry_button.clicked.connect(self._retry)
        self.all_button = button("Retry all…")
        if len(failures) < 2:
            self.all_button.hide()
        self.all_button.clicked.connect(self._retry_all)
        self.dismiss_button = button("Leave as it is")
        self.dismiss_button.setToolTip("Put the selected rows aside: their probes keep the wording that they have")
        self.dismiss_button.clicked.connect(self._dismiss)
        close = button("Close")
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.dismiss_button)
        row.addStretch(1)
        row.addWidget(close)
        row.addWidget(self.all_button)
        row.addWidget(self.retry_button)
        column.addLayout(row)
        self.table.itemSelectionChanged.connect(self._sync)
        self.table.selectRow(0)
        self._sync()

    def _table(self) -> QTableWidget:
        table = QTableWidget(len(self._failures), len(_COLUMNS))
        table.setHorizontalHeaderLabels(_COLUMNS)
        table.setAccessibleName("What did not come")
        table.verticalHeader().hide()
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        for place, failure in enumerate(self._failures):
            cells = (failure.entity, _asked_for(failure), one_line(failure.problem), moment(failure.at))
            for number, text in enumerate(cells):
                item = QTableWidgetItem(one_line(text))
                item.setToolTip(tooltip(failure.problem if number == 2 else text))
                table.setItem(place, number, item)
        for number, width in enumerate((140, 100, 0, 180)):
            if width:
                table.setColumnWidth(number, round(width * text_scale_of(self)))
        return table

    def _selected(self) -> list[FailedGeneration]:
        return [self._failures[index.row()] for index in self.table.selectionModel().selectedRows()]

    def _sync(self) -> None:
        chosen = self._selected()
        self.reason.set_text("\n\n".join(each.problem for each in chosen[:20]))
        self.retry_button.setText(f" Retry {counted(len(chosen), 'request')}…" if chosen else " Retry…")
        self.retry_button.setEnabled(bool(chosen))
        self.dismiss_button.setVisible(any(each.is_rewrite for each in self._failures))
        self.dismiss_button.setEnabled(bool(chosen) and all(each.is_rewrite for each in chosen))

    def _dismiss(self) -> None:
        self.dismissed.emit(self._selected())
        self.accept()

    def _retry(self) -> None:
        self.again.emit(self._selected())
        self.accept()

    def _retry_all(self) -> None:
        self.again.emit(self._failures)
        self.accept()


def _asked_for(failure: FailedGeneration) -> str:
    if failure.kind is ProbeKind.DIRECT:
        return "direct probe"
    return "one probe" if failure.probe_id is not None else "five probes"
