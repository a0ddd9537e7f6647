"""From a row of a file to one answer of somebody's own agent, or to the reason why it is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from btc_gui.domain.answer_steps import read_steps
from btc_gui.domain.cell_values import count_in, moment_in, number_in
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event_rows import Cells, Rejected
from btc_gui.domain.table_row import LIST_MARK
from btc_gui.domain.trajectory import Ending, Step, StepKind, Trajectory, Usage

Word = TypeVar("Word", Effort, Harness)
_ENDINGS = {
    "answered": Ending.ANSWERED,
    "ok": Ending.ANSWERED,
    "success": Ending.ANSWERED,
    "completed": Ending.ANSWERED,
    "no_answer": Ending.NO_ANSWER,
    "no_final_answer": Ending.NO_ANSWER,
    "refused": Ending.REFUSED,
    "refusal": Ending.REFUSED,
    "failed": Ending.FAILED,
    "failure": Ending.FAILED,
    "error": Ending.FAILED,
    "cancelled": Ending.CANCELLED,
    "canceled": Ending.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer as a row gives it: which probe (`reference` is its key, number or text; `text` what was asked), who
    answered, and how. `repetition` is 0 where the file has none; the trajectory has no uuid yet.
    """

    reference: str
    text: str
    configuration: Configuration
    repetition: int
    trajectory: Trajectory


def read_answer(cells: Cells, default_model: str) -> ReadAnswer:
    """The answer in a row. Raises `Rejected` with the reason: no probe, no model, nothing that says how it ended…"""
    reference, text = cells.text("probe"), cells.text("text")
    if not reference and not text:
        raise Rejected("the row names no probe: give its key, its number or its text")
    configuration = _configuration(cells, default_model)
    return ReadAnswer(
        reference=reference,
        text=text,
        configuration=configuration,
        repetition=count_in("repetition", cells.text("repetition"), least=1),
        trajectory=_trajectory(cells, configuration.harness),
    )


def _configuration(cells: Cells, default_model: str) -> Configuration:
    model = cells.text("model") or default_model
    if not model:
        raise Rejected("the model is missing")
    effort, harness = cells.text("effort").casefold(), cells.text("harness").casefold()
    as_of = cells.text("as_of")
    try:
        day = parse_event_date(as_of).as_day() if as_of else None
    except ValueError as error:
        raise Rejected(f"impossible as-of day: {error}") from error
    if as_of and day is None:
        raise Rejected(f"the as-of is no day: “{as_of[:40]}”")
    agent = cells.text("agent")
    return Configuration(
        model=model,
        harness=_one_of(Harness, "harness", harness or Harness.OTHER),
        effort=_one_of(Effort, "effort", effort or Effort.UNKNOWN),
        search=cells.text("search"),
        as_of=day.isoformat() if day else "",
        settings={"agent": agent} if agent else {},
    )


def _one_of(kind: type[Word], fact: str, written: str) -> Word:
    try:
        return kind(written)
    except ValueError:
        raise Rejected(f"unknown {fact}: “{written[:40]}” (there are {', '.join(kind)})") from None


def _trajectory(cells: Cells, harness: Harness) -> Trajectory:
    steps, are_known = _steps(cells)
    answer, written = cells.text("answer"), cells.text("ending")
    if not answer and steps and steps[-1].kind is StepKind.ANSWER:
        answer = steps[-1].text
    ending = _ending(written, answer)
    reason = cells.text("reason")
    if ending is Ending.NO_ANSWER and not reason:
        reason = "the final answer is empty"
    if harness is Harness.SHARED and not are_known:
        # A failure of the shared harness that searched for nothing gets its mode by that alone.
        raise Rejected(
            "the steps are missing: in the shared harness every search is known (write [] where there was none), "
            "else name another harness"
        )
    if not are_known and harness is not Harness.NONE:
        steps.append(Step(0, StepKind.TOOL, "", is_hidden=True))
    steps = _with_one_answer(steps, answer if ending is Ending.ANSWERED else "")
    if answer and ending is not Ending.ANSWERED and all(step.text != answer for step in steps):
        steps.append(Step(0, StepKind.MESSAGE, answer))
    return Trajectory(
        uuid="",
        ending=ending,
        answer=answer if ending is Ending.ANSWERED else "",
        steps=tuple(replace(step, number=number) for number, step in enumerate(steps, 1)),
        ending_reason=reason,
        usage=Usage(
            **{
                name: count_in(f"{name}_tokens", cells.text(f"{name}_tokens"))
                for name in ("input", "output", "reasoning", "cache_read", "cache_write")
            }
        ),
        cost=number_in("cost", cells.text("cost").removeprefix("$")),
        seconds=number_in("seconds", cells.text("seconds")),
        started_at=moment_in("the start", cells.text("started_at")),
        finished_at=moment_in("the end", cells.text("finished_at")),
    )


def _steps(cells: Cells) -> tuple[list[Step], bool]:
    """What the row tells of the way to the answer, and whether that is all searches."""
    written = cells.text("steps")
    if written:
        return read_steps(written), True
    steps = [Step(0, StepKind.REASONING, text)] if (text := cells.text("reasoning")) else []
    queries = cells.text("queries")
    if not queries or queries.isdigit():
        # A mere number of queries says nothing of them, unless it is none.
        return steps, queries == "0"
    if queries.startswith("["):
        steps += [replace(step, kind=StepKind.QUERY) for step in read_steps(queries, StepKind.QUERY)]
    else:
        steps += [Step(0, StepKind.QUERY, each.strip()) for each in re.split(_BETWEEN_QUERIES, queries) if each.strip()]
    return steps, True


_BETWEEN_QUERIES = rf"{re.escape(LIST_MARK)}|\n"


def _with_one_answer(steps: Sequence[Step], answer: str) -> list[Step]:
    """Only the final answer is the answer: what looks like one before it was said on the way."""
    last = next(
        (
            place
            for place in reversed(range(len(steps)))
            if answer and steps[place].kind is StepKind.ANSWER and steps[place].text == answer
        ),
        None,
    )
    found = [
        replace(step, kind=StepKind.MESSAGE) if step.kind is StepKind.ANSWER and place != last else step
        for place, step in enumerate(steps)
    ]
    if answer and last is None:
        found.append(Step(0, StepKind.ANSWER, answer))
    return found


def _ending(written: str, answer: str) -> Ending:
    if not written:
        return Ending.ANSWERED if answer else Ending.NO_ANSWER
    ending = _ENDINGS.get(re.sub(r"[\s-]+", "_", written.casefold()))
    if ending is None:
        raise Rejected(f"unknown ending: “{written[:40]}” (there are {', '.join(Ending)})")
    if ending is Ending.ANSWERED and not answer:
        raise Rejected("the answer is missing, though the row says that it was answered")
    return ending
