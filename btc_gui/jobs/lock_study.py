"""Draw the sample of a study and freeze it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from btc_gui import __version__
from btc_gui.domain.category import Category
from btc_gui.domain.codebook_change import present_pages
from btc_gui.domain.number_words import counted
from btc_gui.domain.packet import PacketItem, PracticeItem
from btc_gui.domain.practice_file import PracticeRow, read_practice
from btc_gui.domain.practice_items import practice_items
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import StudyDesign, StudyId
from btc_gui.domain.study_draw import EarlierSample, Frame, LockedStudy, freeze, new_item_id
from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.own_categories import keep_categories
from btc_gui.store.studies import StudyStore
from btc_gui.store.study_frame import StudyFrameStore
from btc_gui.store.whole_text import whole_text


def lock_study(
    database: Database,
    study_id: StudyId,
    categories: Mapping[str, Category],
    actor: str,
    progress: Progress,
    *,
    practice_file: Path | None = None,
) -> LockedStudy:
    """Draw the sample and freeze manifest, key and criteria; from here on nothing about the study changes.

    Practice items are those of the categories, or the ones in `practice_file` (see `domain.practice_file`).

    Raises `StudyError` when the study is no draft, when a stratum has too few answers and the design does not accept
    it, or when there is nothing to practise on; `InputError` for a practice file that can't be used, or that holds
    an answer of the frame.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    progress.report(0, 2, "Reading the frame")
    frame = StudyFrameStore(database).frame(study.design)
    kind = study_kind(study.design.kind)
    pages = present_pages(kind, categories)
    progress.report(1, 2, "Drawing")
    machine = StudyFrameStore(database).machine(kind.machine, study.design.frame.machine)
    practice = []
    if study.design.practice:
        own = read_practice_file(practice_file) if practice_file else ()
        _check_outside(own, frame, StudyFrameStore(database))
        practice = _practice(study.design, categories, own)
    earlier = _earlier(store, study.design.extends) if study.design.extends else None
    locked = freeze(study.design, frame, pages, machine, __version__, practice=practice, earlier=earlier)
    store.lock(study_id, locked, actor)
    keep_categories(database)
    progress.tell(2, 2, f"Locked {counted(len(locked.items), 'item')}")
    return locked


def read_practice_file(path: Path) -> tuple[PracticeRow, ...]:
    """A practice file of one's own. Raises `InputError` when it can't be read, or a line is wrong."""
    try:
        return read_practice(whole_text(path, "utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read: {error}.", "Choose another file.") from error


def _check_outside(rows: Sequence[PracticeRow], frame: Frame, store: StudyFrameStore) -> None:
    """Raise `InputError` when somebody would practise on an answer that could be drawn: its label would be known."""
    places = {_plain(row.values.get("answer", "")): row.place for row in rows}
    places.pop("", None)
    if not places:
        return
    keys = {item.row.answer_id: item.row.key for item in frame.items}
    for answer_id, text in store.answer_texts(list(keys)):
        place = places.get(_plain(text))
        if place is not None:
            raise InputError(
                f"{place} is an answer of the frame ({keys[answer_id]}): whoever practises on it knows its label.",
                "Take an invented answer, or leave that one out of the frame.",
            )


def _plain(text: object) -> str:
    """A text without what a copy may change: spaces, line breaks, capitals."""
    return " ".join(str(text).split()).casefold()


def _practice(
    design: StudyDesign, categories: Mapping[str, Category], own: Sequence[PracticeRow]
) -> list[PracticeItem]:
    """The practice items there are for a design. Raises `InputError` for one whose answer could not be given."""
    kind, layer = study_kind(design.kind), design.mode.layers[0]
    rows = own or [row for category in categories.values() for row in category.practice]
    items = practice_items(rows, kind, layer, new_item_id)
    for item in items:
        shown = PacketItem(item.item, 0, item.page, item.values)
        kind.check_answers(item.label, item.answers, shown, design.relations if kind.has_form else ())
    return items


def _earlier(store: StudyStore, name: str) -> EarlierSample:
    study = store.find(name)
    return EarlierSample(name, study.manifest_sha256, frozenset(item.key for item in store.items(study.id)))
