"""Collecting a category from Wikidata: what, which days, at which service; then what became of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.category import Category
from btc_gui.errors import BtcError
from btc_gui.jobs.collect_events import (
    CollectionForecast,
    CollectionOutcome,
    acting_offices,
    collect_events,
    foresee_collection,
    question_of,
)
from btc_gui.progress import Progress, Report
from btc_gui.remote.service_address import TITLES
from btc_gui.settings import QUERY_SERVICES, Settings
from btc_gui.store.database import Database
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.job_runner import Job
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.collected_view import CollectedView
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.day_field import DayField
from btc_gui.ui.widgets.frames import scrolling, size_window
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.widgets.progress_bar import ProgressBar
from btc_gui.ui.words import counted

#: The window of the benchmark's first set.
_NO_CONTACT = (
    "A contact is needed before anything is asked: Wikimedia wants to know whom it may write to. "
    "An e-mail address, or a page of yours."
)
_FIRST, _LAST = date(2026, 2, 1), date(2026, 6, 30)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the form asks for."""

    category: Category
    first_day: date
    last_day: date
    service: str
    acting: str
    settings: Settings


def _foresee(database: Database, wanted: _Wanted, progress: Progress) -> CollectionForecast:
    question = question_of(wanted.category, wanted.first_day, wanted.last_day, wanted.settings, wanted.service)
    return foresee_collection(database, wanted.category, question)


def _collect(database: Database, wanted: _Wanted, again: bool, progress: Progress) -> CollectionOutcome:
    return collect_events(
        database,
        wanted.category,
        question_of(wanted.category, wanted.first_day, wanted.last_day, wanted.settings, wanted.service),
        wanted.settings,
        progress,
        author=wanted.settings.reviewer,
        again=again,
        overrides=acting_offices(wanted.category, wanted.acting),
    )


class CollectDialog(QDialog):
    """Closing it while it collects leaves the job running. `collected` carries the outcome."""

    collected = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._categories = [each for each in context.categories.values() if each.collection is not None]
        self._forecast: CollectionForecast | None = None
        self._job: Job | None = None
        self._how_it_ended = ""
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(150)
        self._wait.timeout.connect(self._foresee)
        self.setWindowTitle("Collect events")
        size_window(self, 980, 620)
        self._build()
        (self.first_day if self.contact.text().strip() else self.contact).setFocus()
        self._foresee()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self.heading = label("Collect events from Wikidata", "title")
        column.addWidget(self.heading)
        self._stack = QStackedWidget()
        self._stack.addWidget(scrolling(self._build_form(), "What is collected"))
        self.collected_view = CollectedView(self._context)
        self._stack.addWidget(self.collected_view)
        column.addWidget(self._stack, 1)
        self.problem = label("", "danger", selectable=True)
        self.problem.hide()
        column.addWidget(self.problem)
        self.bar = ProgressBar("Progress of collecting")
        self.bar.hide()
        column.addWidget(self.bar)
        row = QHBoxLayout()
        self.status = label("", "secondary", wraps=False)
        self.start_button = button("Collect", "download", "primary")
        self.start_button.clicked.connect(self.start)
        self.stop_button = button("Stop")
        self.stop_button.clicked.connect(self._stop)
        self.stop_button.hide()
        self.close_button = button("Close")
        self.close_button.clicked.connect(self.reject)
        row.addWidget(self.status, 1)
        for widget in (self.close_button, self.stop_button, self.start_button):
            row.addWidget(widget)
        column.addLayout(row)

    def _build_form(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        words = (
            "Asked day by day, then in batches about what was found. Every answer is kept: a collection that stops, "
            "for whatever reason, goes on where it was. What gives no event is listed with its reason."
        )
        column.addWidget(label(words, "secondary"))
        self._form = form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(12)
        self.category = Combo("Category", [(each.name, each.plural) for each in self._categories])
        self.category.activated.connect(self._changed)
        form.addRow("&Category", self.category)
        self.first_day, self.last_day = DayField(_FIRST, "First day"), DayField(_LAST, "Last day")
        days = QHBoxLayout()
        days.setSpacing(8)
        for field in (self.first_day, self.last_day):
            field.textEdited.connect(self._changed)
        days.addWidget(self.first_day)
        days.addWidget(label("to", wraps=False))
        days.addWidget(self.last_day)
        days.addStretch(1)
        form.addRow("Days of change", days)
        services = [(name, TITLES[name]) for name in QUERY_SERVICES]
        self.service = Combo("Service")
        self.service.set_choices(services, self._context.settings.query_service)
        self.service.activated.connect(self._changed)
        form.addRow("&Service", self.service)
        self.contact = QLineEdit(self._context.settings.operator_contact)
        self.contact.setAccessibleName("Contact")
        self.contact.setPlaceholderText("name@example.org, or a web page")
        self.contact.setToolTip("Goes with every request: Wikimedia asks programs to say whom to write to.")
        self.contact.textEdited.connect(self._changed)
        form.addRow("C&ontact", self.contact)
        self.acting = QCheckBox("Leave acting and interim offices out")
        form.addRow("", self.acting)
        self.again = QCheckBox("Ask everything anew")
        self.again.toggled.connect(self._changed)
        form.addRow("", self.again)
        column.addLayout(form)
        self.outlook = label("", "heading")
        self.outlook_detail = label("", "secondary")
        column.addWidget(self.outlook)
        column.addWidget(self.outlook_detail)
        column.addStretch(1)
        return body

    # -- looking ahead ---------------------------------------------------------------------------------------

    def _wanted(self) -> _Wanted | None:
        category = next((each for each in self._categories if each.name == self.category.value), None)
        first, last = self.first_day.day, self.last_day.day
        if category is None or first is None or last is None:
            return None
        return _Wanted(
            category,
            first,
            last,
            self.service.value,
            "drop" if self.acting.isChecked() else "",
            replace(self._context.settings, operator_contact=self.contact.text().strip()),
        )

    def _changed(self, _: object = None) -> None:
        self._how_it_ended = ""
        self._wait.start()

    def _foresee(self) -> None:
        wanted = self._wanted()
        self.start_button.setEnabled(False)
        if wanted is None:
            words = "Write the days as 2026-02-01." if self._categories else "No category has queries to collect by."
            self._say_problem(words)
            return
        self._form.setRowVisible(self.acting, "acting" in wanted.category.rules)
        self._context.job_runner.start(
            "Look ahead",
            partial(_foresee, self._context.database, wanted),
            lane="collect-look",
            succeeded=self._show_forecast,
            failed=self._forecast_failed,
            is_quiet=True,
        )

    def _show_forecast(self, forecast: object) -> None:
        assert isinstance(forecast, CollectionForecast)
        if self._job is not None:
            return
        self._forecast = forecast
        self._say_problem(self._how_it_ended)
        is_done = forecast.is_complete and not self.again.isChecked()
        self._form.setRowVisible(self.again, forecast.is_complete)
        left = forecast.stretches if self.again.isChecked() else forecast.stretches - forecast.answered
        if is_done:
            self.outlook.setText("Collected already: shows what came of it.")
        elif forecast.answered and not self.again.isChecked():
            self.outlook.setText(
                f"Goes on: {left:,} of {counted(forecast.stretches, 'request')} left, then the batches."
            )
        else:
            self.outlook.setText(f"{counted(left, 'request')}, each about {_stretch(forecast)}, and the batches.")
        batches = ", ".join(name.replace("_", " ") for name in forecast.follow_ups)
        self.outlook_detail.setText(f"Then in batches: {batches}. Asked at {forecast.question.address}, one by one.")
        self.start_button.setText(" Show" if is_done else " Collect")
        self.start_button.setEnabled(bool(self.contact.text().strip()) or is_done)
        if self._how_it_ended:
            self.start_button.setFocus()
        if not self.contact.text().strip():
            self._say_problem(_NO_CONTACT)

    def _forecast_failed(self, error: object) -> None:
        self.outlook.setText("")
        self._say_problem(str(error))

    def _say_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    # -- collecting ------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Collect as a job."""
        wanted = self._wanted()
        if wanted is None:
            return
        if wanted.settings.operator_contact != self._context.settings.operator_contact:
            self._context.shell.change_settings(wanted.settings)
        self._say_problem("")
        self._enable(False)
        self.bar.setRange(0, 0)
        self.bar.show()
        self._job = self._context.job_runner.start(
            f"Collect {wanted.category.plural.lower()}",
            partial(_collect, self._context.database, wanted, self.again.isChecked()),
            lane="collect",
            succeeded=self._succeeded,
            failed=self._failed,
            progressed=self._progressed,
        )
        self._job.cancelled.connect(self._cancelled)

    def _enable(self, can_ask: bool) -> None:
        for widget in (self._stack.widget(0), self.start_button):
            if widget is not None:
                widget.setEnabled(can_ask)
        self.stop_button.setVisible(not can_ask)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _progressed(self, report: Report) -> None:
        self.bar.setRange(0, report.total)
        self.bar.setValue(report.done)
        count = f"{report.done:,} of {report.total:,} · " if report.total else ""
        self.status.setText(count + one_line(report.text, 90))

    def _succeeded(self, outcome: object) -> None:
        assert isinstance(outcome, CollectionOutcome)
        self._ended()
        self._context.changes.tell(Subject.EVENTS)
        category = self._context.categories[outcome.collection.question.category]
        self.heading.setText(f"{category.plural}: {outcome.numbers}")
        self._context.shell.say(self.heading.text())
        self.collected_view.show_collection(outcome.collection.id)
        self._stack.setCurrentWidget(self.collected_view)
        self.start_button.hide()
        set_role(self.close_button, "primary")
        self.close_button.setFocus()
        self.collected.emit(outcome)

    def _failed(self, error: object) -> None:
        self._ended(str(error))
        if not isinstance(error, BtcError) and isinstance(error, BaseException):
            self._context.shell.show_error(error)

    def _cancelled(self) -> None:
        self._ended("Stopped. What was received is kept; collecting goes on where it was.")

    def _ended(self, words: str = "") -> None:
        """Back to the form. `words` say why nothing came of it; they stay until something is changed."""
        self._job = None
        self._how_it_ended = words
        self._say_problem(words)
        self.bar.hide()
        self.status.setText("")
        self._enable(True)
        if words:
            self._foresee()


def _stretch(forecast: CollectionForecast) -> str:
    return "one day" if forecast.days_each == 1 else f"{forecast.days_each} days"
