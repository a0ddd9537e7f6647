"""Trajectories of any size: read in outline, whole texts one by one, and in a stream."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.outline import TextPart, TextPlace
from btc_gui.domain.trajectory import AnswerId, Ending, SearchResult, Step, StepKind, Trajectory
from btc_gui.errors import ProjectError
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.outlines import BUDGET, LONGEST_TEXT, OutlineStore, _first_excerpts
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, make_query, make_result, make_trajectory

#: Characters that programs trip over: halves of characters, NUL, line ends, directions, emoji, quotes, backslashes.
HOSTILE = '\ud83d a\x00b\r\n\u202e\u2028 👩‍👩‍👧 \udfff "\\n" <script>alert(1)</script> 北京 مرحبا é \\'


def _add(database: Database, *steps: Step) -> AnswerId:
    trajectory = Trajectory("hostile", Ending.ANSWERED, "x", steps)
    return add_answer(database, add_probe(database, add_event(database)), trajectory)


def test_an_ordinary_trajectory_is_read_whole(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    answer = add_answer(database, probe, make_trajectory("Ask Ada.", [make_query("q", make_result("One."))]))
    outline = OutlineStore(database).outline(answer)
    whole = AnswerStore(database).trajectory(answer)
    # But for what queries delivered, which their results tell.
    steps = tuple(replace(step, output="") if step.kind is StepKind.QUERY else step for step in whole.steps)
    assert outline.trajectory == replace(whole, steps=steps)
    assert outline.cut == {}
    with pytest.raises(ProjectError):
        OutlineStore(database).outline(AnswerId(99))


def test_of_very_long_texts_the_beginning_is_read(database: Database) -> None:
    """Half a million characters in one line, in a result, in a thought: what is at hand is a beginning of the whole."""
    long = "".join(f"{n} {HOSTILE}" for n in range(8_000))
    excerpts = ("short", long, "last")
    answer = _add(
        database,
        Step(1, StepKind.REASONING, long),
        Step(2, StepKind.QUERY, "q", results=(SearchResult("t", "u", "", excerpts),), output=long[:300_000]),
        Step(3, StepKind.TOOL, "fetch", output=long[:200_000]),
    )
    store = OutlineStore(database)
    outline = store.outline(answer)
    thought, query, tool = outline.trajectory.steps
    assert len(thought.text) == LONGEST_TEXT
    assert long.startswith(thought.text)
    assert outline.cut[TextPlace(TextPart.TEXT, thought.id or 0)] == len(long)
    assert outline.cut[TextPlace(TextPart.OUTPUT, tool.id or 0)] == 200_000
    # What a query delivered is told by its results.
    assert query.output == ""
    assert store.whole(TextPlace(TextPart.OUTPUT, query.id or 0)) == long[:300_000]
    (result,) = query.results
    joined = "\n".join(excerpts)
    assert joined.startswith("\n".join(result.excerpts))
    assert len("\n".join(result.excerpts)) > LONGEST_TEXT / 2
    assert store.whole(TextPlace(TextPart.TEXT, thought.id or 0)) == long
    assert store.whole(TextPlace(TextPart.EXCERPTS, result.id or 0)) == joined
    pieces = list(store.pieces(TextPlace(TextPart.TEXT, thought.id or 0), 100_000, overlap=10))
    assert max(map(len, pieces)) <= 100_010
    assert pieces[0] + "".join(piece[10:] for piece in pieces[1:]) == long


def test_many_texts_share_what_is_read_at_once(database: Database) -> None:
    steps = [Step(n, StepKind.REASONING, f"{n} " + "word " * 1_800) for n in range(1, 1_001)]
    outline = OutlineStore(database).outline(_add(database, *steps))
    read = sum(len(step.text) for step in outline.trajectory.steps)
    assert BUDGET * 0.9 < read <= BUDGET
    assert all(whole.text.startswith(cut.text) for whole, cut in zip(steps, outline.trajectory.steps, strict=True))


@pytest.mark.parametrize("stop", range(1, 40))
def test_excerpts_are_read_from_any_beginning_of_their_stored_form(stop: int) -> None:
    import json

    excerpts = ['a"b', "\x00\u202e", "c\\d", "last one"]
    stored = json.dumps(excerpts, ensure_ascii=False)[:stop]
    assert "\n".join(excerpts).startswith("\n".join(_first_excerpts(stored)))
