"""Finding cases by their words: an index of one row a case, one column a kind of text.

The index holds words and their places, no texts. How texts become words is `domain/search_words`.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence

from btc_gui.domain.case import CasePool
from btc_gui.domain.search_terms import Near, Words
from btc_gui.domain.search_words import asked, indexed
from btc_gui.domain.trajectory import AnswerId, StepKind, Trajectory
from btc_gui.progress import Progress
from btc_gui.store import bodies
from btc_gui.store.database import Database

#: So many characters of a case are searchable: one trajectory of 100 MB must not hold up everybody who writes.
SEARCHABLE_CHARACTERS = 4_000_000
_TABLES = {CasePool.EVALUATION: "case_words", CasePool.FILTER: "filter_words"}
_COLUMNS = ("answer", "query", "result", "reasoning", "probe")
#: So many cases are read at once: what they say is held in memory.
_BATCHES = {CasePool.EVALUATION: 25, CasePool.FILTER: 500}
_LOCK_SECONDS = 0.015
#: Which of an answer's texts a step holds.
COLUMN_OF_STEP = {
    StepKind.ANSWER: "answer",
    StepKind.QUERY: "query",
    StepKind.REASONING: "reasoning",
    StepKind.MESSAGE: "reasoning",
    StepKind.TOOL: "query",
}
_POOL = "CASE run.purpose WHEN 'filter' THEN 1 ELSE 0 END"

Texts = dict[str, list[str]]


# -- writing --------------------------------------------------------------------------------------------------


def words_of(trajectory: Trajectory) -> dict[str, str]:
    """What the index takes of a trajectory, by column.

    A million characters of other scripts take a second: nothing to do while others wait to write.
    """
    texts: Texts = {column: [] for column in _COLUMNS}
    texts["answer"].append(trajectory.answer)
    for step in trajectory.steps:
        texts[COLUMN_OF_STEP[step.kind]].append(step.text)
        texts["result"] += _delivered([(each.title, each.excerpts) for each in step.results], step.output)
    return dict(zip(_COLUMNS, _row(texts), strict=True))


def index(connection: sqlite3.Connection, answer_id: AnswerId, words: dict[str, str]) -> None:
    """Make a case findable by its words and its probe's (within the caller's transaction)."""
    row = connection.execute(
        f"SELECT {_POOL} AS is_filter, ifnull(probe_revision.text, run_item.request) AS text FROM answer "
        "JOIN run_item ON run_item.id = answer.run_item_id JOIN run ON run.id = run_item.run_id "
        "LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id WHERE answer.id = ?",
        (answer_id,),
    ).fetchone()
    whole = {**words, "probe": indexed([row["text"]])}
    pool = CasePool.FILTER if row["is_filter"] else CasePool.EVALUATION
    _insert(connection, pool, [(answer_id, [whole[column] for column in _COLUMNS])])


def _delivered(results: Sequence[tuple[str, Sequence[str]]], output: str) -> list[str]:
    """What a step gave back. The text that was delivered has titles and excerpts in it already."""
    if output:
        return [output, *(title for title, _ in results if title not in output)]
    return [text for title, excerpts in results for text in (title, *excerpts)]


def _row(texts: Texts) -> list[str]:
    left = SEARCHABLE_CHARACTERS
    row = {}
    for column in ("answer", "probe", "query", "reasoning", "result"):
        kept = []
        for text in dict.fromkeys(texts[column]):
            if left <= 0:
                break
            kept.append(text[:left])
            left -= len(text)
        row[column] = indexed(kept)
    return [row[column] for column in _COLUMNS]


def _insert(connection: sqlite3.Connection, pool: CasePool, rows: Iterable[tuple[AnswerId, Sequence[str]]]) -> None:
    connection.executemany(
        f"INSERT INTO {_TABLES[pool]} (rowid, {', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)",
        ((answer_id, *row) for answer_id, row in rows),
    )


def count_indexed(connection: sqlite3.Connection, pool: CasePool) -> int:
    """How many answers' words were put in so far: it grows with every one of them."""
    return int(connection.execute(f"SELECT count(*) FROM {_TABLES[pool]}_docsize").fetchone()[0])


def indexed_among(connection: sqlite3.Connection, pool: CasePool, ids: Sequence[AnswerId]) -> list[AnswerId]:
    """Those of some answers whose words were put in."""
    wanted = "SELECT value FROM json_each(?)"
    rows = connection.execute(f"SELECT id FROM {_TABLES[pool]}_docsize WHERE id IN ({wanted})", (json.dumps(ids),))
    return [row[0] for row in rows]


def indexed_ids(connection: sqlite3.Connection, pool: CasePool) -> list[AnswerId]:
    """The answers whose words were put in, also those that count no more: nothing is taken out of the index."""
    return [row[0] for row in connection.execute(f"SELECT id FROM {_TABLES[pool]}_docsize")]


def index_missing(database: Database, pool: CasePool, progress: Progress) -> int:
    """Make all cases of a pool findable that are not yet; gives how many these were.

    Texts are read without any lock, and written in transactions so short that nobody who decides has to wait. May be
    cancelled, and goes on where it was. Two at once do each case once.
    """
    connection = database.read()
    missing = [
        row[0]
        for row in connection.execute(
            "SELECT answer.id FROM run JOIN run_item ON run_item.run_id = run.id "
            "JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1 "
            f"WHERE {_POOL} = ? AND answer.id NOT IN (SELECT id FROM {_TABLES[pool]}_docsize) ORDER BY answer.id",
            (int(pool is CasePool.FILTER),),
        )
    ]
    batch = _BATCHES[pool]
    for start in range(0, len(missing), batch):
        progress.report(start, len(missing), "making cases searchable")
        part = missing[start : start + batch]
        texts = texts_of(connection, part)
        waiting = [(answer_id, _row(texts[answer_id])) for answer_id in part]
        while waiting:
            waiting = _insert_some(database, pool, waiting)
            progress.check()
    return len(missing)


def _insert_some(
    database: Database, pool: CasePool, waiting: list[tuple[AnswerId, list[str]]]
) -> list[tuple[AnswerId, list[str]]]:
    with database.write(durable=False) as connection:
        # By the processor's time: on a busy machine the clock would make of each case a transaction, at twice the work.
        began = time.thread_time()
        done = 0
        for answer_id, row in waiting:
            known = connection.execute(f"SELECT 1 FROM {_TABLES[pool]}_docsize WHERE id = ?", (answer_id,)).fetchone()
            if known is None:
                _insert(connection, pool, [(answer_id, row)])
            done += 1
            if time.thread_time() - began > _LOCK_SECONDS:
                break
    return waiting[done:]


# -- reading --------------------------------------------------------------------------------------------------


def texts_of(connection: sqlite3.Connection, ids: Sequence[AnswerId]) -> dict[AnswerId, Texts]:
    """The searchable texts of some cases, by column."""
    wanted = json.dumps(ids)
    found: dict[AnswerId, Texts] = {answer_id: {column: [] for column in _COLUMNS} for answer_id in ids}
    heads = connection.execute(
        "SELECT answer.id, answer.body_id, ifnull(probe_revision.text, run_item.request) FROM answer "
        "JOIN run_item ON run_item.id = answer.run_item_id "
        "LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id "
        "WHERE answer.id IN (SELECT value FROM json_each(?))",
        (wanted,),
    ).fetchall()
    steps = connection.execute(
        "SELECT id, answer_id, kind, body_id, output_id FROM step "
        "WHERE answer_id IN (SELECT value FROM json_each(?)) ORDER BY answer_id, number",
        (wanted,),
    ).fetchall()
    results: dict[int, list[tuple[str, int | None]]] = {}
    for row in connection.execute(
        "SELECT step_id, title, excerpts_id FROM search_result WHERE step_id IN "
        "(SELECT id FROM step WHERE answer_id IN (SELECT value FROM json_each(?))) ORDER BY step_id, rank",
        (wanted,),
    ):
        results.setdefault(row[0], []).append((row[1], row[2]))
    # An output has the excerpts in it: then they need not be read at all.
    unsaid = [each[1] for step in steps if step[4] is None for each in results.get(step[0], ())]
    bodies_wanted = [head[1] for head in heads] + [step[i] for step in steps for i in (3, 4)] + unsaid
    texts = bodies.fetch(connection, bodies_wanted)
    for answer_id, body_id, probe in heads:
        found[answer_id]["answer"].append(texts.get(body_id, ""))
        found[answer_id]["probe"].append(probe)
    for step_id, answer_id, kind, body_id, output_id in steps:
        columns = found[answer_id]
        columns[COLUMN_OF_STEP[StepKind(kind)]].append(texts.get(body_id, ""))
        given = [
            (title, tuple(json.loads(texts[excerpts])) if excerpts in texts else ())
            for title, excerpts in results.get(step_id, ())
        ]
        columns["result"] += _delivered(given, texts.get(output_id, ""))
    return found


def matching(connection: sqlite3.Connection, pool: CasePool, words: Words | Near) -> list[AnswerId]:
    """The cases in which these words stand one behind the other (or near each other), in the order of their ids."""
    left = words.left if isinstance(words, Near) else words
    asked_for = _phrase(left)
    if isinstance(words, Near):
        asked_for = f"NEAR({asked_for} {_phrase(words.right)}, {words.distance})"
    if left.field:
        asked_for = f"{left.field} : {asked_for}"
    # All in one row: of ten thousand, half the time would go into taking turns with other threads.
    row = connection.execute(
        f"SELECT json_group_array(rowid) FROM {_TABLES[pool]} WHERE {_TABLES[pool]} MATCH ?", (asked_for,)
    ).fetchone()
    found: list[AnswerId] = json.loads(row[0])
    return found


def having(
    connection: sqlite3.Connection,
    words: Sequence[Words],
    fields: Sequence[str],
    ids: Sequence[AnswerId],
    *,
    are_few: bool,
) -> list[AnswerId]:
    """Those of some cases of the evaluation that have one of these words in one of these fields.

    With `are_few`, all cases with the words are gone through once. Else each of `ids` is looked up, which is faster,
    but for one without the words goes on through the cases behind it, up to the next one that has them.
    """
    if not words or not ids:
        return []
    asked_for = " OR ".join(f"{{{each.field or ' '.join(fields)}}} : {_phrase(each)}" for each in words)
    row = connection.execute(
        "SELECT json_group_array(rowid) FROM case_words "
        f"WHERE case_words MATCH ? AND {'+' if are_few else ''}rowid IN (SELECT value FROM json_each(?))",
        (asked_for, json.dumps(ids)),
    ).fetchone()
    found: list[AnswerId] = json.loads(row[0])
    return found


def _phrase(words: Words) -> str:
    parts = words.units
    tokens, begins = asked(parts)
    quoted = '"' + " ".join(tokens).encode("utf-8", "replace").decode("utf-8") + '"'
    # Any part of a run of an unspaced script is found without a star.
    return f"{quoted} *" if begins or (words.begins and not parts[-1].is_run) else quoted
