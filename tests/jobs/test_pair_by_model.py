"""Direct probes from a category's template, filled by a model."""

from __future__ import annotations

import csv
import json

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.review import Action
from btc_gui.jobs.generation_plan import rewrite_probe
from btc_gui.jobs.pair_probes import choose_pairs, usable_direct_probes
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, make_facts
from tests.fakes.gemini import gemini_reply
from tests.jobs.test_generate_probes import gemini, generate
from tests.jobs.test_sample_probes import _accepted, _filter


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


def question(text: str) -> str:
    return json.dumps({"question": text})


def test_a_model_fills_the_template_for_each_event_with_a_retained_probe(
    database: Database, categories: dict[str, Category]
) -> None:
    """Where the facts move afterwards, it writes the same probe anew; what breaks a rule is a row."""
    ada = add_event(database, entity="Ada Example", description="painter (1940–2026)")
    bo = add_event(database, entity="Bo Brown", category="tenure")
    other = add_event(database, entity="Cy Cook")
    for event_id, key in ((ada, "p1"), (bo, "p2")):
        _filter(database, _accepted(database, event_id, key))
    _accepted(database, other, "p3")
    replies = [gemini_reply(question("Is she alive?")), gemini_reply(question("Ada Example lives."))]
    with gemini({"Ada Example": [*replies]}) as (server, model):
        outcome = generate(database, model, categories, choose_pairs(database, categories).targets)
        assert (outcome.served, [each.reason for each in outcome.unusable]) == (
            1,
            ["The direct probe does not name Ada Example."],
        )
        assert "1940" not in "".join(server.prompts)
        assert choose_pairs(database, categories).refused == 1
        outcome = generate(database, model, categories, choose_pairs(database, categories, retry=True).targets)
        assert "is not a question" in outcome.unusable[0].reason
        assert "does not name Ada Example" in server.prompts[-1]
        generate(database, model, categories, choose_pairs(database, categories, retry=True).targets)
        usable = usable_direct_probes(database)
        assert {event_id: each.text for event_id, each in usable.items()} == {
            ada: "Is Ada Example, painter, still alive?",
            bo: "Does Bo Brown currently serve as Mayor of Exampleton?",
        }
        told = GenerationStore(database).provenance([usable[bo].revision_id])[usable[bo].revision_id]
        assert told.model == "gemini-w (high)"
        assert choose_pairs(database, categories).targets == ()

        EventStore(database).revise(bo, make_facts("Bo Brown", "tenure", position="Mayor of Newtown"), "tests")
        for probe in ProbeStore(database).siblings(bo):
            if probe.kind is ProbeKind.INDIRECT:
                ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
        assert generate(database, model, categories, choose_pairs(database, categories).targets).served == 1
    now = usable_direct_probes(database)[bo]
    assert (now.id, now.revision, now.origin) == (usable[bo].id, 2, "regenerated")
    assert [each.reviewer for each in ReviewStore(database).log(now.id)] == ["pairing"]
    assert now.text == "Does Bo Brown currently serve as Mayor of Newtown?"
    assert GenerationStore(database).failed() == []


def test_the_demo_has_direct_probes_recorded_for_each_of_its_events(
    database: Database, categories: dict[str, Category]
) -> None:
    """One where there is none yet, and another wording of it."""
    model = ScriptedLanguageModel("demo-writer", paths.resources() / "demo" / "generator.jsonl")
    with (paths.resources() / "demo" / "events.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    facts = ("entity", "category", "date", "position", "description")
    events = [add_event(database, **{name: row[name] for name in facts}) for row in rows]
    for number, event_id in enumerate(events):
        _filter(database, _accepted(database, event_id, f"p{number}"))
    assert generate(database, model, categories, choose_pairs(database, categories).targets).served == len(rows)
    first = usable_direct_probes(database)
    assert {event_id for event_id, each in first.items() if each.kind is ProbeKind.DIRECT} == set(events)
    targets = [target for each in first.values() for target in rewrite_probe(database, each.id, "").targets]
    assert generate(database, model, categories, targets).served == len(rows)
    again = usable_direct_probes(database)
    assert all(again[event_id].text != first[event_id].text for event_id in events)
