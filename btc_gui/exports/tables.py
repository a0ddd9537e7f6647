"""Result tables as CSV (RFC 4180) and JSON: same content, same bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from btc_gui.domain.outside_text import spreadsheet_text
from btc_gui.exports.files import write_whole

EXCEL_CELL = 32_767
"""The longest text that a cell of Excel holds; longer ones are cut or split there."""


def write_csv(
    path: Path,
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    bom: bool = False,
) -> int:
    """Write a UTF-8 CSV file; None is an empty cell. Gives the number of cells that are too long for Excel.

    `bom` starts the file with a byte-order mark, without which Excel misreads it. Texts that a spreadsheet would run
    get an apostrophe, here always: whoever opens an export does not think of it. Numbers stay as they are.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([_cell(name) for name in header])
    too_long = 0
    for row in rows:
        cells = [_cell(value) for value in row]
        too_long += sum(len(cell) > EXCEL_CELL for cell in cells)
        writer.writerow(cells)
    # Lone surrogates come from broken outside texts and have no UTF-8 form.
    data = buffer.getvalue().encode("utf-8", "backslashreplace")
    write_whole(path, (b"\xef\xbb\xbf" if bom else b"") + data)
    return too_long


def write_json(path: Path, value: object) -> Path:
    """Write JSON with sorted keys and a final newline. Raises ValueError for NaN, which JSON does not have."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False)
    return write_whole(path, f"{text}\n".encode("utf-8", "backslashreplace"))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return spreadsheet_text(value) if isinstance(value, str) else str(value)
