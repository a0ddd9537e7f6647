"""What the project is: its name, where it came from, how much is in it."""

from __future__ import annotations

from btc_gui.records import dataclass
from btc_gui.store.database import Database
from btc_gui.store.query import LOADED


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """How many rows of each subject count."""

    events: int
    probes: int
    accepted: int
    runs: int
    answers: int
    verdicts: int
    classifications: int
    studies: int
    labels: int


class ProjectStore:
    """Facts about the project as a whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def value(self, key: str, default: str = "") -> str:
        """One fact, such as `name`, `created_at` or `illustrative`."""
        row = self._database.read().execute("SELECT value FROM project WHERE key = ?", (key,)).fetchone()
        return str(row["value"]) if row else default

    def set_value(self, key: str, value: str) -> None:
        """Set one fact."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO project (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )

    @property
    def name(self) -> str:
        """The project's name."""
        return self.value("name", self._database.path.stem)

    @property
    def is_illustrative(self) -> bool:
        """Whether the project holds made-up behaviour (the demo): shown wherever results are shown."""
        return self.value("illustrative") == "yes"

    @property
    def has_probes(self) -> bool:
        """Whether there is anything to review. Counting all rows would hold up the first page."""
        row = self._database.read().execute(f"SELECT EXISTS (SELECT 1 FROM probe WHERE {LOADED.format(table='probe')})")
        return bool(row.fetchone()[0])

    def counts(self) -> ProjectCounts:
        """How much of everything there is."""
        event, probe = LOADED.format(table="event"), LOADED.format(table="probe")
        row = (
            self._database.read()
            .execute(f"""
                SELECT (SELECT count(*) FROM event WHERE {event}),
                       (SELECT count(*) FROM probe WHERE {probe}),
                       (SELECT count(*) FROM probe WHERE status = 'accepted' AND {probe}),
                       (SELECT count(*) FROM run),
                       (SELECT count(*) FROM answer WHERE is_final = 1),
                       (SELECT count(*) FROM verdict WHERE is_current = 1),
                       (SELECT count(*) FROM classification WHERE is_current = 1),
                       (SELECT count(*) FROM study),
                       (SELECT count(*) FROM human_label WHERE undoes IS NULL AND NOT EXISTS (
                           SELECT 1 FROM human_label AS undo
                           WHERE undo.packet_id = human_label.packet_id AND undo.undoes = human_label.sequence))
            """)
            .fetchone()
        )
        return ProjectCounts(*row)
