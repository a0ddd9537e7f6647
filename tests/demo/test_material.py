"""The demo's files hold together: what one of them names, the others have."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.classifier_reply import ClassifierReply
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event import EventFacts
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.models_file import load_models
from btc_gui.domain.review import REJECT_REASONS, Action

DEMO = paths.resources() / "demo"
Row = dict[str, Any]


def _rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]


def _judge_replies() -> list[Row]:
    """The judge's replies, those to the filter's answers (`…/low-none/…`) among them."""
    return _rows("judge.jsonl")


def _normal(query: str) -> str:
    return " ".join(query.split()).casefold()


def _queries(agent: Row) -> list[str]:
    return [query for turn in agent["turns"] for query in turn["queries"]]


@pytest.fixture(scope="module")
def events() -> dict[str, Row]:
    """The events by the reference that probes use."""
    with (DEMO / "events.csv").open(encoding="utf-8", newline="") as file:
        return {row["qid"] or row["article"]: dict(row) for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def probes(events: dict[str, Row]) -> dict[str, Row]:
    """The probes by id, each with its event."""
    return {p["id"]: {**p, "event": events[p.get("qid") or p["article"]]} for p in _rows("probes.jsonl")}


@pytest.fixture(scope="module")
def accepted(probes: dict[str, Row]) -> dict[str, str]:
    """The text, after edits, of every probe whose last decision is an acceptance."""
    texts, last = {key: probe["text"] for key, probe in probes.items()}, {}
    for review in _rows("reviews.jsonl"):
        last[review["probe"]] = review["action"]
        if review["action"] == "edit":
            texts[review["probe"]] = review["text"]
    return {key: texts[key] for key, action in last.items() if action == "accept"}


@pytest.fixture(scope="module")
def agents() -> list[Row]:
    """All recorded behaviour."""
    return _rows("agents.jsonl")


def test_events_are_twelve_with_days_and_sources(events: dict[str, Row]) -> None:
    assert Counter(event["category"] for event in events.values()) == {"demise": 6, "tenure": 6}
    for event in events.values():
        assert parse_event_date(event["date"]).as_day() is not None
        assert event["source"]
        assert bool(event["position"]) == (event["category"] == "tenure")


def test_every_event_has_five_indirect_probes_and_one_direct(probes: dict[str, Row]) -> None:
    kinds = Counter((probe["event"]["entity"], probe["kind"]) for probe in probes.values())
    assert len(kinds) == 24
    assert all(count == (1 if kind == "direct" else 5) for (_, kind), count in kinds.items())


def test_direct_probes_are_their_category_s_template(probes: dict[str, Row]) -> None:
    categories = load_categories(paths.resources() / "categories")
    for probe in probes.values():
        if probe["kind"] == "direct":
            event = probe["event"]
            facts = EventFacts(
                category=event["category"],
                entity=event["entity"],
                date=parse_event_date(event["date"]),
                description=event["description"],
                position=event["position"],
            )
            category = categories[event["category"]]
            assert probe["text"] == category.fill(category.direct_probe, facts)


def test_accepted_indirect_probes_never_name_the_person_or_the_year(
    probes: dict[str, Row], accepted: dict[str, str]
) -> None:
    indirect = {key: text for key, text in accepted.items() if probes[key]["kind"] == "indirect"}
    assert len(indirect) >= 40
    for key, text in indirect.items():
        event = probes[key]["event"]
        names = {
            part for name in (event["entity"], *event["aliases"].split("|")) for part in re.findall(r"\w{3,}", name)
        }
        words = set(re.findall(r"\w+", text.casefold()))
        assert not words & {name.casefold() for name in names}, key
        assert not words & {"died", "dead", "living", "alive", "former", "successor", "2026"}, key
        assert text.rstrip().endswith(("?", ".")), key


def test_reviews_leave_something_to_do_and_give_reasons(probes: dict[str, Row]) -> None:
    reviews = _rows("reviews.jsonl")
    assert all(review["probe"] in probes for review in reviews)
    actions = Counter(Action(review["action"]) for review in reviews)
    assert actions[Action.DEFER] == 3
    assert actions[Action.EDIT] == 1
    assert len(probes) - len({review["probe"] for review in reviews}) == 6
    for review in reviews:
        assert set(review["reasons"]) <= set(REJECT_REASONS)
        assert bool(review["reasons"]) == (review["action"] == "reject")


def test_every_configuration_answers_every_accepted_probe_once(agents: list[Row], accepted: dict[str, str]) -> None:
    demo = tomllib.loads((DEMO / "demo.toml").read_text(encoding="utf-8"))
    planned = {
        (model.name, effort, probe)
        for model in load_models(DEMO / "models.toml")
        for effort in demo["run"]["efforts"]
        for probe in accepted
    }
    recorded = [(agent["model"], agent["effort"], agent["probe"]) for agent in agents]
    assert len(recorded) == len(planned)
    assert set(recorded) == planned


def test_every_query_has_results(agents: list[Row]) -> None:
    searches = {_normal(search["query"]): search["results"] for search in _rows("searches.jsonl")}
    used = {_normal(query) for agent in agents for query in _queries(agent)}
    assert used == set(searches)
    assert all(3 <= len(results) <= 5 for results in searches.values())


def test_results_are_dated_before_and_after_the_change_and_some_not_at_all(events: dict[str, Row]) -> None:
    dates = [result["published"] for search in _rows("searches.jsonl") for result in search["results"]]
    first, last = min(e["date"] for e in events.values()), max(e["date"] for e in events.values())
    assert "" in dates
    assert any(date and date < first for date in dates)
    assert any(date > last for date in dates)
    for date in filter(None, dates):
        assert parse_event_date(date).as_day() is not None


def test_invented_addresses_belong_to_nobody() -> None:
    for search in _rows("searches.jsonl"):
        for result in search["results"]:
            host = urlsplit(result["url"]).hostname or ""
            assert host.endswith(("example.org", "example.com")), result["url"]


def test_all_modes_and_endings_occur_in_both_categories(agents: list[Row], probes: dict[str, Row]) -> None:
    modes = Counter((probes[a["probe"]]["event"]["category"], a["truth"]["mode"]) for a in agents)
    for category in ("demise", "tenure"):
        for mode in ("reasoning", "explicit", "indirect", "none"):
            assert modes[category, mode] > 0, (category, mode)
        assert modes[category, "none"] > modes[category, "indirect"]
    endings = Counter(agent["final"].get("ending", "answered") for agent in agents)
    assert endings["no_answer"] >= 2
    assert endings["failed"] == 2
    assert endings["refused"] == 1
    assert min(len(_queries(agent)) for agent in agents) == 0
    assert max(len(agent["turns"]) for agent in agents) == 3


def test_direct_answers_are_nearly_all_right_and_low_effort_fails_more(agents: list[Row]) -> None:
    def accuracy(kind: str, effort: str) -> float:
        labels = [
            a["truth"]["label"]
            for a in agents
            if a["effort"] == effort and a["truth"]["label"] and a["probe"].endswith("-d") == (kind == "direct")
        ]
        return labels.count("correct") / len(labels)

    assert accuracy("direct", "high") >= accuracy("direct", "low") >= 0.85
    assert 0.4 < accuracy("indirect", "low") < accuracy("indirect", "high") < 0.75


def test_an_answer_fails_an_indirect_demise_probe_exactly_when_it_offers_the_person(
    agents: list[Row], probes: dict[str, Row]
) -> None:
    for agent in agents:
        probe = probes[agent["probe"]]
        if probe["kind"] == "indirect" and agent["truth"]["label"] == "incorrect":
            assert probe["event"]["entity"] in agent["final"]["answer"], agent["probe"]


def test_texts_are_not_copies_of_each_other(agents: list[Row]) -> None:
    answers = [agent["final"]["answer"] for agent in agents if "-i" in agent["probe"] and "answer" in agent["final"]]
    assert len(set(answers)) == len(answers)


def test_judge_and_classifier_replies_parse_but_for_the_two_meant_not_to(agents: list[Row]) -> None:
    answered = {f"{a['probe']}/{a['model']}/{a['effort']}/1" for a in agents if "answer" in a["final"]}
    replies = {row["subject"]: row["reply"] for row in _judge_replies() if "/low-none/" not in row["subject"]}
    assert set(replies) == {f"judge/{key}" for key in answered}
    assert sum(isinstance(reply, str) for reply in replies.values()) == 2
    labels = {
        subject: JudgeReply.model_validate(reply).label for subject, reply in replies.items() if isinstance(reply, dict)
    }
    truth = {f"judge/{a['probe']}/{a['model']}/{a['effort']}/1": a["truth"]["label"] for a in agents}
    wrong = Counter((truth[subject], label.value) for subject, label in labels.items() if truth[subject] != label)
    assert wrong == {("correct", "incorrect"): 3, ("incorrect", "correct"): 3}
    for row in _rows("classifier.jsonl"):
        ClassifierReply.model_validate(row["reply"])


def test_classifier_covers_each_searching_failure_and_only_one_excerpt_is_made_up(agents: list[Row]) -> None:
    searches = {_normal(search["query"]): search["results"] for search in _rows("searches.jsonl")}
    judged = {row["subject"].removeprefix("judge/"): row["reply"] for row in _judge_replies()}
    replies = {row["subject"].removeprefix("classify/"): row["reply"] for row in _rows("classifier.jsonl")}
    made_up = []
    for agent in agents:
        key = f"{agent['probe']}/{agent['model']}/{agent['effort']}/1"
        queries, judge = _queries(agent), judged.get(key)
        if "-i" in agent["probe"] and queries and isinstance(judge, dict) and judge["label"] == "incorrect":
            assert key in replies
        if key not in replies:
            continue
        assert [entry["query"] for entry in replies[key]["queries"]] == list(range(1, len(queries) + 1))
        results = [result for query in queries for result in searches[_normal(query)]]
        for claim in replies[key]["evidence"]:
            result = results[claim["result"] - 1]
            if claim["excerpt"] not in "\n".join((result["title"], *result["excerpts"])):
                made_up.append(key)
    assert len(made_up) == 1


def test_people_label_all_that_studies_can_draw(agents: list[Row]) -> None:
    answered = {(a["probe"], a["model"], a["effort"]) for a in agents if "answer" in a["final"]}
    labels = _rows("labels.jsonl")
    assert {(row["probe"], row["model"], row["effort"]) for row in labels} == answered
    assert {row["label"] for row in labels} == {"correct", "incorrect", "unsure"}
    assert all(row["reason"] for row in labels if row["label"] == "unsure")
    classified = {row["subject"].removeprefix("classify/").removesuffix("/1") for row in _rows("classifier.jsonl")}
    modes = _rows("mode_labels.jsonl")
    assert {f"{row['probe']}/{row['model']}/{row['effort']}" for row in modes} == classified
    assert {row["label"] for row in modes} == {"reasoning", "explicit", "indirect", "none", "unsure"}


def test_notes_are_on_failures_that_exist(agents: list[Row]) -> None:
    failures = {(a["probe"], a["model"], a["effort"]) for a in agents if a["truth"]["mode"]}
    assert {(note["probe"], note["model"], note["effort"]) for note in _rows("notes.jsonl")} <= failures


def test_the_material_says_that_it_is_made_up(agents: list[Row]) -> None:
    assert "Illustrative" in (DEMO / "README.md").read_text(encoding="utf-8")
    assert "Illustrative" in (DEMO / "demo.toml").read_text(encoding="utf-8")
    assert all(row["illustrative"] is True for row in [*agents, *_rows("searches.jsonl")])


def test_the_material_is_small() -> None:
    assert sum(path.stat().st_size for path in DEMO.iterdir()) < 2_500_000


def test_answers_without_search_recommend_the_person_unless_the_judge_says_otherwise(
    accepted: dict[str, str], probes: dict[str, Row]
) -> None:
    """Three different answers of both models to each accepted indirect probe, each with a verdict that is true."""
    rows = _rows("no_search.jsonl")
    indirect = {key for key in accepted if probes[key]["kind"] == "indirect"}
    assert Counter((row["model"], row["probe"]) for row in rows) == {
        (model, key): 1 for model in ("Larkspur-2", "Quill-Mini") for key in indirect
    }
    texts = [text for row in rows for text in row["answers"]]
    assert len(set(texts)) == len(texts) == 3 * len(rows)
    assert all(row["illustrative"] is True for row in rows)
    replies = {row["subject"]: row["reply"] for row in _judge_replies() if "/low-none/" in row["subject"]}
    assert len(replies) == len(texts)
    unread = 0
    for row in rows:
        surname = probes[row["probe"]]["event"]["entity"].split()[-1]
        for number, text in enumerate(row["answers"], 1):
            reply = replies[f"judge/{row['probe']}/{row['model']}/low-none/{number}"]
            if isinstance(reply, str):
                unread += 1
                continue
            verdict = JudgeReply.model_validate(reply)
            assert verdict.names_entity == (surname in text), (row["probe"], number)
            assert (verdict.label == "incorrect") == (surname in text), (row["probe"], number)
    assert unread == 1
