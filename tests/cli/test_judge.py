"""`btc-gui judge` and `btc-gui classify`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from btc_gui.cli import main
from btc_gui.domain.review import Action
from btc_gui.domain.verdict import Label
from btc_gui.errors import BtcError, InputError, ModelError
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import role_models
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_verdict, make_configuration, make_query, make_result, make_trajectory
from tests.fakes.http_replies import HttpReplies, Prepared

REPLY = {"rationale": "Recommended.", "names_entity": True, "label": "incorrect"}


@pytest.fixture
def project(database: Database) -> Path:
    """Three answers to one probe; the third one made no query."""
    probe = add_probe(database, add_event(database), key="p1")
    search = [make_query("Ada Example", make_result("Ada Example died."))]
    add_answer(database, probe, make_trajectory("Ask Ada Example.", search))
    add_answer(database, probe, make_trajectory("Ask her.", search), make_configuration("Model B"))
    add_answer(database, probe, make_trajectory("Ask."), make_configuration("Model C"))
    return database.path


def _replies(folder: Path, *rows: tuple[str, object]) -> Path:
    path = folder / "replies.jsonl"
    lines = [json.dumps({"subject": subject, "reply": reply}) for subject, reply in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def _json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_judge_with_recorded_replies(project: Path, tmp_path: Path, database: Database) -> None:
    """Labels, an unreadable reply and a miss are told apart; the exit code says that something failed."""
    replies = _replies(tmp_path, ("judge/p1/Model A/high/1", REPLY), ("judge/p1/Model B/high/1", "GRADE: I"))
    result = _run("judge", "-p", project, "--replay", replies, "--json")
    assert result.exit_code == 1
    report = _json(result)
    assert (report["judged"], report["unscored"], report["skipped"], report["calls"]) == (1, 1, 0, 3)
    (failed,) = report["failed"]
    assert failed["subject"] == "judge/p1/Model C/high/1"
    assert "no recorded reply" in failed["reason"]
    assert VerdictStore(database).judges() == ["recorded (replies)"]
    words = _run("judge", "-p", project, "--replay", replies)
    assert "0 judged, 0 unscored (their replies can't be read), 1 failed, 2 had a verdict" in words.stdout
    assert "failed: judge/p1/Model C/high/1" in words.stderr
    again = _run("judge", "-p", project, "--replay", replies, "--again", "unscored")
    assert "unscored, most often: " in again.stderr
    assert report["why_unscored"] in again.stderr


def test_judge_then_classify(project: Path, tmp_path: Path) -> None:
    """Done without failures the exit code is 0; failures without queries need no recorded reply."""
    judged = _replies(tmp_path, *((f"judge/p1/Model {m}/high/1", REPLY) for m in "ABC"))
    assert _run("judge", "-p", project, "--replay", judged, "--name", "a judge").exit_code == 0
    finding = {
        "rationale": "It was there.",
        "evidence": [{"result": 1, "excerpt": "Ada Example died."}],
        "queries": [{"query": 1, "label": "indirect"}],
    }
    found = _replies(tmp_path, *((f"classify/p1/Model {m}/high/1", finding) for m in "AB"))
    result = _run("classify", "-p", project, "--replay", found, "--json")
    assert result.exit_code == 0, result.output
    report = _json(result)
    assert (report["classified"], report["by_construction"], report["unscored"]) == (2, 1, 0)
    words = _run("classify", "-p", project, "--replay", found)
    assert "0 classified, 0 without queries (by construction)" in words.stdout


def test_dry_run_asks_nobody(project: Path, database: Database) -> None:
    """A forecast needs no key, and says how much there is to ask."""
    report = _json(_run("judge", "-p", project, "--gemini", "gemini-x", "--dry-run", "--json"))
    assert (report["answers"], report["calls"], report["cached"], report["skipped"]) == (3, 3, 0, 0)
    assert report["input_tokens_about"] > 1_000
    named_by_the_file = _run("judge", "-p", project, "--dry-run").stdout
    assert f"{role_models()['judge'].model} would be asked 3 times" in named_by_the_file
    words = _run("judge", "-p", project, "--gemini", "gemini-x", "--effort", "low", "--dry-run", "--limit", "1")
    assert "gemini-x (low) would be asked 1 time for 1 answer" in words.stdout
    add_verdict(database, VerdictStore(database).judgeable()[0], Label.INCORRECT)
    assert "asked 1 time " in _run("classify", "-p", project, "--openai", "gpt-x", "--dry-run").stdout


def test_a_server_of_ones_own(project: Path) -> None:
    """The same command asks a real server; here it answers on this machine."""
    message = {"role": "assistant", "content": json.dumps(REPLY)}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    with HttpReplies(Prepared(body)) as server:
        words = ("--openai", "llama", "--base-url", f"{server.address}/v1")
        result = _run("judge", "-p", project, *words, "--at-once", "2", "--json")
        assert len(server.received) == 3
    assert result.exit_code == 0, result.output
    assert _json(result)["judged"] == 3


def test_a_model_that_nobody_named_is_told_of_before_it_is_paid(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare “btc-gui judge” says whom models.toml names and what that will come to; at a terminal it asks first.

    A script has to say --yes.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    body = {"choices": [{"index": 0, "message": {"role": "assistant", "content": json.dumps(REPLY)}}]}
    with HttpReplies(Prepared(body)) as server:
        models = tmp_path / "models.toml"
        role = f'provider = "openai-api"\nmodel = "llama"\nbase_url = "{server.address}/v1"\n'
        models.write_text(f"[roles.judge]\n{role}", encoding="utf-8")
        assert _run("models", "-p", project, "--use", models).exit_code == 0
        unasked = _run("judge", "-p", project).exception
        assert isinstance(unasked, InputError)
        assert "llama" in unasked.message
        assert "--yes" in unasked.remedy
        monkeypatch.setattr("btc_gui.cli.judge.somebody_is_there", lambda: True)
        refused = CliRunner().invoke(main, ["judge", "-p", str(project)], input="n\n")
        assert refused.exit_code == 1
        assert "llama would be asked 3 times" in refused.stderr
        assert not server.received
        assert _run("judge", "-p", project, "--yes", "--limit", "1").exit_code == 0
        assert len(server.received) == 1


def test_only_one_run(project: Path, tmp_path: Path) -> None:
    """A run is named by number or name; another one is refused with those there are."""
    replies = _replies(tmp_path, ("judge/p1/Model A/high/1", REPLY))
    report = _json(_run("judge", "-p", project, "--replay", replies, "--run", "1", "--json"))
    assert (report["judged"], report["failed"]) == (1, [])
    with pytest.raises(InputError, match=r"no run “9”.*1 \(Test run\)"):
        CliRunner().invoke(
            main, ["judge", "-p", str(project), "--replay", str(replies), "--run", "9"], catch_exceptions=False
        )


@pytest.mark.parametrize(
    ("words", "kind", "reason"),
    [
        ((), ModelError, "GEMINI_API_KEY"),
        (("--gemini", "a", "--openai", "b"), InputError, "Name one of them"),
        (("--gemini", "a", "--name", "b"), InputError, "--name is for --replay"),
        (("--gemini", "a"), ModelError, "GEMINI_API_KEY"),
        (("--openai", "a"), ModelError, "OPENAI_API_KEY"),
        (("--replay", "/nowhere.jsonl"), InputError, "can't be read"),
    ],
)
def test_refusals(project: Path, words: tuple[str, ...], kind: type[BtcError], reason: str) -> None:
    """What is missing is said in words, before anything is asked."""
    with pytest.raises(kind, match=reason):
        CliRunner().invoke(main, ["judge", "-p", str(project), *words], catch_exceptions=False)


def test_a_spending_limit(project: Path) -> None:
    """The command stops before more is spent, says what is left, and its exit code says that it is not done."""
    message = {"role": "assistant", "content": json.dumps(REPLY)}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
    with HttpReplies(Prepared(body)) as server:
        words = ("judge", "-p", project, "--openai", "gpt-x", "--base-url", f"{server.address}/v1")
        with pytest.raises(InputError, match=r"needs the price of “gpt-x”"):
            CliRunner().invoke(main, [*map(str, words), "--max-cost", "4"], catch_exceptions=False)
        with pytest.raises(InputError, match="“cheap” is no price"):
            CliRunner().invoke(main, [*map(str, words), "--price", "cheap"], catch_exceptions=False)
        assert server.received == []
        told = _json(_run(*words, "--price", "1000,1000", "--dry-run", "--json"))
        assert told["cost_about"] == pytest.approx((told["input_tokens_about"] + told["output_tokens_about"]) / 1_000)
        result = _run(*words, "--price", "1000,1000", "--max-cost", "3")
        assert result.exit_code == 1
        done = len(server.received)
        assert 1 <= done < 3
        assert f"{3 - done} answers are left" in result.stderr
        rest = _run(*words, "--json")
        assert (rest.exit_code, _json(rest)["judged"], len(server.received)) == (0, 3 - done, 3)


def test_kin_are_warned_of(project: Path, database: Database) -> None:
    """Before anybody is asked: on standard error, or among the warnings for a machine."""
    probe = add_probe(database, add_event(database, entity="Bo Sample"), key="p2")
    add_answer(database, probe, make_trajectory("Ask Bo."), make_configuration("Gemini-3.1-Pro"))
    result = _run("judge", "-p", project, "--gemini", "gemini-3.5-flash-lite", "--dry-run")
    assert "note: judge gemini-3.5-flash-lite and evaluated model Gemini-3.1-Pro are of one family" in result.stderr
    (warning,) = _json(_run("judge", "-p", project, "--gemini", "gemini-x", "--dry-run", "--json"))["warnings"]
    assert "of one family (Gemini)" in warning
    assert _json(_run("classify", "-p", project, "--openai", "gpt-x", "--dry-run", "--json"))["warnings"] == []


def test_evaluate_warns_too(project: Path, database: Database) -> None:
    """A model that is kin of the project's judge is said before a run is planned."""
    answer = VerdictStore(database).judgeable()[0]
    VerdictStore(database).add(NewVerdict(answer, "gpt-5.4-mini (low)", None, Label.INCORRECT))
    store = ProbeStore(database)
    for probe in store.fetch(store.ids()).values():
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    words = ("evaluate", "-p", project, "--effort", "low", "--harness", "native", "--dry-run", "--json")
    result = _run(*words, "--model", "GPT-5.4")
    assert _json(result)["configurations"][0]["model"] == "GPT-5.4"
    assert "note: judge gpt-5.4-mini (low) and evaluated model GPT-5.4 are of one family (GPT)" in result.stderr
    assert "note:" not in _run(*words, "--model", "Claude-Opus-4.7").stderr


@pytest.mark.parametrize("address", ["localhost:8000/v1", "http://", "http://[::1/v1", "ftp://example.org/v1"])
def test_an_address_that_is_none_is_refused_before_anything(project: Path, address: str) -> None:
    """A sentence about the address; no answer counts as failed."""
    result = _run("judge", "-p", project, "--openai", "llama", "--base-url", address)
    assert isinstance(result.exception, InputError)
    assert "http://localhost:8000/v1" in result.exception.remedy
    assert "no reply" not in _run("check", project).output
