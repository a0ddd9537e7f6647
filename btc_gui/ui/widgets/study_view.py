"""One study: where it stands, its seal, its sample, its annotators, and its report once it is unblinded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import LogEntry, Study, StudyState
from btc_gui.domain.study_report import StudyReport
from btc_gui.sessions.validating import FramePreview, StudyLine
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import CommandButton, icon_button
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import EmptyState, scrolling
from btc_gui.ui.widgets.plain_text import copy_to_clipboard, label, one_line, set_role
from btc_gui.ui.widgets.report_view import ReportView
from btc_gui.ui.words import counted, moment

_NEXT = {
    StudyState.DRAFT: "Next: lock the study. That draws the sample and freezes everything about it.",
    StudyState.LOCKED: "Next: write the packets and give one to each annotator.",
    StudyState.PRACTICE: "Packets are out. Next: take the labelled packets back.",
    StudyState.LABELLING: "Next: take the labelled packets back, then close the labelling.",
    StudyState.CLOSED: "Next: unblind the study to compare the labels.",
    StudyState.UNBLINDED: "The study is unblinded: its report stands below.",
    StudyState.ANALYSED: "The report was exported: its hash is in the log.",
    StudyState.AMENDED: "A deviation was noted: it is in the log and in the report.",
}


class StudyView(QWidget):
    """Shows one study; its buttons are the page's commands."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._hash = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._title = label("", "title")
        column.addWidget(self._title)
        chips = QWidget()
        self._chips = FlowLayout(chips, 6)
        column.addWidget(chips)
        self._states = QHBoxLayout()
        self._states.setSpacing(6)
        self._state_words = {state: label(state.value, "small", wraps=False) for state in StudyState}
        for place, words in enumerate(self._state_words.values()):
            if place:
                self._states.addWidget(label("→", "small", wraps=False))
            self._states.addWidget(words)
        self._states.addStretch(1)
        column.addLayout(self._states)
        self._next = label("", "secondary")
        column.addWidget(self._next)
        buttons = QWidget()
        flow = FlowLayout(buttons, 8)
        for name in ("lock", "packets", "return", "close", "unblind"):
            flow.addWidget(CommandButton(context.commands.action(f"validation.{name}")))
        column.addWidget(buttons)
        column.addLayout(self._seal())
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._report = ReportView(context)
        self._no_report = EmptyState(
            "chart-bar", "No report yet", "Figures come once the labels are back, sealed, and the study is unblinded."
        )
        self._report_page = QWidget()
        inner = QVBoxLayout(self._report_page)
        inner.setContentsMargins(0, 12, 0, 0)
        inner.addWidget(self._report)
        inner.addWidget(self._no_report)
        self._sample_page, self._sample = _grid_page()
        self._people_page, self._people = _grid_page()
        self._log_page, self._log = _grid_page()
        self._tabs.addTab(scrolling(self._sample_page, "Sample"), "Sample")
        self._tabs.addTab(scrolling(self._people_page, "Annotators"), "Annotators")
        self._tabs.addTab(self._report_page, "Report")
        self._tabs.addTab(scrolling(self._log_page, "Log"), "Log")
        column.addWidget(self._tabs, 1)
        self._shown: tuple[int, StudyState] | None = None

    def _seal(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        self._seal_words = label("", "small", wraps=False)
        self._seal_hash = label("", "mono", wraps=False, selectable=True)
        self._seal_hash.setMinimumWidth(0)
        self._copy = icon_button("copy", "Copy the SHA-256 of the manifest")
        self._copy.clicked.connect(self._copy_hash)
        row.addWidget(self._seal_words)
        row.addWidget(self._seal_hash)
        row.addWidget(self._copy)
        row.addStretch(1)
        return row

    def _copy_hash(self) -> None:
        copy_to_clipboard(self._hash)
        self._context.shell.say("Copied: SHA-256 of the manifest")

    # -- showing ---------------------------------------------------------------------------------------------

    def show_study(
        self,
        line: StudyLine,
        log: Sequence[LogEntry],
        preview: FramePreview | None,
        report: StudyReport | None,
        problem: str,
        written: Sequence[tuple[str, Path]],
    ) -> None:
        """Show a study. `preview` is a draft's, `report` an unblinded one's; `written` are the packets' new files."""
        study = line.study
        self._title.setText(one_line(study.name, 120))
        self._show_chips(study)
        for state, words in self._state_words.items():
            set_role(words, "heading" if state is study.state else "small")
        self._next.setText(problem or _NEXT[study.state])
        set_role(self._next, "warning" if problem else "secondary")
        self._hash = study.manifest_sha256
        self._seal_words.setText("Manifest SHA-256" if self._hash else "Not locked: nothing is fixed yet")
        # The ends are enough to compare by eye; the button copies all of it.
        self._seal_hash.setText(f"{self._hash[:16]}…{self._hash[-8:]}" if self._hash else "")
        self._seal_hash.setToolTip(self._hash)
        self._copy.setVisible(bool(self._hash))
        self._show_sample(study, preview)
        self._show_people(line, written)
        self._show_log(log)
        self._report.setVisible(report is not None)
        self._no_report.setVisible(report is None)
        if report is not None:
            self._report.show_report(report)
        if self._shown != (study.id, study.state):
            self._shown = (study.id, study.state)
            people = (StudyState.PRACTICE, StudyState.LABELLING, StudyState.CLOSED)
            self._tabs.setCurrentIndex(2 if study.state.is_unblinded else int(study.state in people))

    def _show_chips(self, study: Study) -> None:
        self._chips.clear()
        design = study.design
        frame = design.frame
        facts = [study_kind(design.kind).title, design.mode.value]
        facts += [", ".join(frame.categories) or "all categories", ", ".join(frame.probe_kinds) or "all probes"]
        if study.machine:
            facts.append(one_line(study.machine, 40))
        for fact in facts:
            self._chips.addWidget(Chip(self._context.theme, fact))

    def _show_sample(self, study: Study, preview: FramePreview | None) -> None:
        rows: list[tuple[str, ...]] = []
        drawn = {stratum.name: 0 for stratum in study.design.strata}
        available: dict[str, int] = dict.fromkeys(drawn, 0)
        if preview is not None:
            drawn = {stratum.name: stratum.drawn for stratum in preview.strata}
            available = {stratum.name: stratum.available for stratum in preview.strata}
        elif study.manifest:
            for cell in study.manifest["cells"]:
                drawn[cell["stratum"]] = drawn.get(cell["stratum"], 0) + cell["drawn"]
            available.update(study.manifest["frame"]["by_stratum"])
        for stratum in study.design.strata:
            name = stratum.name
            rows.append((name, f"{stratum.size:,}", f"{available.get(name, 0):,}", f"{drawn.get(name, 0):,}"))
        _fill(self._sample, ("Stratum", "Wanted", "In the frame", "Drawn"), rows, numbers=(1, 2, 3))
        line = len(rows) + 1
        excluded = preview.frame.excluded if preview else study.manifest.get("frame", {}).get("excluded", {})
        words = " · ".join(f"{count:,} {reason}" for reason, count in excluded.items() if count)
        notes = [f"Left out of the frame: {words}." if words else "", preview.problem if preview else ""]
        notes.append(f"Seed of the draw {study.design.seed}, of the order {study.design.order_seed}.")
        for note in notes:
            if note:
                self._sample.addWidget(label(note, "small", selectable=True), line, 0, 1, 5)
                line += 1
        self._sample.setRowStretch(line, 1)

    def _show_people(self, line: StudyLine, written: Sequence[tuple[str, Path]]) -> None:
        issued = {packet.annotator: packet for packet in line.packets}
        files = dict(written)
        rows = []
        for place, name in enumerate(line.study.design.annotators):
            packet = issued.get(name)
            state = "no packet yet"
            if packet is not None:
                state = f"{packet.back:,} of {packet.items:,} back" if packet.returned_at else "given out"
            file = files[name].name if name in files else ""
            rows.append((one_line(name, 40), "primary" if place == 0 else "", state, file))
        _fill(self._people, ("Annotator", "", "Packet", "File"), rows, numbers=())
        self._people.setRowStretch(len(rows) + 1, 1)

    def _show_log(self, log: Sequence[LogEntry]) -> None:
        rows = [(moment(entry.at), one_line(entry.actor, 40), entry.step, entry.hash[:12]) for entry in log]
        _fill(self._log, ("When", "Who", "What", "Hash"), rows, numbers=())
        self._log.addWidget(
            label(f"{counted(len(log), 'line')}, each sealed with those before it", "small"), 99, 0, 1, 5
        )
        self._log.setRowStretch(100, 1)


def _grid_page() -> tuple[QWidget, QGridLayout]:
    page = QWidget()
    grid = QGridLayout(page)
    grid.setContentsMargins(2, 12, 8, 8)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(4, 1)
    return page, grid


def _fill(grid: QGridLayout, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> None:
    """Write a small table of plain texts; what was there goes."""
    while grid.count():
        item = grid.takeAt(0)
        widget = item.widget() if item else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()
    for line, cells in enumerate([heads, *rows]):
        for column, text in enumerate(cells):
            cell = label(text, "section" if line == 0 else "", wraps=False, selectable=line > 0)
            if column in numbers:
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(cell, line, column)
