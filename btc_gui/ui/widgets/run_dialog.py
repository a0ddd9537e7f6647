"""The composer of a run: models × efforts × probes, and what it will take before anything is asked."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from btc_gui import paths
from btc_gui.domain.configuration import Effort
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import AT_ONCE
from btc_gui.domain.timeline import published_date
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.run_composing import (
    Composition,
    Outlook,
    RecordedModel,
    Recordings,
    configurations_of,
    look_ahead,
    read_recordings,
)
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import line, scrolling
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.words import counted, duration, tokens


class RunDialog(QDialog):
    """Composes a run. After `accepted`, `outlook` holds what is to be planned."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.outlook: Outlook | None = None
        self._recordings: Recordings | None = None
        self._boxes: list[tuple[QCheckBox, RecordedModel, Effort]] = []
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(150)
        self._wait.timeout.connect(self._forecast)
        self.setWindowTitle("New run")
        self.resize(640, 600)
        self._build()
        self._read_folder(paths.resources() / "demo")

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("New run", "title"))
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._name = QLineEdit()
        self._name.setPlaceholderText("Evaluation of today")
        self._name.textEdited.connect(self._wait.start)
        form.addRow("&Name", self._name)
        form.addRow("Agents", self._agents())
        self._models = QWidget()
        self._model_grid = QGridLayout(self._models)
        self._model_grid.setContentsMargins(0, 0, 0, 0)
        self._model_grid.setHorizontalSpacing(16)
        form.addRow("Models", self._models)
        form.addRow("Probes", self._probes())
        self._repetitions = QSpinBox()
        self._repetitions.setRange(1, 20)
        self._repetitions.valueChanged.connect(self._wait.start)
        form.addRow("&Answers a probe", self._repetitions)
        self._at_once = QSpinBox()
        self._at_once.setRange(1, 64)
        self._at_once.setValue(AT_ONCE)
        self._at_once.valueChanged.connect(self._wait.start)
        form.addRow("At &once", self._at_once)
        column.addWidget(scrolling(body, "What to run"), 1)
        column.addWidget(line())
        self._headline = label("", "heading")
        self._details = label("", "secondary")
        column.addWidget(self._headline)
        column.addWidget(self._details)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.start_button = button("Plan and start", "player-play", "primary")
        self.start_button.setDefault(True)
        self.start_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.start_button)
        column.addLayout(row)

    def _agents(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        self._folder = label("", "secondary")
        choose = button("Folder…", "folder-open")
        choose.setToolTip("The folder with the recorded agents and searches")
        choose.clicked.connect(self._choose_folder)
        row.addWidget(self._folder, 1)
        row.addWidget(choose)
        return holder

    def _probes(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._only_accepted = QCheckBox("Only accepted in review")
        self._only_accepted.setChecked(True)
        self._kinds = [(QCheckBox("Indirect"), ProbeKind.INDIRECT), (QCheckBox("Direct"), ProbeKind.DIRECT)]
        self._categories = [
            (QCheckBox(one_line(category.plural.capitalize(), 40)), name)
            for name, category in self._context.categories.items()
        ]
        for boxes in (self._kinds, self._categories):
            line_holder = QWidget()
            flow = FlowLayout(line_holder, 12)
            for box, _ in boxes:
                box.setChecked(True)
                box.toggled.connect(self._wait.start)
                flow.addWidget(box)
            column.addWidget(line_holder)
        self._only_accepted.toggled.connect(self._wait.start)
        column.addWidget(self._only_accepted)
        return holder

    # -- the recordings --------------------------------------------------------------------------------------

    def _choose_folder(self) -> None:
        start = str(self._recordings.folder) if self._recordings else ""
        chosen = QFileDialog.getExistingDirectory(self, "Folder with recorded agents", start)
        if chosen:
            self._read_folder(Path(chosen))

    def _read_folder(self, folder: Path) -> None:
        def read(progress: Progress) -> Recordings:
            return read_recordings(folder)

        self.start_button.setEnabled(False)
        self._context.job_runner.start(
            "Read recordings", read, is_quiet=True, succeeded=self._show_recordings, failed=self._show_problem
        )

    def _show_recordings(self, recordings: object) -> None:
        if not isinstance(recordings, Recordings):
            return
        self._recordings = recordings
        day = published_date(recordings.current_date)
        told = f", told that it is {day.text}" if day else ""
        self._folder.setText(f"Recorded agents of “{one_line(recordings.folder.name, 60)}”{told}")
        self._folder.setToolTip("")
        for box, _, _ in self._boxes:
            self._model_grid.removeWidget(box)
            box.hide()
            box.deleteLater()
        self._boxes = []
        for row, model in enumerate(recordings.models):
            for column, effort in enumerate(model.efforts):
                box = QCheckBox(f"{one_line(model.name, 40)} · {effort}".replace("&", "&&"))
                box.setChecked(True)
                box.toggled.connect(self._wait.start)
                self._model_grid.addWidget(box, row, column)
                self._boxes.append((box, model, effort))
        self._forecast()

    def _show_problem(self, error: object) -> None:
        self._headline.setText("This can't be run")
        self._details.setText(str(error))
        set_role(self._headline, "danger")
        self.start_button.setEnabled(False)

    # -- the forecast ----------------------------------------------------------------------------------------

    def _composition(self, recordings: Recordings) -> Composition:
        chosen = [(model, effort) for box, model, effort in self._boxes if box.isChecked()]
        return Composition(
            name=self._name.text().strip(),
            folder=recordings.folder,
            current_date=recordings.current_date,
            configurations=configurations_of(chosen),
            categories=tuple(name for box, name in self._categories if box.isChecked()),
            kinds=tuple(kind for box, kind in self._kinds if box.isChecked()),
            only_accepted=self._only_accepted.isChecked(),
            repetitions=self._repetitions.value(),
            at_once=self._at_once.value(),
        )

    def _forecast(self) -> None:
        if self._recordings is None:
            return
        composition, database = self._composition(self._recordings), self._context.database
        self.start_button.setEnabled(False)

        def look(progress: Progress) -> Outlook:
            return look_ahead(database, composition)

        self._context.job_runner.start(
            "Forecast", look, is_quiet=True, succeeded=self._show_outlook, failed=self._show_problem
        )

    def _show_outlook(self, outlook: object) -> None:
        if not isinstance(outlook, Outlook) or self._recordings is None:
            return
        if outlook.composition != self._composition(self._recordings):
            return
        self.outlook = outlook
        expected = outlook.forecast
        if not outlook.items or not outlook.composition.configurations:
            missing = "No probe fits" if not outlook.items else "No model is chosen"
            self._headline.setText(missing)
            remedy = "Accept probes in the review, or leave “Only accepted” out." if not outlook.items else ""
            self._details.setText(remedy)
            set_role(self._headline, "warning")
            self.start_button.setEnabled(False)
            return
        set_role(self._headline, "heading")
        probes = counted(len(outlook.items), "probe")
        configurations = counted(len(outlook.composition.configurations), "configuration")
        self._headline.setText(f"{probes} × {configurations} = {counted(expected.answers, 'answer')}")
        measured = sum(row.is_measured for row in expected.rows)
        basis = "measured in this project" if measured == len(expected.rows) else "by stated assumptions"
        self._details.setText(
            f"About {expected.calls:,} model calls, {tokens(expected.usage.total)} tokens, "
            f"{duration(expected.seconds)} ({basis}). Recorded agents cost nothing and answer in seconds."
        )
        self.start_button.setEnabled(True)
