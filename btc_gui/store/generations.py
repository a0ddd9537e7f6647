"""Generations: what a model was asked to write, what came of it, and which wordings are from it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.generation import FailedGeneration, GeneratedText, GenerationId, Provenance
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ReviewStatus, RevisionId
from btc_gui.domain.probe_rows import key_of
from btc_gui.domain.review import Action
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ProjectError
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId
from btc_gui.store.probes import NewProbe, ProbeStore
from btc_gui.store.query import CHUNK, LOADED, placeholders
from btc_gui.store.reviews import ReviewStore

#: The origin of wordings that a model wrote: of a new probe, of a direct one, and in place of an earlier wording.
GENERATED, PAIRED, REGENERATED = "generated", "paired", "regenerated"
#: Who a new wording of a direct probe is by when its event's facts moved (no curator, so none undoes it), and its note.
PAIRING, FACTS_MOVED = "pairing", "Written anew: the facts of the event have changed."

# The newest generation of the same thing that brought nothing, unless the probes are there by another way.
_OPEN = f"""
    FROM generation JOIN event ON event.id = generation.event_id
    WHERE generation.problem <> '' AND generation.dismissed_at = '' AND {LOADED.format(table="event")}
    AND NOT EXISTS (
        SELECT 1 FROM generation AS later WHERE later.event_id = generation.event_id AND later.kind = generation.kind
        AND later.probe_id IS generation.probe_id AND later.id > generation.id
    )
    AND (generation.probe_id IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM probe WHERE probe.event_id = generation.event_id AND probe.kind = generation.kind
        AND probe.added_at > generation.at
    ))
"""


@dataclass(frozen=True, slots=True)
class NewGeneration:
    """What was asked for. `probe_id` is the one probe to be written anew; None stands for an event's set.

    `context_hash` is the SHA-256 of the article as it was sent, empty without one.
    """

    event_id: EventId
    kind: ProbeKind
    model: str
    prompt_hash: str
    facts_hash: str
    author: str
    probe_id: ProbeId | None = None
    context_hash: str = ""
    note: str = ""


class GenerationStore:
    """The generations of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def attempts(self, event_ids: Sequence[EventId], kind: ProbeKind) -> dict[tuple[EventId, ProbeId | None], int]:
        """How often each event's set (None) or single probe was asked for already."""
        found: dict[tuple[EventId, ProbeId | None], int] = {}
        for start in range(0, len(event_ids), CHUNK):
            part = event_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT event_id, probe_id, count(*) AS n FROM generation "
                f"WHERE kind = ? AND event_id IN ({placeholders(part)}) GROUP BY event_id, probe_id",
                (kind, *part),
            )
            found |= {(EventId(row["event_id"]), row["probe_id"]): row["n"] for row in rows}
        return found

    def failed(self, *kinds: ProbeKind) -> list[FailedGeneration]:
        """What was asked for and has not come since, the newest first (of these kinds, or all)."""
        asked = kinds or tuple(ProbeKind)
        rows = self._database.read().execute(
            "SELECT generation.id, generation.event_id, event.entity, generation.kind, generation.probe_id, "
            "generation.model, generation.note, generation.problem, generation.call_id, generation.at, "
            "generation.probe_id IS NOT NULL OR EXISTS (SELECT 1 FROM probe WHERE probe.event_id = event.id "
            "AND probe.kind = generation.kind) AS is_rewrite "
            f"{_OPEN} AND generation.kind IN ({placeholders(asked)}) ORDER BY generation.id DESC",
            asked,
        )
        return [
            FailedGeneration(
                id=GenerationId(row["id"]),
                event_id=EventId(row["event_id"]),
                entity=row["entity"],
                kind=ProbeKind(row["kind"]),
                probe_id=row["probe_id"],
                model=row["model"],
                note=row["note"],
                problem=row["problem"],
                has_reply=row["call_id"] is not None,
                at=row["at"],
                is_rewrite=bool(row["is_rewrite"]),
            )
            for row in rows
        ]

    def provenance(self, revision_ids: Sequence[RevisionId]) -> dict[RevisionId, Provenance]:
        """Where these wordings are from, by revision; those that no model wrote are left out."""
        found: dict[RevisionId, Provenance] = {}
        for start in range(0, len(revision_ids), CHUNK):
            part = revision_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT generated_wording.revision_id, generated_wording.candidates, generation.*, "
                "model_call.input_tokens, model_call.output_tokens, model_call.cost, model_call.seconds "
                "FROM generated_wording JOIN generation ON generation.id = generated_wording.generation_id "
                "LEFT JOIN model_call ON model_call.id = generation.call_id "
                f"WHERE generated_wording.revision_id IN ({placeholders(part)})",
                part,
            )
            for row in rows:
                found[RevisionId(row["revision_id"])] = Provenance(
                    generation_id=GenerationId(row["id"]),
                    model=row["model"],
                    prompt_hash=row["prompt_hash"],
                    context_hash=row["context_hash"],
                    note=row["note"],
                    candidates=tuple(json.loads(row["candidates"])),
                    usage=Usage(input=row["input_tokens"] or 0, output=row["output_tokens"] or 0),
                    cost=row["cost"],
                    seconds=row["seconds"] or 0.0,
                    author=row["author"],
                    at=row["at"],
                )
        return found

    # -- writing (within the caller's transaction, if there is one) --------------------------------------------

    def add(self, new: NewGeneration, call_id: CallId | None, problem: str = "") -> GenerationId:
        """Keep what was asked for; with a `problem`, why nothing came of it."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO generation (event_id, kind, probe_id, call_id, model, prompt_hash, facts_hash, "
                "context_hash, note, problem, author, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    new.event_id,
                    new.kind,
                    new.probe_id,
                    call_id,
                    new.model,
                    new.prompt_hash,
                    new.facts_hash,
                    new.context_hash,
                    new.note,
                    problem,
                    new.author,
                    now_utc(),
                ),
            )
            assert cursor.lastrowid is not None
            return GenerationId(cursor.lastrowid)

    def dismiss(self, failures: Sequence[FailedGeneration], author: str) -> int:
        """Put aside what was to be written anew and did not come: the wording stays. Gives how many these were.

        What there are no probes of is left: it is still to be written.
        """
        ids = [each.id for each in failures if each.is_rewrite]
        with self._database.write() as connection:
            connection.executemany(
                "UPDATE generation SET dismissed_by = ?, dismissed_at = ? WHERE id = ? AND dismissed_at = ''",
                [(author, now_utc(), each) for each in ids],
            )
        return len(ids)

    def add_probes(
        self, new: NewGeneration, call_id: CallId, facts: EventFacts, texts: Sequence[GeneratedText]
    ) -> list[ProbeId]:
        """Add new probes to the event, in order, each bound to `facts`."""
        probes, origin = ProbeStore(self._database), GENERATED if new.kind is ProbeKind.INDIRECT else PAIRED
        with self._database.write() as connection:
            first = probes.next_ordinal(new.event_id, new.kind)
            batch = [
                NewProbe(
                    key=probes.free_key(key_of(facts, new.kind, text.content.text)),
                    event_id=new.event_id,
                    kind=new.kind,
                    ordinal=first + place,
                    content=text.content,
                    facts_hash=new.facts_hash,
                    origin=origin,
                    author=new.author,
                )
                for place, text in enumerate(texts)
            ]
            ids = probes.add_many(connection, batch, None)
            found = probes.fetch(ids)
            self._credit(new, call_id, {found[each].revision_id: text for each, text in zip(ids, texts, strict=True)})
            return ids

    def rewrite_probes(
        self, new: NewGeneration, call_id: CallId, probes: Sequence[Probe], texts: Sequence[GeneratedText]
    ) -> None:
        """Give these probes new wordings through the review's log, so that each can be undone.

        By `PAIRING`, if it was not a curator who asked for it but a direct probe that follows its event's facts.
        Raises `ProjectError` when one of them has another wording by now than `probes` say, or was accepted since.
        """
        reviews = ReviewStore(self._database)
        is_pairing = new.kind is ProbeKind.DIRECT and new.note == FACTS_MOVED
        with self._database.write():
            # Before anything is written: within a larger transaction an error later on would undo nothing.
            now = ProbeStore(self._database).fetch([probe.id for probe in probes])
            if any(probe.id not in now or now[probe.id].revision_id != probe.revision_id for probe in probes):
                raise ProjectError("The probe was edited in the meantime.", "Look at its new wording first.")
            if any(_is_accepted(now[probe.id]) and not _is_accepted(probe) for probe in probes):
                raise ProjectError(
                    "The probe was accepted in the meantime.", "Its wording stays; ask again if it must not."
                )
            wordings: dict[RevisionId, GeneratedText] = {}
            for probe, text in zip(probes, texts, strict=True):
                decision = reviews.decide(
                    probe.id,
                    probe.revision_id,
                    Action.EDIT,
                    PAIRING if is_pairing else new.author,
                    note=new.note,
                    edited=text.content,
                    origin=REGENERATED,
                )
                assert decision.new_revision_id is not None
                wordings[decision.new_revision_id] = text
            self._credit(new, call_id, wordings)

    def _credit(self, new: NewGeneration, call_id: CallId, wordings: Mapping[RevisionId, GeneratedText]) -> None:
        with self._database.write() as connection:
            generation_id = self.add(new, call_id)
            connection.executemany(
                "INSERT INTO generated_wording (revision_id, generation_id, candidates) VALUES (?, ?, ?)",
                [
                    (revision_id, generation_id, json.dumps(list(text.candidates), ensure_ascii=False))
                    for revision_id, text in wordings.items()
                ],
            )


def _is_accepted(probe: Probe) -> bool:
    return probe.status is ReviewStatus.ACCEPTED and not probe.is_stale
