"""Designing studies and following them, as the Validation page does. The steps themselves are jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.left_out import read_left_out
from btc_gui.domain.packet import Layer, Mode
from btc_gui.domain.studies import STUDY_KINDS, StudyKind, study_kind
from btc_gui.domain.studies.kind import STRATUM_FACTS, Exclusion, FrameRow, Stratum, stratum_facts
from btc_gui.domain.study import (
    Account,
    FrameFilter,
    IssuedPacket,
    LeftOut,
    LogEntry,
    Study,
    StudyDesign,
    StudyId,
    StudyStep,
    allowed_steps,
)
from btc_gui.domain.study_draw import Frame, ItemRole, StudyItem, annotator_items, build_frame, draw_study
from btc_gui.domain.study_plan import USUAL_PRACTICE, Plan, fitted, plan, usual_repeats
from btc_gui.errors import InputError, StudyError
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.study_frame import StudyFrameStore
from btc_gui.store.whole_text import whole_text

#: Values that don't say by themselves what they are of.
_VALUE_TEXT = {
    "names_entity": "names the entity: {}",
    "verdict": "judged {}",
    "mode": "mode {}",
    "queries": "{} queries",
}


@dataclass(frozen=True, slots=True)
class StratumPreview:
    """What a stratum asks for, what the frame has, what would be drawn."""

    name: str
    wanted: int
    available: int
    drawn: int


@dataclass(frozen=True, slots=True)
class FramePreview:
    """What a design would draw and show, before it is locked. `problem` says why it can't be locked as it is."""

    frame: Frame
    strata: tuple[StratumPreview, ...]
    plan: Plan
    problem: str = ""

    @property
    def drawn(self) -> int:
        """How many answers would be drawn in all."""
        return sum(stratum.drawn for stratum in self.strata)


@dataclass(frozen=True, slots=True)
class StudyLine:
    """A study as lists show it: so many answers were drawn, so many labels are `expected` of all annotators
    (repeats included)."""

    study: Study
    items: int
    expected: int
    packets: tuple[IssuedPacket, ...]
    steps: tuple[StudyStep, ...]

    @property
    def back(self) -> int:
        """Labelled items that came back, over all annotators; adjudication comes on top and is not counted."""
        return sum(packet.back for packet in self.packets if packet.layer in self.study.design.mode.layers)


class ValidatingSession:
    """What the Validation page knows. Reading only, except for `new`.

    With `keeps_rows` the answers that were read last are kept for the next design with the same filter: for a dialog,
    which looks at the frame again with every change. Locking always reads anew.
    """

    def __init__(self, database: Database, categories: Mapping[str, Category], *, keeps_rows: bool = False) -> None:
        self._database = database
        self.categories = categories
        self._keeps_rows = keeps_rows
        self._kept: tuple[FrameFilter, str, list[FrameRow]] | None = None

    # -- designing -------------------------------------------------------------------------------------------

    @property
    def kinds(self) -> Sequence[StudyKind]:
        """The kinds of study there are."""
        return list(STUDY_KINDS.values())

    def machines(self, kind: str) -> list[str]:
        """The judges (or classifiers) whose labels a study of this kind can validate."""
        return StudyFrameStore(self._database).machines(study_kind(kind).machine)

    def propose(
        self,
        kind: str,
        annotators: Sequence[str],
        seed: str,
        size: int = 200,
        *,
        frame: FrameFilter | None = None,
        mode: Mode = Mode.BLIND,
    ) -> StudyDesign:
        """The usual design of a kind: its usual strata, with `size` answers in all (fewer when there are fewer)."""
        return StudyDesign(
            kind=kind,
            strata=study_kind(kind).strata(size),
            annotators=tuple(annotators),
            seed=seed,
            order_seed=f"{seed}:order",
            mode=mode,
            frame=frame or FrameFilter(),
            accept_shortfall=True,
        )

    def preset(self, design: StudyDesign, name: str) -> StudyDesign:
        """The design with answers, mode and strata of a preset of its kind; its sizes made to fit the frame if the
        preset wants that. Raises `InputError` when the kind has no such preset, `StudyError` without a frame."""
        offered = {entry.name: entry for entry in study_kind(design.kind).presets}
        if name not in offered:
            raise InputError(f"{design.kind} has no preset “{name}”.", f"Presets: {', '.join(offered) or 'none'}.")
        chosen = offered[name]
        kinds = tuple(kind.value for kind in chosen.probe_kinds)
        frame = replace(design.frame, probe_kinds=kinds, harnesses=chosen.harnesses)
        made = replace(design, frame=frame, mode=chosen.mode, strata=chosen.strata)
        if not chosen.fits_frame:
            return made
        available = self._frame(made).strata
        return replace(made, strata=fitted(made.strata, available, made.seed))

    def strata_by(self, design: StudyDesign, facts: Sequence[str], size: int) -> tuple[Stratum, ...]:
        """One stratum for each combination of these facts that the frame has, of about the same size, `size` in all.

        A small one is taken whole. Raises `StudyError` without a frame, `InputError` for a fact there is not.
        """
        unknown = set(facts) - set(STRATUM_FACTS)
        if unknown or not facts:
            raise InputError(f"Strata are made of {', '.join(STRATUM_FACTS)}.")
        kind = study_kind(design.kind)
        found: set[tuple[str, ...]] = set()
        for row in self._rows(design):
            placed = kind.place(row) if kind.concerns(row) else Exclusion.NO_STRATUM
            if not isinstance(placed, Exclusion):
                known = stratum_facts(row, placed)
                found.add(tuple(known[fact] for fact in facts))
        if not found:
            raise StudyError(
                "Nothing can be drawn: the frame is empty.", "Widen the filter, or label more answers first."
            )
        share, more = divmod(size, len(found))
        strata = tuple(
            Stratum(
                ", ".join(_VALUE_TEXT.get(fact, "{}").format(value) for fact, value in zip(facts, values, strict=True)),
                share + (place < more),
                dict(zip(facts, values, strict=True)),
            )
            for place, values in enumerate(sorted(found))
        )
        available = self._frame(replace(design, strata=strata)).strata
        return fitted(strata, available, design.seed)

    def with_usual_extras(self, design: StudyDesign) -> StudyDesign:
        """The design with the usual number of repeats for what it would draw, and with practice as far as the
        categories have items for it. Raises as `preview` does."""
        repeats = usual_repeats(self.preview(design).drawn)
        return replace(design, repeats=repeats, practice=min(USUAL_PRACTICE, self.practice_items(design)))

    def practice_items(self, design: StudyDesign) -> int:
        """How many practice items the categories have for a design."""
        names, kinds = design.frame.categories or tuple(self.categories), design.frame.probe_kinds
        return sum(
            row.kind == design.kind and (not kinds or row.probe_kind in kinds)
            for name in names
            if name in self.categories
            for row in self.categories[name].practice
        )

    def left_out_of(self, study_id: StudyId) -> tuple[LeftOut, ...]:
        """The items of an earlier study, to be left out of a later one."""
        store = StudyStore(self._database)
        reason = f"item of the study “{store.get(study_id).name}”"
        keys = {item.key for item in store.items(study_id)}
        return tuple(LeftOut(key, reason) for key in sorted(keys))

    def read_left_out(self, path: Path) -> tuple[LeftOut, ...]:
        """The answers that a CSV file lists (see `domain.left_out`). Raises `InputError` when it can't be used."""
        try:
            return read_left_out(whole_text(path, "utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path} can't be read: {error}.", "Choose another file.") from error

    def extension(self, study_id: StudyId, sizes: Mapping[str, int]) -> StudyDesign:
        """The design of a locked study with larger samples, by stratum, along the same order: it contains the sample
        of that study. Raises `StudyError` when the study is a draft, `InputError` when a sample gets smaller."""
        study = StudyStore(self._database).get(study_id)
        if not study.manifest:
            raise StudyError("Only a locked study is extended.", "A draft can be made anew with other sizes.")
        made = replace(self.with_sizes(study.design, sizes), extends=study.name)
        pairs = zip(study.design.strata, made.strata, strict=True)
        if any(after.size < before.size for before, after in pairs) or made.strata == study.design.strata:
            raise InputError("An extended sample has more items in some stratum, and fewer in none.")
        frame = replace(made.frame, machine=study.machine)
        return replace(made, frame=frame, order_seed=f"{made.order_seed}:{study.name}")

    def with_sizes(self, design: StudyDesign, sizes: Mapping[str, int]) -> StudyDesign:
        """The design with other sample sizes, by stratum."""
        strata = tuple(Stratum(s.name, sizes.get(s.name, s.size), s.where) for s in design.strata)
        return replace(design, strata=strata)

    def preview(self, design: StudyDesign) -> FramePreview:
        """What the design would draw. Raises `StudyError` or `InputError` when there is nothing to look at."""
        frame = self._frame(design)
        drawn: dict[str, tuple[int, int]] = {}
        problem = ""
        try:
            drawn = draw_study(design, frame).strata()
        except StudyError as error:
            problem = str(error)
        strata = tuple(
            StratumPreview(s.name, s.size, frame.strata.get(s.name, 0), drawn.get(s.name, (0, 0))[1])
            for s in design.strata
        )
        if not problem and not any(stratum.drawn for stratum in strata):
            problem = "Nothing can be drawn: the frame is empty."
        counts = {stratum.name: stratum.drawn for stratum in strata}
        return FramePreview(frame, strata, plan(design, frame.strata, counts), problem)

    def new(self, name: str, design: StudyDesign, actor: str) -> StudyId:
        """Begin a study as a draft. Raises `InputError` for a design that can't be carried out or a used name."""
        return StudyStore(self._database).create(name, design, actor)

    def _rows(self, design: StudyDesign) -> list[FrameRow]:
        role, kept = study_kind(design.kind).machine, self._kept
        if kept is not None and kept[:2] == (design.frame, role):
            return kept[2]
        rows = StudyFrameStore(self._database).rows(design.frame, role)
        if self._keeps_rows:
            self._kept = (design.frame, role, rows)
        return rows

    def _frame(self, design: StudyDesign) -> Frame:
        design.check()
        return build_frame(design, self._rows(design))

    # -- following -------------------------------------------------------------------------------------------

    def studies(self) -> list[StudyLine]:
        """All studies, the newest first."""
        return [self._line(study) for study in StudyStore(self._database).all()]

    def locked_studies(self) -> list[Study]:
        """The studies that have a sample, the newest first."""
        return [study for study in StudyStore(self._database).all() if study.manifest]

    def study(self, study_id: StudyId) -> StudyLine:
        """One study. Raises `StudyError` when there is none of that id."""
        return self._line(StudyStore(self._database).get(study_id))

    def accounts(self, study_id: StudyId) -> list[Account]:
        """Sent, back and missing for each annotator."""
        return PacketStore(self._database).accounts(StudyStore(self._database).get(study_id))

    def log(self, study_id: StudyId) -> list[LogEntry]:
        """The study's log, oldest line first."""
        return StudyStore(self._database).log(study_id)

    def _line(self, study: Study) -> StudyLine:
        packets = PacketStore(self._database).of_study(study.id)
        items = StudyStore(self._database).items(study.id)
        return StudyLine(
            study,
            sum(item.role is ItemRole.SAMPLE for item in items),
            _expected(items, study.design),
            tuple(packets),
            allowed_steps(study.state),
        )


def _expected(items: Sequence[StudyItem], design: StudyDesign) -> int:
    """The labels of all packets of all annotators; what is revealed holds no repeats."""
    shown = [item for annotator in design.annotators for item in annotator_items(items, design, annotator)]
    first = sum(item.role is ItemRole.SAMPLE for item in shown)
    return sum(first if layer is Layer.REVEALED else len(shown) for layer in design.mode.layers)
