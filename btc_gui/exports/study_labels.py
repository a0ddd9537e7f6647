"""The labels of a study as files: one row an item to compute with, one line a row of the log to keep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import GivenLabel
from btc_gui.domain.study import IssuedPacket
from btc_gui.domain.study_draw import ItemRole
from btc_gui.domain.study_report import AnnotatorReport, StudyReport
from btc_gui.exports.files import write_whole
from btc_gui.exports.tables import EXCEL_CELL, write_csv

_COLUMNS = (
    "human",
    "annotator",
    "layer",
    "item",
    "answer",
    "page",
    "event",
    "design_stratum",
    "cell",
    "stratum",
    "frame_size",
    "weight",
    "changed_to",
    "confidence",
    "reason",
    "note",
    "answers",
    "active_seconds",
    "at",
)


def write_labels_csv(
    report: StudyReport, each: AnnotatorReport, path: Path, note: str = "", *, for_spreadsheets: bool = False
) -> Path:
    """One row an item: both labels, what it stands for in the frame, who labelled when and how long.

    `stratum` and `frame_size` are the parts that the report weights by, so that `btc-gui agreement` and the shipped
    script give its figures again. Items without a label have an empty one. Repeats are not in it. `for_spreadsheets`
    adds a byte-order mark.
    """
    header = [report.machine_role, *_COLUMNS]
    rows = [_row(each, place) for place in range(len(each.cases))]
    if note:
        header, rows = [*header, "data"], [[*row, note] for row in rows]
    write_csv(path, header, rows, bom=for_spreadsheets)
    return path


def cells_too_long(report: StudyReport) -> int:
    """How many texts of the labels are longer than a cell of a spreadsheet holds; `labels_*.jsonl` has them whole."""
    cases = [case for each in report.all_layers for case in each.cases]
    return sum(len(text) > EXCEL_CELL for case in cases for text in (case.reason, case.note, case.answers))


def _row(each: AnnotatorReport, place: int) -> list[object]:
    case = each.cases[place]
    part = case.cell if each.is_by_cell else case.stratum
    return [
        case.machine,
        case.human,
        each.annotator,
        each.layer.value,
        case.item,
        case.key,
        case.page,
        case.event,
        case.stratum,
        case.cell,
        part,
        each.parts.get(part, case.frame_count),
        round(case.weight, 6),
        case.changed_to,
        case.confidence,
        case.reason,
        case.note,
        case.answers,
        case.active_seconds,
        case.at,
    ]


def write_labels_jsonl(report: StudyReport, path: Path) -> Path:
    """Every row of every packet's log, a JSON object a line: labels, changes, withdrawals, repeats, late ones."""
    lines = [canonical_json(line) for packet in report.record.packets for line in _log(report, packet)]
    return write_whole(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def _log(report: StudyReport, packet: IssuedPacket) -> Iterator[dict[str, object]]:
    items = {item.item: item for item in report.record.items}
    in_time, late = report.record.in_time(packet)
    for is_late, rows in ((False, in_time), (True, late)):
        for row in rows:
            item = items[row.item]
            yield {
                "annotator": packet.annotator,
                "layer": packet.layer.value,
                "packet": packet.id,
                "answer": item.key,
                "role": item.role.value,
                **({"repeats": item.repeats} if item.role is ItemRole.REPEAT else {}),
                **_given(row),
                **({"too_late": True} if is_late else {}),
            }


def _given(row: GivenLabel) -> dict[str, object]:
    table = row.as_json()
    return {**table, "answers": json.loads(row.answers)} if row.answers else table
