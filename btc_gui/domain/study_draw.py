"""What a study draws from, and what locking it freezes: the sample, the key and the manifest."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from btc_gui.domain.hashing import hash_of, sha256
from btc_gui.domain.packet import ItemId
from btc_gui.domain.sampling import ALGORITHM, Draw, FrameItem, draw, hash_order
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import Exclusion, FrameRow, Stratum, stratum_facts
from btc_gui.domain.study import StudyDesign
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, StudyError

#: The version of the manifest's form.
MANIFEST_SCHEMA = 1


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
