"""`btc-gui judges`: several judges on the same answers, and the one that counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.category import load_categories
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError
from btc_gui.jobs.judge import judge
from btc_gui.jobs.stale_replies import stale_verdicts
from btc_gui.progress import Progress
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.judges import JudgeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.results import ResultStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe, make_facts
from tests.case_builders import add_answer, add_answers, make_trajectory
from tests.jobs.test_judge import Judge, reply

YES, NO = Label.CORRECT, Label.INCORRECT
STRICT: list[Label | None] = [NO, NO, NO, YES, YES, NO, None, YES]
MILD: list[Label | None] = [NO, YES, NO, YES, YES, YES, NO]


@pytest.fixture
def answers(database: Database) -> list[AnswerId]:
    """Eight answers to one probe: strict judged all of them first, mild the first seven after it."""
    probe = add_probe(database, add_event(database), key="p1")
    _, ids = add_answers(database, probe, [make_trajectory(f"Answer {n}.") for n in range(8)])
    for name, labels in (("strict", STRICT), ("mild", MILD)):
        for answer_id, label in zip(ids, labels, strict=False):
            _say(database, answer_id, name, label)
    return ids


def _say(database: Database, answer_id: AnswerId, judge_name: str, label: Label | None) -> None:
    unscored = "" if label else "it is no JSON"
    VerdictStore(database).add(NewVerdict(answer_id, judge_name, None, label, unscored=unscored))


def _run(*words: object) -> str:
    return CliRunner().invoke(main, ["judges", *map(str, words)], catch_exceptions=False).stdout


def _json(*words: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_run(*words, "--json"))
    return found


def _labels(database: Database) -> dict[str, int]:
    return CaseStore(database).facets(CaseQuery())["labels"]


def _tally(database: Database) -> dict[Label | None, int]:
    found: dict[Label | None, int] = {}
    for row in ResultStore(database).answers():
        found[row.label] = found.get(row.label, 0) + 1
    return found


def test_the_primary_judge_counts_everywhere(database: Database, answers: list[AnswerId]) -> None:
    """Results, cases, a case's verdict and what is classified follow the primary judge, and nobody else."""
    assert _labels(database) == {"correct": 5, "incorrect": 3}
    for name, labels in (("strict", STRICT), ("mild", [*MILD, None])):
        _run("-p", database.path, "--primary", name)
        counts = {label: labels.count(label) for label in (YES, NO)}
        assert {k: v for k, v in _labels(database).items() if k in ("correct", "incorrect")} == counts
        assert {k: v for k, v in _tally(database).items() if k} == counts
        counting = VerdictStore(database).counting(answers)
        assert [counting[i].label if i in counting else None for i in answers] == labels
        failures = [i for i, label in zip(answers, labels, strict=True) if label is NO]
        assert ClassificationStore(database).classifiable() == failures
    assert _labels(database)["unjudged"] == 1
    _run("-p", database.path, "--primary", "newest")
    assert _labels(database) == {"correct": 5, "incorrect": 3}


def test_the_list(database: Database, answers: list[AnswerId]) -> None:
    """Every judge with its counts, how many of its verdicts count, and what it said before."""
    _say(database, answers[0], "mild", YES)
    found = _json("-p", database.path)
    by_name = {each["judge"]: each for each in found["judges"]}
    assert found["primary"] is None
    keys = ("correct", "incorrect", "unscored", "replaced", "counting")
    assert [by_name["mild"][key] for key in keys] == [5, 2, 0, 1, 7]
    assert [by_name["strict"][key] for key in keys] == [3, 4, 1, 0, 1]
    probe = add_probe(database, add_event(database, entity="Bo Sample"))
    _, (filtered,) = add_answers(database, probe, [make_trajectory()], purpose=Purpose.FILTER)
    _say(database, filtered, "strict", NO)
    counts = {each.judge: (each.current, each.counting) for each in JudgeStore(database).counts()}
    assert counts == {"mild": (7, 7), "strict": (9, 1)}
    words = _run("-p", database.path, "--primary", "strict")
    assert "strict (primary)" not in words
    assert "strict  (primary): 9 verdicts" in words
    assert "3 correct, 5 incorrect, 1 unscored; 8 count in results; 0 earlier ones replaced" in words
    assert [row.label for row in VerdictStore(database).history(answers[0])] == [NO, NO, YES]


def test_agreement_of_two_judges(database: Database, answers: list[AnswerId]) -> None:
    """The matrix of two judges and its kappa, in words that say judge against judge; unscored is left out, counted."""
    from sklearn.metrics import cohen_kappa_score

    found = _json("-p", database.path, "--compare", "strict", "mild")
    report = found["reports"]["all"]
    assert report["matrix"]["counts"] == [[2, 0], [2, 2]]
    assert (report["matrix"]["rows"], report["matrix"]["columns"]) == ("strict", "mild")
    assert report["matrix"]["left_out"] == {"no strict label": 1}
    pairs = [(one, two) for one, two in zip(STRICT, MILD, strict=False) if one and two]
    kappa = cohen_kappa_score(*zip(*pairs, strict=True))
    assert report["statistics"]["kappa"]["value"] == pytest.approx(kappa)
    words = _run("-p", database.path, "--compare", "strict", "mild")
    assert "Judge against judge: rows are strict, columns mild" in words
    assert "human" not in words.casefold()


def test_refusals(database: Database, answers: list[AnswerId]) -> None:
    """Unknown judges are refused with those there are."""
    for words in (("--primary", "nobody"), ("--compare", "strict", "nobody")):
        with pytest.raises(InputError, match=r"nobody.*mild, strict"):
            _run("-p", database.path, *words)
    with pytest.raises(InputError, match="agrees with itself"):
        _run("-p", database.path, "--compare", "mild", "mild")
    assert ProjectStore(database).value("primary judge") == ""


def test_stale_verdicts_and_prompt_versions(database: Database, tmp_path: Path) -> None:
    """Corrected facts and another prompt make verdicts stale; each prompt is listed and its text can be read back."""
    categories = load_categories(paths.resources() / "categories")
    first, second = add_event(database, entity="Ada Example"), add_event(database, entity="Bo Sample")
    add_answer(database, add_probe(database, first, key="p1"))
    add_answer(database, add_probe(database, second, key="p2"))
    judge(database, Judge(reply()), categories, Progress())
    assert stale_verdicts(database, "judge-1", categories).total == 0
    EventStore(database).revise(second, make_facts(entity="Bo Sample", date="2026-05-10"), author="tests")
    stale = stale_verdicts(database, "judge-1", categories)
    assert (stale.replies, stale.criteria, stale.facts, stale.unknown) == (2, 0, 1, 0)
    assert "stale: 0 by other criteria, 1 for other facts" in _run("-p", database.path)
    own = PromptStore(database).text("judge").replace("You label answers", "You mark answers")
    PromptStore(database).set("judge", own)
    assert stale_verdicts(database, "judge-1", categories).criteria == 2
    judge(database, Judge(reply()), categories, Progress())
    assert stale_verdicts(database, "judge-1", categories).total == 0
    old, new = JudgeStore(database).prompt_versions("judge")
    assert [(each.calls, each.models, each.is_kept) for each in (old, new)] == [(2, ("judge-1",), True)] * 2
    assert "You label answers" in PromptStore(database).by_hash(old.hash)
    assert "You mark answers" in PromptStore(database).by_hash(new.hash)
    assert categories["demise"].criteria["indirect"] in json.loads(PromptStore(database).by_hash(new.hash))


def test_a_category_that_says_the_change_otherwise(database: Database) -> None:
    """When the sentences of a category change, all verdicts by them are stale, also where no fact has moved."""
    categories = load_categories(paths.resources() / "categories")
    for number in range(3):
        add_answer(database, add_probe(database, add_event(database, entity=f"Person {number}"), key=f"p{number}"))
    judge(database, Judge(reply()), categories, Progress())
    other = {**categories, "demise": replace(categories["demise"], after="{entity} is dead since {date}.")}
    assert stale_verdicts(database, "judge-1", other).facts == 3
    assert stale_verdicts(database, "judge-1", {"tenure": categories["tenure"]}).unknown == 3
