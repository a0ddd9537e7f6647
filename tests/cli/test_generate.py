"""btc-gui generate: forecast, limit, rows for what did not come, and going on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import load_categories
from btc_gui.domain.event import EventId
from btc_gui.domain.lint import Severity
from btc_gui.domain.probe import ProbeKind
from btc_gui.errors import InputError, ModelError
from btc_gui.jobs.load_events import load_events
from btc_gui.jobs.load_probes import load_probes
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from tests.builders import add_event, add_probe
from tests.fakes.gemini import FakeGemini, written
from tests.jobs.test_generate_probes import add_article, add_events
from tests.jobs.test_sample_probes import _accepted as accepted
from tests.jobs.test_sample_probes import _filter as filter_probe

_REWRITTEN = [f"{name}-i{number}" for name in ("morton", "orban") for number in range(1, 6)]


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["generate", *(str(each) for each in arguments)], catch_exceptions=False)


def _replies(folder: Path, *rows: tuple[str, object]) -> str:
    file = folder / "writer.jsonl"
    lines = [json.dumps({"subject": subject, "reply": reply}) for subject, reply in rows]
    file.write_text("\n".join(lines), encoding="utf-8")
    return f"replay:{file}"


def test_from_forecast_to_probes(database: Database, tmp_path: Path) -> None:
    """A dry run says what it comes to; unusable replies are listed and asked for again."""
    add_events(database, "Ada Example", "Bo Brown")
    add_event(database, entity="Cy Cook", date="2026-06-01")
    who = _replies(
        tmp_path,
        ("generate/demise/Ada Example/2026-05-01", {"probes": written()}),
        ("generate/demise/Bo Brown/2026-05-02", {"probes": written(4)}),
        ("generate/demise/Bo Brown/2026-05-02/2", {"probes": written()}),
    )
    options = ("-p", database.path, "--generator", who)
    told = json.loads(_run(*options, "--dry-run", "--json").output)
    assert (told["calls"], told["refused"][0]["events"], told["cost_about"]) == (2, 1, None)
    assert "There is no article about it yet" in told["refused"][0]["reason"]
    done = _run(*options)
    assert done.exit_code == 1
    assert "5 probes written for 1 request. 1 reply could not be used. 1 event could not be asked for." in done.output
    assert "not usable: Bo Brown (event 2, five probes): 5 probes were asked for" in done.output
    assert "generate/demise" not in done.output
    assert "5 probes were asked for, and 4 came" in done.output
    failed = json.loads(_run("-p", database.path, "--failed", "--json").output)["failed"]
    assert [(row["entity"], row["problem"]) for row in failed] == [("Bo Brown", "5 probes were asked for, and 4 came.")]
    assert "had a reply that can't be used" in _run(*options).output
    again = json.loads(_run(*options, "--retry", "--json").output)
    assert (again["served"], again["probes"], again["unusable_before"]) == (1, 5, 0)
    assert _run("-p", database.path, "--failed").output == "0 requests without probes\n"
    assert len(ProbeStore(database).ids()) == 10


def test_models_toml_names_the_writer_and_its_address_can_be_changed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = add_events(database, "Ada Example")
    with pytest.raises(ModelError, match="GEMINI_API_KEY"):
        _run("-p", database.path)
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    with FakeGemini() as server:
        done = _run("-p", database.path, "--generator-url", server.address, "--max-cost", "1")
        assert done.exit_code == 0
        assert done.output.count("of one family (Gemini)") == 1
        again = _run("-p", database.path, "--generator-url", server.address)
        assert "of one family" not in again.output
        add_event(database, entity="Cy Cook", date="2026-06-01")
        refused = _run("-p", database.path, "--generator-url", server.address)
        assert "no article about it" in refused.output
        assert "of one family" not in refused.output
        assert server.received[0].path.endswith("/gemini-3.1-pro-preview:generateContent")
        key = ProbeStore(database).siblings(ada)[0].key
        done = _run("-p", database.path, "--generator-url", server.address, "--probe", key, "--note", "In a village.")
        assert done.exit_code == 0
        assert "In a village." in server.prompts[-1]
        _run("-p", database.path, "--generator-url", server.address, "--rewrite", "--event", "Q1")
        assert "Write 5 of them" in server.prompts[-1]
    assert [each.revision for each in ProbeStore(database).siblings(ada)] == [3, 2, 2, 2, 2]


def test_direct_probes_say_that_the_filter_comes_first(database: Database, tmp_path: Path) -> None:
    """Without a retained probe there is nothing to write for, and it is said what to do; then it is written."""
    ada, _ = add_events(database, "Ada Example", "Bo Brown")
    who = _replies(tmp_path, ("pair/demise/Ada Example/2026-05-01", {"question": "Is Ada Example still alive?"}))
    options = ("-p", database.path, "--generator", who, "--direct")
    filter_first = "No probe was filtered yet, and direct probes are made for events with a retained one. Filter first"
    for more in ((), ("--dry-run",)):
        assert _run(*options, *more).output.startswith(filter_first)
    filter_probe(database, accepted(database, ada, "p1"))
    assert "None of these events has a retained probe." in _run(*options, "--event", "Bo Brown").output
    assert "1 direct probe written for 1 request." in _run(*options).output
    assert "Events that need nothing: 1." in _run(*options).output


def test_a_failed_rewrite_is_put_aside(database: Database, tmp_path: Path) -> None:
    add_events(database, "Ada Example", "Bo Brown")
    for name in ("p1", "p2"):
        add_probe(database, EventId(1), f"Who suits {name}?", key=name)
    options = ("-p", database.path, "--generator", _replies(tmp_path))
    for key in ("p1", "p2"):
        _run(*options, "--probe", key, "--note", "Shorter.")
    _run(*options, "--event", "Q2")
    assert "3 requests without probes" in _run("-p", database.path, "--failed").output
    assert _run("-p", database.path, "--dismiss", "--probe", "p1").output.startswith("1 request put aside")
    assert _run("-p", database.path, "--dismiss").output.startswith("1 request put aside")
    assert "Bo Brown" in _run("-p", database.path, "--failed").output


def test_only_some_events(database: Database, tmp_path: Path) -> None:
    add_events(database, "Ada Example", "Bo Brown")
    tenure = add_event(database, entity="Cy Cook", category="tenure", date="2026-06-01")
    add_article(database, tenure)
    who = _replies(tmp_path, ("generate/tenure/Cy Cook/Mayor of Exampleton/2026-06-01", {"probes": written()}))
    options = ("-p", database.path, "--generator", who)
    assert json.loads(_run(*options, "--event", "Q2", "--event", "1", "--dry-run", "--json").output)["calls"] == 2
    assert json.loads(_run(*options, "--limit", 1, "--dry-run", "--json").output)["calls"] == 1
    assert _run(*options, "--category", "tenure").exit_code == 0
    assert len(ProbeStore(database).ids(ProbeQuery(kinds=(ProbeKind.INDIRECT,)))) == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--event", "Nobody"), "no event “Nobody”"),
        (("--category", "poetry"), "no category “poetry”"),
        (("--probe", "p9"), "no probe “p9”"),
        (("--note", "x"), "A note goes with"),
        (("--rewrite",), "Say whose probes"),
        (("--generator", "oracle"), "names no language model"),
    ],
)
def test_what_makes_no_sense_is_refused(database: Database, options: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        _run("-p", database.path, *options)


def test_the_demo_has_recorded_replies_for_writing_anew(database: Database) -> None:
    """Two sets that keep the rules, one probe, and a set that breaks them."""
    demo, author, progress = paths.resources() / "demo", "tests", Progress()
    categories = load_categories(paths.resources() / "categories")
    load_events(database, demo / "events.csv", categories, progress, author=author)
    load_probes(database, demo / "probes.jsonl", progress, author=author)
    options = ("-p", database.path, "--generator", f"replay:{demo / 'generator.jsonl'}", "--without-context")
    names = ("Craig Morton", "Viktor Orbán", "Ed Iskenderian")
    done = _run(*options, "--rewrite", *(part for name in names for part in ("--event", name)))
    assert "10 probes written for 2 requests. 1 reply could not be used." in done.output
    assert _run(*options, "--probe", "morton-i5", "--note", "Not only one.").exit_code == 0
    keys = ProbeStore(database).keys()
    findings = LintStore(database).findings([keys[key][0] for key in _REWRITTEN])
    assert not [each for found in findings.values() for each in found if each.severity is Severity.ERROR]
