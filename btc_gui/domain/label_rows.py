"""A table of judge and human labels, one item a row, and the agreement that its columns allow.

Columns: judge (or classifier), human; optional stratum, frame_size (items of the stratum in the frame), event,
annotator.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.agreement_report import AgreementReport, SampleKind, agreement_report
from btc_gui.domain.confusion import ConfusionMatrix, is_missing
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.weighted_agreement import TableStratum
from btc_gui.errors import InputError

REQUIRED = ("judge", "human")
#: The first label may be a classifier's: the rows of the matrix are then named so.
CLASSIFIER = "classifier"
OPTIONAL = ("stratum", "frame_size", "event", "annotator")
#: More than any frame has, and exact as a floating-point number.
_DIGITS = 12
UNSURE = "unsure"
UNSCORED = "unscored"
BROKEN = "broken"

#: Known lists of classes, in their order: which of them a file uses is seen from its labels.
_KNOWN = (
    ("correct", "incorrect"),
    ("1", "0"),
    tuple(str(mode) for mode in FailureMode),
    tuple(mode.text for mode in FailureMode),
)


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One item. Blank labels are missing answers; the other texts are empty where the column is."""

    line: int
    judge: str
    human: str
    stratum: str = ""
    frame_size: int | None = None
    event: str = ""
    annotator: str = ""


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that can't be used: its line in the file, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class LabelTable:
    """The rows of a file. `columns` are those of ours that it has; `rows_name` is judge or classifier."""

    columns: tuple[str, ...]
    rows: tuple[LabelRow, ...]
    rejected: tuple[RejectedRow, ...]
    rows_name: str = "judge"


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """The report over all rows, and over each annotator's when there are several."""

    report: AgreementReport
    by_annotator: Mapping[str, AgreementReport]
    rejected: tuple[RejectedRow, ...]
    classes_declared: bool


def read_label_table(text: str) -> LabelTable:
    """Read CSV (comma, semicolon or tab; any line ends; a byte-order mark is ignored).

    Rows with the wrong number of cells or a bad frame size are rejected by line. Raises InputError without the columns
    judge and human, when a column comes twice, or when no row is left.
    """
    source = io.StringIO(text.removeprefix("\ufeff"), newline="")
    header = source.readline()
    delimiter = max((",", ";", "\t"), key=header.count)
    csv.field_size_limit(100_000_000)  # Notes and answers beside the labels may be long.
    head = next(csv.reader([header], delimiter=delimiter), [])
    place, width = _columns(head)
    is_judge = "judge" in [cell.strip().casefold() for cell in head]
    reader = csv.reader(source, delimiter=delimiter, strict=True)
    rows: list[LabelRow] = []
    rejected: list[RejectedRow] = []
    while True:
        line = reader.line_num + 2
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise InputError(f"A quotation mark opened in line {line} is never closed.", "Close it.") from error
            rejected.append(RejectedRow(line, f"no CSV: {error}"))
            continue
        if any(cell.strip() for cell in cells):
            row = _row(line, cells, place, width)
            if isinstance(row, LabelRow):
                rows.append(row)
            else:
                rejected.append(row)
    if rejected and not rows:
        first = rejected[0]
        raise InputError(
            f"None of the {len(rejected)} rows can be read; line {first.line}: {first.reason}.",
            "Check that every row has the cells of the header.",
        )
    return LabelTable(tuple(place), tuple(rows), tuple(rejected), "judge" if is_judge else CLASSIFIER)


def label_agreement(table: LabelTable, classes: Sequence[str] = ()) -> LabelAgreement:
    """The agreement of a table. `classes`: the declared list; left out, the labels of the file in their known order.

    With declared classes, a label that is none of them rejects its row. Raises InputError when the strata contradict
    themselves or are smaller than their labels.
    """
    names = tuple(classes) or _classes_of(table.rows)
    rejected = list(table.rejected)
    if classes:
        rejected += [
            RejectedRow(row.line, f"“{label}” is not one of the declared classes {', '.join(names)}")
            for row in table.rows
            for label in (row.judge, row.human)
            if not is_missing(label) and label not in (*names, UNSURE, BROKEN, UNSCORED)
        ]
    rows = _with_strata(table)
    annotators = sorted({row.annotator for row in rows if row.annotator})
    by_annotator = {}
    if len(annotators) > 1:
        by_annotator = {
            name: agreement_report(
                _matrix([row for row in rows if row.annotator == name], names, table.rows_name),
                sample=_kind(table, rows),
            )
            for name in annotators
        }
    return LabelAgreement(
        _report(table, rows, names), by_annotator, tuple(sorted(rejected, key=lambda row: row.line)), bool(classes)
    )


def _names(header: Sequence[str]) -> list[str]:
    """The names of the columns, a classifier's label under the name of the judge's."""
    names = [cell.strip().casefold().replace(" ", "_") for cell in header]
    return names if "judge" in names else ["judge" if name == CLASSIFIER else name for name in names]


def _columns(header: Sequence[str]) -> tuple[dict[str, int], int]:
    """Where our columns are, and how many the file has."""
    names = _names(header)
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        there = ", ".join(cell.strip() for cell in header if cell.strip())[:300] or "none"
        raise InputError(
            f"The file has no column {' and no column '.join(missing)} (its columns: {there}).",
            f"Name the columns of the labels judge and human in the first line; optional are {', '.join(OPTIONAL)}.",
        )
    known = [name for name in (*REQUIRED, *OPTIONAL) if name in names]
    twice = [name for name in known if names.count(name) > 1]
    if twice:
        raise InputError(f"The column {twice[0]} comes twice.", "Keep one of them.")
    return {name: names.index(name) for name in known}, len(names)


def _row(line: int, cells: Sequence[str], place: Mapping[str, int], width: int) -> LabelRow | RejectedRow:
    if len(cells) != width:
        return RejectedRow(line, f"{len(cells)} cells instead of {width}")
    values = {name: cells[index].strip() for name, index in place.items()}
    size = values.get("frame_size", "").replace(",", "")
    if size and not (size.isascii() and size.isdigit() and len(size) <= _DIGITS):
        return RejectedRow(line, f"the frame size “{size[:40]}” is not a whole number")
    if "stratum" in values and not values["stratum"]:
        return RejectedRow(line, "no stratum")
    return LabelRow(
        line,
        values["judge"],
        values["human"],
        values.get("stratum", ""),
        int(size) if size else None,
        values.get("event", ""),
        values.get("annotator", ""),
    )


def _classes_of(rows: Iterable[LabelRow]) -> tuple[str, ...]:
    labels = {label for row in rows for label in (row.judge, row.human) if not is_missing(label)}
    labels -= {UNSURE, BROKEN, UNSCORED}
    return next((known for known in _KNOWN if labels and labels <= set(known)), tuple(sorted(labels)))


def _with_strata(table: LabelTable) -> list[LabelRow]:
    """The rows; with frame sizes but no strata, the judge's label is the stratum."""
    if "frame_size" not in table.columns or "stratum" in table.columns:
        return list(table.rows)
    return [
        LabelRow(row.line, row.judge, row.human, row.judge, row.frame_size, row.event, row.annotator)
        for row in table.rows
        if not is_missing(row.judge)
    ] + [row for row in table.rows if is_missing(row.judge)]


def _matrix(rows: Iterable[LabelRow], classes: Sequence[str], rows_name: str = "judge") -> ConfusionMatrix:
    unsure, broken = ([name] if name not in classes else [] for name in (UNSURE, BROKEN))
    pairs = [(row.judge, row.human) for row in rows]
    return ConfusionMatrix.from_pairs(pairs, classes, rows_name=rows_name, unsure=unsure, broken=broken)


def _report(table: LabelTable, rows: Sequence[LabelRow], classes: Sequence[str]) -> AgreementReport:
    strata = _strata(table, rows, classes)
    events: dict[str, tuple[int, int]] | None = None
    if "event" in table.columns:
        events = {}
        for row in rows:
            if row.judge in classes and row.human in classes:
                # An item without an event stands for itself.
                name = row.event or f"\x00line {row.line}"
                agreed, labels = events.get(name, (0, 0))
                events[name] = (agreed + (row.judge == row.human), labels + 1)
    kind = None if strata else _kind(table, rows)
    return agreement_report(_matrix(rows, classes, table.rows_name), strata=strata, sample=kind, events=events)


def _kind(table: LabelTable, rows: Sequence[LabelRow]) -> SampleKind:
    """What the strata say of the sample when the frame is not known."""
    if "stratum" not in table.columns and "frame_size" not in table.columns:
        return SampleKind.UNKNOWN
    pairs = {(row.stratum, row.judge) for row in rows if row.stratum and not is_missing(row.judge)}
    is_by_row = len({stratum for stratum, _ in pairs}) == len({judge for _, judge in pairs}) == len(pairs)
    return SampleKind.BY_ROW if is_by_row else SampleKind.STRATIFIED


def _strata(table: LabelTable, rows: Sequence[LabelRow], classes: Sequence[str]) -> list[TableStratum]:
    if "frame_size" not in table.columns:
        return []
    sizes: dict[str, tuple[int, int]] = {}
    members: dict[str, list[LabelRow]] = {}
    for row in rows:
        if not row.stratum:
            continue
        members.setdefault(row.stratum, []).append(row)
        if row.frame_size is None:
            continue
        before, line = sizes.setdefault(row.stratum, (row.frame_size, row.line))
        if before != row.frame_size:
            raise InputError(
                f"Line {row.line}: the stratum “{row.stratum}” has frame size {row.frame_size} here and {before} in "
                f"line {line}.",
                "Give each stratum one frame size: how many items of it there were to draw from.",
            )
    strata = []
    for name in sorted(members):
        matrix = _matrix(members[name], classes)
        if name not in sizes:
            raise InputError(
                f"Line {members[name][0].line}: the stratum “{name}” has no frame size.",
                "Fill in frame_size for every stratum, or leave the column out.",
            )
        if sizes[name][0] < len(members[name]):
            raise InputError(
                f"Line {sizes[name][1]}: the stratum “{name}” has {len(members[name])} labelled items but a frame size "
                f"of {sizes[name][0]}.",
                "The frame size counts all items that could have been drawn, at least those labelled.",
            )
        strata.append(TableStratum(name, sizes[name][0], matrix.counts))
    return strata
