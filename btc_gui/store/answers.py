"""Answers with their whole trajectories: one transaction each, and the same sample twice is a no-op."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.dates import now_utc
from btc_gui.domain.outline import TextPart, TextPlace
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import AnswerRow, RunId, RunItemId
from btc_gui.domain.trajectory import (
    AnswerId,
    Ending,
    ResultId,
    SearchResult,
    Step,
    StepId,
    StepKind,
    Trajectory,
)
from btc_gui.errors import ProjectError
from btc_gui.store import bodies, case_text
from btc_gui.store.bodies import storable
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders
from btc_gui.store.runs import configuration_from_row, usage_from_row

_FROM = """
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN configuration ON configuration.id = run_item.configuration_id
    LEFT JOIN probe ON probe.id = run_item.probe_id
"""


@dataclass(frozen=True, slots=True)
class PreparedAnswer:
    """An attempt ready to be stored: its words for the index, the stored form of excerpts, and all of its texts."""

    trajectory: Trajectory
    words: dict[str, str]
    excerpts: dict[tuple[str, ...], str]
    texts: bodies.PackedTexts


def prepare(trajectory: Trajectory, known: Callable[[Sequence[str]], Collection[str]] = lambda _: ()) -> PreparedAnswer:
    """Make an attempt ready for `AnswerStore.add_prepared`: what takes long is done before anybody waits to write.

    `known` gives which of some SHA-256s are those of stored texts. Raises `ProjectError` for a text that is too long.
    """
    steps = trajectory.steps
    excerpts = {
        result.excerpts: json.dumps(result.excerpts, ensure_ascii=False)
        for step in steps
        for result in step.results
        if result.excerpts
    }
    whole = (text for step in steps for text in (step.text, step.output))
    texts = bodies.pack(filter(None, (trajectory.answer, *whole, *excerpts.values())), known)
    return PreparedAnswer(trajectory, case_text.words_of(trajectory), excerpts, texts)


class AnswerStore:
    """The answers of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- writing ---------------------------------------------------------------------------------------------

    def add(self, run_item_id: RunItemId, trajectory: Trajectory, *, cancelled_counts: bool = False) -> AnswerId | None:
        """Store one attempt with everything that belongs to it, durably; None when its uuid is known already.

        It becomes the item's final answer unless it was cancelled or the item has one: then it is kept as
        one more attempt. `cancelled_counts` is for samples of logs, which nobody makes again.
        """
        return self.add_prepared(run_item_id, self.prepare(trajectory), cancelled_counts=cancelled_counts)

    def prepare(self, trajectory: Trajectory) -> PreparedAnswer:
        """An attempt made ready for `add_prepared`, which holds everybody else up for half as long then.

        Raises `ProjectError` for a text that is too long.
        """
        connection = self._database.read()
        return prepare(trajectory, lambda digests: bodies.known_digests(connection, digests))

    def add_prepared(
        self, run_item_id: RunItemId, prepared: PreparedAnswer, *, cancelled_counts: bool = False
    ) -> AnswerId | None:
        """Store one attempt whose texts were made ready before, as `add` does."""
        trajectory = prepared.trajectory
        with self._database.write() as connection:
            if _known_uuids(connection, [trajectory.uuid]):
                return None
            known = bodies.put_packed(connection, prepared.texts)
            added = _add_answers(connection, [(run_item_id, trajectory)], known, cancelled_counts=cancelled_counts)
            answer_id, is_final = added[0]
            _add_steps(connection, answer_id, prepared, known)
            if is_final:
                case_text.index(connection, answer_id, prepared.words)
            return answer_id

    def add_texts(self, batch: Sequence[tuple[RunItemId, Trajectory]]) -> dict[RunItemId, AnswerId]:
        """Store many attempts without their steps, in one durable transaction; those whose uuid is known are left out.

        For answers that are judged and counted, hardly ever read (those of a filter): no steps, and found by their
        words only once `index_missing` has been there. Which attempt is final is settled as in `add`.
        """
        connection = self._database.read()
        uuids = [trajectory.uuid for _, trajectory in batch]
        stored = _known_uuids(connection, uuids)
        new = (trajectory.answer for _, trajectory in batch if trajectory.uuid not in stored)
        texts = bodies.pack(filter(None, new), lambda digests: bodies.known_digests(connection, digests))
        with self._database.write() as connection:
            stored = _known_uuids(connection, uuids)
            first: dict[str, tuple[RunItemId, Trajectory]] = {}
            for each in batch:
                if each[1].uuid not in stored:
                    first.setdefault(each[1].uuid, each)
            added = _add_answers(connection, list(first.values()), bodies.put_packed(connection, texts))
        return {run_item_id: answer_id for (run_item_id, _), (answer_id, _) in zip(first.values(), added, strict=True)}

    # -- reading ---------------------------------------------------------------------------------------------

    def ids(self, run_id: RunId | None = None, *, only_final: bool = True) -> list[AnswerId]:
        """The answers of a run (or of the project), in the order of their items; all attempts on request."""
        conditions = ["answer.is_final = 1"] if only_final else []
        values: list[object] = []
        if run_id is not None:
            conditions.append("run_item.run_id = ?")
            values.append(run_id)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = self._database.read().execute(
            "SELECT answer.id FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
            f"{where} ORDER BY run_item.id, answer.id",
            values,
        )
        return [AnswerId(row["id"]) for row in rows]

    def uuids(self, run_id: RunId) -> set[str]:
        """The engine's ids of all samples of a run that are stored."""
        rows = self._database.read().execute(
            "SELECT uuid FROM answer JOIN run_item ON run_item.id = answer.run_item_id WHERE run_id = ?", (run_id,)
        )
        return {row["uuid"] for row in rows}

    def fetch(self, ids: Sequence[AnswerId]) -> dict[AnswerId, AnswerRow]:
        """The answers of `ids` without their steps, by id (unknown ids left out)."""
        found: dict[AnswerId, AnswerRow] = {}
        connection = self._database.read()
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = connection.execute(
                "SELECT answer.*, run_item.run_id, run_item.probe_id, run_item.revision_id, "
                "run_item.configuration_id, run_item.repetition, probe.key AS probe_key, "
                "configuration.model, configuration.harness, configuration.effort, configuration.search, "
                f"configuration.prompt_hash, configuration.as_of, configuration.settings {_FROM} "
                f"WHERE answer.id IN ({placeholders(part)})",
                part,
            ).fetchall()
            texts = bodies.fetch(connection, (row["body_id"] for row in rows))
            found.update({AnswerId(row["id"]): _answer_row(row, texts) for row in rows})
        return found

    def get(self, answer_id: AnswerId) -> AnswerRow:
        """One answer without its steps. Raises `ProjectError` when there is none of that id."""
        row = self.fetch([answer_id]).get(answer_id)
        if row is None:
            raise ProjectError(f"There is no answer {answer_id} in this project.")
        return row

    def trajectory(self, answer_id: AnswerId) -> Trajectory:
        """An answer whole. Raises `ProjectError` when there is none of that id."""
        connection = self._database.read()
        return trajectory_from_rows(
            connection, answer_id, lambda ids: bodies.fetch(connection, ids), lambda text: tuple(json.loads(text))
        )[0]


def trajectory_from_rows(
    connection: sqlite3.Connection,
    answer_id: AnswerId,
    read: Callable[[Sequence[int | None]], dict[int, str]],
    excerpts_of: Callable[[str], tuple[str, ...]],
    *,
    with_delivered: bool = True,
) -> tuple[Trajectory, list[tuple[TextPlace, int]]]:
    """An answer with the texts that `read` gives for their ids, and where each text is. `excerpts_of` takes a result's
    excerpts out of their stored form. Without `with_delivered`, the text that a query delivered is left out: it is as
    long as all of its results together, and they are there.

    Raises `ProjectError` when there is no answer of that id.
    """
    answer = connection.execute("SELECT * FROM answer WHERE id = ?", (answer_id,)).fetchone()
    if answer is None:
        raise ProjectError(f"There is no answer {answer_id} in this project.")
    steps = connection.execute(
        "SELECT id, number, kind, body_id, output_id, error, tool, agent, span, parent_span, at, seconds, "
        "hidden, dropped FROM step WHERE answer_id = ? ORDER BY number",
        (answer_id,),
    ).fetchall()
    results = connection.execute(
        "SELECT search_result.step_id, search_result.id, title, url, published, excerpts_id "
        "FROM search_result JOIN step ON step.id = search_result.step_id "
        "WHERE step.answer_id = ? ORDER BY search_result.step_id, search_result.rank",
        (answer_id,),
    ).fetchall()
    stored = [(TextPlace(TextPart.EXCERPTS, result_id), body_id) for _, result_id, *_, body_id in results]
    queries = {step_id for step_id, *_ in results} | {row["id"] for row in steps if row["kind"] == StepKind.QUERY}
    for row in steps:
        stored.append((TextPlace(TextPart.TEXT, row["id"]), row["body_id"]))
        if with_delivered or row["id"] not in queries:
            stored.append((TextPlace(TextPart.OUTPUT, row["id"]), row["output_id"]))
    places = [(place, body_id) for place, body_id in stored if body_id is not None]
    texts = read([answer["body_id"], *(body_id for _, body_id in places)])
    by_step: dict[int, list[SearchResult]] = {}
    for step_id, result_id, title, url, published, excerpts_id in results:
        excerpts = texts.get(excerpts_id, "")
        result = SearchResult(title, url, published, excerpts_of(excerpts) if excerpts else (), ResultId(result_id))
        by_step.setdefault(step_id, []).append(result)
    trajectory = Trajectory(
        uuid=answer["uuid"],
        ending=Ending(answer["ending"]),
        answer=texts.get(answer["body_id"], ""),
        steps=tuple(_step(row, texts, by_step.get(row["id"], [])) for row in steps),
        ending_reason=answer["ending_reason"],
        usage=usage_from_row(answer),
        cost=answer["cost"],
        seconds=answer["seconds"],
        started_at=answer["started_at"],
        finished_at=answer["finished_at"],
    )
    return trajectory, places


def _known_uuids(connection: sqlite3.Connection, uuids: Sequence[str]) -> set[str]:
    rows = connection.execute(
        "SELECT uuid FROM answer WHERE uuid IN (SELECT value FROM json_each(?))", (json.dumps(uuids),)
    )
    return {row[0] for row in rows}


def _add_answers(
    connection: sqlite3.Connection,
    batch: Sequence[tuple[RunItemId, Trajectory]],
    texts: Mapping[str, bodies.BodyId],
    *,
    cancelled_counts: bool = False,
) -> list[tuple[AnswerId, bool]]:
    """Add the answers' own rows; gives each one's id and whether it is its item's final one. `texts` says where their
    texts are."""
    items = json.dumps([run_item_id for run_item_id, _ in batch])
    rows = connection.execute(
        "SELECT run_item_id FROM answer WHERE is_final = 1 AND run_item_id IN (SELECT value FROM json_each(?))",
        (items,),
    )
    answered = {row[0] for row in rows}
    free = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM answer").fetchone()[0]
    now = now_utc()
    added, values = [], []
    for answer_id, (run_item_id, trajectory) in enumerate(batch, free):
        is_final = run_item_id not in answered and (cancelled_counts or trajectory.ending is not Ending.CANCELLED)
        if is_final:
            answered.add(run_item_id)
        added.append((AnswerId(answer_id), is_final))
        values.append(
            (
                answer_id,
                run_item_id,
                trajectory.uuid,
                int(is_final),
                trajectory.ending,
                storable(trajectory.ending_reason),
                texts.get(trajectory.answer),
                len(trajectory.queries),
                sum(len(step.results) for step in trajectory.queries),
                trajectory.usage.input,
                trajectory.usage.output,
                trajectory.usage.reasoning,
                trajectory.usage.cache_read,
                trajectory.usage.cache_write,
                trajectory.cost,
                trajectory.seconds,
                trajectory.started_at,
                trajectory.finished_at,
                now,
            )
        )
    connection.executemany(
        "INSERT INTO answer (id, run_item_id, uuid, is_final, ending, ending_reason, body_id, queries, results, "
        "input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, cost, seconds, "
        "started_at, finished_at, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        values,
    )
    return added


def _add_steps(
    connection: sqlite3.Connection, answer_id: AnswerId, prepared: PreparedAnswer, texts: Mapping[str, bodies.BodyId]
) -> None:
    """Add all steps of an answer with their results: two statements, however many there are."""
    steps = prepared.trajectory.steps
    free = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM step").fetchone()[0]
    connection.executemany(
        "INSERT INTO step (id, answer_id, number, kind, body_id, output_id, error, tool, agent, span, parent_span, at, "
        "seconds, hidden, dropped) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                step_id,
                answer_id,
                step.number,
                step.kind,
                texts.get(step.text),
                texts.get(step.output),
                storable(step.error),
                storable(step.tool),
                storable(step.agent),
                storable(step.span),
                storable(step.parent_span),
                step.at,
                step.seconds,
                int(step.is_hidden),
                step.dropped,
            )
            for step_id, step in enumerate(steps, free)
        ],
    )
    connection.executemany(
        "INSERT INTO search_result (step_id, rank, title, url, published, excerpts_id) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                step_id,
                rank,
                storable(result.title),
                storable(result.url),
                storable(result.published),
                texts[prepared.excerpts[result.excerpts]] if result.excerpts else None,
            )
            for step_id, step in enumerate(steps, free)
            for rank, result in enumerate(step.results, 1)
        ],
    )


def _answer_row(row: sqlite3.Row, texts: dict[int, str]) -> AnswerRow:
    return AnswerRow(
        id=AnswerId(row["id"]),
        run_item_id=RunItemId(row["run_item_id"]),
        run_id=RunId(row["run_id"]),
        probe_id=ProbeId(row["probe_id"]) if row["probe_id"] else None,
        probe_key=row["probe_key"] or "",
        revision_id=RevisionId(row["revision_id"]) if row["revision_id"] else None,
        configuration_id=ConfigurationId(row["configuration_id"]),
        configuration=configuration_from_row(row),
        repetition=row["repetition"],
        is_final=bool(row["is_final"]),
        ending=Ending(row["ending"]),
        ending_reason=row["ending_reason"],
        answer=texts.get(row["body_id"], ""),
        queries=row["queries"],
        results=row["results"],
        usage=usage_from_row(row),
        cost=row["cost"],
        seconds=row["seconds"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
    )


def _step(row: sqlite3.Row, texts: dict[int, str], results: list[SearchResult]) -> Step:
    # Unpacked, since looking each column up by its name takes three times as long.
    step_id, number, kind, body_id, output_id, *named, hidden, dropped = row
    error, tool, agent, span, parent_span, at, seconds = named
    return Step(
        number=number,
        kind=StepKind(kind),
        text=texts.get(body_id, ""),
        results=tuple(results),
        output=texts.get(output_id, ""),
        error=error,
        tool=tool,
        agent=agent,
        span=span,
        parent_span=parent_span,
        at=at,
        seconds=seconds,
        is_hidden=bool(hidden),
        dropped=dropped,
        id=StepId(step_id),
    )
