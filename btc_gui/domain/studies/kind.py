"""What a kind of study has to say: who is asked what, what is shown, which classes the matrix has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from btc_gui.domain.category import Category
from btc_gui.domain.event import EventFacts
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.packet import Choice, Excerpt, Field, Layer, Mode, PacketItem
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId, Ending, Trajectory
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError


class Exclusion(StrEnum):
    """Why an answer that the filter let through is not in the frame, in words."""

    UNSCORED = "unscored"
    UNJUDGED = "not judged"
    UNCLASSIFIED = "not classified"
    NO_ANSWER = "no final answer"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"
    BY_CONSTRUCTION = "no query: mode by construction"
    STALE = "facts changed since the answer"
    DUPLICATE = "older answer to the same probe by the same configuration"
    NO_STRATUM = "in no stratum of the design"


_ENDING_EXCLUDED = {
    Ending.NO_ANSWER: Exclusion.NO_ANSWER,
    Ending.REFUSED: Exclusion.REFUSED,
    Ending.FAILED: Exclusion.FAILED,
    Ending.CANCELLED: Exclusion.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class FrameRow:
    """One answer of the project with all that a frame is chosen, stratified and drawn by.

    `key` names it to people and to the draw: probe, wording, configuration, repetition. `configuration` is a
    title that no other configuration of the project has. `judged` and `classified` say whether the judge and the
    classifier of the design were asked; a label of None is then an unscored reply. `is_stale`: the event's facts
    are not those that the probe was written for.
    """

    answer_id: AnswerId
    key: str
    event: str
    category: str
    probe_kind: ProbeKind
    model: str
    harness: str
    effort: str
    configuration: str
    ending: Ending
    queries: int = 0
    is_stale: bool = False
    judged: bool = False
    label: Label | None = None
    names_entity: bool | None = None
    classified: bool = False
    mode: FailureMode | None = None
    by_construction: bool = False

    @property
    def ending_excluded(self) -> Exclusion | None:
        """The reason when there is no answer to label."""
        return _ENDING_EXCLUDED.get(self.ending)


#: The facts by which a stratum may be chosen: those of `stratum_facts`.
STRATUM_FACTS = (
    "label",
    "names_entity",
    "verdict",
    "mode",
    "queries",
    "category",
    "probe",
    "model",
    "harness",
    "effort",
    "configuration",
)


def stratum_facts(row: FrameRow, label: str) -> dict[str, str]:
    """What strata can be made of; `label` is that of the machine which is validated.

    `verdict` and `mode` are the judge's and the classifier's, whichever of them is validated; “none” where it gave
    none.
    """
    return {
        "label": label,
        "names_entity": {True: "yes", False: "no", None: "unknown"}[row.names_entity],
        "verdict": row.label.value if row.label else "none",
        "mode": row.mode.value if row.mode else "none",
        "queries": str(row.queries) if row.queries < MANY_QUERIES else f"{MANY_QUERIES}+",
        "category": row.category,
        "probe": row.probe_kind.value,
        "model": row.model,
        "harness": row.harness,
        "effort": row.effort,
        "configuration": row.configuration,
    }


#: Answers with so many queries are told apart no further.
MANY_QUERIES = 2


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the frame: all answers whose facts are as `where` says; `size` of them are drawn."""

    name: str
    size: int
    where: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Preset:
    """A whole design that is offered under a name: which answers, in which mode, in which strata.

    With `fits_frame` the sizes are those of strata that are all large enough: a smaller one is taken whole, and what
    it leaves is spread over the others. `harnesses` empty means all.
    """

    name: str
    title: str
    text: str
    strata: tuple[Stratum, ...]
    probe_kinds: tuple[ProbeKind, ...]
    mode: Mode = Mode.BLIND
    harnesses: tuple[str, ...] = ()
    fits_frame: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """All there is about one answer, from which a kind takes what its allow-list names.

    `query_findings` (by step number) and `evidence` are the classifier's; only a layer that shows the machine has
    them.
    """

    category: Category
    facts: EventFacts
    probe_kind: ProbeKind
    probe: str
    trajectory: Trajectory
    query_findings: Mapping[int, QueryClass] = field(default_factory=dict)
    evidence: Sequence[Excerpt] = ()


class StudyKind(Protocol):
    """One kind of study. A new kind is one module with such an object, registered in `STUDY_KINDS`.

    `machine` is the role whose labels are validated (`judge` or `classifier`): the rows of the matrix.
    `classes` maps the values of the matrix's classes to their names; a choice that is no class (unsure) is left
    out of the matrix and counted. `merged` optionally joins classes into a second, smaller matrix; `presets` are
    the designs of the paper.
    """

    name: str
    title: str
    question: str
    machine: str
    modes: tuple[Mode, ...]
    choices: tuple[Choice, ...]
    classes: Mapping[str, str]
    merged: Mapping[str, tuple[str, ...]]
    presets: tuple[Preset, ...]

    @property
    def has_form(self) -> bool:
        """Whether a label comes with the parts of a form (`GivenLabel.answers`)."""

    def check_answers(self, label: str, answers: str, item: PacketItem, relations: Collection[str]) -> None:
        """Raise `InputError` unless these parts can have been given with this label of this item.

        `relations` are those of the packet's manifest; a packet without any asks for labels only.
        """

    def answers_in_words(self, answers: str) -> str:
        """The parts of a form for a person to read, a line each; empty without any."""

    def fields(self, layer: Layer) -> tuple[Field, ...]:
        """The allow-list: what a packet of this layer holds for every item."""

    def concerns(self, row: FrameRow) -> bool:
        """Whether an answer belongs to what the study is about at all."""

    def place(self, row: FrameRow) -> str | Exclusion:
        """The machine's label of an answer, or why the answer is not in the frame."""

    def show(self, material: Material, layer: Layer) -> dict[str, str]:
        """The texts of one item, exactly those of `fields(layer)`."""

    def page(self, category: Category, probe_kind: ProbeKind) -> str:
        """The criteria and codebook by which answers of this category and kind of probe are labelled."""

    def strata(self, size: int) -> tuple[Stratum, ...]:
        """The usual strata, with `size` answers in all."""


UNSURE = Choice("unsure", "Unsure", "U", needs_reason=True)

#: An item that can't be labelled (cut off, garbled, about another matter): no class, listed apart.
BROKEN = Choice("broken", "Broken item", "X", needs_reason=True)


def no_answers(answers: str) -> None:
    """Raise `InputError` for the parts of a form, where only a label is asked for."""
    if answers:
        raise InputError("This packet asks for labels only; a label came with the parts of a form.")
