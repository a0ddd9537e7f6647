"""Trying one probe: with which models, at which effort, with which search; and what that will cost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from btc_gui.domain.probe import Probe
from btc_gui.domain.run import AT_ONCE
from btc_gui.store.drafts import DraftStore
from btc_gui.ui.context import Context
from btc_gui.ui.run_composing import Composition, Offers
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.run_dialog import RunDialog

_ABOUT = (
    "One answer of each model at each effort, kept as a case in a run of trials. Results and studies leave trials out."
)


class TryDialog(RunDialog):
    """Begins with what was chosen the last time. After `accepted`, `outlook` holds what is to be asked."""

    TITLE = "Try this probe now"
    VERB = "Try it"

    def __init__(self, context: Context, probe: Probe, parent: QWidget | None = None) -> None:
        self._probe = probe
        self._place = f"try-probe/{context.settings.reviewer}"
        self._last = _read(DraftStore(context.database).get(self._place))
        super().__init__(context, parent)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        # Above what scrolls: lines that wrap have no height of their own in a form.
        column.insertWidget(1, label(one_line(probe.text, 400)))
        column.insertWidget(2, label(_ABOUT, "small"))
        self._take_last()
        self.accepted.connect(self._remember)

    # -- what is asked ---------------------------------------------------------------------------------------

    def _add_name(self, form: QFormLayout) -> None:
        """Trials have the name of their day."""

    def _add_rows(self, form: QFormLayout) -> None:
        """Nothing more is to be said."""

    def _add_at_once(self, form: QFormLayout) -> None:
        """As many at once as there are."""

    def _show_samples(self, names: Sequence[str]) -> None:
        """The probe is known."""

    def _show_models(self, offers: Offers) -> None:
        super()._show_models(offers)
        wanted = self._last.get("models", [])
        usable = [(box, offer) for box, offer in self._models if not offer.reason]
        chosen = [box for box, offer in usable if offer.model.name in wanted] or [box for box, _ in usable[:1]]
        for box, _ in self._models:
            box.setChecked(box in chosen)

    def _composition(self, offers: Offers) -> Composition:
        return replace(self._whoever(offers, AT_ONCE), probe=(self._probe.id, self._probe.revision_id))

    # -- what was chosen -------------------------------------------------------------------------------------

    def _first_folder(self) -> Path:
        last = Path(str(self._last.get("folder", "")))
        return last if last.is_absolute() and last.is_dir() else super()._first_folder()

    def _take_last(self) -> None:
        efforts = self._last.get("efforts", ["low"])
        for effort_box, effort in self._efforts:
            effort_box.setChecked(effort.value in efforts)
        harnesses = self._last.get("harnesses", ["shared"])
        for harness_box, harness in self._harnesses:
            harness_box.setChecked(harness.value in harnesses)
        search = self._last.get("search")
        if isinstance(search, Mapping):
            self.search.take(search)

    def _remember(self) -> None:
        models, harnesses, efforts, search = self._agents()
        chosen = {
            "folder": str(self._wanted),
            "models": [offer.model.name for offer in models],
            "harnesses": [each.value for each in harnesses],
            "efforts": [each.value for each in efforts],
            "search": {
                "kind": search.kind.value,
                "folder": search.folder,
                "as_of": search.as_of,
                "results": search.results,
                "characters": search.characters,
                "keep_undated": search.keep_undated,
            },
        }
        DraftStore(self._context.database).remember(self._place, json.dumps(chosen, ensure_ascii=False))


def _read(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
