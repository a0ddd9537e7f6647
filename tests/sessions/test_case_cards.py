"""What is on a case's card, and that a case of an open study has none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.case_card import card_parts, excerpt
from btc_gui.domain.category import load_categories
from btc_gui.domain.classification import Evidence
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.mentions import Mention, NameKind
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.progress import Progress
from btc_gui.sessions.case_cards import case_cards
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import (
    add_answer,
    add_verdict,
    make_configuration,
    make_query,
    make_result,
    make_trajectory,
)
from tests.cli.test_project import run
from tests.study_builders import add_judged, add_locked_study

CATEGORIES = load_categories(paths.resources() / "categories")
TOLD = "Ada Example, who led the panel, died on 9 May."


@dataclass
class Cases:
    """A failure with its direct answer, and a failure without a query that was never asked directly."""

    failure: AnswerId
    direct: AnswerId
    silent: AnswerId


@pytest.fixture
def cases(database: Database) -> Cases:
    event = add_event(database, source="https://example.org/news")
    indirect = add_probe(database, event)
    direct = add_probe(database, event, text="Is Ada Example still alive?", kind=ProbeKind.DIRECT)
    queries = [
        make_query("panel speakers", make_result()),
        make_query("is Ada Example alive", make_result(TOLD, title="Obituary", published="2026-05-12")),
    ]
    failure = add_answer(database, indirect, make_trajectory("Ask Ada Example.", queries))
    add_verdict(database, failure)
    steps = AnswerStore(database).trajectory(failure).queries
    told = steps[1].results[0]
    assert told.id is not None
    start = len("Obituary") + 1
    ClassificationStore(database).add(
        NewClassification(
            failure,
            "classifier",
            None,
            FailureMode.REASONING,
            trace="evidence of the change was in the context",
            queries={steps[0].id: QueryClass.UNRELATED, steps[1].id: QueryClass.EXPLICIT},  # type: ignore[dict-item]
            evidence=(Evidence(told.id, TOLD, start, start + len(TOLD)),),
        )
    )
    asked = add_answer(database, direct, make_trajectory("She died in May 2026."))
    add_answer(database, direct, make_trajectory("Alive."), make_configuration("Model B"))
    add_verdict(database, asked, Label.CORRECT)
    silent = add_answer(database, indirect, make_trajectory("", ending=Ending.NO_ANSWER), make_configuration("Model C"))
    return Cases(failure, asked, silent)


def lines(database: Database, answer_id: AnswerId) -> dict[str, list[tuple[str, str]]]:
    made = case_cards(database, CATEGORIES, [answer_id], Progress())
    return {part.title: [(line.text, line.note) for line in part.lines] for part in card_parts(made.cards[0])}


def test_a_card_tells_a_failure_whole(database: Database, cases: Cases) -> None:
    found = lines(database, cases.failure)
    assert [text for text, _ in found["Change"]] == [
        "Before: Ada Example is alive.",
        "Since: Ada Example died on 9 May 2026.",
        "",
    ]
    assert found["Probe (indirect probe)"][0][0] == "Which speakers would suit our panel in autumn?"
    assert found["Asked directly, the same configuration"] == [
        ("Is Ada Example still alive?", "question"),
        ("She died in May 2026.", f"judged correct, btc:{cases.direct}"),
    ]
    assert found["Queries"] == [
        ("panel speakers", "unrelated · 1 result · newest of 1 April 2026"),
        ("is Ada Example alive", "explicit · 1 result · newest of 12 May 2026"),
    ]
    assert found["Evidence of the change that it received"] == [
        (TOLD, "query 2 · Obituary · 12 May 2026 · the first result that reveals the change")
    ]
    assert found["Answer"] == [("Ask Ada Example.", "")]
    assert found["Verdict"] == [("Incorrect, by the judge test judge.", "")]
    assert found["Failure mode"] == [
        (FailureMode.REASONING.text, "evidence of the change was in the context · by the classifier classifier")
    ]


def test_what_is_not_there_is_said(database: Database, cases: Cases) -> None:
    found = lines(database, cases.silent)
    assert found["Asked directly"] == [("This configuration was not asked directly.", "")]
    assert found["Queries"] == [("None: it answered without searching.", "")]
    assert found["Evidence of the change that it received"] == [("It received no results.", "")]
    assert found["Answer"] == [("No final answer: a reason", "")]
    assert found["Verdict"] == [("Not judged.", "")]
    assert "Failure mode" not in found
    assert not [title for title in lines(database, cases.direct) if title.startswith("Asked directly")]


def test_a_case_of_an_open_study_has_no_card(database: Database) -> None:
    add_judged(database)
    study = add_locked_study(database)
    drawn = [item.answer_id for item in StudyStore(database).items(study)]
    made = case_cards(database, CATEGORIES, drawn, Progress())
    assert (made.cards, made.in_study) == ((), tuple(drawn))
    assert StudyStore(database).exposures(study) == []


def test_an_excerpt_is_around_the_mention() -> None:
    text = "word " * 300 + "ask Ada Example now " + "tail " * 100
    at = text.index("Ada Example")
    shown = excerpt(text, [Mention(at, at + 11, NameKind.NAME)], 200)
    assert "Ada Example" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= 206
    assert excerpt(text, [], 100) == ("word " * 20).strip() + " …"
    assert excerpt(" short ", [], 100) == "short"


def test_the_command_writes_cards_by_reference_collection_and_view(
    database: Database, cases: Cases, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = CaseCollectionStore(database)
    collection = store.create("For: the paper", "Two cases", "ann")
    store.add(collection, [cases.silent, cases.failure], "ann")
    SavedFilterStore(database, "cases").save("wrong", {"labels": ["incorrect"]})
    on = ("-p", str(database.path), "--out", str(tmp_path / "out"))
    assert run("export", "cases", f"BTC:{cases.failure}", *on, "--format", "md") == 0
    assert [file.name for file in (tmp_path / "out").iterdir()] == [f"case_{cases.failure}.md"]
    capsys.readouterr()
    assert run("export", "cases", "--collection", "for: the PAPER", *on, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [Path(file).name for file in told["files"]] == [
        "cases_For_the_paper.md",
        "cases_For_the_paper.html",
        "cases_For_the_paper.tex",
    ]
    text = Path(told["files"][0]).read_text(encoding="utf-8")
    assert text.index(f"btc:{cases.silent}") < text.index(f"btc:{cases.failure}")
    assert "Two cases" in text
    assert run("export", "cases", "--filter", "wrong", *on, "--json") == 0
    assert json.loads(capsys.readouterr().out)["cards"] == 1
    assert run("export", "cases", "--filter", "other", *on) == 2
    assert "“wrong”" in capsys.readouterr().err
    assert run("export", "cases", *on) == 2
    assert run("export", "cases", "nonsense", *on) == 2
    assert run("export", "cases", "btc:999999", *on) == 2


def test_the_command_lists_cases_of_an_open_study(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_judged(database)
    drawn = StudyStore(database).items(add_locked_study(database))[0].answer_id
    on = ("-p", str(database.path), "--out", str(tmp_path / "out"))
    assert run("export", "cases", f"btc:{drawn}", *on, "--json") == 1
    assert json.loads(capsys.readouterr().out) == {"files": [], "cards": 0, "in_open_study": [f"btc:{drawn}"]}
    assert not (tmp_path / "out").exists()
