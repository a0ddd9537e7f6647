"""Is the judge right? People label answers as the judge does, without knowing what it said."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from btc_gui.domain.category import Category
from btc_gui.domain.packet import Choice, Field, Layer, Mode, PacketItem, clean
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.studies.kind import BROKEN, UNSURE, Exclusion, FrameRow, Material, Preset, Stratum, no_answers
from btc_gui.domain.verdict import Label


class JudgeVerdict:
    """Correct, incorrect or unsure, by the judge's own criteria."""

    name = "judge_verdict"
    title = "Judge verdict"
    question = "Is this answer consistent with the change?"
    machine = "judge"
    modes: tuple[Mode, ...] = (Mode.BLIND,)
    choices: tuple[Choice, ...] = (
        Choice(Label.CORRECT.value, "Correct", "1"),
        Choice(Label.INCORRECT.value, "Incorrect", "0"),
        UNSURE,
        BROKEN,
    )
    classes: Mapping[str, str] = {Label.CORRECT.value: "correct", Label.INCORRECT.value: "incorrect"}
    merged: Mapping[str, tuple[str, ...]] = {}
    presets: tuple[Preset, ...] = (
        # A quota of the paper: accepted answers that name the entity are the hard ones.
        Preset(
            "indirect",
            "Judge, indirect probes",
            "85 accepted answers that name the entity, 15 that do not, 100 rejected ones",
            (
                Stratum("accepted, names the entity", 85, {"label": Label.CORRECT.value, "names_entity": "yes"}),
                Stratum("accepted, does not name it", 15, {"label": Label.CORRECT.value, "names_entity": "no"}),
                Stratum("rejected", 100, {"label": Label.INCORRECT.value}),
            ),
            (ProbeKind.INDIRECT,),
        ),
        Preset(
            "direct",
            "Judge, direct probes",
            "100 accepted answers, 100 rejected ones",
            (
                Stratum("accepted", 100, {"label": Label.CORRECT.value}),
                Stratum("rejected", 100, {"label": Label.INCORRECT.value}),
            ),
            (ProbeKind.DIRECT,),
        ),
    )

    has_form = False

    def check_answers(self, label: str, answers: str, item: PacketItem, relations: Collection[str]) -> None:
        """A verdict is a label and nothing else."""
        no_answers(answers)

    def answers_in_words(self, answers: str) -> str:
        """A verdict has no parts."""
        return ""

    def fields(self, layer: Layer) -> tuple[Field, ...]:
        """What the judge saw, and no more."""
        return (
            Field("entity", "About"),
            Field("before", "Before"),
            Field("after", "Since"),
            Field("probe", "Request"),
            Field("answer", "Answer"),
        )

    def concerns(self, row: FrameRow) -> bool:
        """Every attempt at an answer."""
        return True

    def place(self, row: FrameRow) -> str | Exclusion:
        """The judge's label. Unscored replies are no label and stay out of the frame."""
        if row.ending_excluded is not None:
            return row.ending_excluded
        if row.is_stale:
            return Exclusion.STALE
        if not row.judged:
            return Exclusion.UNJUDGED
        return row.label.value if row.label is not None else Exclusion.UNSCORED

    def show(self, material: Material, layer: Layer) -> dict[str, str]:
        """The update, the request and the answer."""
        return {
            "entity": clean(material.facts.entity),
            "before": clean(material.category.fact_before(material.facts)),
            "after": clean(material.category.fact_after(material.facts)),
            "probe": clean(material.probe),
            "answer": clean(material.trajectory.answer),
        }

    def page(self, category: Category, probe_kind: ProbeKind) -> str:
        """The judge's criteria for this kind of probe, then the codebook."""
        return f"{category.criteria[probe_kind]}\n\n{category.codebook}"

    def strata(self, size: int) -> tuple[Stratum, ...]:
        """Half accepted, half rejected: the judge's label is what the sample is stratified on."""
        half = size // 2
        return (
            Stratum("accepted", size - half, {"label": Label.CORRECT.value}),
            Stratum("rejected", half, {"label": Label.INCORRECT.value}),
        )
