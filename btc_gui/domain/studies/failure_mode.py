"""Is the classifier right? People say why an indirect answer failed; failures without a query are not asked about."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from btc_gui.domain.category import Category
from btc_gui.domain.configuration import Harness
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.mode_codebook import mode_codebook
from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.packet import Choice, Excerpt, Field, FieldForm, Layer, Mode, PacketItem, Search, clean, written
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.received import received_text
from btc_gui.domain.studies.kind import BROKEN, UNSURE, Exclusion, FrameRow, Material, Preset, Stratum, no_answers
from btc_gui.domain.verdict import Label


class FailureModeKind:
    """One of the four modes, from the queries and the text that the model received."""

    name = "failure_mode"
    title = "Failure mode"
    question = "Why did this answer fail?"
    machine = "classifier"
    modes: tuple[Mode, ...] = (Mode.BLIND, Mode.ASSISTED, Mode.BLIND_THEN_REVEALED)
    choices: tuple[Choice, ...] = (
        Choice(FailureMode.REASONING.value, "Reasoning error", "1"),
        Choice(FailureMode.EXPLICIT.value, "Explicit but ineffective search", "2"),
        Choice(FailureMode.INDIRECT.value, "Indirect search", "3"),
        Choice(FailureMode.NONE.value, "No or unrelated search", "4"),
        UNSURE,
        BROKEN,
    )
    classes: Mapping[str, str] = {mode.value: mode.text for mode in FailureMode}
    merged: Mapping[str, tuple[str, ...]] = {
        FailureMode.REASONING.text: (FailureMode.REASONING.text,),
        FailureMode.EXPLICIT.text: (FailureMode.EXPLICIT.text,),
        "Indirect or no/unrelated": (FailureMode.INDIRECT.text, FailureMode.NONE.text),
    }

    presets: tuple[Preset, ...] = (
        Preset(
            "modes",
            "Failure modes",
            "160 failed answers: small modes whole, large ones sampled; the classifier's findings are shown",
            tuple(Stratum(mode.value, 40, {"label": mode.value}) for mode in FailureMode),
            (ProbeKind.INDIRECT,),
            Mode.ASSISTED,
            (Harness.SHARED.value,),
            fits_frame=True,
        ),
    )

    has_form = True

    def check_answers(self, label: str, answers: str, item: PacketItem, relations: Collection[str]) -> None:
        """Passages lie in what the model received; a mode follows from the parts, or is overridden with a reason.

        Unsure and broken may come with an unfinished form.
        """
        if not relations:
            no_answers(answers)
            return
        form = ModeForm.from_text(answers)
        searches = item.searches()
        form.check_passages([search.received for search in searches])
        if label in self.classes:
            form.check_mode(FailureMode(label), len(searches), relations)

    def answers_in_words(self, answers: str) -> str:
        """Classes, evidence, passages, and why another mode was given."""
        return ModeForm.from_text(answers).words

    def fields(self, layer: Layer) -> tuple[Field, ...]:
        """The answer and all that the model searched and received; where the machine is shown, its evidence too."""
        shown = (
            Field("entity", "About"),
            Field("before", "Before"),
            Field("after", "Since"),
            Field("probe", "Request"),
            Field("searches", "Searches, with the text that the model received", FieldForm.SEARCHES),
            Field("answer", "Answer"),
        )
        if layer.shows_machine:
            return (*shown, Field("evidence", "Evidence found by the classifier", FieldForm.EXCERPTS))
        return shown

    def concerns(self, row: FrameRow) -> bool:
        """Indirect answers that the judge rejected."""
        return row.probe_kind is ProbeKind.INDIRECT and row.label is Label.INCORRECT

    def place(self, row: FrameRow) -> str | Exclusion:
        """The classifier's mode. Failures without a query have theirs by construction and are not sampled."""
        if row.ending_excluded is not None:
            return row.ending_excluded
        if row.is_stale:
            return Exclusion.STALE
        if row.by_construction or (row.queries == 0 and row.classified):
            return Exclusion.BY_CONSTRUCTION
        if not row.classified:
            return Exclusion.UNCLASSIFIED
        return row.mode.value if row.mode is not None else Exclusion.UNSCORED

    def show(self, material: Material, layer: Layer) -> dict[str, str]:
        """The update, the request, each query with what came back, the answer."""
        assisted = layer.shows_machine
        searches = [
            Search(
                clean(step.text),
                clean(received_text(step)),
                (material.query_findings[step.number].value if step.number in material.query_findings else "")
                if assisted
                else "",
            )
            for step in material.trajectory.queries
        ]
        shown = {
            "entity": clean(material.facts.entity),
            "before": clean(material.category.fact_before(material.facts)),
            "after": clean(material.category.fact_after(material.facts)),
            "probe": clean(material.probe),
            "searches": written(searches),
            "answer": clean(material.trajectory.answer),
        }
        if assisted:
            excerpts = [Excerpt(clean(e.text), clean(e.source), e.published) for e in material.evidence]
            shown["evidence"] = written(excerpts)
        return shown

    def page(self, category: Category, probe_kind: ProbeKind) -> str:
        """The codebook for failure modes, with the texts that the classifier is given."""
        return mode_codebook(category)

    def strata(self, size: int) -> tuple[Stratum, ...]:
        """One stratum a mode, a quarter of the items each; a small mode is taken whole."""
        return tuple(
            Stratum(mode.value, size // 4 + (place < size % 4), {"label": mode.value})
            for place, mode in enumerate(FailureMode)
        )
