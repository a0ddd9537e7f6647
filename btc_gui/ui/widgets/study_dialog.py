"""Designing a study: which design, who labels; what it would draw and show is told before anything is fixed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import Preset
from btc_gui.domain.study import FrameFilter, StudyId
from btc_gui.progress import Progress
from btc_gui.sessions.designing import Composed, StudyDraft, compose
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.ui.context import Context
from btc_gui.ui.icons import icon
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import line, scrolling, size_window
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.widgets.strata_table import StrataTable, needed_text
from btc_gui.ui.widgets.study_options import StudyOptions
from btc_gui.ui.words import counted

#: What strata of one's own can be made of, by kind of study.
_BY = (
    ("label", "By the machine's label"),
    ("label names_entity", "By label and whether the entity is named"),
    ("label category", "By label and category"),
    ("label probe", "By label and kind of probe"),
    ("label queries", "By label and number of queries"),
    ("label mode", "By label and failure mode"),
    ("label model", "By label and model"),
    ("label configuration", "By label and configuration"),
)
_LEAD = "People label a drawn sample; then their labels are compared with the machine's."
_ALL_CATEGORIES = "All categories together"


class StudyDialog(QDialog):
    """After `accepted`, `study_id` is the draft that was made."""

    def __init__(self, context: Context, session: ValidatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._session = ValidatingSession(context.database, session.categories, keeps_rows=True)
        self.study_id: StudyId | None = None
        self._named_by_hand = False
        self._presets: list[tuple[QRadioButton, str, Preset | None]] = []
        self._looking = LatestJob(
            context.job_runner, "Look at the frame", self._show, self, show_failure=self._show_problem, drops_older=True
        )
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(200)
        self._wait.timeout.connect(self._look)
        self.setWindowTitle("New study")
        size_window(self, 820, 860)
        self._build()
        self._presets[0][0].setChecked(True)
        self._name.setFocus()
        self._name.selectAll()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("New study", "title"))
        column.addWidget(label(_LEAD, "secondary"))
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 8, 0)
        inner.setSpacing(16)
        inner.addWidget(self._preset_box())
        inner.addLayout(self._main_form())
        self.strata = StrataTable()
        self.strata.changed.connect(self._wait.start)
        inner.addWidget(self.strata)
        self._needed = label("", "small")
        inner.addWidget(self._needed)
        inner.addWidget(self._figure_box())
        inner.addWidget(line())
        inner.addLayout(self._fold())
        inner.addWidget(self.options)
        inner.addStretch(1)
        column.addWidget(scrolling(body, "Design"), 1)
        column.addWidget(line())
        self._headline = label("", "heading")
        self._details = label("", "secondary")
        column.addWidget(self._headline)
        column.addWidget(self._details)
        column.addLayout(self._buttons())

    def _preset_box(self) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self._group = QButtonGroup(self)
        offered: list[tuple[str, Preset | None, str, str]] = [
            (kind.name, preset, preset.title, preset.text) for kind in self._session.kinds for preset in kind.presets
        ]
        offered.append(("", None, "Own design", "you choose what is asked about which answers"))
        for row, (kind, preset, title, text) in enumerate(offered):
            choice = QRadioButton(title)
            choice.setAccessibleDescription(text)
            choice.toggled.connect(self._preset_changed)
            self._group.addButton(choice)
            self._presets.append((choice, kind, preset))
            grid.addWidget(choice, row, 0)
            grid.addWidget(label(text, "secondary"), row, 1)
        return holder

    def _main_form(self) -> QFormLayout:
        form = self._form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._name = QLineEdit()
        self._name.textEdited.connect(self._name_edited)
        self._name.textChanged.connect(self._sync)
        form.addRow("&Name", self._name)
        self._kind = Combo("Asked", [(kind.name, f"{kind.title}: {kind.question}") for kind in self._session.kinds])
        self._kind.currentIndexChanged.connect(self._kind_changed)
        form.addRow("&Asked", self._kind)
        self._mode = Combo("Mode")
        self._mode.currentIndexChanged.connect(self._wait.start)
        form.addRow("&Mode", self._mode)
        categories = [("", _ALL_CATEGORIES)]
        categories += [(name, each.plural.capitalize()) for name, each in self._context.categories.items()]
        self._category = Combo("Category", categories)
        self._category.currentIndexChanged.connect(self._category_changed)
        form.addRow("&Category", self._category)
        self._probe_row = self._probes()
        form.addRow("Probes", self._probe_row)
        self._machine = Combo("Checks")
        self._machine.currentIndexChanged.connect(self._wait.start)
        form.addRow("C&hecks", self._machine)
        self._by = Combo("Strata", _BY)
        self._by.currentIndexChanged.connect(self._other_strata)
        form.addRow("&Strata", self._by)
        self._annotator = QLineEdit(self._context.settings.reviewer)
        self._annotator.textChanged.connect(self._sync)
        self._annotator.textChanged.connect(self._wait.start)
        form.addRow("Annota&tor", self._annotator)
        form.addRow("&Further ones", self._others())
        return form

    def _probes(self) -> QWidget:
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(holder, 12)
        self._kinds = [(QCheckBox("Indirect"), ProbeKind.INDIRECT), (QCheckBox("Direct"), ProbeKind.DIRECT)]
        for box, kind in self._kinds:
            box.setChecked(kind is ProbeKind.INDIRECT)
            box.toggled.connect(self._wait.start)
            flow.addWidget(box)
        return holder

    def _others(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        self._further = QLineEdit()
        self._further.setPlaceholderText("Optional: names or initials, with commas between")
        self._further.setAccessibleName("Further annotators")
        self._further.textChanged.connect(self._sync)
        self._further.textChanged.connect(self._wait.start)
        holder.setFocusProxy(self._further)  # For the label of the row.
        self._overlap = NumberBox()
        self._overlap.setRange(1, 100)
        self._overlap.setValue(30)
        self._overlap.valueChanged.connect(self._wait.start)
        self._overlap.setPrefix("label ")
        self._overlap.setSuffix(" %")
        self._overlap.setAccessibleName("Share of the items that further annotators label")
        self._overlap.setToolTip("Of each stratum, drawn by hash; the same items for all of them")
        row.addWidget(self._further, 1)
        row.addWidget(self._overlap)
        return holder

    def _figure_box(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label("What the report would say then (95 % intervals, from assumed errors only)", "section"))
        grid_box = QWidget()
        self._figures = QGridLayout(grid_box)
        self._figures.setContentsMargins(0, 0, 0, 0)
        self._figures.setHorizontalSpacing(16)
        self._figures.setVerticalSpacing(2)
        self._figures.setColumnStretch(1, 1)
        column.addWidget(grid_box)
        self._figure_holder = holder
        holder.hide()
        return holder

    def _fold(self) -> QHBoxLayout:
        self.options = StudyOptions(self._session)
        self.options.changed.connect(self._wait.start)
        self.options.hide()
        row = QHBoxLayout()
        self.more = button("More options", "chevron-right", role="toggle")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._unfold)
        self._summary = label("", "secondary")
        row.addWidget(self.more)
        row.addWidget(self._summary, 1)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.missing = label("", "secondary")
        row.addWidget(self.missing, 1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.create_button = button("Create draft", role="primary")
        self.create_button.setDefault(True)
        self.create_button.clicked.connect(self._create)
        row.addWidget(cancel)
        row.addWidget(self.create_button)
        return row

    def _unfold(self, is_open: bool) -> None:
        self.options.setVisible(is_open)
        self.more.setIcon(icon("chevron-down" if is_open else "chevron-right", QPalette.ColorRole.ButtonText))
        self._summary.setText("" if is_open else self.options.summary)

    # -- what depends on what --------------------------------------------------------------------------------

    @property
    def _preset(self) -> Preset | None:
        return next((preset for choice, _, preset in self._presets if choice.isChecked()), None)

    def _preset_changed(self, is_chosen: bool) -> None:
        if not is_chosen:
            return
        kind = next(kind for choice, kind, _ in self._presets if choice.isChecked())
        is_own = self._preset is None
        for row in (self._kind, self._mode, self._probe_row, self._by):
            self._form.setRowVisible(row, is_own)
        if kind:
            self._kind.setCurrentIndex(self._kind.findData(kind))
        self._kind_changed()
        self._suggest_name()

    def _kind_changed(self) -> None:
        kind = study_kind(self._kind.value)
        self._mode.set_choices([(mode.value, mode.text.capitalize()) for mode in kind.modes])
        machines = self._session.machines(kind.name)
        self._machine.set_choices([(machine, machine) for machine in machines])
        self._form.setRowVisible(self._machine, len(machines) > 1)
        self.options.show_kind(kind)
        self._other_strata()

    def _category_changed(self) -> None:
        self._suggest_name()
        self._wait.start()

    def _other_strata(self) -> None:
        self.strata.forget()
        self._look()

    def _suggest_name(self) -> None:
        if not self._named_by_hand:
            title = self._preset.title if self._preset else study_kind(self._kind.value).title
            category = self._category.currentText() if self._category.value else ""
            self._name.setText(", ".join(part for part in (title, category.casefold()) if part))

    def _name_edited(self) -> None:
        self._named_by_hand = True

    def _names(self) -> tuple[str, ...]:
        return tuple(
            name.strip() for name in (self._annotator.text(), *self._further.text().split(",")) if name.strip()
        )

    def _draft(self) -> StudyDraft:
        chosen, preset = self.options.values, self._preset
        frame = FrameFilter(
            categories=(self._category.value,) if self._category.value else (),
            probe_kinds=tuple(kind.value for box, kind in self._kinds if box.isChecked()),
            machine=self._machine.value,
        )
        return StudyDraft(
            kind=self._kind.value,
            annotators=self._names() or ("nobody yet",),
            seed=chosen.seed,
            order_seed=chosen.order_seed,
            preset=preset.name if preset else "",
            by=tuple(self._by.value.split()),
            sizes=dict(self.strata.sizes),
            assumed=dict(self.strata.errors),
            frame=frame,
            mode=Mode(self._mode.value),
            rule=chosen.rule,
            floor=chosen.floor,
            cap=chosen.cap,
            is_exact=chosen.is_exact,
            overlap=self._overlap.value() / 100,
            repeats=chosen.repeats,
            practice=chosen.practice,
            practice_mark=chosen.practice_mark,
            ask_confidence=chosen.ask_confidence,
            unsure_rule=chosen.unsure_rule,
            relations=chosen.relations,
            break_minutes=chosen.break_minutes,
            left_out=chosen.left_out,
        )

    def _missing(self) -> str:
        """What the form still lacks, in words."""
        if not self._name.text().strip():
            return "Give the study a name."
        if not self._annotator.text().strip():
            return "Name the annotator."
        if not self.options.values.seed or not self.options.values.order_seed:
            return "Give both seeds."
        if self._preset is None and not any(box.isChecked() for box, _ in self._kinds):
            return "Choose a kind of probe."
        return ""

    def _sync(self) -> None:
        missing = self._missing()
        self.create_button.setEnabled(not missing)
        self.missing.setText(missing)
        self._overlap.setEnabled(bool(self._further.text().strip()))

    # -- the preview -----------------------------------------------------------------------------------------

    def _composing(self) -> Callable[[Progress], tuple[StudyDraft, Composed]]:
        session, draft = self._session, self._draft()

        def composed(progress: Progress) -> tuple[StudyDraft, Composed]:
            return draft, compose(session, draft)

        return composed

    def _look(self) -> None:
        self._sync()
        self._looking.ask(self._composing())

    def _show(self, found: object) -> None:
        if not isinstance(found, tuple) or found[0] != self._draft():
            return
        composed: Composed = found[1]
        preview = composed.preview
        self.strata.setVisible(True)
        self.strata.show_preview(composed.design.strata, preview)
        self.options.show_composed(composed)
        self._summary.setText("" if self.more.isChecked() else self.options.summary)
        self._needed.setText(needed_text(preview.plan.strata))
        self._show_figures(composed)
        frame = preview.frame
        self._headline.setText(f"{preview.drawn:,} of {counted(len(frame.items), 'answer')} in the frame are drawn")
        set_role(self._headline, "warning" if preview.problem else "heading")
        left_out = " · ".join(f"{count:,} {reason}" for reason, count in frame.excluded.items() if count)
        words = [preview.problem, f"Excluded: {left_out}." if left_out else ""]
        if frame.unmatched:
            words.append(f"{counted(len(frame.unmatched), 'key')} left out by hand fit no answer.")
        if any(s.drawn < s.wanted for s in preview.strata) and not preview.problem:
            words.append("Where there are fewer than wanted, all are taken and the shortfall is reported.")
        self._details.setText(one_line(" ".join(word for word in words if word), 600))

    def _show_figures(self, composed: Composed) -> None:
        while self._figures.count():
            item = self._figures.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        plan = composed.preview.plan
        rows = [(figure.name, figure.scope, figure.estimate) for figure in plan.figures]
        if plan.figures and plan.repeats.value is not None:
            rows.append(("Repeats", f"the same label in all {composed.design.repeats:,} of them", plan.repeats))
        for row, (name, scope, estimate) in enumerate(rows):
            for column, widget in enumerate((label(name, wraps=False), label(scope, "secondary"))):
                self._figures.addWidget(widget, row, column)
            is_reason = estimate.value is None
            self._figures.addWidget(label(estimate.text, wraps=is_reason, selectable=True), row, 2)
        self._figure_holder.setVisible(bool(rows))

    def _show_problem(self, error: object) -> None:
        self.strata.hide()
        self._needed.setText("")
        self._figure_holder.hide()
        self._headline.setText("Nothing can be drawn")
        set_role(self._headline, "warning")
        self._details.setText(str(error))

    # -- creating --------------------------------------------------------------------------------------------

    def _create(self) -> None:
        if self._missing():
            return
        session, composing = self._session, self._composing()
        name, actor = self._name.text().strip(), self._context.settings.reviewer

        def create(progress: Progress) -> StudyId:
            return session.new(name, composing(progress)[1].design, actor)

        self.create_button.setEnabled(False)
        self._context.job_runner.start(
            "Create study", create, is_quiet=True, succeeded=self._created, failed=self._not_created
        )

    def _created(self, study_id: object) -> None:
        assert isinstance(study_id, int)
        self.study_id = StudyId(study_id)
        self.accept()

    def _not_created(self, error: object) -> None:
        self.create_button.setEnabled(True)
        self._headline.setText("Not created")
        set_role(self._headline, "danger")
        self._details.setText(str(error))
