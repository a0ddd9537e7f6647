"""What a study draws from, and what locking it freezes: the sample, the key and the manifest."""

from __future__ import annotations

import re
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import ceil
from typing import Any, Literal

from btc_gui.domain.hashing import hash_of, sha256
from btc_gui.domain.packet import ItemId, PracticeItem
from btc_gui.domain.sampling import ALGORITHM, AllocationRule, Draw, FrameItem, draw, hash_order, hash_rank
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import Exclusion, FrameRow, Stratum, stratum_facts
from btc_gui.domain.study import StudyDesign
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, StudyError

#: The version of the manifest's form.
MANIFEST_SCHEMA = 2

#: The reason of an exclusion by hand begins so.
LEFT_OUT = "left out"

#: A repeat comes at least so many items after its first showing, where the packet is long enough.
REPEAT_GAP = 50


#: A name with a tab or a line break would make two of one line of the listing.
_NO_BREAK = re.compile(r"[\t\r\n]")

# -- the frame -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Framed:
    """An answer of the frame, with the machine's label and its stratum."""

    row: FrameRow
    label: str
    stratum: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What a study draws from. `considered` answers passed the filter; each is in the frame or in `excluded`.

    `unmatched` are the keys left out by hand that fit no answer.
    """

    considered: int
    items: tuple[Framed, ...]
    excluded: dict[str, int]
    unmatched: tuple[str, ...] = ()

    @property
    def strata(self) -> dict[str, int]:
        """How many answers each stratum has."""
        return dict(Counter(item.stratum for item in self.items))

    @property
    def labels(self) -> dict[str, int]:
        """How often the machine gave each label, over all that it labelled in the frame."""
        return dict(sorted(Counter(item.label for item in self.items).items()))

    @property
    def listing(self) -> str:
        """Every answer of the frame, a line each: stratum, configuration and key, with tabs between, sorted by key.

        Kept with the study: with it the draw can be repeated by hand.
        """
        return "".join(
            "\t".join(_NO_BREAK.sub(" ", part) for part in (item.stratum, item.row.configuration, item.row.key)) + "\n"
            for item in self.items
        )

    def counted(
        self, part: Callable[[Framed], str], fact: Literal["stratum", "cell", "label"]
    ) -> dict[str, dict[str, int]]:
        """How many answers of each stratum, cell (stratum and configuration) or label every part of the frame has."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for item in self.items:
            name = cell_name(item.stratum, item.row.configuration) if fact == "cell" else getattr(item, fact)
            found[part(item)][name] += 1
        return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def build_frame(design: StudyDesign, rows: Iterable[FrameRow]) -> Frame:
    """Sort answers into strata and exclusions. Of several usable answers under one key the newest counts.

    Raises `InputError` when an answer would be in two strata.
    """
    kind = study_kind(design.kind)
    concerned = sorted((row for row in rows if kind.concerns(row)), key=lambda row: row.answer_id, reverse=True)
    excluded: Counter[str] = Counter()
    items: list[Framed] = []
    seen: set[str] = set()
    by_hand = {entry.key: entry.reason for entry in design.left_out}
    matched: set[str] = set()
    for row in concerned:
        fitting = next((key for key in _beginnings(row.key) if key in by_hand), None) if by_hand else None
        if fitting is not None:
            matched.add(fitting)
            excluded[f"{LEFT_OUT}: {by_hand[fitting]}"] += 1
            continue
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
    unmatched = tuple(key for key in by_hand if key not in matched)
    return Frame(len(concerned), tuple(items), dict(sorted(excluded.items())), unmatched)


def _beginnings(key: str) -> Iterator[str]:
    """The key, and what stands before each “/” in it."""
    yield key
    for place, character in enumerate(key):
        if character == "/":
            yield key[:place]


def _stratum_of(strata: Sequence[Stratum], facts: Mapping[str, str]) -> str | None:
    fitting = [s.name for s in strata if all(facts[fact] == value for fact, value in s.where.items())]
    if len(fitting) > 1:
        raise InputError(f"The strata {' and '.join(fitting)} overlap.", "Every answer may be in one stratum only.")
    return fitting[0] if fitting else None


# -- locking -------------------------------------------------------------------------------------------------


class ItemRole(StrEnum):
    """What an item of a packet is for. The annotator can't tell."""

    SAMPLE = "sample"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class StudyItem:
    """A drawn answer: part of the key. `frame_count` and `drawn_count` are those of its cell (the part of its
    stratum that shares one weight). A repeat shows an answer again: `repeats` is the item of its first showing."""

    item: ItemId
    answer_id: AnswerId
    key: str
    page: str
    stratum: str
    cell: str
    frame_count: int
    drawn_count: int
    machine_label: str
    role: ItemRole = ItemRole.SAMPLE
    repeats: str = ""

    @property
    def weight(self) -> float:
        """How many answers of the frame the item stands for."""
        return self.frame_count / self.drawn_count

    @property
    def probability(self) -> float:
        """The probability with which the draw takes the answer."""
        return self.drawn_count / self.frame_count


@dataclass(frozen=True, slots=True)
class LockedStudy:
    """What locking freezes: the manifest, its hash, the key and the frame's listing (see `Frame.listing`)."""

    manifest: dict[str, Any]
    manifest_sha256: str
    items: tuple[StudyItem, ...]
    shortfall: dict[str, int]
    listing: str


@dataclass(frozen=True, slots=True)
class EarlierSample:
    """The sample of a locked study that a new one extends."""

    study: str
    manifest_sha256: str
    keys: frozenset[str]

    def contained_in(self, keys: Container[str]) -> dict[str, Any]:
        """What the manifest says of it. Raises `StudyError` unless all of it is among the new sample's `keys`."""
        missing = sum(key not in keys for key in self.keys)
        if missing:
            raise StudyError(
                f"{missing} of the {len(self.keys)} items of “{self.study}” would not be drawn again: the frame is "
                "another one by now.",
                "A sample that does not contain the earlier one is no extension. Design a study of its own.",
            )
        return {"study": self.study, "manifest_sha256": self.manifest_sha256, "items": len(self.keys)}


def new_item_id() -> ItemId:
    """An opaque id, derived from nothing."""
    return ItemId(secrets.token_hex(8))


def draw_study(design: StudyDesign, frame: Frame) -> Draw:
    """The sample of the design. Raises `StudyError` when a stratum is too small (see `sampling.draw`)."""
    items = [FrameItem(item.row.key, item.stratum, item.row.configuration) for item in frame.items]
    sizes = {stratum.name: stratum.size for stratum in design.strata}
    return draw(
        items,
        sizes,
        design.seed,
        rule=design.rule,
        floor=design.floor,
        cap=design.cap,
        accept_shortfall=design.accept_shortfall,
    )


def freeze(
    design: StudyDesign,
    frame: Frame,
    pages: Mapping[str, str],
    machine: str,
    version: str,
    item_id: Callable[[], ItemId] = new_item_id,
    practice: Sequence[PracticeItem] = (),
    earlier: EarlierSample | None = None,
) -> LockedStudy:
    """Draw the sample and freeze everything about it.

    `pages` are criteria and codebook by `page_name`, `machine` is the judge or classifier that is validated,
    `practice` are the items to choose the design's practice from, `earlier` is the sample that is extended.

    The manifest is canonical JSON under its SHA-256; anybody can repeat the draw from it with `sha256sum`.
    Raises `StudyError` when nothing, or too little, can be drawn, when there is nothing to practise on, and when the
    earlier sample is not part of the new one.
    """
    design.check()
    drawn = draw_study(design, frame)
    sample = _sample(drawn, frame, item_id)
    if not sample:
        raise StudyError("Nothing can be drawn: the frame is empty.", "Widen the filter, or judge the answers first.")
    items = (*sample, *_repeats(sample, design, item_id))

    def page(item: Framed) -> str:
        return page_name(item.row.category, item.row.probe_kind)

    # Where strata are drawn from whole, cells are strata.
    by_cell = {} if design.rule is AllocationRule.POOLED else {"by_page_cell": frame.counted(page, "cell")}
    used = {name: pages[name] for name in sorted({item.page for item in items})}
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
            # What a report needs to say of each pool and of each configuration.
            "by_page": frame.counted(page, "stratum"),
            **by_cell,
            "by_configuration": frame.counted(lambda item: item.row.configuration, "label"),
            "left_out_unmatched": len(frame.unmatched),
            "listing_sha256": sha256(frame.listing),
            "keys_sha256": sha256("\n".join(item.row.key for item in frame.items)),
        },
        "cells": [
            {
                "stratum": cell.stratum,
                "configuration": cell.configuration,
                "frame": cell.frame_size,
                "drawn": len(cell.drawn),
                "probability": len(cell.drawn) / cell.frame_size,
            }
            for cell in drawn.cells
            if cell.frame_size
        ],
        "shortfall": drawn.shortfall,
        "pages": used,
        "codebook_version": codebook_version(used),
        "items": [_entry(item) for item in sorted(items, key=lambda item: (item.key, item.role is ItemRole.REPEAT))],
        "practice": [asdict(item) for item in choose_practice(practice, design, used)],
        "key_sha256": key_digest(items),
    }
    if earlier is not None:
        manifest["extends"] = earlier.contained_in({item.key for item in sample})
    return LockedStudy(manifest, hash_of(manifest), items, drawn.shortfall, frame.listing)


def _sample(drawn: Draw, frame: Frame, item_id: Callable[[], ItemId]) -> list[StudyItem]:
    framed = {item.row.key: item for item in frame.items}
    items: list[StudyItem] = []
    for cell in drawn.cells:
        for key in cell.drawn:
            found = framed[key]
            items.append(
                StudyItem(
                    item_id(),
                    found.row.answer_id,
                    key,
                    page_name(found.row.category, found.row.probe_kind),
                    cell.stratum,
                    cell_name(cell.stratum, cell.configuration),
                    cell.frame_size,
                    len(cell.drawn),
                    found.label,
                )
            )
    return items


def _repeats(sample: Sequence[StudyItem], design: StudyDesign, item_id: Callable[[], ItemId]) -> list[StudyItem]:
    """The items that are shown twice: those of lowest rank under `seed:repeats`, whatever their stratum."""
    by_key = {item.key: item for item in sample}
    chosen = hash_order(by_key, f"{design.seed}:repeats")[: design.repeats]
    return [replace(by_key[key], item=item_id(), role=ItemRole.REPEAT, repeats=by_key[key].item) for key in chosen]


def key_digest(items: Iterable[StudyItem]) -> str:
    """SHA-256 over the key, machine labels and sizes of cells included: what the manifest knows it by."""
    rows = [
        [i.item, i.answer_id, i.stratum, i.cell, i.frame_count, i.drawn_count, i.machine_label, i.role, i.repeats]
        for i in items
    ]
    return hash_of(sorted(rows))


def _entry(item: StudyItem) -> dict[str, Any]:
    entry = {"item": item.item, "key": item.key, "page": item.page, "cell": item.cell, "probability": item.probability}
    return {**entry, "repeats": item.repeats} if item.role is ItemRole.REPEAT else entry


def choose_practice(practice: Sequence[PracticeItem], design: StudyDesign, pages: Container[str]) -> list[PracticeItem]:
    """The practice of a study: of the items for these pages the first `design.practice` by rank, all if fewer.

    Raises `StudyError` when the design asks for practice and there is none.
    """
    fitting = {f"{item.page}/{hash_of(dict(item.values))}": item for item in practice if item.page in pages}
    if design.practice and not fitting:
        raise StudyError(
            "There is nothing to practise on for the categories and probes of this study.",
            "Lock it with a file of practice items (--practice-file), or throw the draft away and design it without "
            "practice (0 practice items; --practice 0).",
        )
    return [fitting[name] for name in hash_order(fitting, f"{design.seed}:practice")[: design.practice]]


def cell_name(stratum: str, configuration: str) -> str:
    """The name of a cell; a pooled stratum is one cell under its own name."""
    return f"{stratum} / {configuration}" if configuration else stratum


def page_name(category: str, probe_kind: str) -> str:
    """The name under which the criteria for a category and a kind of probe stand in manifest and packet."""
    return f"{category}/{probe_kind}"


def codebook_version(pages: Mapping[str, str]) -> str:
    """A short name for exactly these texts: the first 12 digits of their hash."""
    return hash_of(dict(pages))[:12]


def annotator_items(items: Sequence[StudyItem], design: StudyDesign, annotator: str) -> list[StudyItem]:
    """The items that an annotator labels, repeats included, in the order in which they were given.

    The first annotator labels all; every further one the share `overlap` of each stratum (rounded up): the same
    items for all of them, those of lowest rank under `seed:overlap`. Raises `InputError` for somebody whom the
    design does not name.
    """
    if annotator not in design.annotators:
        raise InputError(
            f"“{annotator}” is not an annotator of this study.", f"Annotators: {', '.join(design.annotators)}."
        )
    if annotator == design.annotators[0]:
        return list(items)
    by_stratum: dict[str, list[str]] = defaultdict(list)
    for item in items:
        if item.role is ItemRole.SAMPLE:
            by_stratum[item.stratum].append(item.key)
    chosen = {
        key
        for keys in by_stratum.values()
        for key in hash_order(keys, f"{design.seed}:overlap")[: ceil(round(design.overlap * len(keys), 9))]
    }
    return [item for item in items if item.key in chosen]


def packet_order(items: Sequence[StudyItem], order_seed: str, annotator: str) -> list[StudyItem]:
    """The order in which an annotator sees the items: by hash, an own one for each, never by label or creation.

    A repeat comes at a place chosen by hash, at least `REPEAT_GAP` items after its first showing. In a packet too
    short for that it comes as late as it can; an item that would come too late to be repeated changes places with
    an early one.
    """
    seed = f"{order_seed}:{annotator}"
    first = {item.key: item for item in items if item.role is ItemRole.SAMPLE}
    again = {item.key: item for item in items if item.role is ItemRole.REPEAT}
    order = hash_order(first, seed)
    gap = max(1, min(REPEAT_GAP, len(first) - len(again)))
    latest = len(first) - gap
    early = hash_order((key for key in order[: latest + 1] if key not in again), f"{seed}:early")
    late = [place for place in range(latest + 1, len(order)) if order[place] in again]
    for place, key in zip(late, early, strict=False):
        other = order.index(key)
        order[place], order[other] = order[other], order[place]
    # Where a repeat comes: before the item of this number; those of one place by rank.
    comes: dict[int, list[str]] = defaultdict(list)
    for key in hash_order(again, f"{seed}:again"):
        place = order.index(key) + gap
        comes[place + int(hash_rank(f"{seed}:again", key), 16) % (len(first) - place + 1)].append(key)
    shown: list[StudyItem] = []
    for place in range(len(order) + 1):
        shown += [again[key] for key in comes[place]]
        shown += [first[order[place]]] if place < len(order) else []
    return shown
