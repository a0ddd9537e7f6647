"""Checking a project: each finding is told once it is there, in words, and not before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.review import Action
from btc_gui.domain.trajectory import Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import ModelError
from btc_gui.jobs.check_project import CHECKS, Finding, check_project
from btc_gui.jobs.classify import classify
from btc_gui.jobs.judge import judge
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study
from btc_gui.progress import Progress
from btc_gui.remote.language_model import ModelReply, ModelRequest
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.judges import JudgeStore
from btc_gui.store.lint import LintStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe, make_facts
from tests.case_builders import add_answer, add_answers, make_configuration, make_query, make_result, make_trajectory
from tests.jobs.test_classify import reply as classifier_reply
from tests.jobs.test_judge import Judge, reply
from tests.study_builders import add_judged, add_locked_study, issue


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


def found(database: Database, check: str) -> list[tuple[str, str]]:
    """Severity and words of the findings of one check."""
    return [(each.severity, each.text) for each in check_project(database, Progress()) if each.check == check]


def tamper(database: Database, sql: str, *values: object) -> None:
    """Change the file behind the app's back."""
    with database.write() as connection:
        assert connection.execute(sql, values).rowcount == 1


def test_a_sound_project_has_no_findings(database: Database) -> None:
    """Every check is made, and none of them cries wolf."""
    probe = add_probe(database, add_event(database))
    add_answer(database, probe)
    seen: list[str] = []
    assert check_project(database, Progress(lambda report: seen.append(report.text))) == []
    assert set(CHECKS) <= set(seen)


def test_runs_with_open_samples(database: Database) -> None:
    """How many are open, and the command that goes on."""
    probe = add_probe(database, add_event(database))
    run_id, _ = add_answers(database, probe, [make_trajectory(), make_trajectory(ending=Ending.CANCELLED)])
    ((severity, text),) = found(database, "runs")
    assert severity == "note"
    assert f"Run {run_id} “Test run” has 1 samples without an answer" in text
    assert f"--resume {run_id}" in text
    assert RunStore(database).count_pending(run_id) == 1


def test_accepted_probes_with_an_error_of_the_linter(database: Database) -> None:
    """Until the wording is mended, the finding let pass, or the probe rejected; unreviewed ones are no news."""
    event = add_event(database, entity="Leona Price")
    probe = add_probe(
        database, event, "Our opera house wants a voice like Price's. Which singers could we invite?", key="p1"
    )
    assert found(database, "lint") == []
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "mara")
    ((severity, text),) = found(database, "lint")
    assert severity == "note"
    assert text == "1 accepted probes have an error of the linter that nobody let pass: p1."
    LintStore(database).waive(probe.id, "name", "The word is common.", "mara")
    assert found(database, "lint") == []
    tamper(database, "UPDATE lint_check SET version = 'old'")
    assert found(database, "lint") == [
        (
            "note",
            "1 accepted probes were not linted as they are now: run “btc-gui lint”, or “Check what is unchecked” on "
            "Probes.",
        )
    ]


def test_requests_that_failed(database: Database, categories: dict[str, Category]) -> None:
    """Failed requests count once, however often they were tried, and no more once they are answered."""
    add_answers(database, add_probe(database, add_event(database)), [make_trajectory("One."), make_trajectory("Two.")])

    def down(_: ModelRequest) -> ModelReply:
        raise ModelError("The server has a fault.")

    for _ in range(2):
        judge(database, Judge(down), categories, Progress())
    ((severity, text),) = found(database, "model calls")
    assert (severity, text) == (
        "note",
        "2 requests to a judge failed and were not answered since; last: The server has a fault.",
    )
    judge(database, Judge(reply()), categories, Progress())
    assert found(database, "model calls") == []


def test_stale_verdicts_and_several_judges(database: Database, categories: dict[str, Category]) -> None:
    """Verdicts for other facts than now are stale; a mixture of judges in the results is told until one is chosen."""
    event = add_event(database)
    _, (first, _) = add_answers(
        database, add_probe(database, event), [make_trajectory("One."), make_trajectory("Two.")]
    )
    judge(database, Judge(reply()), categories, Progress())
    assert found(database, "judges") == []
    EventStore(database).revise(event, make_facts(date="2026-05-10"), author="tests")
    ((severity, text),) = found(database, "judges")
    assert severity == "note"
    assert text.startswith("2 verdicts of judge-1 are stale (0 by other criteria, 2 for other facts")
    judge(database, Judge(reply()), categories, Progress())
    VerdictStore(database).add(NewVerdict(first, "somebody", None, Label.CORRECT))
    ((_, text),) = found(database, "judges")
    assert "several judges count in results (judge-1: 1, somebody: 1)" in text
    JudgeStore(database).set_primary("judge-1")
    assert found(database, "judges") == []


def test_stale_classifications(database: Database, categories: dict[str, Category]) -> None:
    """Classifications are stale by corrected facts and by other criteria; those by construction never are."""
    event = add_event(database)
    search = [make_query("good speakers", make_result("Old news."))]
    _, (searched, _) = add_answers(
        database, add_probe(database, event), [make_trajectory("One.", search), make_trajectory("Two.")]
    )
    judge(database, Judge(reply("incorrect")), categories, Progress())
    classify(database, Judge(classifier_reply("unrelated"), name="sorter"), categories, Progress())
    assert found(database, "classifiers") == []
    # The date is told to the classifier: another one asks something else.
    EventStore(database).revise(event, make_facts(date="2026-05-10"), author="tests")
    ((severity, text),) = found(database, "classifiers")
    assert severity == "note"
    assert text == (
        "1 classifications of sorter are stale (0 by other criteria, 1 for other facts than now): classify again."
    )
    own = PromptStore(database).text("classify").replace("You explain failures", "You account for failures")
    PromptStore(database).set("classify", own)
    ((_, text),) = found(database, "classifiers")
    assert "1 by other criteria, 0 for other facts" in text
    classify(database, Judge(classifier_reply("unrelated"), name="sorter"), categories, Progress())
    assert found(database, "classifiers") == []
    assert len(ClassificationStore(database).history(searched)) == 2


def test_kin_among_models(database: Database, categories: dict[str, Category]) -> None:
    """A judge of an evaluated model's family is a note, whatever the effort in its name."""
    probe = add_probe(database, add_event(database))
    add_answer(database, probe, configuration=make_configuration("Gemini-3.1-Pro"))
    judge(database, Judge(reply(), name="qwen3.7-flash"), categories, Progress())
    assert found(database, "families") == []
    judge(database, Judge(reply(), name="gemini-3.5-flash-lite (low)"), categories, Progress())
    ((severity, text),) = found(database, "families")
    assert severity == "note"
    assert text.startswith("Judge gemini-3.5-flash-lite (low) and evaluated model Gemini-3.1-Pro are of one family")


def _labelled_study(database: Database, folder: Path) -> Path:
    add_judged(database)
    packet = issue(database, add_locked_study(database), folder)
    with LabellingSession(packet) as session:
        for _ in range(session.total):
            assert session.current is not None
            session.label(session.current.item, "correct")
    return packet


def test_packets_that_are_out(database: Database, tmp_path: Path) -> None:
    """An issued packet is a note until it comes back."""
    packet = _labelled_study(database, tmp_path)
    ((severity, text),) = found(database, "blinding")
    assert (severity, text[:44]) == ("note", "Study “Test study”: the packet of PK, issued")
    return_packet(database, packet, "tests", Progress())
    assert found(database, "blinding") == found(database, "study logs") == []


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE packet SET digest = 'x'", "is not the one that was issued, by its seal"),
        ("UPDATE human_label SET label = 'incorrect' WHERE sequence = 1", "its labels are not those that came back"),
        ("UPDATE packet SET id = 'x'", "was issued and is gone from the project"),
    ],
)
def test_packets_that_were_changed(database: Database, tmp_path: Path, sql: str, words: str) -> None:
    """A packet, or labels, that are not those of the log are errors."""
    packet = _labelled_study(database, tmp_path)
    if "human_label" in sql:
        return_packet(database, packet, "tests", Progress())
    tamper(database, sql)
    errors = [text for severity, text in found(database, "blinding") if severity == "error"]
    assert any(words in text for text in errors), errors


def test_labels_without_a_return(database: Database, tmp_path: Path) -> None:
    """Labels that no returned packet brought are an error, and break the log's chain when a line is taken out."""
    packet = _labelled_study(database, tmp_path)
    return_packet(database, packet, "tests", Progress())
    tamper(database, "DELETE FROM study_log WHERE step = 'take a packet back'")
    assert ("error", "Study “Test study”: the packet of PK has labels although it never came back, by the log.") in (
        found(database, "blinding")
    )


def test_an_annotator_who_looked(database: Database, tmp_path: Path) -> None:
    """Cases of an open study that its annotator opened in the app are told: those labels are not blind."""
    add_judged(database)
    study_id = add_locked_study(database)
    issue(database, study_id, tmp_path)
    row = database.read().execute("SELECT answer_id FROM study_item LIMIT 1").fetchone()
    CaseStore(database).record_exposure(row["answer_id"], "pk")
    CaseStore(database).record_exposure(row["answer_id"], "Somebody else")
    texts = [text for _, text in found(database, "blinding")]
    assert any("PK opened 1 of its cases" in text for text in texts), texts
    assert not any("Somebody" in text for text in texts)


def test_a_changed_log(database: Database, tmp_path: Path) -> None:
    """A line of a study's log that was changed, and labels after the study was closed, are errors."""
    packet = _labelled_study(database, tmp_path)
    return_packet(database, packet, "tests", Progress())
    study_id = database.read().execute("SELECT id FROM study").fetchone()["id"]
    close_study(database, study_id, "tests")
    assert found(database, "study logs") == []
    tamper(database, "UPDATE human_label SET label = 'incorrect' WHERE sequence = 2")
    assert found(database, "study logs") == [
        ("error", "Study “Test study”: the labels are not those that were sealed when the study was closed.")
    ]
    tamper(database, "UPDATE study_log SET actor = 'else' WHERE number = 2")
    assert ("error", "Study “Test study”: line 2 was changed.") in found(database, "study logs")


def test_for_machines(database: Database) -> None:
    """`check --json` gives severity, words and check of every finding; errors make the exit code 1, notes don't."""
    add_answers(
        database,
        add_probe(database, add_event(database)),
        [make_trajectory(ending=Ending.CANCELLED)],
    )
    result = CliRunner().invoke(main, ["check", str(database.path), "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["project"] == str(database.path)
    (finding,) = report["findings"]
    assert set(finding) == {"severity", "text", "check"}
    assert (finding["severity"], finding["check"]) == ("note", "runs")
    assert isinstance(Finding(**finding), Finding)
