"""Which curator is to review which probes."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.dates import now_utc
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.review import Decision
from btc_gui.domain.review_assignment import AssignmentPlan, Round, RoundId
from btc_gui.errors import InputError
from btc_gui.store.database import Database
from btc_gui.store.query import placeholders
from btc_gui.store.reviews import derive, read_decision

_SHARED = "SELECT probe_id FROM review_assignment GROUP BY probe_id HAVING count(*) > 1"


class AssignmentStore:
    """The assignments of a project: a probe goes to a curator once, and to several only when it is shared."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, plan: AssignmentPlan, author: str) -> RoundId:
        """Assign as planned, in one transaction. Raises `InputError` when the name is empty or taken, or a probe of
        the plan was assigned to somebody meanwhile."""
        name = name.strip()
        if not name:
            raise InputError("An assignment needs a name.")
        rows = [
            (reviewer, place, probe_id)
            for reviewer, probes in plan.by_reviewer.items()
            for place, probe_id in enumerate(probes, 1)
        ]
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM review_round WHERE name = ?", (name,)).fetchone():
                raise InputError(f"There is an assignment “{name}” already.", "Choose another name.")
            assigned = {row[0] for row in connection.execute("SELECT probe_id FROM review_assignment")}
            if any(probe_id in assigned for _, _, probe_id in rows):
                raise InputError("Some of these probes were assigned in the meantime.", "Look at the plan again.")
            cursor = connection.execute(
                "INSERT INTO review_round (name, shared, created_by, created_at) VALUES (?, ?, ?, ?)",
                (name, len(plan.shared), author, now_utc()),
            )
            assert cursor.lastrowid is not None
            connection.executemany(
                "INSERT INTO review_assignment (round_id, reviewer, place, probe_id) VALUES (?, ?, ?, ?)",
                [(cursor.lastrowid, *row) for row in rows],
            )
            for probe_id in plan.shared:
                if connection.execute("SELECT 1 FROM decision WHERE probe_id = ? LIMIT 1", (probe_id,)).fetchone():
                    derive(connection, probe_id)
            return RoundId(cursor.lastrowid)

    def withdraw(self, round_id: RoundId) -> None:
        """Take an assignment back; the decisions that were made stay."""
        with self._database.write() as connection:
            shared = [
                row[0]
                for row in connection.execute(
                    f"SELECT DISTINCT probe_id FROM review_assignment WHERE round_id = ? AND probe_id IN ({_SHARED})",
                    (round_id,),
                )
            ]
            connection.execute("DELETE FROM review_round WHERE id = ?", (round_id,))
            for probe_id in shared:
                if connection.execute("SELECT 1 FROM decision WHERE probe_id = ? LIMIT 1", (probe_id,)).fetchone():
                    derive(connection, probe_id)

    def rounds(self) -> list[Round]:
        """All assignments, the newest first."""
        read = self._database.read()
        counts: dict[int, dict[str, int]] = {}
        for row in read.execute(
            "SELECT round_id, reviewer, count(*) FROM review_assignment GROUP BY round_id, reviewer ORDER BY reviewer"
        ):
            counts.setdefault(row[0], {})[row[1]] = row[2]
        return [
            Round(
                RoundId(row["id"]),
                row["name"],
                row["shared"],
                counts.get(row["id"], {}),
                row["created_by"],
                row["created_at"],
            )
            for row in read.execute("SELECT * FROM review_round ORDER BY id DESC")
        ]

    def find(self, name: str) -> Round:
        """The assignment of this name. Raises `InputError` with the names there are when there is none."""
        rounds = self.rounds()
        for each in rounds:
            if each.name == name:
                return each
        known = ", ".join(f"“{each.name}”" for each in rounds) or "none"
        raise InputError(f"There is no assignment “{name}” in this project.", f"Assignments: {known}.")

    def reviewers(self) -> list[str]:
        """Who has probes assigned, by name."""
        rows = self._database.read().execute("SELECT DISTINCT reviewer FROM review_assignment ORDER BY 1")
        return [row[0] for row in rows]

    def of_reviewer(self, reviewer: str) -> list[ProbeId]:
        """The probes of a curator, round by round, in their order."""
        rows = self._database.read().execute(
            "SELECT probe_id FROM review_assignment WHERE reviewer = ? ORDER BY round_id, place", (reviewer,)
        )
        return [ProbeId(row[0]) for row in rows]

    def of_probes(self, probe_ids: Sequence[ProbeId]) -> dict[ProbeId, frozenset[str]]:
        """Who is to review each of a few probes (unassigned ones left out)."""
        found: dict[ProbeId, set[str]] = {}
        rows = self._database.read().execute(
            f"SELECT probe_id, reviewer FROM review_assignment WHERE probe_id IN ({placeholders(probe_ids)})", probe_ids
        )
        for row in rows:
            found.setdefault(ProbeId(row[0]), set()).add(row[1])
        return {probe_id: frozenset(names) for probe_id, names in found.items()}

    def all(self) -> dict[ProbeId, frozenset[str]]:
        """Who is to review each assigned probe."""
        found: dict[ProbeId, set[str]] = {}
        rows = self._database.read().execute("SELECT probe_id, reviewer FROM review_assignment")
        for row in rows:
            found.setdefault(ProbeId(row[0]), set()).add(row[1])
        return {probe_id: frozenset(names) for probe_id, names in found.items()}

    def shared(self) -> dict[ProbeId, frozenset[str]]:
        """The probes that several curators are to review, with their names."""
        return {probe_id: names for probe_id, names in self.all().items() if len(names) > 1}

    def logs_of_shared(self) -> dict[ProbeId, list[Decision]]:
        """The review log of every shared probe that has one."""
        found: dict[ProbeId, list[Decision]] = {}
        rows = self._database.read().execute(
            f"SELECT * FROM decision WHERE probe_id IN ({_SHARED}) ORDER BY probe_id, id"
        )
        for row in rows:
            found.setdefault(ProbeId(row["probe_id"]), []).append(read_decision(row))
        return found

    def unassigned(self, probe_ids: Sequence[ProbeId]) -> list[ProbeId]:
        """Those of these probes that nobody is to review yet, in their order."""
        assigned = {row[0] for row in self._database.read().execute("SELECT probe_id FROM review_assignment")}
        return [probe_id for probe_id in probe_ids if probe_id not in assigned]
