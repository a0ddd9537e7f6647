"""Checking probes within the transaction that changes them: their findings are never of another wording.

All stores of probes come here; the linter itself is loaded with the first check.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING

from btc_gui import paths
from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventFacts
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.alike import COMMON_PRINT, likeness, plain_wording, prints
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.records import dataclass
from btc_gui.store.facts_json import facts_from_json
from btc_gui.store.query import CHUNK, LOADED, placeholders

if TYPE_CHECKING:
    from btc_gui.domain.lint.linter import Checked, Linted, Linter

#: From so many probes on they are checked together, against all others in memory.
MANY = 200
#: How many probes of other events are checked at once because a wording that they nearly repeat has changed.
MOST_LIKES = 20


@dataclass(frozen=True, slots=True)
class StoredProbe:
    """A probe's current wording as the linter takes it, and which revisions these are."""

    linted: Linted[int]
    revision_id: int
    event_revision_id: int
    facts: EventFacts


def the_linter() -> Linter:
    """The linter with the words of the app's resources and of the person's own categories."""
    from btc_gui.domain.lint.linter import load_linter

    own = paths.own_categories()
    # Who has none shares one linter, wherever their settings lie.
    return load_linter(paths.resources(), own if own.is_dir() else None)


_SELECT = f"""
    SELECT probe.id, probe.key, probe.event_id, probe.kind, probe.ordinal, probe.revision_id, event.revision_id,
           probe_revision.text, probe_revision.requester, probe_revision.situation, probe_revision.consequence,
           event_revision.facts
    FROM probe JOIN probe_revision ON probe_revision.id = probe.revision_id
    JOIN event ON event.id = probe.event_id JOIN event_revision ON event_revision.id = event.revision_id
    WHERE {LOADED.format(table="probe")}
"""


def _stored(row: sqlite3.Row, linted: type[Linted[int]]) -> StoredProbe:
    key, name, event_id, kind, ordinal, revision_id, event_revision_id, text, who, situation, consequence, facts = row
    content = ProbeText(text, who, situation, consequence)
    probe = linted(key, event_id, name, ProbeKind(kind), ordinal, content)
    return StoredProbe(probe, revision_id, event_revision_id, facts_from_json(facts))


def read_probes(connection: sqlite3.Connection, ids: Iterable[int] | None = None) -> list[StoredProbe]:
    """These probes (all of them for None) with their current wordings, by id."""
    from btc_gui.domain.lint.linter import Linted

    if ids is None:
        return [_stored(row, Linted) for row in connection.execute(f"{_SELECT} ORDER BY probe.id")]
    wanted = sorted(set(ids))
    found: list[StoredProbe] = []
    for start in range(0, len(wanted), CHUNK):
        part = wanted[start : start + CHUNK]
        rows = connection.execute(f"{_SELECT} AND probe.id IN ({placeholders(part)}) ORDER BY probe.id", part)
        found += [_stored(row, Linted) for row in rows]
    return found


def relint(connection: sqlite3.Connection, probe_ids: Iterable[int]) -> None:
    """Check probes anew whose wording or facts changed, and those whose findings depend on theirs.

    These are the other probes of their events, and later probes that nearly repeated them, or do so now: `MOST_LIKES`
    of them, so that nobody waits for hundreds; the others count as unchecked until they are. Takes a few milliseconds
    an event.
    """
    from btc_gui.domain.lint.linter import Checked, in_order

    changed = set(probe_ids)
    if not changed:
        return
    if len(changed) >= MANY:
        found = check_together(connection, changed, lambda done, total: None)
        write_prints(connection, [probe for probe, _ in found])
        write_checks(connection, found, the_linter().version)
        return
    linter = the_linter()
    siblings = _siblings(connection, changed)
    # Whose likeness to probes of other events must be found anew; the others' has not changed.
    to_compare = _unchecked(connection, siblings | changed, linter.version)
    reworded = _reworded(connection, changed)
    likes = _repeating(connection, reworded)
    for probe in read_probes(connection, reworded):
        write_prints(connection, [probe])
        likes |= _like(connection, probe)
    ordered = sorted(likes - to_compare)
    to_compare |= set(ordered[:MOST_LIKES])
    _leave_unchecked(connection, ordered[MOST_LIKES:])
    probes = read_probes(connection, siblings | to_compare)
    events = {probe.linted.event for probe in probes}
    families = [read_probes(connection, _of_event(connection, event_id)) for event_id in sorted(events)]
    of_events: dict[int, list[Finding]] = {}
    for family in families:
        of_events.update(linter.check_event([each.linted for each in family]))
    checks: list[tuple[StoredProbe, Checked[int]]] = []
    for probe in probes:
        mine = probe.linted
        hit = _compared(connection, probe) if mine.key in to_compare else _kept(connection, mine.key)
        findings = [*linter.check_text(mine.content.text, probe.facts, mine.kind), *of_events[mine.key]]
        checked = Checked(in_order([*findings, hit[0]] if hit else findings), hit[1] if hit else None)
        checks.append((probe, checked))
    write_checks(connection, checks, linter.version)


def _compared(connection: sqlite3.Connection, probe: StoredProbe) -> tuple[Finding, int] | None:
    # It is the later one of two that is found to repeat the other.
    near = read_probes(connection, [i for i in _sharing_prints(connection, probe) if i < probe.linted.key])
    others = [(each.linted, plain_wording(each.linted.content.text)) for each in near]
    return the_linter().check_among(probe.linted, plain_wording(probe.linted.content.text), others)


def _kept(connection: sqlite3.Connection, probe_id: int) -> tuple[Finding, int] | None:
    row = connection.execute(
        "SELECT rule, severity, why, like_probe_id FROM lint_finding WHERE probe_id = ? AND like_probe_id IS NOT NULL",
        (probe_id,),
    ).fetchone()
    return None if row is None else (Finding(row[0], Severity(row[1]), 0, 0, "", row[2]), row[3])


def _like(connection: sqlite3.Connection, probe: StoredProbe) -> set[int]:
    """Those of other events, later ones, that a probe's wording is nearly that of."""
    plain, least = plain_wording(probe.linted.content.text), the_linter().common.limits["alike_of_project"]
    near = read_probes(connection, [i for i in _sharing_prints(connection, probe) if i > probe.linted.key])
    others = [each.linted for each in near if each.linted.event != probe.linted.event]
    return {other.key for other in others if likeness(plain, plain_wording(other.content.text), least)}


def _reworded(connection: sqlite3.Connection, ids: set[int]) -> set[int]:
    """Those of these that were last checked in another wording, or never: what repeats them may be another probe."""
    return _without_check(connection, ids, "lint_check.revision_id = probe.revision_id", [])


def _unchecked(connection: sqlite3.Connection, ids: set[int], version: str) -> set[int]:
    """Those of these whose present wording was not checked by the present rules."""
    is_current = "lint_check.revision_id = probe.revision_id AND lint_check.version = ?"
    return _without_check(connection, ids, is_current, [version])


def _without_check(connection: sqlite3.Connection, ids: set[int], condition: str, bound: Sequence[object]) -> set[int]:
    wanted = list(ids)
    rows = connection.execute(
        f"SELECT probe.id FROM probe LEFT JOIN lint_check ON lint_check.probe_id = probe.id AND {condition} "
        f"WHERE probe.id IN ({placeholders(wanted)}) AND lint_check.probe_id IS NULL",
        [*bound, *wanted],
    )
    return {row[0] for row in rows}


def _leave_unchecked(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Mark probes as not checked as they are now. Their wording stays known: checking them calls for no others."""
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        connection.execute(f"UPDATE lint_check SET version = '' WHERE probe_id IN ({placeholders(part)})", part)
        _count(connection)


def check_together(
    connection: sqlite3.Connection, wanted: Container[int], reported: Callable[[int, int], None]
) -> list[tuple[StoredProbe, Checked[int]]]:
    """Check all of the project's probes; gives those that were wanted, and those that repeat one of these.

    `reported` is told how many are done, of how many; what it raises ends the work.
    """
    probes = read_probes(connection)
    facts = {probe.linted.event: probe.facts for probe in probes}
    total = len(probes)
    checked = the_linter().check_all([probe.linted for probe in probes], facts, lambda done: reported(done, total))
    pairs = [(probe, checked[probe.linted.key]) for probe in probes]
    return [(probe, found) for probe, found in pairs if probe.linted.key in wanted or found.like in wanted]


def _siblings(connection: sqlite3.Connection, ids: set[int]) -> set[int]:
    wanted = list(ids)
    rows = connection.execute(
        f"SELECT id FROM probe WHERE event_id IN (SELECT event_id FROM probe WHERE id IN ({placeholders(wanted)}))",
        wanted,
    )
    return {row[0] for row in rows}


def _of_event(connection: sqlite3.Connection, event_id: int) -> list[int]:
    return [row[0] for row in connection.execute("SELECT id FROM probe WHERE event_id = ?", (event_id,))]


def _repeating(connection: sqlite3.Connection, ids: set[int]) -> set[int]:
    wanted = list(ids)
    rows = connection.execute(
        f"SELECT probe_id FROM lint_finding WHERE like_probe_id IN ({placeholders(wanted)})", wanted
    )
    return {row[0] for row in rows}


def _sharing_prints(connection: sqlite3.Connection, probe: StoredProbe) -> list[int]:
    if probe.linted.kind is not ProbeKind.INDIRECT:
        return []
    found: set[int] = set()
    for each in prints(plain_wording(probe.linted.content.text)):
        rows = connection.execute("SELECT probe_id FROM lint_print WHERE print = ? LIMIT ?", (each, COMMON_PRINT + 1))
        sharing = [row[0] for row in rows]
        if len(sharing) <= COMMON_PRINT:
            found.update(sharing)
    found.discard(probe.linted.key)
    return list(found)


def write_prints(connection: sqlite3.Connection, probes: Sequence[StoredProbe]) -> None:
    """Keep the prints of some probes' current wordings."""
    connection.executemany("DELETE FROM lint_print WHERE probe_id = ?", [(probe.linted.key,) for probe in probes])
    connection.executemany(
        "INSERT INTO lint_print (print, probe_id) VALUES (?, ?)",
        [
            (each, probe.linted.key)
            for probe in probes
            if probe.linted.kind is ProbeKind.INDIRECT
            for each in prints(plain_wording(probe.linted.content.text))
        ],
    )


def write_checks(
    connection: sqlite3.Connection, checks: Sequence[tuple[StoredProbe, Checked[int]]], version: str
) -> None:
    """Keep what was found in some probes, in place of what was; waivers of these wordings and facts go on holding."""
    at = now_utc()
    connection.executemany("DELETE FROM lint_finding WHERE probe_id = ?", [(probe.linted.key,) for probe, _ in checks])
    connection.executemany(
        "INSERT INTO lint_check (probe_id, revision_id, event_revision_id, version, at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (probe_id) DO UPDATE SET revision_id = excluded.revision_id, "
        "event_revision_id = excluded.event_revision_id, version = excluded.version, at = excluded.at",
        [(probe.linted.key, probe.revision_id, probe.event_revision_id, version, at) for probe, _ in checks],
    )
    connection.executemany(
        "INSERT INTO lint_finding (probe_id, rule, severity, start, stop, excerpt, why, like_probe_id) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                probe.linted.key,
                finding.rule,
                finding.severity,
                finding.start,
                finding.end,
                finding.excerpt,
                finding.why,
                checked.like if finding.rule == "duplicate" else None,
            )
            for probe, checked in checks
            for finding in checked.findings
        ],
    )
    found = [probe.linted.key for probe, checked in checks if checked.findings]
    for start in range(0, len(found), CHUNK):
        apply_waivers(connection, found[start : start + CHUNK])
    _count(connection)


def apply_waivers(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Mark the findings that a person let pass, and only those."""
    connection.execute(
        f"""
        UPDATE lint_finding SET waiver_id = (
            SELECT max(lint_waiver.id) FROM lint_waiver
            JOIN probe ON probe.id = lint_waiver.probe_id AND probe.revision_id = lint_waiver.revision_id
            JOIN event ON event.id = probe.event_id
            JOIN event_revision ON event_revision.id = event.revision_id
                AND event_revision.facts_hash = lint_waiver.facts_hash
            WHERE lint_waiver.probe_id = lint_finding.probe_id AND lint_waiver.rule = lint_finding.rule
                AND lint_waiver.withdrawn_at IS NULL
        ) WHERE probe_id IN ({placeholders(ids)})
        """,
        ids,
    )
    _count(connection)


def _count(connection: sqlite3.Connection) -> None:
    """What is shown of findings is to be read anew."""
    connection.execute("UPDATE lint_counter SET changes = changes + 1")
