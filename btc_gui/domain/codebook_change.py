"""Criteria or codebook changed after a study was locked: which labels would have to be given anew."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.packet import ItemId
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.studies.kind import StudyKind
from btc_gui.domain.study_draw import ItemRole, StudyItem, page_name
from btc_gui.domain.trajectory import AnswerId


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page of a study that reads differently now. `items` were labelled by the old text: they are the labels to
    redo, in a new study, if the change matters. `added` and `removed` count lines; `is_gone`: no such page is left."""

    page: str
    items: tuple[ItemId, ...]
    answers: tuple[AnswerId, ...]
    added: int
    removed: int
    is_gone: bool = False


def present_pages(kind: StudyKind, categories: Mapping[str, Category]) -> dict[str, str]:
    """Criteria and codebook of every category and kind of probe as they read now, by page name."""
    return {
        page_name(category.name, probe_kind): kind.page(category, probe_kind)
        for category in categories.values()
        for probe_kind in ProbeKind
    }


def changed_pages(
    locked: Mapping[str, str], present: Mapping[str, str], items: Sequence[StudyItem]
) -> tuple[PageChange, ...]:
    """The pages whose text is not what it was when the study was locked, with the items labelled by them."""
    changes = []
    for page, text in sorted(locked.items()):
        now = present.get(page)
        if now == text:
            continue
        lines = list(difflib.ndiff(text.splitlines(), (now or "").splitlines()))
        concerned = [item for item in items if item.page == page and item.role is ItemRole.SAMPLE]
        changes.append(
            PageChange(
                page,
                tuple(item.item for item in concerned),
                tuple(item.answer_id for item in concerned),
                sum(line.startswith("+ ") for line in lines),
                sum(line.startswith("- ") for line in lines),
                now is None,
            )
        )
    return tuple(changes)
