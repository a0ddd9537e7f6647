"""Asks with which language model to judge or classify, and says before what that will come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.jobs.foresee_asking import Foreseen
from btc_gui.progress import Progress
from btc_gui.remote.model_choice import EFFORTS, ModelChoice, ModelKind
from btc_gui.ui.file_dialogs import RECORDINGS, ask_open
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import largest_size, scrolling
from btc_gui.ui.widgets.number_box import AmountBox
from btc_gui.ui.widgets.plain_text import label, one_line

_KINDS = (
    (ModelKind.RECORDED.value, "Recorded replies"),
    (ModelKind.GEMINI.value, "Gemini"),
    (ModelKind.OPENAI.value, "OpenAI, or a server like it"),
)
_PAUSE_MILLISECONDS = 400
_WIDTH_IN_CHARACTERS = 70

#: Foresees asking a model: gets the choice and the price as typed in (None: as models.toml says).
Foresee = Callable[[ModelChoice, TokenPrice | None], Foreseen]


class AskDialog(QDialog):
    """After `accepted`: `choice` of the model, its `price` if it was typed in or is known, the `limit` in dollars."""

    WHO = "Who &answers"

    def __init__(
        self,
        title: str,
        what: str,
        recorded: tuple[str, Path],
        verb: str,
        runner: JobRunner,
        foresee: Foresee,
        parent: QWidget | None = None,
        *,
        servers: Mapping[str, str] | None = None,
    ) -> None:
        """`recorded` is the name and file of the replies to begin with; `servers` the addresses used last, by
        provider."""
        super().__init__(parent)
        self._runner, self._foresee = runner, foresee
        self._foreseen: Foreseen | None = None
        self._asked: object = None
        self._recorded_name, self._recorded_path = recorded[0], str(recorded[1])
        self._proposed: ModelChoice | None = None
        self._servers = servers or {}
        self.setWindowTitle(one_line(title, 120))
        self.ensurePolished()
        # As wide as its longest line needs, in large text too.
        width = max(560, self.fontMetrics().averageCharWidth() * _WIDTH_IN_CHARACTERS)
        self.setMinimumWidth(min(width, largest_size().width()))
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(what, "secondary"))
        # On a low screen the fields scroll; the buttons stay in sight.
        body = QWidget()
        self._body = inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(12)
        self._area = scrolling(body, title)
        column.addWidget(self._area, 1)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        self._add_fields(*recorded)
        inner.addLayout(self._form)
        self.forecast_label = label("", "secondary")
        self.warning_label = label("", "warning")
        inner.addWidget(self.forecast_label)
        inner.addWidget(self.warning_label)
        inner.addStretch(1)
        column.addLayout(self._buttons(verb))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MILLISECONDS)
        self._timer.timeout.connect(self._look_ahead)
        self._kind.currentIndexChanged.connect(self._fill_in)
        for field in (self._name, self._path, self._address):
            field.textChanged.connect(self._sync)
        for choice in (self._kind, self._effort):
            choice.currentIndexChanged.connect(self._sync)
        for amount in (self._price_in, self._price_out, self._limit):
            amount.valueChanged.connect(self._sync)
        self._sync()

    def _add_fields(self, name: str, path: Path) -> None:
        self._kind = Combo(self.WHO.replace("&", ""), _KINDS)
        self._form.addRow(self.WHO, self._kind)
        self._name = QLineEdit(name)
        self._form.addRow("Language &model", self._name)
        self._path = QLineEdit(str(path))
        self._path.setAccessibleName("File with its recorded replies")
        choose = button("File…", "folder-open")
        choose.clicked.connect(self._choose)
        self._file_row = _row(self._path, choose)
        self._form.addRow("Recorded replies", self._file_row)
        self._address = QLineEdit()
        self._address.setPlaceholderText("the provider's own")
        self._form.addRow("A&ddress", self._address)
        self._effort = Combo("Effort", [("", "the model's own"), *((each, each) for each in EFFORTS)])
        self._form.addRow("&Effort", self._effort)
        self._price_in, self._price_out = _amount("Dollars for a million tokens in"), _amount("… and out")
        for price in (self._price_in, self._price_out):
            price.setSpecialValueText("as known")
        self._price_row = _row(self._price_in, self._price_out)
        self._form.addRow("Price in, out", self._price_row)
        self._limit = _amount("Spending limit in dollars")
        self._limit.setSpecialValueText("no limit")
        self._form.addRow("Spending &limit", self._limit)

    def _buttons(self, verb: str) -> QHBoxLayout:
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.go_button = button(verb, role="primary")
        self.go_button.setDefault(True)
        self.go_button.clicked.connect(self.accept)
        buttons.addWidget(cancel)
        buttons.addWidget(self.go_button)
        return buttons

    @property
    def choice(self) -> ModelChoice:
        """The model as it stands in the fields."""
        kind = ModelKind(self._kind.value)
        if kind is ModelKind.RECORDED:
            return ModelChoice(kind, self._name.text().strip(), Path(self._path.text().strip()).expanduser())
        name, address = self._name.text().strip(), self._address.text().strip()
        return ModelChoice(kind, name, None, address, self._effort.value)

    @property
    def price(self) -> TokenPrice | None:
        """The price as typed in, else as known; None when it is neither."""
        typed = self._typed_price()
        return typed if typed is not None or self._foreseen is None else self._foreseen.price

    @property
    def limit(self) -> float | None:
        """What may be spent, in dollars; None without a limit."""
        return self._limit.value() or None if self.choice.is_paid else None

    def propose(self, choice: object, *, at_once: bool = False) -> None:
        """Fill in this `ModelChoice` once somebody wants a model that is no recording; `at_once` when nobody has
        named a recording yet."""
        if isinstance(choice, ModelChoice):
            self._proposed = choice
            self._fill_in()
            if at_once and self._path.text() == self._recorded_path:
                self._kind.setCurrentIndex(self._kind.findData(choice.kind.value))

    def _fill_in(self) -> None:
        """The recording's name fits no provider, nor the other way round; what somebody has named stays."""
        kind, proposed = ModelKind(self._kind.value), self._proposed
        if self._address.text().strip() in ("", *self._servers.values()):
            self._address.setText(self._servers.get(kind.value, ""))
        if self._name.text().strip() not in ("", self._recorded_name, proposed.model if proposed else ""):
            return
        if kind is ModelKind.RECORDED:
            self._name.setText(self._recorded_name)
        elif proposed is not None and proposed.kind is kind:
            self._name.setText(proposed.model)
            self._address.setText(proposed.base_url or self._servers.get(kind.value, ""))
            self._effort.setCurrentIndex(max(0, self._effort.findData(proposed.effort)))
        else:
            self._name.clear()

    def _typed_price(self) -> TokenPrice | None:
        if not self._price_in.value() and not self._price_out.value():
            return None
        return TokenPrice(self._price_in.value(), self._price_out.value())

    def _choose(self) -> None:
        chosen = ask_open(self, "Recorded replies", RECORDINGS, Path(self._path.text()).parent)
        if chosen is not None:
            self._path.setText(str(chosen))

    def _sync(self) -> None:
        choice = self.choice
        for field, is_shown in (
            (self._file_row, not choice.is_paid),
            (self._address, choice.is_paid),
            (self._effort, choice.is_paid),
            (self._price_row, choice.is_paid),
            (self._limit, choice.is_paid),
        ):
            self._form.setRowVisible(field, is_shown)
        if self._asked != self._state():
            self._foreseen = None
            self.warning_label.hide()
        problem = self._problem()
        self.go_button.setEnabled(not problem)
        self.go_button.setToolTip(problem)
        self.forecast_label.setText(problem or (self._foreseen.text if self._foreseen else "Looking ahead …"))
        if self._foreseen is None and choice.name:
            self._timer.start()
        self._fit()

    def _fit(self) -> None:
        """Make room for the rows and sentences that are shown now; a dialog does not grow by itself."""
        self._body.activate()
        margins = self._column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        needed = max(self._body.totalHeightForWidth(width), self._body.totalMinimumSize().height())
        self._area.setMinimumHeight(needed)
        self._column.activate()
        height = max(self._column.totalHeightForWidth(self.width()), self._column.totalMinimumSize().height())
        beyond = max(0, height - largest_size().height())
        self._area.setMinimumHeight(needed - beyond)
        height -= beyond
        self.setMinimumHeight(height)
        self.resize(self.width(), height)

    def _problem(self) -> str:
        """Why it can't be started as it stands; nothing when it can."""
        problem = self.choice.problem()
        if not problem and self.limit is not None and self.price is None:
            problem = "A spending limit needs the price of the model."
        return problem

    def _state(self) -> object:
        """What the forecast depends on, as it stands in the fields."""
        return self.choice, self._typed_price()

    def _foreseeing(self) -> Callable[[], Foreseen]:
        """The forecast of what stands in the fields now, to be made on a worker thread."""
        return partial(self._foresee, self.choice, self._typed_price())

    def _look_ahead(self) -> None:
        state, foresee = self._state(), self._foreseeing()
        self._asked = state

        def work(progress: Progress) -> tuple[object, Foreseen]:
            return state, foresee()

        self._runner.start("Look ahead", work, is_quiet=True, succeeded=self._was_foreseen, failed=self._failed)

    def _was_foreseen(self, found: tuple[object, Foreseen]) -> None:
        state, foreseen = found
        if state != self._state():
            return
        self._foreseen = foreseen
        self.warning_label.setText("\n".join(each[:1].upper() + each[1:] for each in foreseen.warnings))
        self.warning_label.setVisible(bool(foreseen.warnings))
        self._sync()

    def _failed(self, error: object) -> None:
        self.forecast_label.setText(str(error))


def _amount(name: str) -> AmountBox:
    made = AmountBox()
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setRange(0, 100_000)
    made.setDecimals(2)
    made.setPrefix("$ ")
    return made


def _row(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget, 1 if isinstance(widget, QLineEdit | AmountBox) else 0)
    return holder
