"""Items to practise on, made of the rows of a file: exactly the fields of a packet's layer."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import Excerpt, Field, FieldForm, ItemId, Layer, PracticeItem, Search, clean, written
from btc_gui.domain.practice_file import REMEDY, PracticeRow
from btc_gui.errors import InputError

if TYPE_CHECKING:
    from btc_gui.domain.studies.kind import StudyKind


def practice_items(
    rows: Iterable[PracticeRow], kind: StudyKind, layer: Layer, item_id: Callable[[], ItemId]
) -> list[PracticeItem]:
    """The rows of a kind of study as items that hold exactly the fields of its packet's layer.

    Raises `InputError` naming the line that lacks a field, has one that no layer knows, or a label that the kind
    does not have.
    """
    fields = kind.fields(layer)
    known = {entry.name for mode in kind.modes for each in mode.layers for entry in kind.fields(each)}
    return [
        PracticeItem(
            item=item_id(),
            page=f"{row.category}/{row.probe_kind}",
            values=_values(row, fields, known, layer),
            label=row.label,
            why=row.why,
            answers=canonical_json(row.answers) if row.answers else "",
        )
        for row in rows
        if row.kind == kind.name and _has_label(row, kind)
    ]


def _has_label(row: PracticeRow, kind: StudyKind) -> bool:
    if row.label in kind.classes:
        return True
    raise InputError(f"{row.place} has the label “{row.label}”.", f"Labels: {', '.join(kind.classes)}.")


def _values(row: PracticeRow, fields: Sequence[Field], known: Container[str], layer: Layer) -> dict[str, str]:
    missing = [entry.name for entry in fields if entry.name not in row.values]
    strange = [name for name in row.values if name not in known]
    if missing or strange:
        what = f"lacks {', '.join(missing)}" if missing else f"has unknown fields: {', '.join(strange)}"
        raise InputError(f"{row.place} {what}.", f"A practice item has the fields {', '.join(f.name for f in fields)}.")
    try:
        return {entry.name: _text(row.values[entry.name], entry.form, layer) for entry in fields}
    except TypeError as error:
        raise InputError(f"{row.place} has a field in a wrong form ({str(error)[:200]}).", REMEDY) from error


def _text(value: object, form: FieldForm, layer: Layer) -> str:
    if form is FieldForm.TEXT:
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is no text")
        return clean(value)
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    if form is FieldForm.EXCERPTS:
        return written([Excerpt(**entry) for entry in value])
    found = [Search(**entry) for entry in value]
    return written(found if layer.shows_machine else [Search(entry.query, entry.received) for entry in found])
