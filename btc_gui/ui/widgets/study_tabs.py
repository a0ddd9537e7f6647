"""What the page tells of a study beside its report: sample, packets, log, exposures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from btc_gui.domain.number_words import percent
from btc_gui.domain.study import EXPOSED, LATE, Exposure, LogEntry, Study, StudyStep
from btc_gui.domain.study_plan import Plan
from btc_gui.sessions.validating import FramePreview
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.context import Context
from btc_gui.ui.study_reading import PacketLine
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.frames import scrolling
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.widgets.text_table import TextTable
from btc_gui.ui.words import counted, day, moment


class SampleTab(QWidget):
    """The strata: what they ask for, what the frame has, what is drawn; and what was left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._page = QWidget()
        inner = QVBoxLayout(self._page)
        inner.setContentsMargins(2, 12, 8, 8)
        inner.setSpacing(12)
        inner.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._table, self._planned = QWidget(), QWidget()
        self._heading = label("If as many labels differ as assumed", "section")
        self._notes = label("", "small", selectable=True)
        for each in (self._table, self._heading, self._planned, self._notes):
            inner.addWidget(each)
        self._layout = inner
        column.addWidget(scrolling(self._page, "Sample"))

    def show_sample(self, study: Study, preview: FramePreview | None) -> None:
        """Show the sample of a study, or what a draft would draw and show."""
        drawn = {stratum.name: 0 for stratum in study.design.strata}
        available: dict[str, int] = dict.fromkeys(drawn, 0)
        if preview is not None:
            drawn = {stratum.name: stratum.drawn for stratum in preview.strata}
            available = {stratum.name: stratum.available for stratum in preview.strata}
        elif study.manifest:
            for cell in study.manifest["cells"]:
                drawn[cell["stratum"]] = drawn.get(cell["stratum"], 0) + cell["drawn"]
            available.update(study.manifest["frame"]["by_stratum"])
        rows = [
            (s.name, f"{s.size:,}", f"{available.get(s.name, 0):,}", f"{drawn.get(s.name, 0):,}")
            for s in study.design.strata
        ]
        if len(rows) > 1:
            wanted = sum(stratum.size for stratum in study.design.strata)
            rows.append(("in all", f"{wanted:,}", f"{sum(available.values()):,}", f"{sum(drawn.values()):,}"))
        self._table = self._replaced(
            self._table, _grid([("Stratum", "Wanted", "In the frame", "Drawn"), *rows], (1, 2, 3))
        )
        planned = _planned_rows(preview.plan) if preview is not None else []
        self._planned = self._replaced(self._planned, _grid(planned, (2,)) if planned else QWidget())
        self._heading.setVisible(bool(planned))
        self._planned.setVisible(bool(planned))
        self._notes.setText("\n".join(_sample_notes(study, preview)))

    def _replaced(self, old: QWidget, made: QWidget) -> QWidget:
        self._layout.replaceWidget(old, made)
        old.hide()
        old.deleteLater()
        return made


def _planned_rows(plan: Plan) -> list[tuple[str, ...]]:
    """The intervals that a draft would give, from assumed errors alone; none where nothing would be drawn."""
    rows: list[tuple[str, ...]] = [
        (stratum.name, f"{counted(stratum.errors, 'error')} in {stratum.labels:,}", stratum.agreement.text)
        for stratum in plan.strata
        if stratum.labels
    ]
    rows += [(figure.name, figure.scope, figure.estimate.text) for figure in plan.figures]
    if plan.repeats.value is not None:
        rows.append(("Repeats", "the same label every time", plan.repeats.text))
    return [("Figure", "Of", "Value and 95 % interval"), *rows] if rows else []


def _grid(rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> QWidget:
    """Rows of texts below their headings; the columns of `numbers` stand to the right."""
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(len(rows[0]), 1)
    for line, cells in enumerate(rows):
        for place, text in enumerate(cells):
            is_words = place > 0 and place not in numbers
            cell = label(one_line(text, 80), "section" if line == 0 else "", wraps=is_words, selectable=line > 0)
            if place in numbers:
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            elif is_words:
                # Words give way, so that the numbers beside them stay in sight in large text.
                cell.setMinimumWidth(cell.fontMetrics().averageCharWidth() * 12)
                grid.setColumnStretch(place, 3)
            else:
                cell.setAlignment(Qt.AlignmentFlag.AlignTop)
            grid.addWidget(cell, line, place)
    return made


def _sample_notes(study: Study, preview: FramePreview | None) -> list[str]:
    design = study.design
    excluded = preview.frame.excluded if preview else study.manifest.get("frame", {}).get("excluded", {})
    left_out = " · ".join(f"{count:,} {reason}" for reason, count in excluded.items() if count)
    extras = [counted(design.repeats, "repeat"), counted(design.practice, "practice item")]
    shown = ", ".join(words for words, count in zip(extras, (design.repeats, design.practice), strict=True) if count)
    overlap = (
        f" Every further annotator labels {percent(design.overlap, 0)} of each stratum." if design.overlap < 1 else ""
    )
    return [
        *([f"Left out of the frame: {left_out}."] if left_out else []),
        *([preview.problem] if preview and preview.problem else []),
        *([f"Shown besides: {shown}.{overlap}"] if shown or overlap else []),
        f"Seed of the draw {design.seed}, of the order {design.order_seed}.",
    ]


#: The columns of packets; the last one takes the room that is left.
_HEADS = (
    *("Annotator", "Packet", "File", "Sent", "Back", "Missing", "Changed", "Undone", "Late", "Practice", "Out"),
    "Back on",
)
#: A day's room.
_DAY = 150
#: These are shown only where they hold something.
_FILE, _CHANGED, _UNDONE, _LATE, _PRACTICE = 2, 6, 7, 8, 9


class PacketTab(QWidget):
    """Every packet: sent, back, missing, changed later, withdrawn, practice."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = TextTable(
            theme, "packets", _HEADS, filler=11, least=_DAY, numbers=(3, 4, 5, 6, 7, 8), most_rows=12
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._table)
        self._words = label("", "small")
        column.addWidget(self._words)
        column.addStretch(1)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows that are shown."""
        return self._table.texts

    def show_packets(self, packets: Sequence[PacketLine]) -> None:
        """Show the packets of a study."""
        self._table.show_rows([_packet_row(each) for each in packets])
        changed, late = sum(each.changed for each in packets), sum(each.late for each in packets)
        for place, is_shown in (
            (_FILE, any(each.file for each in packets)),
            (_CHANGED, changed),
            (_UNDONE, any(each.withdrawn for each in packets)),
            (_LATE, late),
            (_PRACTICE, any(each.practice for each in packets)),
        ):
            self._table.setColumnHidden(place, not is_shown)
        waiting = sum(each.packet is None for each in packets)
        words = [f"{counted(waiting, 'annotator')} without a packet." if waiting else ""]
        words.append("Labels that came too late are kept apart and in no figure." if late else "")
        words.append("Changed later: the first label of an item is the one analysed." if changed else "")
        self._words.setText(" ".join(word for word in words if word))


def _packet_row(each: PacketLine) -> tuple[str, ...]:
    name = one_line(each.annotator, 60) + (" (primary)" if each.is_primary else "")
    packet = each.packet
    if packet is None:
        return (name, f"{each.layer}: none yet", *[""] * (len(_HEADS) - 2))
    counts = (packet.items, each.back, each.missing, each.changed, each.withdrawn, each.late)
    back = day(packet.returned_at) if packet.returned_at else "not yet"
    figures = (f"{count:,}" for count in counts)
    return (name, each.layer, each.file, *figures, each.practice, day(packet.issued_at), back)


class LogTab(QWidget):
    """The log, and whether its chain holds."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        self.verdict = label("", "success")
        column.addWidget(self.verdict)
        self._table = TextTable(theme, "log", ("#", "When", "Who", "What", "Hash"), filler=3, numbers=(0,))
        column.addWidget(self._table, 1)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows that are shown."""
        return self._table.texts

    def show_log(self, log: Sequence[LogEntry], problems: Sequence[str]) -> None:
        """Show the log of a study with what is wrong with it."""
        lines = f"{counted(len(log), 'line')}, each sealed with those before it"
        self.verdict.setText(f"✗ {'; '.join(problems)}" if problems else f"✓ The chain holds: {lines}.")
        set_role(self.verdict, "danger" if problems else "success")
        rows = [
            (str(each.number), moment(each.at), one_line(each.actor, 60), log_words(each), each.hash[:12])
            for each in log
        ]
        self._table.show_rows(rows)


def log_words(entry: LogEntry) -> str:
    """A line of a study's log in words, with what matters of its detail."""
    told = _DETAIL.get(entry.step)
    words = " ".join(str(part) for part in told(entry.detail) if part) if told else ""
    return f"{entry.step}: {words}" if words else entry.step


def _of_packet(detail: Mapping[str, Any]) -> tuple[object, ...]:
    again = "once more" if detail.get("again") else ""
    items = counted(detail["items"], "item") if "items" in detail else ""
    file = f"({one_line(str(detail['file']), 60)})" if "file" in detail else ""
    return one_line(str(detail.get("annotator", "")), 40), detail.get("layer", ""), items, again, file


def _of_close(detail: Mapping[str, Any]) -> tuple[object, ...]:
    accounts = detail.get("accounts", [])
    back, missing = (sum(int(each.get(name, 0)) for each in accounts) for name in ("back", "missing"))
    reason = one_line(str(detail.get("abandon_reason", "")), 120)
    return counted(back, "label"), f"{missing:,} missing:" if missing else "", reason


def _of_return(detail: Mapping[str, Any]) -> tuple[object, ...]:
    return (
        f"{counted(int(detail.get('labelled', 0)), 'item')} labelled,",
        counted(int(detail.get("new_rows", 0)), "new row"),
    )


def _of_lock(detail: Mapping[str, Any]) -> tuple[object, ...]:
    return (f"manifest {str(detail.get('manifest_sha256', ''))[:16]}…",)


def _of_late(detail: Mapping[str, Any]) -> tuple[object, ...]:
    return (f"{counted(int(detail.get('new_rows', 0)), 'row')}, since {detail.get('late', '')}",)


def _of_export(detail: Mapping[str, Any]) -> tuple[object, ...]:
    return (f"report {str(detail.get('report_sha256', ''))[:16]}…",)


def _of_deviation(detail: Mapping[str, Any]) -> tuple[object, ...]:
    return (one_line(str(detail.get("reason", "")), 300),)


def _of_exposure(detail: Mapping[str, Any]) -> tuple[object, ...]:
    return (f"btc:{detail.get('answer', '')}",)


_DETAIL: dict[str, Callable[[Mapping[str, Any]], tuple[object, ...]]] = {
    StudyStep.LOCK: _of_lock,
    StudyStep.ISSUE: _of_packet,
    StudyStep.ADJUDICATE: _of_packet,
    StudyStep.RETURN: _of_return,
    StudyStep.CLOSE: _of_close,
    StudyStep.ANALYSE: _of_export,
    StudyStep.AMEND: _of_deviation,
    EXPOSED: _of_exposure,
    LATE: _of_late,
}


class ExposureTab(QWidget):
    """Who opened which case while the study was open. The cases open once the study is unblinded."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._exposures: Sequence[Exposure] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        self._words = label("", "warning")
        column.addWidget(self._words)
        self._table = TextTable(context.theme, "exposures", ("When", "Who", "", "Case"), filler=3)
        column.addWidget(self._table, 1)
        self._open = link_button("Open these cases")
        self._open.clicked.connect(self._open_all)
        column.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)

    def show_exposures(self, exposures: Sequence[Exposure], study: Study) -> None:
        """Show the exposures of a study."""
        own = {name.casefold() for name in study.design.annotators}
        by_annotators = sum(each.person.casefold() in own for each in exposures)
        unnamed = sum(not each.person.strip() for each in exposures)
        often = "once" if len(exposures) == 1 else f"{len(exposures):,} times"
        who = f"{by_annotators:,} of them by its annotators" if by_annotators else "none by its annotators"
        if unnamed:
            who += f", {unnamed:,} by somebody who gave no name"
        self._words.setText(f"Cases of this study were opened {often} while it was open, {who}. The report tells them.")
        set_role(self._words, "warning" if by_annotators else "secondary")
        rows = [
            (
                moment(each.at),
                one_line(each.person, 60) or "no name given",
                "annotator" if each.person.casefold() in own else "",
                f"btc:{each.answer_id}",
            )
            for each in exposures
        ]
        self._exposures = exposures
        # Before that opening them would be one more exposure.
        self._open.setVisible(study.state.is_unblinded)
        self._table.show_rows(rows)

    def _open_all(self) -> None:
        ids = tuple(dict.fromkeys(each.answer_id for each in self._exposures))
        self._context.shell.open("cases", CaseSet("exposed cases", ids, shows_verdicts=True))
