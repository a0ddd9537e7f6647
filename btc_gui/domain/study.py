"""A validation study: its design, the frame it draws from, the manifest that locks it, its states and its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NewType

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.packet import Layer, Mode, PacketId
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import STRATUM_FACTS, Stratum
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, StudyError

StudyId = NewType("StudyId", int)


class StudyState(StrEnum):
    """Where a study stands. It only ever goes forward.

    In `practice` packets are out, and none is back of an annotator who has practised.
    """

    DRAFT = "draft"
    LOCKED = "locked"
    PRACTICE = "practice"
    LABELLING = "labelling"
    CLOSED = "closed"
    UNBLINDED = "unblinded"
    ANALYSED = "analysed"
    AMENDED = "amended"

    @property
    def is_open(self) -> bool:
        """Whether people may still label: cases of the study are better left alone."""
        return self in (StudyState.LOCKED, StudyState.PRACTICE, StudyState.LABELLING, StudyState.CLOSED)

    @property
    def is_unblinded(self) -> bool:
        """Whether the key has been opened."""
        return self in (StudyState.UNBLINDED, StudyState.ANALYSED, StudyState.AMENDED)


class StudyStep(StrEnum):
    """What can be done with a study; each is a line of its log."""

    CREATE = "create"
    LOCK = "lock"
    ISSUE = "issue a packet"
    RETURN = "take a packet back"
    CLOSE = "close"
    ADJUDICATE = "issue an adjudication packet"
    UNBLIND = "unblind"
    ANALYSE = "export the report"
    AMEND = "note a deviation"


#: What the log calls that somebody opened a case of an open study; it is no step.
EXPOSED = "open a case"
#: A line of the log that is no step: labels came back when they do not count any more.
LATE = "keep late labels"

_LABELLED_IN = (StudyState.PRACTICE, StudyState.LABELLING)
_READ_IN = (StudyState.UNBLINDED, StudyState.ANALYSED, StudyState.AMENDED)

_ALLOWED: dict[StudyStep, tuple[StudyState, ...]] = {
    StudyStep.LOCK: (StudyState.DRAFT,),
    StudyStep.ISSUE: (StudyState.LOCKED, *_LABELLED_IN),
    # When the study is closed only what adjudicators send back is taken.
    StudyStep.RETURN: (*_LABELLED_IN, StudyState.CLOSED),
    StudyStep.CLOSE: _LABELLED_IN,
    StudyStep.ADJUDICATE: (StudyState.CLOSED,),
    StudyStep.UNBLIND: (StudyState.CLOSED,),
    StudyStep.ANALYSE: _READ_IN,
    StudyStep.AMEND: _READ_IN,
}

#: The state that a step leads to; a step that is not named here leaves it as it is.
_STATE_AFTER = {
    StudyStep.CREATE: StudyState.DRAFT,
    StudyStep.LOCK: StudyState.LOCKED,
    StudyStep.CLOSE: StudyState.CLOSED,
    StudyStep.UNBLIND: StudyState.UNBLINDED,
    StudyStep.AMEND: StudyState.AMENDED,
}


def allowed_steps(state: StudyState) -> tuple[StudyStep, ...]:
    """What can be done next."""
    return tuple(step for step, states in _ALLOWED.items() if state in states)


def state_after(state: StudyState, step: StudyStep, *, has_practice: bool = False) -> StudyState:
    """The state that a step leads to; `has_practice` says whether the design begins with practice items.

    Raises `StudyError` when the state does not allow it.
    """
    if step not in allowed_steps(state):
        steps = ", ".join(allowed_steps(state)) or "read the report"
        raise StudyError(f"A study that is {state} can't “{step}”.", f"What can be done now: {steps}.")
    return _next_state(state, step, has_practice)


def _next_state(state: StudyState, step: StudyStep, has_practice: bool) -> StudyState:
    if step is StudyStep.ISSUE and state is StudyState.LOCKED:
        return StudyState.PRACTICE if has_practice else StudyState.LABELLING
    if step is StudyStep.RETURN and state is StudyState.PRACTICE:
        return StudyState.LABELLING
    if step is StudyStep.ANALYSE and state is StudyState.UNBLINDED:
        return StudyState.ANALYSED
    return _STATE_AFTER.get(step, state)


# -- the design ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FrameFilter:
    """Which answers a study is about. Empty means all. `machine` is the judge or classifier whose labels are
    validated; it may be empty while the project has only one."""

    categories: tuple[str, ...] = ()
    probe_kinds: tuple[str, ...] = ()
    harnesses: tuple[str, ...] = ()
    run_ids: tuple[int, ...] = ()
    machine: str = ""
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()


class UnsureRule(StrEnum):
    """What an unsure label counts as in the primary figures; all three readings are always printed."""

    EXCLUDED = "excluded"
    DISAGREEMENT = "disagreement"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Answers that are kept out of the frame by hand, and why (such as: the judge was developed on them).

    `key` is that of an answer in the draw, or the beginning of it up to a “/”: a probe's key leaves out all answers
    to the probe.
    """

    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class StudyDesign:
    """All that is decided before labelling begins.

    `rule` spreads each stratum over the configurations; `floor` is the least that each gives, `cap` the most (0: no
    limit). Without `accept_shortfall` a stratum that is too small refuses the lock. `seed` draws, `order_seed` orders.
    `extends` names the study whose sample this one contains, drawn along the same order. The first
    annotator is the primary one and labels every item; each further one labels the share `overlap` of each stratum.
    `repeats` items come back unmarked. `practice` invented items with known answers come first; `practice_mark` is
    the share that must be right. `assumed_errors` (by stratum) is what the planned intervals assume and nothing
    else. `relations` are the relations of a passage to the change that make it evidence.
    """

    kind: str
    strata: tuple[Stratum, ...]
    annotators: tuple[str, ...]
    seed: str
    order_seed: str
    mode: Mode = Mode.BLIND
    frame: FrameFilter = field(default_factory=FrameFilter)
    rule: AllocationRule = AllocationRule.EQUAL_BY_CONFIGURATION
    floor: int = 0
    accept_shortfall: bool = False
    repeats: int = 0
    practice: int = 0
    practice_mark: float = 0.8
    overlap: float = 1.0
    ask_confidence: bool = False
    unsure_rule: UnsureRule = UnsureRule.EXCLUDED
    assumed_errors: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    relations: tuple[str, ...] = ("states", "entails")
    break_minutes: int = 45
    cap: int = 0
    extends: str = ""

    @property
    def rows_fixed(self) -> bool:
        """Whether every stratum holds one label of the machine, so that the share of each in the frame is known."""
        own = {"label", "verdict" if study_kind(self.kind).machine == "judge" else "mode"}
        return all(own & stratum.where.keys() for stratum in self.strata)

    def check(self) -> None:
        """Raise `InputError` for a design that can't be carried out."""
        kind = study_kind(self.kind)
        if self.mode not in kind.modes:
            raise InputError(f"“{kind.title}” can't be labelled {self.mode}.", f"Modes: {', '.join(kind.modes)}.")
        if not self.strata or all(stratum.size <= 0 for stratum in self.strata):
            raise InputError("The design draws nothing.", "Give at least one stratum a size.")
        names = [stratum.name for stratum in self.strata]
        if len(set(names)) != len(names) or not all(name.strip() for name in names):
            raise InputError("Every stratum needs a name of its own.")
        unknown = {fact for stratum in self.strata for fact in stratum.where} - set(STRATUM_FACTS)
        if unknown:
            raise InputError(
                f"Strata can't be made of {', '.join(sorted(unknown))}.", f"Of: {', '.join(STRATUM_FACTS)}."
            )
        if not self.annotators or not all(name.strip() for name in self.annotators):
            raise InputError("A study needs an annotator.", "Give a name or initials.")
        if len({name.casefold() for name in self.annotators}) != len(self.annotators):
            raise InputError("Every annotator needs a name of their own.")
        if not self.seed or not self.order_seed:
            raise InputError("A study needs a seed for the draw and one for the order.")
        self._check_amounts()

    def _check_amounts(self) -> None:
        amounts = (self.floor, self.cap, self.repeats, self.practice, self.break_minutes, *self.assumed_errors.values())
        if min(amounts) < 0 or any(stratum.size < 0 for stratum in self.strata):
            raise InputError("A number of a design can't be negative.")
        if self.cap and self.floor > self.cap:
            raise InputError(f"A configuration can't give at least {self.floor} and at most {self.cap}.")
        if not (0 < self.overlap <= 1 and 0 <= self.practice_mark <= 1):
            raise InputError("The overlap of annotators and the mark of the practice are shares between 0 and 1.")
        if not all(entry.key.strip() and entry.reason.strip() for entry in self.left_out):
            raise InputError("Whatever is left out needs a key and a reason.")
        if not self.relations:
            raise InputError("At least one relation to the change must count as evidence.")

    def as_json(self) -> dict[str, Any]:
        """The design as stored and as part of the manifest."""
        return asdict(self)

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> StudyDesign:
        """Read what `as_json` gave (lists for tuples, as JSON has them)."""
        frame: dict[str, Any] = {n: v if n == "machine" else tuple(v) for n, v in table["frame"].items()}
        return cls(
            **{
                **table,
                "strata": tuple(Stratum(s["name"], s["size"], dict(s["where"])) for s in table["strata"]),
                "annotators": tuple(table["annotators"]),
                "mode": Mode(table["mode"]),
                "frame": FrameFilter(**frame),
                "rule": AllocationRule(table["rule"]),
                "unsure_rule": UnsureRule(table.get("unsure_rule", UnsureRule.EXCLUDED)),
                "left_out": tuple(LeftOut(**entry) for entry in table.get("left_out", ())),
                "relations": tuple(table.get("relations", ("states", "entails"))),
            }
        )


# -- the study -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Study:
    """A study as the project holds it. `manifest` is empty until it is locked."""

    id: StudyId
    name: str
    state: StudyState
    design: StudyDesign
    manifest: Mapping[str, Any]
    manifest_sha256: str
    created_by: str
    created_at: str

    @property
    def machine(self) -> str:
        """The judge or classifier whose labels are validated; empty before the lock while only one exists."""
        return str(self.manifest.get("machine", self.design.frame.machine))

    @property
    def pages(self) -> dict[str, str]:
        """Criteria and codebook by page name, as they were when the study was locked."""
        return dict(self.manifest.get("pages", {}))


@dataclass(frozen=True, slots=True)
class IssuedPacket:
    """A packet that went to an annotator. `back` items have a label; `returned_at` is empty until it came back."""

    id: PacketId
    study_id: StudyId
    annotator: str
    layer: Layer
    digest: str
    items: int
    issued_at: str
    returned_at: str = ""
    labels_sha256: str = ""
    back: int = 0

    @property
    def missing(self) -> int:
        """Items without a label."""
        return self.items - self.back


@dataclass(frozen=True, slots=True)
class Account:
    """Where the items of one annotator and layer are. Without a packet all of them are missing."""

    annotator: str
    packet: str
    sent: int
    back: int
    missing: int
    labels_sha256: str
    layer: Layer = Layer.BLIND


@dataclass(frozen=True, slots=True)
class Exposure:
    """A case of a study that somebody opened while the study was open."""

    answer_id: AnswerId
    person: str
    at: str


# -- the log -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a study's log. `hash` covers the line and, through `previous`, all lines before it."""

    number: int
    at: str
    actor: str
    step: str
    detail: Mapping[str, Any]
    previous: str
    hash: str

    @property
    def computed_hash(self) -> str:
        """What `hash` must be."""
        return hash_of([self.number, self.at, self.actor, self.step, dict(self.detail), self.previous])


def next_entry(last: LogEntry | None, at: str, actor: str, step: str, detail: Mapping[str, Any]) -> LogEntry:
    """The line that follows `last`."""
    number, previous = (last.number + 1, last.hash) if last else (1, "")
    bare = LogEntry(number, at, actor, step, detail, previous, "")
    return LogEntry(number, at, actor, step, detail, previous, bare.computed_hash)


def rows_in_time(log: Sequence[LogEntry], packet_id: PacketId) -> int:
    """How many rows of a packet's labels count: those that returns brought. Rows that came late stand behind them."""
    returns = (entry for entry in log if entry.step == StudyStep.RETURN and entry.detail.get("packet") == packet_id)
    return sum(int(entry.detail.get("new_rows", 0)) for entry in returns)


def log_problems(log: Sequence[LogEntry], state: StudyState, manifest_sha256: str) -> list[str]:
    """What is wrong with a log, in words; empty when the chain holds and tells the study's state and manifest.

    Finds changed, removed, inserted and reordered lines, and lines cut off at the end (the state says more).
    """
    problems: list[str] = []
    previous = ""
    for number, entry in enumerate(log, start=1):
        if entry.number != number:
            problems.append(f"line {number} is missing or out of order")
        if entry.previous != previous:
            problems.append(f"line {entry.number} does not follow the line before it")
        if entry.hash != entry.computed_hash:
            problems.append(f"line {entry.number} was changed")
        previous = entry.hash
    told = StudyState.DRAFT
    has_practice = bool(log and log[0].detail.get("design", {}).get("practice"))
    for entry in log:
        told = _next_state(told, StudyStep(entry.step), has_practice) if entry.step in list(StudyStep) else told
    if not log or told is not state:
        problems.append(f"the log ends with the study {told if log else 'not begun'}, but it is {state}")
    locked = [entry.detail.get("manifest_sha256") for entry in log if entry.step == StudyStep.LOCK]
    if manifest_sha256 and locked != [manifest_sha256]:
        problems.append("the manifest is not the one that was locked")
    return problems
