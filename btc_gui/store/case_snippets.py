"""The lines that a search shows under cases: of each case the first place with one of its words.

Some cases are read together, in few statements and rows: with each row that SQLite gives, other threads may take
Python, and lines are read while the window paints. The index tells whether a case has the words in what its steps gave,
or before; texts are unpacked one by one, no further than to the first place.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from btc_gui.domain.case import CasePool
from btc_gui.domain.search_snippet import CaseText, Snippet, SnippetSearch
from btc_gui.domain.search_terms import Term, wanted_words
from btc_gui.domain.trajectory import AnswerId, StepKind
from btc_gui.progress import Progress
from btc_gui.store import bodies, case_text

_AT_ONCE = 20
#: Of each case so many texts are read at first, and twice as many each time that none of them has a word.
_FIRST_ROUND = 2
#: So many characters are read in one round, or one text.
_MOST_IN_ROUND = 1_000_000
#: A case's own texts, in the order in which they are looked at. What its steps gave follows, then its probe.
_OWN = ("answer", "query", "reasoning")


@dataclass(frozen=True, slots=True)
class _Part:
    """One text of a case: at hand, or stored as a body (with `is_list` as a JSON array of excerpts)."""

    field: str
    step: int | None = None
    body_id: int | None = None
    characters: int = 0
    text: str = ""
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class _StepRow:
    answer_id: AnswerId
    number: int
    id: int
    field: str
    body_id: int | None
    characters: int
    output_id: int | None
    output_characters: int


def snippets(
    connection: sqlite3.Connection, ids: Sequence[AnswerId], term: Term, progress: Progress
) -> dict[AnswerId, Snippet]:
    """For some cases the first place in their texts with one of the words of `term`, where there is one."""
    search = SnippetSearch(term)
    found: dict[AnswerId, Snippet] = {}
    for start in range(0, len(ids), _AT_ONCE):
        cases = _Cases(connection, ids[start : start + _AT_ONCE], search, progress)
        cases.look(term)
        found |= cases.found
    return found


class _Cases:
    """Some cases that are looked through together."""

    def __init__(
        self, connection: sqlite3.Connection, ids: Sequence[AnswerId], search: SnippetSearch, progress: Progress
    ) -> None:
        self._connection, self._search, self._progress = connection, search, progress
        self._ids = ids
        self.found: dict[AnswerId, Snippet] = {}

    def look(self, term: Term) -> None:
        """Look through own texts, what steps gave, titles and excerpts, the probe: each where nothing before has it."""
        heads = self._rows(
            "answer.id, answer.body_id, body.characters, ifnull(probe_revision.text, run_item.request)",
            "FROM answer JOIN run_item ON run_item.id = answer.run_item_id LEFT JOIN body ON body.id = answer.body_id "
            "LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id "
            "WHERE answer.id IN (SELECT value FROM json_each(?))",
            self._ids,
        )
        steps: dict[AnswerId, list[_StepRow]] = {head[0]: [] for head in heads}
        for row in self._rows(
            "step.answer_id, step.number, step.id, step.kind, step.body_id, ifnull(body.characters, 0), "
            "step.output_id, ifnull(output.characters, 0)",
            "FROM step LEFT JOIN body ON body.id = step.body_id LEFT JOIN body AS output ON output.id = step.output_id "
            "WHERE step.answer_id IN (SELECT value FROM json_each(?))",
            self._ids,
        ):
            row[3] = case_text.COLUMN_OF_STEP[StepKind(row[3])]
            steps[row[0]].append(_StepRow(*row))
        own = self._having(term, _OWN, list(steps), are_few=True)
        self._look_through({head[0]: _own_parts(head[1], head[2], steps[head[0]]) for head in heads if head[0] in own})
        given = self._having(term, ("result",), [each for each in steps if each not in self.found], are_few=False)
        self._look_through({each: _outputs(steps[each]) for each in given})
        rest = [step for each in given if each not in self.found for step in steps[each]]
        self._look_through(self._results(rest))
        self._look_through({head[0]: [_Part("probe", text=head[3])] for head in heads})

    def _rows(self, columns: str, rest: str, wanted: Sequence[int]) -> list[list[Any]]:
        """The rows of a query in order, all as one row."""
        sql = f"SELECT json_group_array(json_array({columns})) {rest}"
        rows: list[list[Any]] = json.loads(self._connection.execute(sql, (json.dumps(wanted),)).fetchone()[0])
        return sorted(rows, key=lambda row: row[:2])

    def _having(self, term: Term, fields: Sequence[str], ids: Sequence[AnswerId], *, are_few: bool) -> set[AnswerId]:
        """Those of the cases that may have one of the words in one of these fields."""
        indexed = set(case_text.indexed_among(self._connection, CasePool.EVALUATION, ids))
        words = [each for each in wanted_words(term) if each.field in ("", *fields)]
        # What is not searchable yet may have them, and a filter's answer, which has few texts.
        return {each for each in ids if each not in indexed} | set(
            case_text.having(self._connection, words, fields, ids, are_few=are_few)
        )

    def _results(self, steps: Sequence[_StepRow]) -> dict[AnswerId, list[_Part]]:
        """Titles, and the excerpts of steps without a text that has all of them."""
        step_of = {step.id: step for step in steps}
        parts: dict[AnswerId, list[_Part]] = {step.answer_id: [] for step in steps}
        for step_id, _, title, excerpts_id, characters in self._rows(
            "step_id, rank, title, excerpts_id, ifnull(body.characters, 0)",
            "FROM search_result LEFT JOIN body ON body.id = search_result.excerpts_id "
            "WHERE step_id IN (SELECT value FROM json_each(?))",
            list(step_of),
        ):
            step = step_of[step_id]
            own = parts[step.answer_id]
            own.append(_Part("result", step.number, text=title))
            if step.output_id is None and excerpts_id is not None:
                own.append(_Part("result", step.number, excerpts_id, characters, is_list=True))
        return parts

    # -- looking ---------------------------------------------------------------------------------------------

    def _look_through(self, parts: Mapping[AnswerId, Sequence[_Part]]) -> None:
        """Find the first place of each case that has none yet, reading more and more of the texts."""
        waiting = {
            answer_id: [part for part in own if self._search.looks_at(part.field)]
            for answer_id, own in parts.items()
            if answer_id not in self.found
        }
        count = _FIRST_ROUND
        while waiting := {answer_id: own for answer_id, own in waiting.items() if own}:
            taken = _taken(waiting, count)
            packed = bodies.packed(self._connection, [part.body_id for own in taken.values() for part in own])
            for answer_id, own in taken.items():
                self._progress.check()
                place = next((found for part in own if (found := self._place_in(part, packed))), None)
                if place is not None:
                    self.found[answer_id] = place
                waiting[answer_id] = [] if place is not None else waiting[answer_id][len(own) :]
            count *= 2

    def _place_in(self, part: _Part, packed: Mapping[int, tuple[str, bytes]]) -> Snippet | None:
        text = part.text
        if part.body_id is not None and part.body_id in packed:
            text = bodies.decode(*packed[part.body_id])
        if part.is_list and text:
            text = "\n".join(json.loads(text))
        return self._search.find([CaseText(part.field, text, part.step)])


def _own_parts(body_id: int | None, characters: int | None, steps: Sequence[_StepRow]) -> list[_Part]:
    """The answer, then queries, reasoning and answers on the way."""
    parts = [] if body_id is None else [_Part("answer", None, body_id, characters or 0)]
    for field in ("query", "reasoning", "answer"):
        own = (step for step in steps if step.field == field and step.body_id not in (None, body_id))
        parts += [_Part(field, step.number, step.body_id, step.characters) for step in own]
    return parts


def _outputs(steps: Sequence[_StepRow]) -> list[_Part]:
    """The texts that steps gave to the model."""
    return [
        _Part("result", step.number, step.output_id, step.output_characters)
        for step in steps
        if step.output_id is not None
    ]


def _taken(waiting: Mapping[AnswerId, Sequence[_Part]], count: int) -> dict[AnswerId, list[_Part]]:
    """So many texts of each case, as far as there is room; one at least."""
    room, taken = _MOST_IN_ROUND, dict[AnswerId, list[_Part]]()
    for answer_id, own in waiting.items():
        for part in own[:count]:
            if taken and part.characters > room:
                break
            room -= part.characters
            taken.setdefault(answer_id, []).append(part)
    return taken
