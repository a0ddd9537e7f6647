"""Items to practise on, as JSON lines: a category ships some in `practice.jsonl`, and anybody can write their own.

One object a line: `kind` and `probe` (whom the item is for), `values` (the texts by field; `searches` and `evidence`
are lists of objects), `label` (the known answer), `why` (what is told after it), and `answers` (an object: the right
parts of the kind's form) for kinds that have one. A file of one's own also says the `category`. What only an assisted
packet shows (`evidence`, the `finding` of a search) may be there; a blind packet leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from btc_gui.errors import InputError
from btc_gui.outside_data import json_from
from btc_gui.records import dataclass


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
            raise InputError(f"{where} is no practice item ({str(error)[:200]}).", REMEDY) from error
        texts = (row.kind, row.category, row.probe_kind, row.label, row.why)
        if not all(isinstance(entry, str) and entry.strip() for entry in texts):
            raise InputError(f"{where} lacks its kind, category, probe, label or why.", REMEDY)
        rows.append(row)
    return tuple(rows)


#: What a line should be, for whoever wrote one that is not.
REMEDY = "Write one JSON object a line: kind, category, probe, values, label, why (and answers)."
