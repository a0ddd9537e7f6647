"""What the linter found in the project's probes, what was let pass, and which probes to look at."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence

from btc_gui.domain.dates import now_utc
from btc_gui.domain.lint import Finding, Severity, Waiver
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.probe import ProbeId
from btc_gui.errors import InputError, ProjectError
from btc_gui.progress import Progress
from btc_gui.records import dataclass
from btc_gui.store.database import Database
from btc_gui.store.kept import Kept
from btc_gui.store.lint_check import MANY, apply_waivers, check_together, relint, the_linter, write_checks, write_prints
from btc_gui.store.query import CHUNK, LOADED, placeholders

#: What a list of probes can be narrowed to besides the rules' names: by their worst standing finding, by none (no
#: error and no warning), by what was let pass, and by not having been checked as they are now.
CLEAN, WAIVED, UNCHECKED = "clean", "waived", "unchecked"
_BATCH = 60
_STANDING = "EXISTS (SELECT 1 FROM lint_finding WHERE probe_id = probe.id AND waiver_id IS NULL AND {})"
_CURRENT = """EXISTS (
    SELECT 1 FROM lint_check JOIN event AS checked_event ON checked_event.id = probe.event_id
    WHERE probe_id = probe.id AND lint_check.revision_id = probe.revision_id
    AND lint_check.event_revision_id = checked_event.revision_id AND lint_check.version = ?)"""
# Whatever writes findings or waivers tells the counter; the others tell of probes that are to be checked anew.
_COUNTS: Kept[dict[str, int]] = Kept(
    "SELECT (SELECT changes FROM lint_counter), (SELECT count(*) FROM probe), (SELECT max(id) FROM probe_revision), "
    "(SELECT max(id) FROM event_revision), (SELECT max(id) FROM decision), "
    "(SELECT group_concat(id) FROM load WHERE completed_at IS NULL), :version"
)


def lint_condition(values: Collection[str]) -> tuple[str, list[object]]:
    """A condition on the table `probe`: any of these findings (a rule, a severity, clean, waived, unchecked).

    Raises `InputError` for another word.
    """
    conditions: list[str] = []
    bound: list[object] = []
    for value in values:
        if value in RULES:
            conditions.append(_STANDING.format("rule = ?"))
            bound.append(value)
        elif value in tuple(Severity):
            conditions.append(_STANDING.format("severity = ?"))
            bound.append(value)
        elif value == CLEAN:
            conditions.append(f"({_CURRENT} AND NOT {_STANDING.format('severity <> ?')})")
            bound += [the_linter().version, Severity.NOTE]
        elif value == WAIVED:
            conditions.append("EXISTS (SELECT 1 FROM lint_finding WHERE probe_id = probe.id AND waiver_id IS NOT NULL)")
        elif value == UNCHECKED:
            conditions.append(f"NOT {_CURRENT}")
            bound.append(the_linter().version)
        else:
            known = ", ".join((*Severity, CLEAN, WAIVED, UNCHECKED, *RULES))
            raise InputError(f"There is no finding “{value}”.", f"There are: {known}.")
    return f"({' OR '.join(conditions)})", bound


@dataclass(frozen=True, slots=True)
class LintWaiver:
    """A waiver as the log has it."""

    rule: str
    waiver: Waiver
    revision_id: int
    withdrawn_by: str = ""
    withdrawn_at: str = ""


class LintStore:
    """The findings of a project. Probes that change are checked in the same transaction, without being asked."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def findings(self, probe_ids: Sequence[ProbeId]) -> dict[ProbeId, tuple[Finding, ...]]:
        """What stands against each of these probes, the worst first, waived findings with their waiver.

        A probe that was never checked is left out; one with nothing against it has an empty tuple.
        """
        found: dict[ProbeId, list[Finding]] = {}
        connection = self._database.read()
        for start in range(0, len(probe_ids), CHUNK):
            part = probe_ids[start : start + CHUNK]
            checked = connection.execute(
                f"SELECT probe_id FROM lint_check WHERE probe_id IN ({placeholders(part)})", part
            )
            found.update((ProbeId(row[0]), []) for row in checked)
            rows = connection.execute(
                f"""
                SELECT lint_finding.*, lint_waiver.reason, lint_waiver.author, lint_waiver.at FROM lint_finding
                LEFT JOIN lint_waiver ON lint_waiver.id = lint_finding.waiver_id
                WHERE lint_finding.probe_id IN ({placeholders(part)}) ORDER BY lint_finding.id
                """,
                part,
            )
            for row in rows:
                found.setdefault(ProbeId(row["probe_id"]), []).append(_finding(row))
        return {probe_id: tuple(each) for probe_id, each in found.items()}

    def worst(self, probe_ids: Sequence[ProbeId]) -> dict[ProbeId, Severity]:
        """The worst standing finding of each of these probes that has one, for a mark in a list."""
        found: dict[ProbeId, Severity] = {}
        for start in range(0, len(probe_ids), CHUNK):
            part = probe_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT probe_id, min(CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END) "
                f"FROM lint_finding WHERE waiver_id IS NULL AND probe_id IN ({placeholders(part)}) GROUP BY probe_id",
                part,
            )
            found.update((ProbeId(row[0]), tuple(Severity)[row[1]]) for row in rows)
        return found

    def unchecked(self, probe_ids: Sequence[ProbeId] | None = None) -> list[ProbeId]:
        """Probes (of these, or all) that were never checked, or whose facts or the rules have changed since."""
        condition, bound = lint_condition([UNCHECKED])
        rows = self._database.read().execute(
            f"SELECT id FROM probe WHERE {condition} AND {LOADED.format(table='probe')} ORDER BY id", bound
        )
        found = [ProbeId(row[0]) for row in rows]
        if probe_ids is None:
            return found
        wanted = set(probe_ids)
        return [probe_id for probe_id in found if probe_id in wanted]

    def counts(self) -> dict[str, int]:
        """How many probes each word of `lint_condition` finds."""
        return dict(_COUNTS.get(self._database, self._count, bound={"version": the_linter().version}))

    def _count(self) -> dict[str, int]:
        connection = self._database.read()
        loaded = LOADED.format(table="probe")
        found: dict[str, int] = {}
        for column in ("severity", "rule"):
            rows = connection.execute(
                f"SELECT {column}, count(DISTINCT probe_id) FROM lint_finding JOIN probe ON probe.id = probe_id "
                f"WHERE waiver_id IS NULL AND {loaded} GROUP BY {column}"
            )
            found.update((row[0], row[1]) for row in rows)
        for value in (CLEAN, WAIVED, UNCHECKED):
            condition, bound = lint_condition([value])
            found[value] = connection.execute(
                f"SELECT count(*) FROM probe WHERE {condition} AND {loaded}", bound
            ).fetchone()[0]
        return found

    def waivers(self, probe_id: ProbeId) -> list[LintWaiver]:
        """Every waiver of a probe, oldest first, withdrawn ones and those of other wordings included."""
        rows = self._database.read().execute("SELECT * FROM lint_waiver WHERE probe_id = ? ORDER BY id", (probe_id,))
        return [
            LintWaiver(
                rule=row["rule"],
                waiver=Waiver(row["reason"], row["author"], row["at"]),
                revision_id=row["revision_id"],
                withdrawn_by=row["withdrawn_by"] or "",
                withdrawn_at=row["withdrawn_at"] or "",
            )
            for row in rows
        ]

    # -- checking --------------------------------------------------------------------------------------------

    def refresh(self, probe_ids: Sequence[ProbeId] | None = None, progress: Progress | None = None) -> int:
        """Check the probes (these, or all) that were not checked as they are now; gives how many were.

        May be cancelled (`Cancelled`): what is written stays, and the rest is unchecked as before.
        """
        progress = progress or Progress()
        stale = self.unchecked(probe_ids)
        if len(stale) < MANY:
            self._check_few(stale, progress)
            # What nearly repeats these, in case it was too much to be checked with them: now it is.
            rest = self.unchecked(probe_ids)
            self._check_few(rest, progress)
            stale += rest
        else:
            self._check_together(set(stale), progress)
        progress.tell(len(stale), len(stale), "Checked")
        return len(stale)

    def _check_few(self, stale: Sequence[ProbeId], progress: Progress) -> None:
        for done in range(0, len(stale), _BATCH):
            progress.report(done, len(stale), "Checking probes")
            with self._database.write(durable=False) as connection:
                relint(connection, stale[done : done + _BATCH])

    def _check_together(self, stale: set[ProbeId], progress: Progress) -> None:
        def reported(done: int, total: int) -> None:
            progress.report(done, 2 * total, "Checking probes")

        version = the_linter().version
        found = check_together(self._database.read(), stale, reported)
        for start in range(0, len(found), _BATCH):
            progress.report(len(found) + start, 2 * len(found), "Checking probes")
            part = found[start : start + _BATCH]
            with self._database.write(durable=False) as connection:
                now = self._revisions(connection, [probe.linted.key for probe, _ in part])
                # What changed while this was worked out has been checked by that change.
                same = [
                    (probe, checked)
                    for probe, checked in part
                    if now.get(probe.linted.key) == (probe.revision_id, probe.event_revision_id)
                ]
                write_prints(connection, [probe for probe, _ in same])
                write_checks(connection, same, version)

    def _revisions(self, connection: sqlite3.Connection, ids: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        rows = connection.execute(
            "SELECT probe.id, probe.revision_id, event.revision_id FROM probe JOIN event ON event.id = probe.event_id "
            f"WHERE probe.id IN ({placeholders(ids)})",
            ids,
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    # -- letting pass ----------------------------------------------------------------------------------------

    def waive(self, probe_id: ProbeId, rule: str, reason: str, author: str) -> None:
        """Let a rule pass on a probe's present wording, with a reason.

        Raises `InputError` without a reason, for a rule that is none or that found nothing in this probe.
        """
        reason = " ".join(reason.split())
        if rule not in RULES:
            raise InputError(f"There is no rule “{rule}”.", f"Rules: {', '.join(RULES)}.")
        if not reason:
            raise InputError("A waiver needs a reason.", "Say in a few words why the rule may be broken here.")
        with self._database.write() as connection:
            found = connection.execute(
                "SELECT count(*), count(waiver_id) FROM lint_finding WHERE probe_id = ? AND rule = ?", (probe_id, rule)
            ).fetchone()
            if not found[0]:
                raise InputError(f"The rule “{rule}” found nothing in this probe.", "There is nothing to let pass.")
            if found[0] == found[1]:
                raise InputError(f"The rule “{rule}” is waived on this probe already.")
            connection.execute(
                """
                INSERT INTO lint_waiver (probe_id, revision_id, facts_hash, rule, reason, author, at)
                SELECT probe.id, probe.revision_id, event_revision.facts_hash, ?, ?, ?, ? FROM probe
                JOIN event ON event.id = probe.event_id JOIN event_revision ON event_revision.id = event.revision_id
                WHERE probe.id = ?
                """,
                (rule, reason, author, now_utc(), probe_id),
            )
            apply_waivers(connection, [probe_id])

    def withdraw_waiver(self, probe_id: ProbeId, rule: str, author: str) -> None:
        """Take back the standing waivers of a rule on a probe; they stay in the log. Raises `ProjectError` for none."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "UPDATE lint_waiver SET withdrawn_by = ?, withdrawn_at = ? "
                "WHERE probe_id = ? AND rule = ? AND withdrawn_at IS NULL",
                (author, now_utc(), probe_id, rule),
            )
            if not cursor.rowcount:
                raise ProjectError(f"The rule “{rule}” is not waived on this probe.")
            apply_waivers(connection, [probe_id])


def _finding(row: sqlite3.Row) -> Finding:
    waiver = Waiver(row["reason"], row["author"], row["at"]) if row["waiver_id"] is not None else None
    return Finding(
        rule=row["rule"],
        severity=Severity(row["severity"]),
        start=row["start"],
        end=row["stop"],
        excerpt=row["excerpt"],
        why=row["why"],
        waiver=waiver,
    )
