"""Lint the probes of a file, without a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.column_mapping import LoadSubject, guess_mapping
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected, read_event
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.linter import Linted, Linter
from btc_gui.domain.lint.rows import EventNumbers, ReadRow, RowMapping, map_columns, read_row
from btc_gui.domain.load_report import Rejection
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.release import PAIRS_FILE, read_pair
from btc_gui.domain.table_row import Row
from btc_gui.errors import InputError
from btc_gui.jobs.read_table import Table, open_table
from btc_gui.jobs.read_text import look_through, read_lines
from btc_gui.progress import Progress

_CONTENT = 300

#: The probes of a file by the line where they start, and what could not be read.
_Read = tuple[list[tuple[int, ReadRow]], list[Rejection]]


@dataclass(frozen=True, slots=True)
class LintedRow:
    """A probe of the file with what was found. `line` is where its row starts."""

    line: int
    key: str
    entity: str
    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FileLint:
    """What came of linting a file."""

    file: str
    read: int
    probes: tuple[LintedRow, ...]
    rejected: tuple[Rejection, ...] = ()
    version: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether there is no error, no warning and no row that could not be read."""
        severe = any(f.severity is not Severity.NOTE for probe in self.probes for f in probe.findings)
        return not severe and not self.rejected

    def as_json(self) -> dict[str, object]:
        """The report as the command prints it: the probes that something was found in, and the counts."""
        return {
            "file": self.file,
            "read": self.read,
            "rules": self.version,
            "counts": dict(self.counts),
            "rejected": [{"line": each.line, "reason": each.reason} for each in self.rejected],
            "probes": [
                {
                    "line": probe.line,
                    "probe": probe.key,
                    "entity": probe.entity,
                    "findings": [finding_as_json(finding) for finding in probe.findings],
                }
                for probe in self.probes
                if probe.findings
            ],
        }


def finding_as_json(finding: Finding) -> dict[str, object]:
    """A finding for machines; `start` and `end` are offsets in the probe's text, both 0 for the probe as a whole."""
    values: dict[str, object] = {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "start": finding.start,
        "end": finding.end,
        "excerpt": finding.excerpt,
        "why": finding.why,
    }
    if finding.waiver is not None:
        values["waiver"] = {
            "reason": finding.waiver.reason,
            "author": finding.waiver.author,
            "at": finding.waiver.at,
        }
    return values


def lint_file(
    path: Path,
    linter: Linter,
    categories: Mapping[str, Category],
    progress: Progress,
    *,
    events: Path | None = None,
    default_category: str = "",
) -> FileLint:
    """Lint every probe of a file whose rows name their event's facts, or events of the file `events`.

    A release's file of pairs is such a file too: of each pair both probes are linted, a direct one once. Raises
    `InputError` for a file that can't be read, has no column of texts, or of which not one row is a probe.
    """
    rows, rejected = _read_pairs(path, categories, progress) or _read_rows(
        path, categories, progress, events, default_category
    )
    if not rows:
        reason = f" Line {rejected[0].line}: {rejected[0].reason}." if rejected else ""
        raise InputError(f"{path}: no row is a probe.{reason}", "Rows need a text and the event that it is about.")
    probes = _lint(rows, linter, progress)
    counts = Counter(rule for probe in probes for rule in {f.rule for f in probe.findings})
    return FileLint(
        str(path), len(rows) + len(rejected), probes, tuple(rejected), linter.version, dict(sorted(counts.items()))
    )


def _read_pairs(path: Path, categories: Mapping[str, Category], progress: Progress) -> _Read | None:
    """The probes of a release's file of pairs, or of its folder; None where the first line is of no release."""
    rows: list[tuple[int, ReadRow]] = []
    rejected: list[Rejection] = []
    known: set[str] = set()
    with look_through(path / PAIRS_FILE if path.is_dir() else path, progress).open() as file:
        lines = (line for line in read_lines(file) if line.text.strip())
        first = next(lines, None)
        if first is None or not all(f'"{part}": {{' in first.text for part in ("direct", "indirect", "update")):
            return None
        for line in chain([first], lines):
            try:
                if line.problem:
                    raise ValueError(line.problem)
                pair = read_pair(line.text)
                if pair.facts.category not in categories:
                    raise ValueError(f"unknown category: “{pair.facts.category}”")
            except ValueError as error:
                rejected.append(Rejection(line.number, str(error), line.text[:_CONTENT]))
                continue
            for kind, probe in ((ProbeKind.INDIRECT, pair.indirect), (ProbeKind.DIRECT, pair.direct)):
                if probe.key not in known:
                    known.add(probe.key)
                    rows.append((line.number, ReadRow(probe.key, pair.facts, kind, len(known), probe.content)))
    return rows, rejected


def _read_rows(
    path: Path,
    categories: Mapping[str, Category],
    progress: Progress,
    events: Path | None,
    default_category: str,
) -> _Read:
    index = _read_events(events, categories, default_category, progress) if events is not None else None
    with open_table(path, progress) as table:
        mapping = _map(table)
        rejected: list[Rejection] = []
        rows: list[tuple[int, ReadRow]] = []
        for row in table.rows():
            if not isinstance(row, Row):
                rejected.append(Rejection(row.line, row.reason, row.content[:_CONTENT]))
                continue
            try:
                rows.append((row.line, read_row(row.values, mapping, categories, default_category, index)))
            except Rejected as error:
                rejected.append(Rejection(row.line, str(error), ", ".join(row.values.values())[:_CONTENT]))
    return rows, rejected


def _map(table: Table) -> RowMapping:
    mapping = map_columns(table.columns, [row.values for row in table.sample() if isinstance(row, Row)])
    if "text" not in mapping.probe:
        raise InputError(
            f"{table.name}: no column holds the request’s text. Its columns: {', '.join(table.columns)[:300]}.",
            "Name the column text, probe, prompt, question or request.",
        )
    return mapping


def _read_events(
    path: Path, categories: Mapping[str, Category], default_category: str, progress: Progress
) -> EventIndex:
    index = EventIndex()
    with open_table(path, progress) as table:
        sample = [row.values for row in table.sample() if isinstance(row, Row)]
        mapping = guess_mapping(LoadSubject.EVENTS, table.columns, sample)
        for number, row in enumerate(table.rows(), 1):
            if isinstance(row, Row):
                try:
                    facts = read_event(Cells(row.values, mapping), categories, default_category)
                    index.add(facts, EventId(number))
                except Rejected:
                    # The probes of such an event are rejected for want of it, each with its line.
                    continue
    return index


def _lint(rows: list[tuple[int, ReadRow]], linter: Linter, progress: Progress) -> tuple[LintedRow, ...]:
    numbers = EventNumbers()
    facts: dict[int, EventFacts] = {}
    probes: list[Linted[int]] = []
    for place, (line, row) in enumerate(rows, 1):
        event = numbers.of(row.facts)
        facts.setdefault(event, row.facts)
        name = row.key or f"line {line}"
        probes.append(Linted(place, event, name, row.kind, row.ordinal or place, row.content))
    checked = linter.check_all(probes, facts, lambda done: progress.report(done, len(probes), "Linting"))
    return tuple(
        LintedRow(line, row.key, row.facts.entity, row.content.text, checked[place].findings)
        for place, (line, row) in enumerate(rows, 1)
    )
