"""A validation study: its design, the frame it draws from, the manifest that locks it, its states and its log."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NewType

from btc_gui.domain.hashing import hash_of, sha256
from btc_gui.domain.packet import ItemId, Mode, PacketId
from btc_gui.domain.sampling import ALGORITHM, AllocationRule, Draw, FrameItem, draw, hash_order
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import STRATUM_FACTS, Exclusion, FrameRow, Stratum, stratum_facts
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, StudyError

StudyId = NewType("StudyId", int)

#: The version of the manifest's form.
MANIFEST_SCHEMA = 1


class StudyState(StrEnum):
    """Where a study stands. It only ever goes forward."""

    DRAFT = "draft"
    LOCKED = "locked"
    LABELLING = "labelling"
    CLOSED = "closed"
    UNBLINDED = "unblinded"


class StudyStep(StrEnum):
    """What can be done with a study; each is a line of its log."""

    CREATE = "create"
    LOCK = "lock"
    ISSUE = "issue a packet"
    RETURN = "take a packet back"
    CLOSE = "close"
    UNBLIND = "unblind"


_ALLOWED: dict[StudyStep, tuple[StudyState, ...]] = {
    StudyStep.LOCK: (StudyState.DRAFT,),
    StudyStep.ISSUE: (StudyState.LOCKED, StudyState.LABELLING),
    StudyStep.RETURN: (StudyState.LABELLING,),
    StudyStep.CLOSE: (StudyState.LABELLING,),
    StudyStep.UNBLIND: (StudyState.CLOSED,),
}

_STATE_AFTER = {
    StudyStep.CREATE: StudyState.DRAFT,
    StudyStep.LOCK: StudyState.LOCKED,
    StudyStep.ISSUE: StudyState.LABELLING,
    StudyStep.RETURN: StudyState.LABELLING,
    StudyStep.CLOSE: StudyState.CLOSED,
    StudyStep.UNBLIND: StudyState.UNBLINDED,
}


def allowed_steps(state: StudyState) -> tuple[StudyStep, ...]:
    """What can be done next."""
    return tuple(step for step, states in _ALLOWED.items() if state in states)


def state_after(state: StudyState, step: StudyStep) -> StudyState:
    """The state that a step leads to. Raises `StudyError` when the state does not allow it."""
    if step not in allowed_steps(state):
        steps = ", ".join(allowed_steps(state)) or "read the report"
        raise StudyError(f"A study that is {state} can't “{step}”.", f"What can be done now: {steps}.")
    return _STATE_AFTER[step]


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


@dataclass(frozen=True, slots=True)
class StudyDesign:
    """All that is decided before labelling begins.

    `rule` spreads each stratum over the configurations; `floor` is the least that each gives. Without
    `accept_shortfall` a stratum that is too small refuses the lock. `seed` draws, `order_seed` orders. The first
    annotator is the primary one.
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

    def as_json(self) -> dict[str, Any]:
        """The design as stored and as part of the manifest."""
        return asdict(self)

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> StudyDesign:
        """Read what `as_json` gave (lists for tuples, as JSON has them)."""
        frame = table["frame"]
        return cls(
            **{
                **table,
                "strata": tuple(Stratum(s["name"], s["size"], dict(s["where"])) for s in table["strata"]),
                "annotators": tuple(table["annotators"]),
                "mode": Mode(table["mode"]),
                "frame": FrameFilter(
                    categories=tuple(frame["categories"]),
                    probe_kinds=tuple(frame["probe_kinds"]),
                    harnesses=tuple(frame["harnesses"]),
                    run_ids=tuple(frame["run_ids"]),
                    machine=frame["machine"],
                ),
                "rule": AllocationRule(table["rule"]),
            }
        )


# -- the frame -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Framed:
    """An answer of the frame, with the machine's label and its stratum."""

    row: FrameRow
    label: str
    stratum: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What a study draws from. `considered` answers passed the filter; each is in the frame or in `excluded`."""

    considered: int
    items: tuple[Framed, ...]
    excluded: dict[str, int]

    @property
    def strata(self) -> dict[str, int]:
        """How many answers each stratum has."""
        return dict(Counter(item.stratum for item in self.items))

    @property
    def labels(self) -> dict[str, int]:
        """How often the machine gave each label, over all that it labelled in the frame."""
        return dict(sorted(Counter(item.label for item in self.items).items()))


def build_frame(design: StudyDesign, rows: Iterable[FrameRow]) -> Frame:
    """Sort answers into strata and exclusions. Of several usable answers under one key the newest counts.

    Raises `InputError` when an answer would be in two strata.
    """
    kind = study_kind(design.kind)
    concerned = sorted((row for row in rows if kind.concerns(row)), key=lambda row: row.answer_id, reverse=True)
    excluded: Counter[str] = Counter()
    items: list[Framed] = []
    seen: set[str] = set()
    for row in concerned:
        placed = kind.place(row)
        if isinstance(placed, Exclusion):
            excluded[placed.value] += 1
            continue
        if row.key in seen:
            excluded[Exclusion.DUPLICATE.value] += 1
            continue
        seen.add(row.key)
        stratum = _stratum_of(design.strata, stratum_facts(row, placed))
        if stratum is None:
            excluded[Exclusion.NO_STRATUM.value] += 1
        else:
            items.append(Framed(row, placed, stratum))
    items.sort(key=lambda item: item.row.key)
    return Frame(len(concerned), tuple(items), dict(sorted(excluded.items())))


def _stratum_of(strata: Sequence[Stratum], facts: Mapping[str, str]) -> str | None:
    fitting = [s.name for s in strata if all(facts[fact] == value for fact, value in s.where.items())]
    if len(fitting) > 1:
        raise InputError(f"The strata {' and '.join(fitting)} overlap.", "Every answer may be in one stratum only.")
    return fitting[0] if fitting else None


# -- locking -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StudyItem:
    """A drawn answer: part of the key. `frame_count` and `drawn_count` are those of its cell (the part of its
    stratum that shares one weight)."""

    item: ItemId
    answer_id: AnswerId
    key: str
    page: str
    stratum: str
    cell: str
    frame_count: int
    drawn_count: int
    machine_label: str

    @property
    def weight(self) -> float:
        """How many answers of the frame the item stands for."""
        return self.frame_count / self.drawn_count


@dataclass(frozen=True, slots=True)
class LockedStudy:
    """What locking freezes: the manifest, its hash and the key."""

    manifest: dict[str, Any]
    manifest_sha256: str
    items: tuple[StudyItem, ...]
    shortfall: dict[str, int]


def new_item_id() -> ItemId:
    """An opaque id, derived from nothing."""
    return ItemId(secrets.token_hex(8))


def draw_study(design: StudyDesign, frame: Frame) -> Draw:
    """The sample of the design. Raises `StudyError` when a stratum is too small (see `sampling.draw`)."""
    items = [FrameItem(item.row.key, item.stratum, item.row.configuration) for item in frame.items]
    sizes = {stratum.name: stratum.size for stratum in design.strata}
    return draw(
        items, sizes, design.seed, rule=design.rule, floor=design.floor, accept_shortfall=design.accept_shortfall
    )


def freeze(
    design: StudyDesign,
    frame: Frame,
    pages: Mapping[str, str],
    machine: str,
    version: str,
    item_id: Callable[[], ItemId] = new_item_id,
) -> LockedStudy:
    """Draw the sample and freeze everything about it.

    `pages` are criteria and codebook by `page_name`, `machine` is the judge or classifier that is validated.

    The manifest is canonical JSON under its SHA-256; anybody can repeat the draw from it with `sha256sum`.
    Raises `StudyError` when nothing, or too little, can be drawn.
    """
    design.check()
    drawn = draw_study(design, frame)
    framed = {item.row.key: item for item in frame.items}
    items: list[StudyItem] = []
    for cell in drawn.cells:
        for key in cell.drawn:
            found = framed[key]
            page = page_name(found.row.category, found.row.probe_kind)
            items.append(
                StudyItem(
                    item_id(),
                    found.row.answer_id,
                    key,
                    page,
                    cell.stratum,
                    cell_name(cell.stratum, cell.configuration),
                    cell.frame_size,
                    len(cell.drawn),
                    found.label,
                )
            )
    if not items:
        raise StudyError("Nothing can be drawn: the frame is empty.", "Widen the filter, or judge the answers first.")
    used = sorted({item.page for item in items})
    manifest: dict[str, Any] = {
        "schema": MANIFEST_SCHEMA,
        "algorithm": ALGORITHM,
        "made_with": version,
        "machine": machine,
        "design": design.as_json(),
        "frame": {
            "considered": frame.considered,
            "excluded": frame.excluded,
            "in_frame": len(frame.items),
            "by_label": frame.labels,
            "by_stratum": frame.strata,
            "keys_sha256": sha256("\n".join(item.row.key for item in frame.items)),
        },
        "cells": [
            {"stratum": c.stratum, "configuration": c.configuration, "frame": c.frame_size, "drawn": len(c.drawn)}
            for c in drawn.cells
        ],
        "shortfall": drawn.shortfall,
        "pages": {name: pages[name] for name in used},
        "codebook_version": codebook_version({name: pages[name] for name in used}),
        "items": [
            {"item": item.item, "key": item.key, "page": item.page, "cell": item.cell}
            for item in sorted(items, key=lambda item: item.key)
        ],
    }
    return LockedStudy(manifest, hash_of(manifest), tuple(items), drawn.shortfall)


def cell_name(stratum: str, configuration: str) -> str:
    """The name of a cell; a pooled stratum is one cell under its own name."""
    return f"{stratum} / {configuration}" if configuration else stratum


def page_name(category: str, probe_kind: str) -> str:
    """The name under which the criteria for a category and a kind of probe stand in manifest and packet."""
    return f"{category}/{probe_kind}"


def codebook_version(pages: Mapping[str, str]) -> str:
    """A short name for exactly these texts: the first 12 digits of their hash."""
    return hash_of(dict(pages))[:12]


def packet_order(items: Sequence[StudyItem], order_seed: str, annotator: str) -> list[StudyItem]:
    """The order in which an annotator sees the items: by hash, an own one for each, never by label or creation."""
    by_key = {item.key: item for item in items}
    return [by_key[key] for key in hash_order(by_key, f"{order_seed}:{annotator}")]


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
    mode: Mode
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
    """Where the items of one annotator are. Without a packet all of them are missing."""

    annotator: str
    packet: str
    sent: int
    back: int
    missing: int
    labels_sha256: str


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
    for entry in log:
        told = _STATE_AFTER.get(StudyStep(entry.step), told) if entry.step in list(StudyStep) else told
    if not log or told is not state:
        problems.append(f"the log ends with the study {told if log else 'not begun'}, but it is {state}")
    locked = [entry.detail.get("manifest_sha256") for entry in log if entry.step == StudyStep.LOCK]
    if manifest_sha256 and locked != [manifest_sha256]:
        problems.append("the manifest is not the one that was locked")
    return problems
