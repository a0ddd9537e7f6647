"""The composer of a run: models × harnesses × efforts × probes, and what it will take before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from btc_gui import paths
from btc_gui.domain.configuration import EFFORTS, Effort, Harness
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import AT_ONCE
from btc_gui.domain.search_settings import SearchKind
from btc_gui.domain.timeline import published_date
from btc_gui.errors import BtcError
from btc_gui.evals.replay import SEARCHES_FILE
from btc_gui.progress import Progress
from btc_gui.store.projects import ProjectStore
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_folder
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.run_composing import (
    Composition,
    Offer,
    Offers,
    Outlook,
    SearchChoice,
    look_ahead,
    read_offers,
)
from btc_gui.ui.widgets.buttons import button, in_button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import line, scrolling, size_window, tab_after
from btc_gui.ui.widgets.number_box import AmountBox, NumberBox
from btc_gui.ui.widgets.plain_text import LineLabel, label, one_line, set_role
from btc_gui.ui.widgets.search_fields import SearchFields
from btc_gui.ui.words import counted, duration, money, tokens


class RunDialog(QDialog):
    """Composes a run. After `accepted`, `outlook` holds what is to be planned."""

    TITLE = "New run"
    VERB = "Plan and start"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.outlook: Outlook | None = None
        self._offers: Offers | None = None
        self._wanted = Path()
        self._models: list[tuple[QCheckBox, Offer]] = []
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(150)
        self._wait.timeout.connect(self._forecast)
        self._forecasting = LatestJob(
            context.job_runner,
            "Forecast",
            self._show_outlook,
            self,
            show_failure=self._show_problem,
            drops_older=True,
        )
        self.setWindowTitle(self.TITLE)
        size_window(self, 720, 640)
        self._build()
        self._read_folder(self._first_folder())

    def _first_folder(self) -> Path:
        """The demo's recordings know the demo's probes only; others may have some beside their project."""
        database = self._context.database
        return paths.resources() / "demo" if ProjectStore(database).is_illustrative else database.path.parent

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.TITLE, "title"))
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._add_name(form)
        form.addRow("Recordings", self._recordings())
        self._model_holder = QWidget()
        self._model_grid = QGridLayout(self._model_holder)
        self._model_grid.setContentsMargins(0, 0, 0, 0)
        self._model_grid.setHorizontalSpacing(16)
        self._model_grid.setVerticalSpacing(2)
        self._model_grid.setColumnStretch(1, 1)
        form.addRow("Models", self._model_holder)
        self._harnesses = [(QCheckBox("Shared"), Harness.SHARED), (QCheckBox("Native"), Harness.NATIVE)]
        self._harnesses[0][0].setChecked(True)
        self._harnesses[0][0].setToolTip("One system prompt and our own web_search for all models")
        self._harnesses[1][0].setToolTip("The provider's own search, without a system prompt of ours")
        form.addRow("Harness", self._row_of([box for box, _ in self._harnesses]))
        self._efforts = [(QCheckBox(each.value.capitalize()), each) for each in EFFORTS]
        for box, _ in self._efforts:
            box.setChecked(True)
        form.addRow("Effort", self._row_of([box for box, _ in self._efforts]))
        self.search = SearchFields()
        self.search.changed.connect(self._wait.start)
        form.addRow("&Search", self.search)
        self._add_rows(form)
        self._add_at_once(form)
        column.addWidget(scrolling(body, "What to run"), 1)
        column.addWidget(line())
        self._headline = label("", "heading")
        self._details = label("", "secondary")
        column.addWidget(self._headline)
        column.addWidget(self._details)
        column.addLayout(self._buttons())

    def _add_name(self, form: QFormLayout) -> None:
        self._name = QLineEdit()
        self._name.setPlaceholderText("Evaluation of today")
        self._name.textEdited.connect(self._wait.start)
        form.addRow("&Name", self._name)

    def _add_rows(self, form: QFormLayout) -> None:
        """The rows below models, harnesses, efforts and search."""
        form.addRow("Probes", self._probes())
        self._add_amounts(form)

    def _add_at_once(self, form: QFormLayout) -> None:
        self._at_once = NumberBox()
        self._at_once.setRange(1, 64)
        self._at_once.setValue(AT_ONCE)
        self._at_once.setToolTip("Samples in parallel for each provider; models.toml may say less")
        self._at_once.valueChanged.connect(self._wait.start)
        form.addRow("At &once", self._at_once)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.start_button = button(self.VERB, "player-play", "primary")
        self.start_button.setDefault(True)
        self.start_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.start_button)
        return row

    def _row_of(self, boxes: list[QCheckBox], *, wraps: bool = False) -> QWidget:
        holder = QWidget()
        row = FlowLayout(holder, 12) if wraps else QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for box in boxes:
            box.toggled.connect(self._wait.start)
            row.addWidget(box)
        if isinstance(row, QHBoxLayout):
            row.addStretch(1)
        return holder

    def _recordings(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        row = QHBoxLayout()
        column.addLayout(row)
        self._folder = LineLabel("secondary")
        self._told = label("", "small")
        self._told.hide()
        column.addWidget(self._told)
        choose = button("Folder…", "folder-open")
        choose.setAccessibleName("Folder with recorded agents and searches…")
        choose.setToolTip("The folder with recorded agents and searches")
        choose.clicked.connect(self._choose_folder)
        row.addWidget(self._folder, 1)
        row.addWidget(choose)
        return holder

    def _probes(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._sample = Combo("Which probes", [("", "All that fit")])
        self._sample.currentIndexChanged.connect(self._sample_changed)
        column.addWidget(self._sample)
        self._kinds = [(QCheckBox("Indirect"), ProbeKind.INDIRECT), (QCheckBox("Direct"), ProbeKind.DIRECT)]
        self._categories = [
            (QCheckBox(in_button(one_line(category.plural.capitalize(), 40))), name)
            for name, category in self._context.categories.items()
        ]
        for box in [box for box, _ in self._kinds] + [box for box, _ in self._categories]:
            box.setChecked(True)
        column.addWidget(self._row_of([box for box, _ in self._kinds]))
        self._category_row = self._row_of([box for box, _ in self._categories], wraps=True)
        column.addWidget(self._category_row)
        self._only_accepted = QCheckBox("Only accepted in review")
        self._only_accepted.setChecked(True)
        self._only_accepted.toggled.connect(self._wait.start)
        column.addWidget(self._only_accepted)
        return holder

    def _add_amounts(self, form: QFormLayout) -> None:
        self._repetitions = NumberBox()
        self._repetitions.setRange(1, 20)
        self._repetitions.valueChanged.connect(self._wait.start)
        form.addRow("&Answers a probe", self._repetitions)
        self._add_limit(form, "Nothing new is started once the known costs reach it")

    def _add_limit(self, form: QFormLayout, about: str) -> None:
        self._limit = AmountBox()
        self._limit.setRange(0, 1_000_000)
        self._limit.setPrefix("$")
        self._limit.setSingleStep(5)
        self._limit.setSpecialValueText("no limit")
        self._limit.setToolTip(about)
        self._limit.valueChanged.connect(self._wait.start)
        form.addRow("Spending &limit", self._limit)

    # -- what there is to choose from ------------------------------------------------------------------------

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Folder with recorded agents", self._offers.folder if self._offers else None)
        if chosen is not None:
            self._read_folder(chosen)

    def _sample_changed(self) -> None:
        for widget in (self._category_row, self._only_accepted):
            widget.setVisible(not self._sample.value)
        self._wait.start()

    def _read_folder(self, folder: Path) -> None:
        database = self._context.database

        def read(progress: Progress) -> tuple[Path, Offers | BtcError]:
            try:
                return folder, read_offers(database, folder)
            except BtcError as error:
                return folder, error

        self._wanted = folder
        self.start_button.setEnabled(False)
        self._context.job_runner.start(
            "Read models", read, is_quiet=True, succeeded=self._take_read, failed=self._show_problem
        )

    def _take_read(self, result: object) -> None:
        """Show what a folder offers, unless another one was chosen meanwhile: two reads may end in either order."""
        if not isinstance(result, tuple) or result[0] != self._wanted:
            return
        if isinstance(result[1], Offers):
            self._show_offers(result[1])
        else:
            self._show_problem(result[1])

    def _show_offers(self, offers: Offers) -> None:
        self._offers = offers
        day = published_date(offers.current_date)
        has_some = any(each.model.is_scripted and not each.reason for each in offers.models)
        self._folder.setText(f"{'' if has_some else 'none in '}“{one_line(offers.folder.name, 60)}”")
        self._told.setText(f"Agents are told that it is {day.text}." if day else "")
        self._told.setVisible(day is not None)
        # Where nothing is recorded, nothing can be replayed.
        is_recorded = (offers.folder / SEARCHES_FILE).is_file()
        self.search.suggest(SearchKind.REPLAY if is_recorded else SearchKind.EXA)
        self._show_models(offers)
        self._show_samples(offers.samples)
        self._forecast()

    def _show_samples(self, names: Sequence[str]) -> None:
        choices = [("", "All that fit"), *((name, f"Sample “{name}”") for name in names)]
        self._sample.set_choices(choices, self._sample.value)

    def _show_models(self, offers: Offers) -> None:
        while self._model_grid.count():
            item = self._model_grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._models = []
        for row, offer in enumerate(offers.models):
            box = QCheckBox(in_button(one_line(offer.model.name, 40)))
            box.setChecked(offer.model.is_scripted and not offer.reason)
            box.setEnabled(not offer.reason)
            box.setToolTip(offer.reason)
            box.toggled.connect(self._wait.start)
            self._model_grid.addWidget(box, row, 0)
            # One way to have a key is enough in a line; the tooltip has all.
            about = LineLabel("small")
            reason = offer.reason.partition(" or ")[0].replace("no key: set ", "needs ")
            about.setText(reason or _about(offer))
            about.setToolTip(offer.reason)
            self._model_grid.addWidget(about, row, 1)
            for each in (box, about):
                # The form scrolls: its lines are not pressed together before that.
                policy = each.sizePolicy()
                policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
                each.setSizePolicy(policy)
            self._models.append((box, offer))
        tab_after(self._model_holder, [box for box, _ in self._models])

    def _show_problem(self, error: object) -> None:
        self._headline.setText("This can't be run")
        self._details.setText(str(error))
        set_role(self._headline, "danger")
        self.start_button.setEnabled(False)

    # -- the forecast ----------------------------------------------------------------------------------------

    def _agents(self) -> tuple[tuple[Offer, ...], tuple[Harness, ...], tuple[Effort, ...], SearchChoice]:
        return (
            tuple(offer for box, offer in self._models if box.isChecked()),
            tuple(harness for box, harness in self._harnesses if box.isChecked()),
            tuple(effort for box, effort in self._efforts if box.isChecked()),
            self.search.choice,
        )

    def _whoever(self, offers: Offers, at_once: int) -> Composition:
        """The agents that are chosen, whichever probes they are put."""
        models, harnesses, efforts, search = self._agents()
        return Composition(
            name="",
            folder=offers.folder,
            current_date=offers.current_date,
            models=models,
            harnesses=harnesses,
            efforts=efforts,
            search=search,
            sample="",
            categories=tuple(self._context.categories),
            kinds=tuple(ProbeKind),
            only_accepted=True,
            repetitions=1,
            at_once=at_once,
        )

    def _composition(self, offers: Offers) -> Composition:
        models, harnesses, efforts, search = self._agents()
        return Composition(
            name=self._name.text().strip(),
            folder=offers.folder,
            current_date=offers.current_date,
            models=models,
            harnesses=harnesses,
            efforts=efforts,
            search=search,
            sample=self._sample.value,
            categories=tuple(name for box, name in self._categories if box.isChecked()),
            kinds=tuple(kind for box, kind in self._kinds if box.isChecked()),
            only_accepted=self._only_accepted.isChecked(),
            repetitions=self._repetitions.value(),
            at_once=self._at_once.value(),
            max_cost=self._limit.value() or None,
        )

    def _forecast(self) -> None:
        if self._offers is None:
            return
        composition, database = self._composition(self._offers), self._context.database
        self.start_button.setEnabled(False)

        def look(progress: Progress) -> Outlook:
            return look_ahead(database, composition, progress)

        self._forecasting.ask(look)

    def _show_outlook(self, outlook: object) -> None:
        if not isinstance(outlook, Outlook) or self._offers is None:
            return
        if outlook.composition != self._composition(self._offers):
            return
        self.outlook = outlook
        self.start_button.setEnabled(not outlook.problem)
        set_role(self._headline, "warning" if outlook.problem else "heading")
        self._headline.setText(outlook.problem or _size(outlook))
        self._details.setText(outlook.remedy if outlook.problem else expectations(outlook))


def _about(offer: Offer) -> str:
    if offer.model.is_scripted:
        return f"recorded at {' and '.join(offer.efforts)} effort"
    native = "" if offer.model.native is None else " · has native search"
    price = "" if offer.model.price else " · no price known"
    return f"{offer.model.service}{native}{price}"


def _size(outlook: Outlook) -> str:
    """`3 probes × 4 configurations = 12 answers`; samples may hold other probes for each model."""
    configurations = counted(len(outlook.plan), "configuration")
    answers = counted(outlook.forecast.answers, "answer")
    counts = {len(items) for _, items in outlook.plan}
    if len(counts) > 1:
        return f"{configurations} = {answers}"
    return f"{counted(counts.pop(), 'probe')} × {configurations} = {answers}"


def expectations(outlook: Outlook) -> str:
    """What a run will take, on what that rests, and what else a person should know."""
    expected = outlook.forecast
    measured = sum(row.is_measured for row in expected.rows)
    basis = (
        "measured in this project"
        if measured == len(expected.rows)
        else "by stated assumptions"
        if not measured
        else "partly measured, partly assumed"
    )
    composition = outlook.composition
    is_free = (
        all(offer.model.is_scripted for offer in composition.models) and composition.search.kind is not SearchKind.EXA
    )
    cost = "" if expected.cost is None or is_free else f"{money(expected.cost)}, "
    searches = f"{counted(expected.searches, 'search', 'searches')}, " if expected.searches else ""
    parts = [
        f"About {expected.calls:,} model calls, {searches}{tokens(expected.usage.total)} tokens, {cost}"
        f"{duration(expected.seconds)} ({basis})."
    ]
    if is_free:
        parts.append("Recorded agents: nothing is paid for.")
    if expected.unpriced:
        parts.append(f"No price is known for {', '.join(expected.unpriced)}.")
    limit = composition.max_cost
    if limit is not None and expected.cost is not None and expected.cost > limit:
        parts.append(f"The limit of {money(limit)} will stop it at about {limit / expected.cost:.0%}.")
    return " ".join([*parts, *outlook.notes])
