"""Items to practise on, as JSON lines: a category ships some in `practice.jsonl`, and anybody can write their own.

One object a line: `kind` and `probe` (whom the item is for), `values` (the texts by field; `searches` and `evidence`
are lists of objects), `label` (the known answer), `why` (what is told after it), and `answers` (an object: the right
parts of the kind's form) for kinds that have one. A file of one's own also says the `category`. What only an assisted
packet shows (`evidence`, the `finding` of a search) may be there; a blind packet leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import Excerpt, Field, FieldForm, ItemId, Layer, PracticeItem, Search, clean, written
from btc_gui.errors import InputError
from btc_gui.outside_data import json_from

if TYPE_CHECKING:
    from btc_gui.domain.studies.kind import StudyKind


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """One line of the file. `place` names file and line in messages."""

    place: str
    kind: str
    category: str
    probe_kind: str
    values: Mapping[str, Any]
    label: str
    why: str
    answers: Mapping[str, Any] = field(default_factory=dict)


def read_practice(text: str, place: str, category: str = "") -> tuple[PracticeRow, ...]:
    """The rows of a file's text. `category` holds for rows that name none. Raises `InputError` naming the line."""
    rows = []
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{place}, line {number}"
        try:
            found = json_from(line)
            row = PracticeRow(
                place=where,
                kind=found["kind"],
                category=found.get("category", category),
                probe_kind=found["probe"],
                values=dict(found["values"]),
                label=found["label"],
                why=found["why"],
                answers=dict(found.get("answers", {})),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{where} is no practice item ({str(error)[:200]}).", _REMEDY) from error
        texts = (row.kind, row.category, row.probe_kind, row.label, row.why)
        if not all(isinstance(entry, str) and entry.strip() for entry in texts):
            raise InputError(f"{where} lacks its kind, category, probe, label or why.", _REMEDY)
        rows.append(row)
    return tuple(rows)


_REMEDY = "Write one JSON object a line: kind, category, probe, values, label, why (and answers)."


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
        raise InputError(f"{row.place} has a field in a wrong form ({str(error)[:200]}).", _REMEDY) from error


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
