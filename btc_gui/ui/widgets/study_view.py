"""One study: where it stands, what comes next, its seal, its sample, packets, report and log."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import Study, StudyState, StudyStep
from btc_gui.ui.context import Context
from btc_gui.ui.study_allowed import STEPS
from btc_gui.ui.study_reading import StudyReading
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import CommandButton, icon_button
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import EmptyState, scrolling
from btc_gui.ui.widgets.plain_text import copy_to_clipboard, label, one_line, set_role
from btc_gui.ui.widgets.report_view import ReportView
from btc_gui.ui.widgets.state_line import StateLine
from btc_gui.ui.widgets.study_tabs import ExposureTab, LogTab, PacketTab, SampleTab
from btc_gui.ui.words import counted

_NEXT = {
    StudyState.DRAFT: "Next: lock the study. That draws the sample and freezes everything about it.",
    StudyState.LOCKED: "Next: write the packets and give one to each annotator.",
    StudyState.PRACTICE: "Next: send the packets out; labelling begins with practice. Take them back labelled.",
    StudyState.LABELLING: "Next: send the packets out, take them back labelled, then close the labelling.",
    StudyState.CLOSED: "The labels are sealed. Next: unblind the study, or first let somebody adjudicate differences.",
    StudyState.UNBLINDED: "The key is open: its report stands below. Next: export it.",
    StudyState.ANALYSED: "The report was exported: its hash is in the log.",
    StudyState.AMENDED: "A deviation was noted: it is in the log and in the report.",
}
#: What is done next in a state: its button stands out.
_MAIN_STEP = {
    StudyState.DRAFT: "lock",
    StudyState.LOCKED: "packets",
    StudyState.PRACTICE: "return",
    StudyState.LABELLING: "return",
    StudyState.CLOSED: "unblind",
    StudyState.UNBLINDED: "export",
}

#: The room that the tabs ask for at text size 1.
_TABS = QSize(320, 260)


class StudyView(QWidget):
    """Shows one study; its buttons are the page's commands."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._hash = ""
        body = QWidget()
        # Where the window is low all of it scrolls, so that the tabs keep room to be read in.
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolling(body, "Study"))
        column = QVBoxLayout(body)
        # The ring of the focus is around it.
        column.setContentsMargins(6, 2, 6, 2)
        column.setSpacing(8)
        self._title = label("", "title")
        column.addWidget(self._title)
        chips = QWidget()
        self._chips = FlowLayout(chips, 6)
        column.addWidget(chips)
        self._states = StateLine(context.theme)
        column.addWidget(self._states)
        self._next = label("", "secondary")
        column.addWidget(self._next)
        self._actions = {name: context.commands.action(f"validation.{name}") for name in STEPS}
        for action in self._actions.values():
            action.changed.connect(self._show_steps)
        self._buttons = {name: self._button(name) for name in STEPS}
        self._main_buttons = {name: self._button(name, "primary") for name in {*_MAIN_STEP.values(), "close", "reveal"}}
        self._main = ""
        holder = QWidget()
        flow = FlowLayout(holder, 8)
        for made in (*self._main_buttons.values(), *self._buttons.values()):
            flow.addWidget(made)
        column.addWidget(holder)
        column.addWidget(self._seal())
        self._tabs = _Tabs(context.theme)
        self._tabs.setDocumentMode(True)
        self.report = ReportView(context)
        self._no_report = EmptyState(
            "chart-bar", "No report yet", "Figures come once the labels are back, sealed, and the study is unblinded."
        )
        self._report_page = QWidget()
        inner = QVBoxLayout(self._report_page)
        inner.setContentsMargins(0, 12, 0, 0)
        inner.addWidget(self.report)
        inner.addWidget(self._no_report)
        self.sample, self.packets = SampleTab(), PacketTab(context.theme)
        self.exposures, self.log = ExposureTab(context), LogTab(context.theme)
        self._tabs.addTab(self.sample, "Sample")
        self._tabs.addTab(self.packets, "Packets")
        self._tabs.addTab(self._report_page, "Report")
        self._tabs.addTab(self.log, "Log")
        self._exposure_place = self._tabs.addTab(self.exposures, "Exposures")
        column.addWidget(self._tabs, 1)
        self._shown: tuple[int, StudyState] | None = None

    def _button(self, name: str, role: str = "") -> CommandButton:
        made = CommandButton(self._context.commands.action(f"validation.{name}"), role)
        made.hide()
        return made

    def _seal(self) -> QWidget:
        self._seal_words = label("", "small", wraps=False)
        self._seal_hash = label("", "mono", wraps=False, selectable=True)
        self._copy = icon_button("copy", "Copy the SHA-256 of the manifest")
        self._copy.clicked.connect(self._copy_hash)
        holder = QWidget()
        flow = FlowLayout(holder, 6)
        for each in (self._seal_words, self._seal_hash, self._copy):
            flow.addWidget(each)
        return holder

    def _copy_hash(self) -> None:
        copy_to_clipboard(self._hash)
        self._context.shell.say("Copied: SHA-256 of the manifest")

    # -- showing ---------------------------------------------------------------------------------------------

    def show_study(self, reading: StudyReading) -> None:
        """Show a study."""
        study = reading.line.study
        self._title.setText(one_line(study.name, 160))
        self._show_chips(study)
        self._states.show_state(study.state, states_of(reading))
        problem = reading.problem or "; ".join(reading.log_problems)
        words, main = next_step(reading)
        self._next.setText(problem or words)
        set_role(self._next, "warning" if problem else "secondary")
        self._main = main
        self._show_steps()
        self._hash = study.manifest_sha256
        self._seal_words.setText("Manifest SHA-256" if self._hash else "Not locked: nothing is fixed yet")
        # The ends are enough to compare by eye; the button copies all of it.
        self._seal_hash.setText(f"{self._hash[:16]}…{self._hash[-8:]}" if self._hash else "")
        self._seal_hash.setToolTip(self._hash)
        self._copy.setVisible(bool(self._hash))
        self.sample.show_sample(study, reading.preview)
        self.packets.show_packets(reading.packets)
        self.log.show_log(reading.log, reading.log_problems)
        self.exposures.show_exposures(reading.exposures, study)
        self._tabs.setTabVisible(self._exposure_place, bool(reading.exposures))
        self._tabs.setTabText(self._exposure_place, counted(len(reading.exposures), "exposure").capitalize())
        self.report.setVisible(reading.report is not None)
        self._no_report.setVisible(reading.report is None)
        if reading.report is not None:
            self.report.show_report(reading.report)
        self._choose_tab(study)

    def _choose_tab(self, study: Study) -> None:
        """The tab that matters in a state, when the study or its state is another one than before."""
        if self._shown == (study.id, study.state):
            return
        self._shown = (study.id, study.state)
        is_about_packets = study.manifest and not study.state.is_unblinded
        wanted = self._report_page if study.state.is_unblinded else self.packets if is_about_packets else self.sample
        self._tabs.setCurrentWidget(wanted)

    def _show_steps(self) -> None:
        """Only what can be done now has a button; menus and the palette say of the rest why not."""
        for name, made in self._buttons.items():
            is_main = name == self._main and name in self._main_buttons
            made.setVisible(self._actions[name].isEnabled() and not is_main)
        for name, made in self._main_buttons.items():
            made.setVisible(name == self._main and self._actions[name].isEnabled())

    def _show_chips(self, study: Study) -> None:
        self._chips.clear()
        design = study.design
        frame = design.frame
        facts = [study_kind(design.kind).title, design.mode.value.replace("_", " ")]
        facts += [", ".join(frame.categories) or "all categories", ", ".join(frame.probe_kinds) or "all probes"]
        if study.machine:
            facts.append(one_line(study.machine, 40))
        for fact in facts:
            self._chips.addWidget(Chip(self._context.theme, fact))


class _Tabs(QTabWidget):
    """Tabs that ask for the same height whatever is in them; what is higher scrolls within."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName("Parts of the study")

    def sizeHint(self) -> QSize:
        return QSize(_TABS.width(), round(_TABS.height() * max(1.0, self._theme.text_scale)))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


def next_step(reading: StudyReading) -> tuple[str, str]:
    """What comes next, in words, and the step whose button stands out (empty where there is none)."""
    state = reading.line.study.state
    words, step = _NEXT[state], _MAIN_STEP.get(state, "")
    if state in (StudyState.PRACTICE, StudyState.LABELLING):
        if reading.to_reveal and not any(reading.to_reveal.values()):
            return "The blind labels are back. Next: write the second packets, which show the findings.", "reveal"
        if not reading.missing:
            return "Every label is back. Next: close the labelling.", "close"
    if state is StudyState.CLOSED and not reading.disputed:
        return "The labels are sealed. Next: unblind the study.", "unblind"
    if state is StudyState.CLOSED and reading.has_adjudicator:
        if reading.is_out:
            return "The adjudication packet is out. Next: take it back; what comes after unblinding is late.", "return"
        return "The decisions are back. Next: unblind the study.", "unblind"
    return words, step


def states_of(reading: StudyReading) -> list[StudyState]:
    """The states that a study goes through: what its design or its log does not have is left out."""
    study = reading.line.study
    is_exported = any(entry.step == StudyStep.ANALYSE for entry in reading.log)
    is_amended = study.state is StudyState.AMENDED
    there = {
        StudyState.PRACTICE: bool(study.design.practice) or study.state is StudyState.PRACTICE,
        StudyState.ANALYSED: is_exported or not is_amended,
        StudyState.AMENDED: is_amended,
    }
    return [state for state in StudyState if there.get(state, True)]
