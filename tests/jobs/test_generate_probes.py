"""Generating probes with the real SDK against a loopback Gemini: what is kept, what is refused, what is tried again."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.article import About, Article, AsOf
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.dates import now_utc
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, ProbeKind, ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.errors import ModelError
from btc_gui.jobs.generate_probes import GenerationOutcome, forecast_generation, generate_probes, generator_kin
from btc_gui.jobs.generation_plan import (
    Target,
    choose_again,
    choose_events,
    rewrite_event,
    rewrite_probe,
)
from btc_gui.jobs.spending import Spending
from btc_gui.progress import Cancelled, Progress, Report
from btc_gui.remote.gemini import GeminiModel
from btc_gui.remote.language_model import LanguageModel, ModelReply, ModelRequest, Wait
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.store.articles import ArticleStore
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.lease import from_now
from btc_gui.store.lint import LintStore
from btc_gui.store.model_calls import ModelCallStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts
from tests.fakes.gemini import FakeGemini, gemini_error, probes_reply, written
from tests.fakes.http_replies import Prepared

ARTICLE = "Ada Example (born 4 May 1943) is an actor. She teaches [sic] in Exampleton."
PRICE = TokenPrice(1.0, 10.0)


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


def add_article(database: Database, event_id: EventId, text: str = ARTICLE, about: About = About.ENTITY) -> None:
    article = Article(
        event_id,
        about,
        asked="x",
        as_of=AsOf.WINDOW,
        before=None,
        fetched_at=now_utc(),
        title="Title",
        description="head of a town (since 2010)",
        text=text,
    )
    ArticleStore(database).keep([article])


def add_events(database: Database, *names: str) -> list[EventId]:
    found = []
    for number, name in enumerate(names, 1):
        found.append(add_event(database, entity=name, qid=f"Q{number}", date=f"2026-05-{number:02}"))
        add_article(database, found[-1])
    return found


@contextmanager
def gemini(plan: dict[str, list[str | Prepared]] | None = None) -> Iterator[tuple[FakeGemini, GeminiModel]]:
    with FakeGemini(plan) as server:
        model = GeminiModel("gemini-w", "key", thinking="high", base_url=server.address, price=PRICE, timeout=5)
        with closing(model):
            yield server, model


def generate(
    database: Database,
    model: LanguageModel,
    categories: dict[str, Category],
    targets: Sequence[Target] | None = None,
    **more: object,
) -> GenerationOutcome:
    if targets is None:
        targets = choose_events(database, None).targets
    options = {"author": "mara", "at_once": 1, **more}
    progress = options.pop("progress", Progress())
    return generate_probes(database, model, categories, targets, progress, **options)  # type: ignore[arg-type]


def indirect(database: Database, event_id: EventId) -> list[ProbeId]:
    return [each.id for each in ProbeStore(database).siblings(event_id) if each.kind is ProbeKind.INDIRECT]


def test_five_probes_with_all_that_is_to_be_known_of_them(database: Database, categories: dict[str, Category]) -> None:
    """Each carries what was varied, the other candidates, model, prompt, cost, and the reply as it came."""
    (ada,) = add_events(database, "Ada Example")
    with gemini() as (server, model):
        outcome = generate(database, model, categories)
    assert outcome.served == 1
    assert outcome.is_complete
    assert LintStore(database).unchecked() == []
    probes = ProbeStore(database).siblings(ada)
    assert [probe.ordinal for probe in probes] == [1, 2, 3, 4, 5]
    assert list(outcome.probes) == [probe.id for probe in probes]
    first, facts = probes[0], EventStore(database).get(ada).facts
    assert first.origin == "generated"
    assert first.facts_hash == facts.facts_hash
    assert (first.content, first.status) == (_content(written(1, 10)[0]), ReviewStatus.UNREVIEWED)
    found = GenerationStore(database).provenance([probe.revision_id for probe in probes])
    assert len(found) == 5
    told = found[first.revision_id]
    assert (told.model, told.candidates, told.author) == ("gemini-w (high)", ("Cy Other", "Di Another"), "mara")
    # 1,000 tokens in at a dollar a million, 400 out (thoughts included) at ten.
    assert told.cost == pytest.approx(0.005)
    assert (told.usage.input, told.usage.output) == (1000, 400)
    assert told.seconds > 0
    prompt = PromptStore(database).by_hash(told.prompt_hash)
    assert json.loads(prompt) == [
        PromptStore(database).prompt("demise/generate_indirect").system,
        PromptStore(database).prompt("demise/generate_indirect").template,
    ]
    raw = next(iter(ModelCallStore(database).replies("gemini-w (high)", _hashes(database)).values()))
    assert json.loads(raw.text)["probes"][0]["text"] == first.text
    sent = server.received[0].body
    assert sent["generationConfig"]["responseJsonSchema"]["required"] == ["probes"]


def _content(probe: dict[str, str]) -> ProbeText:
    return ProbeText(*(probe[part] for part in ("text", "requester", "situation", "consequence")))


def _hashes(database: Database) -> list[str]:
    return [row[0] for row in database.read().execute("SELECT request_hash FROM model_call")]


def test_the_prompt_says_both_facts_and_the_article_without_its_years(
    database: Database, categories: dict[str, Category]
) -> None:
    add_event(database, entity="Bo Brown", category="tenure", date="2026-05-09", aliases=("B. Brown",))
    bo = EventStore(database).ids()[0]
    add_article(database, bo)
    add_article(database, bo, "The mayor signs what the council decides (1999).", about=About.POSITION)
    with gemini() as (server, model):
        generate(database, model, categories)
    prompt = server.prompts[0]
    for words in (
        "Bo Brown holds the position of Mayor of Exampleton.",
        "Bo Brown no longer holds the position of Mayor of Exampleton, since 9 May 2026.",
        "B. Brown",
        "Ada Example is an actor. She teaches [sic] in Exampleton.",
        "head of a town\n",
        "The mayor signs what the council decides.",
        "Write 5 of them",
    ):
        assert words in prompt
    assert "1943" not in prompt
    assert "2010" not in prompt
    assert "$" not in prompt


def test_the_same_command_asks_nobody_twice(database: Database, categories: dict[str, Category]) -> None:
    add_events(database, "Ada Example", "Bo Brown")
    with gemini() as (server, model):
        generate(database, model, categories, limit=1)
        assert len(server.received) == 1
        generate(database, model, categories)
        assert len(server.received) == 2
        assert generate(database, model, categories) == GenerationOutcome()
        assert len(server.received) == 2
    assert len(ProbeStore(database).ids()) == 10


def test_what_passes_is_tried_again_as_the_provider_asks(
    database: Database, categories: dict[str, Category], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retry-After and Google's RetryInfo are kept to; without either the pause is our own."""
    pauses = {"limited": 0.02, "limited_info": 0.02, "overloaded": 0.02, "cut_body": 1.0, "bad_body": 1.0}
    add_events(database, *pauses)
    waits: list[float] = []
    progress = Progress()
    monkeypatch.setattr(progress, "wait", waits.append)
    with gemini({fault: [fault] for fault in pauses}) as (server, model):
        outcome = generate(database, model, categories, progress=progress)
    assert (outcome.served, outcome.is_complete, len(server.received)) == (5, True, 10)
    assert waits == list(pauses.values())


_UNUSABLE: dict[str, tuple[str | Prepared, str]] = {
    "Ada A": ("bad_json", "cut off: its JSON does not end"),
    "Ada B": ("prose", "not JSON"),
    "Ada C": ("blocked", "withheld by the provider (PROHIBITED_CONTENT)"),
    "Ada D": ("safety", "broken off by the provider (SAFETY)"),
    "Ada E": ("max_tokens", "reached the longest length"),
    "Ada F": ("four", "5 probes were asked for, and 4 came"),
    "Ada Example": (probes_reply(written(text="Would Ada Example come?")), "Probe 1 names Ada Example (“Ada Example”)"),
    "Ada H": (probes_reply(written(requester="a school")), "All probes have the same requester"),
    "Ada I": (probes_reply([*written(4), written(1)[0]]), "Probe 5 says the same as probe 1"),
    "Ada J": (probes_reply(written(other_candidates=["Ada J", " "])), "names no other candidate"),
    "Ada K": (probes_reply(written(consequence="  ")), "does not say its consequence"),
    "Ada L": (probes_reply(written(text="\n")), "Probe 3 is empty"),
}


def test_a_reply_that_cant_be_used_is_a_row_and_can_be_asked_for_again(
    database: Database, categories: dict[str, Category]
) -> None:
    """It was paid for, so it stays; it is asked for again only when somebody says so, and the model is told why."""
    add_events(database, *_UNUSABLE, "Bo Brown")
    with gemini({name: [fault] for name, (fault, _) in _UNUSABLE.items()}) as (server, model):
        outcome = generate(database, model, categories)
        assert (outcome.served, len(outcome.unusable), outcome.is_complete) == (1, len(_UNUSABLE), False)
        failures = GenerationStore(database).failed()
        for failure in failures:
            assert _UNUSABLE[failure.entity][1] in failure.problem
            assert failure.has_reply
            assert indirect(database, failure.event_id) == []
        choice = choose_events(database, None)
        assert (choice.targets, choice.skipped, choice.refused) == ((), 1, len(_UNUSABLE))
        server.received.clear()
        assert generate(database, model, categories, choose_again(database, failures).targets).is_complete
        for failure, prompt in zip(failures, server.prompts, strict=True):
            assert failure.problem in prompt
    assert GenerationStore(database).failed() == []
    assert len(ProbeStore(database).ids()) == 5 * (len(_UNUSABLE) + 1)
    assert ModelCallStore(database).totals("generator").calls == 2 * len(_UNUSABLE) + 1


def test_no_reply_at_all_is_a_row_too_and_is_simply_tried_again(
    database: Database, categories: dict[str, Category]
) -> None:
    (ada,) = add_events(database, "Ada Example")
    with gemini({"Ada Example": ["empty"]}) as (_, model):
        outcome = generate(database, model, categories)
        assert len(outcome.failed) == 1
        (failure,) = GenerationStore(database).failed()
        assert "sent no reply" in failure.problem
        assert not failure.has_reply
        assert generate(database, model, categories).is_complete
    assert GenerationStore(database).failed() == []
    assert len(indirect(database, ada)) == 5


@pytest.mark.parametrize(
    ("fault", "words"), [("wrong_key", "refuses the key"), ("quota", "quota for “gemini-w” is used up")]
)
def test_a_model_that_cant_be_used_stops_everything_at_once(
    database: Database, categories: dict[str, Category], fault: str, words: str
) -> None:
    """One request tells; the events are not to blame, and are there for the next start."""
    names = ["Ada Example", "Bo Brown", "Cy Cook"]
    add_events(database, *names)
    with gemini({"Bo Brown": [fault]}) as (server, model):
        with pytest.raises(ModelError, match=words):
            generate(database, model, categories)
        assert len(server.received) == 2
        assert len(ProbeStore(database).ids()) == 5
        assert GenerationStore(database).failed() == []
        assert generate(database, model, categories).served == 2


def test_a_silent_provider_is_given_up(
    database: Database, categories: dict[str, Category], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody ever answered, the address is to blame and not the event."""
    add_events(database, "Ada Example", "Bo Brown")
    progress = Progress()
    monkeypatch.setattr(progress, "wait", lambda seconds: None)
    with (
        FakeGemini({"Ada Example": ["slow"] * 4}) as server,
        closing(GeminiModel("gemini-w", "key", base_url=server.address, timeout=0.1)) as model,
        pytest.raises(ModelError, match="can't be reached"),
    ):
        generate(database, model, categories, progress=progress)
    assert GenerationStore(database).failed() == []
    assert ModelCallStore(database).totals("generator").failed == 1


def test_cancelling_keeps_what_is_under_way(database: Database, categories: dict[str, Category]) -> None:
    """What was sent is paid for: it is waited for, and the next start goes on behind it."""
    add_events(database, "Ada Example", "Bo Brown", "Cy Cook")

    def cancel(report: Report) -> None:
        if report.done == 1:
            progress.cancel()

    progress = Progress(cancel)
    with gemini() as (server, model):
        with pytest.raises(Cancelled):
            generate(database, model, categories, progress=progress)
        assert len(server.received) == 1
        assert len(ProbeStore(database).ids()) == 5
        assert generate(database, model, categories).served == 2
        assert len(server.received) == 3


def test_a_crash_while_a_reply_is_kept_leaves_nothing_half_written(
    database: Database, categories: dict[str, Category], monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = add_events(database, "Ada Example")

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with gemini() as (_, model):
        with monkeypatch.context() as broken:
            broken.setattr(GenerationStore, "_credit", crash)
            with pytest.raises(KeyboardInterrupt):
                generate(database, model, categories)
        counts = [_count(database, table) for table in ("probe", "probe_revision", "generation", "model_call")]
        assert counts == [0, 0, 0, 0]
        assert generate(database, model, categories).is_complete
    assert len(indirect(database, ada)) == 5


def _count(database: Database, table: str) -> int:
    return int(database.read().execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_several_requests_are_under_way_at_once(database: Database, categories: dict[str, Category]) -> None:
    names = [f"Ada Number{letter}" for letter in "abcdefgh"]
    add_events(database, *names)
    with gemini({names[3]: ["four"]}) as (server, model):
        outcome = generate(database, model, categories, at_once=4)
    assert (outcome.served, len(outcome.unusable), len(server.received)) == (7, 1, 8)
    assert len(ProbeStore(database).ids()) == 35


def test_the_spending_limit_stops_before_it_is_passed(database: Database, categories: dict[str, Category]) -> None:
    """One call costs half a cent here; the first is expected to cost more than it does."""
    add_events(database, "Ada Example", "Bo Brown", "Cy Cook", "Di Dunn")
    with gemini() as (server, model):
        outcome = generate(database, model, categories, spending=Spending(0.013, PRICE, first_reply=400))
    assert outcome.served == len(server.received) > 0
    assert outcome.served + outcome.left == 4
    assert (outcome.cost or 0) <= 0.013
    assert outcome.left > 0


def test_events_without_an_article_are_refused_unless_one_goes_on_without(
    database: Database, categories: dict[str, Category]
) -> None:
    add_event(database)
    with gemini() as (server, model):
        outcome = generate(database, model, categories)
        (refused,) = outcome.refused
        assert "no article about it yet" in refused.reason
        assert "go on without" in refused.reason
        assert server.received == []
        assert generate(database, model, categories, without_context=True).served == 1
        assert "No article is given" in server.prompts[0]


def test_rejected_events_and_those_with_probes_are_left_alone(
    database: Database, categories: dict[str, Category]
) -> None:
    ada, bo, cy = add_events(database, "Ada Example", "Bo Brown", "Cy Cook")
    add_probe(database, ada)
    add_probe(database, cy, "Is Cy Cook still alive?", kind=ProbeKind.DIRECT)
    EventRejectionStore(database).reject(bo, "A hoax.", "mara")
    choice = choose_events(database, None)
    assert [each.event_id for each in choice.targets] == [cy]
    assert choice.skipped == 2
    assert choose_events(database, [ada]).targets == ()


def test_a_forecast_asks_nobody_and_says_what_is_in_the_way(
    database: Database, categories: dict[str, Category]
) -> None:
    add_events(database, "Ada Example", "Bo Brown")
    add_event(database, entity="Cy Cook")
    add_event(database, entity="Museum", category="unknown")
    targets = choose_events(database, None).targets
    told = forecast_generation(database, "gemini-w (high)", categories, targets, price=PRICE)
    assert told.forecast.calls == 2
    assert not told.forecast.is_measured
    assert told.forecast.cost == pytest.approx(
        (told.forecast.input_tokens * 1 + told.forecast.output_tokens * 10) / 1_000_000
    )
    assert {reason.split(".")[0]: count for reason, count in told.reasons} == {
        "There is no article about it yet": 1,
        "There is no category “unknown”": 1,
    }
    with gemini() as (_, model):
        generate(database, model, categories)
    told = forecast_generation(database, "gemini-w (high)", categories, [Target(EventId(1), rewrites=True)])
    assert (told.forecast.is_measured, told.forecast.output_tokens) == (True, 400)


def test_one_probe_is_written_anew_with_a_note(database: Database, categories: dict[str, Category]) -> None:
    """It is a new wording of the same probe, which an undo takes back; the old ones are shown to the model."""
    (ada,) = add_events(database, "Ada Example")
    store = ProbeStore(database)
    with gemini() as (server, model):
        generate(database, model, categories)
        probe = store.siblings(ada)[2]
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "mara")
        generate(database, model, categories, rewrite_probe(database, probe.id, "  Somewhere in the north. ").targets)
    now = store.get(probe.id)
    assert (now.revision, now.origin, now.status, now.ordinal) == (2, "regenerated", ReviewStatus.UNREVIEWED, 3)
    assert now.text != probe.text
    assert "Somewhere in the north." in server.prompts[1]
    assert "Write 1 of them" in server.prompts[1]
    assert f"* {probe.text}" in server.prompts[1]
    assert GenerationStore(database).provenance([now.revision_id])[now.revision_id].note == "Somewhere in the north."
    step = ReviewStore(database).undo_step("mara")
    assert step is not None
    ReviewStore(database).undo(step.about, "mara")
    assert store.get(probe.id).text == probe.text


def test_an_events_five_are_written_anew(database: Database, categories: dict[str, Category]) -> None:
    """Where it has fewer, the missing ones are added; the direct one stays."""
    (ada,) = add_events(database, "Ada Example")
    old = [add_probe(database, ada, f"Who could speak at evening {n}?") for n in range(3)]
    direct = add_probe(database, ada, "Is she alive?", kind=ProbeKind.DIRECT)
    with gemini() as (_, model):
        assert generate(database, model, categories, rewrite_event(ada, "Shorter.").targets).is_complete
    now = ProbeStore(database).siblings(ada)
    assert [each.revision for each in now] == [2, 2, 2, 1, 1, 1]
    assert [each.id for each in now[:3]] == [each.id for each in old]
    assert now[-1].text == direct.text


def test_a_probe_that_was_accepted_meanwhile_keeps_its_wording(
    database: Database, categories: dict[str, Category]
) -> None:
    """The approval is for what the curator read; the failure is put aside, and what is still missing isn't."""
    ada, bo = add_events(database, "Ada Example", "Bo Brown")
    store = GenerationStore(database)
    with gemini({"Bo Brown": ["four"]}) as (_, model):
        generate(database, model, categories)
        probe = ProbeStore(database).siblings(ada)[4]

        def accept(*_: object) -> None:
            ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "kim")

        outcome = generate(
            database, _Meanwhile(model, accept), categories, rewrite_probe(database, probe.id, "Shorter.").targets
        )
        assert "accepted in the meantime" in outcome.unusable[0].reason
        assert ProbeStore(database).get(probe.id).status is ReviewStatus.ACCEPTED
        assert [each.is_rewrite for each in store.failed()] == [True, False]
        assert store.dismiss(store.failed(), "kim") == 1
        assert [each.event_id for each in store.failed()] == [bo]
        # One that stood accepted when it was asked for is written anew.
        assert generate(database, model, categories, rewrite_probe(database, probe.id, "").targets).served == 1


def test_a_probe_that_was_edited_meanwhile_keeps_its_wording(
    database: Database, categories: dict[str, Category]
) -> None:
    """Whoever edits while the model is writing wins; the reply stays as a row."""
    (ada,) = add_events(database, "Ada Example")
    with gemini() as (_, model):
        generate(database, model, categories)
        targets = rewrite_event(ada, "").targets
        probe = ProbeStore(database).siblings(ada)[4]

        def edit(*_: object) -> None:
            content = probe.content
            ReviewStore(database).decide(probe.id, probe.revision_id, Action.EDIT, "kim", edited=content)

        outcome = generate(database, _Meanwhile(model, edit), categories, targets)
    assert "edited in the meantime" in outcome.unusable[0].reason
    assert [each.revision for each in ProbeStore(database).siblings(ada)] == [1, 1, 1, 1, 2]


def test_facts_that_move_and_probes_that_come_meanwhile(database: Database, categories: dict[str, Category]) -> None:
    ada, bo = add_events(database, "Ada Example", "Bo Brown")

    def move(*_: object) -> None:
        EventStore(database).revise(ada, make_facts(date="2026-05-30", qid="Q1"), "kim")
        if not indirect(database, bo):
            add_probe(database, bo)

    with gemini() as (_, model):
        outcome = generate(database, _Meanwhile(model, move), categories)
    assert [each.reason.split(".")[0] for each in outcome.unusable] == [
        "The event's facts were changed while the model was writing",
        "The event got probes from elsewhere while the model was writing",
    ]
    assert len(ProbeStore(database).ids()) == 1


def test_a_rejected_event_gets_no_probes_by_any_way(database: Database, categories: dict[str, Category]) -> None:
    """Rejected while the model writes, before a retry, before its probes are written anew."""
    ada, bo = add_events(database, "Ada Example", "Bo Brown")
    rejections = EventRejectionStore(database)
    with gemini() as (server, model):

        def reject(*_: object) -> None:
            if not rejections.fetch([ada]):
                rejections.reject(ada, "A hoax.", "kim")

        outcome = generate(database, _Meanwhile(model, reject), categories)
        assert [each.reason for each in outcome.unusable] == ["The event was rejected while the model was writing."]
        rejections.reject(bo, "A hoax.", "kim")
        asked = len(server.prompts)
        again = choose_again(database, GenerationStore(database).failed()).targets
        outcome = generate(database, model, categories, [*again, *rewrite_event(bo, "shorter").targets])
        assert [each.reason for each in outcome.refused] == ["The event was rejected."] * 2
        assert len(server.prompts) == asked
    assert [len(indirect(database, event_id)) for event_id in (ada, bo)] == [0, 5]


class _Meanwhile:
    """A model during whose writing something happens in the project."""

    def __init__(self, model: LanguageModel, happens: Callable[..., None]) -> None:
        self._model, self._happens, self.name = model, happens, model.name

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        reply = self._model.ask(request, wait)
        self._happens()
        return reply


def test_any_model_can_write_them(database: Database, categories: dict[str, Category], tmp_path: Path) -> None:
    """A recording has its replies by event, and by number for later tries."""
    facts = add_events(database, "Ada Example")
    add_event(database, entity="Bo Brown", category="tenure", date="2026-03")
    add_article(database, EventId(facts[0] + 1))
    rows = [
        {"subject": "generate/demise/Ada Example/2026-05-01", "reply": {"probes": written(3)}},
        {"subject": "generate/demise/Ada Example/2026-05-01/2", "reply": {"probes": written()}},
        {"subject": "generate/tenure/Bo Brown/Mayor of Exampleton/2026-03", "reply": {"probes": written()}},
    ]
    file = tmp_path / "generator.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    model = ScriptedLanguageModel("recorded", file)
    assert len(generate(database, model, categories).unusable) == 1
    assert generate(database, model, categories, choose_events(database, None, retry=True).targets).is_complete
    assert len(ProbeStore(database).ids(ProbeQuery(kinds=(ProbeKind.INDIRECT,)))) == 10


def test_two_events_that_are_alike_share_a_request_and_not_a_key(
    database: Database, categories: dict[str, Category]
) -> None:
    add_event(database, entity="Ada Example", qid="")
    add_event(database, entity="Ada Example", qid="")
    with gemini() as (server, model):
        outcome = generate(database, model, categories, without_context=True)
    assert (outcome.served, len(server.received)) == (2, 1)
    keys = {each.key for each in ProbeStore(database).fetch(ProbeStore(database).ids()).values()}
    assert len(keys) == 10


def test_a_project_may_have_a_template_of_its_own(database: Database, categories: dict[str, Category]) -> None:
    (ada,) = add_events(database, "Ada Example")
    name = "demise/generate_indirect"
    store = PromptStore(database)
    store.set(name, f"{store.text(name)}\nAlways in the voice of a sailor.")
    with gemini() as (server, model):
        generate(database, model, categories)
    assert "voice of a sailor" in server.prompts[0]
    revision = ProbeStore(database).siblings(ada)[0].revision_id
    told = GenerationStore(database).provenance([revision])[revision]
    assert "voice of a sailor" in store.by_hash(told.prompt_hash)


def test_kin_is_told_before_anything_is_evaluated(database: Database) -> None:
    (found,) = generator_kin(database, "gemini-3.1-pro-preview (high)")
    assert "generator gemini-3.1-pro-preview (high) and evaluated model Gemini-3.1-Pro" in found.text
    assert generator_kin(database, "mistral-large") == []


def test_a_key_in_an_error_is_never_kept(database: Database, categories: dict[str, Category]) -> None:
    add_events(database, "Ada Example")
    refusal = gemini_error(400, "INVALID_ARGUMENT", "The parameter key-of-mine is odd.")
    with (
        FakeGemini({"Ada Example": [refusal]}) as server,
        closing(GeminiModel("gemini-w", "key-of-mine", base_url=server.address)) as model,
    ):
        outcome = generate(database, model, categories)
    assert "refuses the request" in outcome.failed[0].reason
    assert "key-of-mine" not in outcome.failed[0].reason


class OtherWindow:
    """A model in whose midst another window of the same project generates too, over a connection of its own."""

    name = "slow"
    start = 0

    def __init__(self, path: Path, categories: dict[str, Category], targets: Sequence[Target]) -> None:
        self.path, self.categories, self.targets = path, categories, targets
        self.asked: list[str] = []
        self.others: list[GenerationOutcome] = []

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        self.asked.append(request.subject)
        if not self.others:
            with closing(Database.open(self.path)) as database:
                recorded = OtherWindow(self.path, self.categories, ())
                recorded.others.append(GenerationOutcome())
                self.others.append(generate(database, recorded, self.categories, self.targets))
                self.asked += recorded.asked
        return ModelReply(json.dumps({"probes": written(start=self.start + 5 * len(self.asked))}))


def test_two_windows_at_once_ask_for_nothing_twice(database: Database, categories: dict[str, Category]) -> None:
    """What is under way elsewhere is refused there; what was written since it was chosen is not asked for again."""
    ada, bo = add_events(database, "Ada Example", "Bo Brown")
    assert database.path is not None
    targets = choose_events(database, None).targets
    model = OtherWindow(database.path, categories, targets)
    outcome = generate(database, model, categories, targets)
    assert outcome.served == 2
    assert [each.reason for each in model.others[0].refused] == [
        "Another window or terminal is having it written now."
    ] * 2
    assert len(model.asked) == len(set(model.asked)) == 2
    late = OtherWindow(database.path, categories, ())
    late.others.append(GenerationOutcome())
    assert {each.reason for each in generate(database, late, categories, targets).refused} == {
        "Another window or terminal has had it written meanwhile."
    }
    assert late.asked == []
    assert [len(ProbeStore(database).siblings(each)) for each in (ada, bo)] == [5, 5]
    # Nothing is held any more: a curator may have them written anew.
    late.start = 100
    assert generate(database, late, categories, rewrite_event(ada, "").targets).served == 1


def test_the_claims_of_a_killed_process_hold_nobody_up(database: Database, categories: dict[str, Category]) -> None:
    add_events(database, "Ada Example", "Bo Brown")
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    with database.write() as connection:
        for event_id, holder in ((1, f"x@{socket.gethostname()}:{child.pid}"), (2, "x@elsewhere:1")):
            connection.execute(
                "INSERT INTO generation_claim (event_id, kind, holder, until) VALUES (?, 'indirect', ?, ?)",
                (event_id, holder, from_now(60)),
            )
    model = OtherWindow(Path(), categories, ())
    model.others.append(GenerationOutcome())
    outcome = generate(database, model, categories, choose_events(database, None).targets)
    assert (outcome.served, [each.subject for each in outcome.refused]) == (1, ["Bo Brown"])
