"""From what somebody fills in to the design of a study, with all that depends on the frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from btc_gui.domain.packet import Mode
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import FrameFilter, LeftOut, StudyDesign, UnsureRule
from btc_gui.domain.study_plan import USUAL_PRACTICE, plan, usual_repeats
from btc_gui.sessions.validating import FramePreview, ValidatingSession


@dataclass(frozen=True, slots=True)
class StudyDraft:
    """What was filled in.

    A `preset` decides kind, mode, probes, harnesses and strata. Without one the strata are those `by` facts, `size`
    answers in all. `sizes` and `assumed` (by stratum) are what was changed by hand. `repeats` and `practice` of None
    are the usual ones.
    """

    kind: str
    annotators: tuple[str, ...]
    seed: str
    order_seed: str
    preset: str = ""
    by: tuple[str, ...] = ("label",)
    size: int = 200
    sizes: Mapping[str, int] = field(default_factory=dict)
    assumed: Mapping[str, int] = field(default_factory=dict)
    frame: FrameFilter = field(default_factory=FrameFilter)
    mode: Mode = Mode.BLIND
    rule: AllocationRule = AllocationRule.EQUAL_BY_CONFIGURATION
    floor: int = 0
    cap: int = 0
    is_exact: bool = False
    overlap: float = 1.0
    repeats: int | None = None
    practice: int | None = None
    practice_mark: float = 0.8
    ask_confidence: bool = False
    unsure_rule: UnsureRule = UnsureRule.EXCLUDED
    relations: tuple[str, ...] = ("states", "entails")
    break_minutes: int = 45
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Composed:
    """The design that a draft gives, what it would draw and show, and how many practice items there are for it."""

    design: StudyDesign
    preview: FramePreview
    practice_items: int


def compose(session: ValidatingSession, draft: StudyDraft) -> Composed:
    """The design of a draft. Raises `StudyError` or `InputError` when there is nothing to draw from, or the draft
    can't be carried out."""
    design = StudyDesign(
        kind=draft.kind,
        strata=study_kind(draft.kind).strata(draft.size),
        annotators=draft.annotators,
        seed=draft.seed,
        order_seed=draft.order_seed,
        mode=draft.mode,
        frame=draft.frame,
        rule=draft.rule,
        floor=draft.floor,
        cap=draft.cap,
        accept_shortfall=not draft.is_exact,
        practice_mark=draft.practice_mark,
        overlap=draft.overlap,
        ask_confidence=draft.ask_confidence,
        unsure_rule=draft.unsure_rule,
        left_out=draft.left_out,
        relations=draft.relations,
        break_minutes=draft.break_minutes,
    )
    if draft.preset:
        design = session.preset(design, draft.preset)
    elif draft.by != ("label",):
        design = replace(design, strata=session.strata_by(design, draft.by, draft.size))
    design = session.with_sizes(design, draft.sizes)
    names = {stratum.name for stratum in design.strata}
    assumed = {name: errors for name, errors in draft.assumed.items() if name in names}
    practice_items = session.practice_items(design)
    practice = min(USUAL_PRACTICE, practice_items) if draft.practice is None else draft.practice
    design = replace(design, assumed_errors=assumed, practice=practice, repeats=draft.repeats or 0)
    preview = session.preview(design)
    if draft.repeats is None:
        design = replace(design, repeats=usual_repeats(preview.drawn))
        drawn = {stratum.name: stratum.drawn for stratum in preview.strata}
        preview = replace(preview, plan=plan(design, preview.frame.strata, drawn))
    return Composed(design, preview, practice_items)
