"""The command `agreement`: every statistic that a table of judge and human labels allows. Needs no project."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, echo_json, json_option
from btc_gui.domain.label_rows import LabelAgreement, LabelTable, label_agreement, read_label_table
from btc_gui.domain.report_lines import text_lines
from btc_gui.errors import InputError
from btc_gui.store.whole_text import whole_text

_SHOWN = 20
#: In bytes; each row becomes some objects.
_LARGEST = 16_000_000


@click.command("agreement")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--classes", default="", metavar="A,B,…", help="All classes in order, also those that no label uses.")
@json_option
@click.pass_context
def agreement_command(context: click.Context, file: Path, classes: str, as_json: bool) -> None:
    """Say how well judge and human agree, from a CSV file.

    Columns: judge (or classifier), human; optional stratum, frame_size (items of the stratum in the frame), event,
    annotator. Blank labels are missing, “unsure” is an abstention, “broken” an item that can't be labelled; they are
    left out and counted. With frame sizes the statistics of the benchmark are given too.
    """
    table = read_label_table(_text_of(file))
    found = label_agreement(table, _declared(classes))
    if as_json:
        echo_json(_as_json(file, table, found))
    else:
        for line in _lines(file, found):
            click.echo(line)
    context.exit(DONE_IN_PART if found.rejected else DONE)


def _text_of(file: Path) -> str:
    try:
        return whole_text(file, largest=_LARGEST)
    except OSError as error:
        raise InputError(f"{file} can't be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{file} is not UTF-8 (line {line}).", "Save it as CSV in UTF-8.") from error


def _declared(classes: str) -> list[str]:
    if not classes:
        return []
    names = [name.strip() for name in classes.split(",")]
    if len(names) < 2 or not all(names):
        raise InputError(f"“{classes}” is no list of classes.", "Name two or more, separated by commas.")
    return names


def _as_json(file: Path, table: LabelTable, found: LabelAgreement) -> dict[str, object]:
    return {
        "file": str(file),
        "read": len(table.rows) + len(table.rejected),
        "rejected": [asdict(row) for row in found.rejected],
        "classes_declared": found.classes_declared,
        **found.report.as_json(),
        "annotators": {name: report.as_json() for name, report in found.by_annotator.items()},
    }


def _lines(file: Path, found: LabelAgreement) -> list[str]:
    lines = [str(file), "", *text_lines(found.report)]
    if not found.classes_declared:
        lines.append("The classes are those of the file; AC1 and Brennan–Prediger need all of them (--classes).")
    for name, report in found.by_annotator.items():
        parts = [
            f"{statistic.name} {statistic.text}"
            for statistic in report.statistics
            if statistic.key in ("observed_agreement", "kappa")
        ]
        lines.append(f"{name}: {'; '.join(parts)}")
    if found.by_annotator:
        lines.append("The figures above the annotators count every annotator's label as an item of its own.")
    if found.rejected:
        lines += ["", f"Rejected: {len(found.rejected)} rows"]
        lines += [f"  line {row.line}: {row.reason}" for row in found.rejected[:_SHOWN]]
        if len(found.rejected) > _SHOWN:
            lines.append(f"  and {len(found.rejected) - _SHOWN} more (--json lists all)")
    return lines
