"""Asks who is to write probes, for which events, and says before what that will come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QWidget

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.jobs.foresee_asking import Foreseen
from btc_gui.jobs.generate_probes import forecast_generation, generator_kin
from btc_gui.jobs.generation_plan import Choice
from btc_gui.jobs.model_price import known_price
from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.store.database import Database
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.widgets.ask_dialog import AskDialog
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.words import counted


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be chosen: its words, how its targets are found (with `retry`, and a note to the model), and their kind.

    Direct probes have a writer of their own, and need no article.
    """

    text: str
    choose: Callable[[Database, bool, str], Choice]
    is_direct: bool = False


@dataclass(frozen=True, slots=True)
class GenerationDraft:
    """What is to be written, as it stands in the dialog."""

    scope: Scope
    note: str = ""
    retry: bool = False
    without_context: bool = False
    limit: int | None = None

    def choice(self, database: Database) -> Choice:
        """The targets. Raises `BtcError` when they are gone."""
        return self.scope.choose(database, self.retry, self.note)


class GenerateDialog(AskDialog):
    """After `accepted`: `draft` says what is to be written, the rest of `AskDialog` by whom and for how much."""

    WHO = "Who &writes"

    def __init__(
        self,
        title: str,
        what: str,
        scopes: Sequence[Scope],
        writers: Mapping[bool, ModelChoice],
        recorded: tuple[str, Path],
        database: Database,
        categories: Mapping[str, Category],
        runner: JobRunner,
        *,
        verb: str = "Generate",
        has_note: bool = False,
        has_limit: bool = True,
        servers: Mapping[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`writers` are who writes unless somebody else is chosen, for each `is_direct` of the scopes; `recorded` name
        and file of replies."""
        self._scopes, self._has_note, self._writers = scopes, has_note, writers
        self._was_direct = scopes[0].is_direct
        self._database, self._categories = database, categories
        super().__init__(title, what, recorded, verb, runner, self._never, parent, servers=servers)
        for row, is_shown in (
            (self._scope, len(scopes) > 1),
            (self.note, has_note),
            (self._most, has_limit),
            (self._retry, has_limit),
        ):
            self._form.setRowVisible(row, is_shown)
        self._form.setRowVisible(self._without, not self._was_direct)
        self._take_writer(writers[self._was_direct])
        self._proposal = self.choice
        self._fit()

    @property
    def draft(self) -> GenerationDraft:
        """What is to be written, as it stands in the fields."""
        return GenerationDraft(
            self._scopes[int(self._scope.value)],
            self.note.toPlainText().strip() if self._has_note else "",
            self._retry.isChecked(),
            self._without.isChecked(),
            self._most.value() or None,
        )

    def _add_fields(self, name: str, path: Path) -> None:
        self._scope = Combo(
            "What is to be written",
            [(str(i), each.text[:1].upper() + each.text[1:]) for i, each in enumerate(self._scopes)],
        )
        self._form.addRow("Wha&t", self._scope)
        self.note = QPlainTextEdit()
        self.note.setAccessibleName("Note to the model")
        self.note.setPlaceholderText("What should be different? The model reads this before it writes.")
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(max(76, self.note.fontMetrics().lineSpacing() * 3))
        self._form.addRow("&Note", self.note)
        super()._add_fields(name, path)
        self._most = NumberBox()
        self._most.setRange(0, 1_000_000)
        self._most.setSpecialValueText("no limit")
        self._most.setAccessibleName("At most so many requests")
        self._form.addRow("At m&ost", self._most)
        self._without = QCheckBox("Go on where there is no article about the event")
        self._retry = QCheckBox("Ask again where the last reply could not be used")
        for box in (self._without, self._retry):
            self._form.addRow("", box)
        self._scope.currentIndexChanged.connect(self._follow_kind)
        self._most.valueChanged.connect(self._sync)
        self.note.textChanged.connect(self._sync)
        for box in (self._without, self._retry):
            box.toggled.connect(self._sync)

    def _follow_kind(self, _: int) -> None:
        """Direct probes have another writer; one that somebody has named stays."""
        is_direct = self._scopes[int(self._scope.value)].is_direct
        if is_direct != self._was_direct:
            self._was_direct = is_direct
            self._form.setRowVisible(self._without, not is_direct)
            if self.choice == self._proposal:
                self._take_writer(self._writers[is_direct])
                self._proposal = self.choice
        self._sync()

    def _take_writer(self, writer: ModelChoice) -> None:
        self._kind.setCurrentIndex(self._kind.findData(writer.kind.value))
        # A recording was made with what it was made with.
        self._without.setChecked(writer.kind is ModelKind.RECORDED)
        if writer.kind is not ModelKind.RECORDED:
            self._name.setText(writer.model)
            self._address.setText(writer.base_url or self._servers.get(writer.kind.value, ""))
            self._effort.setCurrentIndex(max(0, self._effort.findData(writer.effort)))

    def _state(self) -> object:
        return super()._state(), self.draft

    def _problem(self) -> str:
        problem = super()._problem()
        if problem or self._foreseen is None:
            return problem
        return "" if self._foreseen.forecast.calls else "There is nothing to write."

    def _foreseeing(self) -> Callable[[], Foreseen]:
        return partial(
            foresee_generation, self._database, self.draft, self.choice, self._categories, self._typed_price()
        )

    @staticmethod
    def _never(choice: ModelChoice, price: TokenPrice | None) -> Foreseen:
        raise AssertionError("what generating comes to depends on more")


def foresee_generation(
    database: Database,
    draft: GenerationDraft,
    choice: ModelChoice,
    categories: Mapping[str, Category],
    price: TokenPrice | None,
) -> Foreseen:
    """What it will come to, what is in the way, and kin among the models. Raises `BtcError`."""
    price = price or known_price(database, choice)
    targets = draft.choice(database)
    told = forecast_generation(
        database,
        choice.name,
        categories,
        targets.targets,
        limit=draft.limit,
        without_context=draft.without_context,
        price=price,
    )
    warnings = [f"{targets.lack} Filter first: “Whole pipeline” on the Runs page does it."] if targets.lack else []
    warnings += [f"{counted(count, 'event')} can't be asked for. {reason}" for reason, count in told.reasons]
    if targets.refused:
        left_out = counted(targets.refused, "event")
        warnings.append(f"{left_out} had a reply that could not be used, and will be left out.")
    if told.forecast.calls:
        warnings += [each.text for each in generator_kin(database, choice.name)]
    return Foreseen(told.forecast, price, tuple(warnings), choice.is_paid)
