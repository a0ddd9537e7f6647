"""Answers that a study leaves out by hand, as a CSV file lists them."""

from __future__ import annotations

import csv
import io

from btc_gui.domain.study import LeftOut
from btc_gui.errors import InputError

_REMEDY = "Give a CSV file with the columns key (or probe) and reason."


def read_left_out(text: str, place: str, reason: str = "") -> tuple[LeftOut, ...]:
    """The rows of a CSV file with the columns `key` (or `probe`) and `reason`; the last row counts for a key.

    `reason` holds where a row gives none. Raises `InputError` naming the line that lacks a key or a reason.
    """
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    try:
        columns = reader.fieldnames or []
    except csv.Error as error:
        raise InputError(f"{place} can't be read as CSV ({error}).", _REMEDY) from error
    name = next((column for column in ("key", "probe") if column in columns), None)
    if name is None:
        raise InputError(f"{place} has no column key.", _REMEDY)
    found: dict[str, str] = {}
    try:
        for row in reader:
            key, why = (row.get(name) or "").strip(), (row.get("reason") or "").strip() or reason.strip()
            if not key and not any(value for value in row.values() if isinstance(value, str) and value.strip()):
                continue
            if not key or not why:
                raise InputError(f"{place}, line {reader.line_num}, lacks a {'reason' if key else 'key'}.", _REMEDY)
            found[key] = why
    except csv.Error as error:
        raise InputError(f"{place} can't be read as CSV ({error}).", _REMEDY) from error
    return tuple(LeftOut(key, why) for key, why in found.items())
