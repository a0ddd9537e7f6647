"""Findings in the project: made with every edit, stale when facts or rules move, waived by people, filtered by SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import pytest

from btc_gui.domain.lint import Severity
from btc_gui.domain.lint.linter import Checked, Linter
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ProbeText
from btc_gui.domain.review import Action
from btc_gui.errors import InputError, ProjectError
from btc_gui.progress import Cancelled, Progress
from btc_gui.store import lint_check
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import NewProbe, ProbeQuery, ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts

CLEAN = "Our opera house plans a gala next spring. Which three or four singers could we invite?"
OTHER = "I make a radio series on songs of the sea. Whom could I call for a talk in November?"
Checks = Sequence[tuple[lint_check.StoredProbe, Checked[int]]]
LEAK = "Our opera house wants a voice like Price's for its gala. Which singers could we invite?"


@pytest.fixture
def leaking(database: Database) -> Probe:
    """A probe that names its entity, beside a clean one."""
    event = add_event(database, entity="Leona Price")
    add_probe(database, event, OTHER)
    return add_probe(database, event, LEAK)


def _rules(database: Database, probe_id: ProbeId) -> list[str]:
    return [f.rule for f in LintStore(database).findings([probe_id])[probe_id] if not f.is_waived]


def _edit(database: Database, probe_id: ProbeId, text: str) -> None:
    probe = ProbeStore(database).get(probe_id)
    ReviewStore(database).decide(probe_id, probe.revision_id, Action.EDIT, "mara", edited=ProbeText(text))


def test_a_new_probe_is_checked_at_once(database: Database, leaking: Probe) -> None:
    found = LintStore(database).findings([leaking.id])[leaking.id]
    assert [(f.rule, f.severity, f.excerpt) for f in found] == [("name", Severity.ERROR, "Price")]
    assert leaking.text[found[0].start : found[0].end] == "Price"


def test_an_edit_is_checked_in_the_same_transaction(database: Database, leaking: Probe) -> None:
    _edit(database, leaking.id, CLEAN)
    assert _rules(database, leaking.id) == []
    assert LintStore(database).unchecked() == []


def test_an_edit_that_fails_leaves_the_findings(
    database: Database, leaking: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(lint_check, "write_checks", fail)
    with pytest.raises(RuntimeError):
        _edit(database, leaking.id, CLEAN)
    assert _rules(database, leaking.id) == ["name"]
    assert ProbeStore(database).get(leaking.id).text == LEAK


def test_undoing_an_edit_brings_its_findings_back(database: Database, leaking: Probe) -> None:
    _edit(database, leaking.id, CLEAN)
    last = ReviewStore(database).undo_step("mara")
    assert last is not None
    ReviewStore(database).undo(last.about, "mara")
    assert _rules(database, leaking.id) == ["name"]


def test_corrected_facts_are_looked_at_anew(database: Database, leaking: Probe) -> None:
    EventStore(database).revise(leaking.event_id, make_facts("Leona Prize"), "tests")
    assert _rules(database, leaking.id) == []
    EventStore(database).revise(leaking.event_id, make_facts("Leona Prize", aliases=("Price",)), "tests")
    assert _rules(database, leaking.id) == ["name"]


def test_an_edit_settles_what_repeated_it(database: Database) -> None:
    first = add_probe(database, add_event(database, entity="Leona Price"), CLEAN)
    second = add_probe(database, add_event(database, entity="Bo Brown"), CLEAN.replace("singers", "tenors"))
    assert _rules(database, first.id) == []
    assert _rules(database, second.id) == ["duplicate"]
    _edit(database, first.id, OTHER)
    assert _rules(database, second.id) == []
    _edit(database, first.id, CLEAN)
    assert _rules(database, second.id) == ["duplicate"]


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the probes whose check was written, in order."""
    made: list[int] = []
    write_checks = lint_check.write_checks

    def written(connection: sqlite3.Connection, checks: Checks, version: str) -> None:
        made.extend(probe.linted.key for probe, _ in checks)
        write_checks(connection, checks, version)

    monkeypatch.setattr(lint_check, "write_checks", written)
    return made


def test_one_edit_among_many_alike_checks_some_and_leaves_the_others_to_be_checked(
    database: Database, checks: list[int]
) -> None:
    """A new probe checks none but itself; an edit of what all others repeat at most so many, and says which not."""
    ids = []
    for number in range(lint_check.MOST_LIKES + 10):
        event = add_event(database, entity=f"Person {number}", qid=f"Q{number + 1}")
        ids.append(add_probe(database, event, f"{CLEAN} Number {number}.").id)
    assert checks == ids
    checks.clear()
    _edit(database, ids[0], CLEAN.replace("gala", "concert"))
    assert checks[:1] == ids[:1]
    assert len(checks) == lint_check.MOST_LIKES + 1
    lint = LintStore(database)
    assert lint.unchecked() == sorted(set(ids) - set(checks))
    assert lint.refresh() == 9
    assert lint.unchecked() == []
    together = lint_check.check_together(database.read(), ids, lambda done, total: None)
    assert [(p.linted.key, [f.why for f in c.findings]) for p, c in together] == [
        (probe_id, [f.why for f in lint.findings([probe_id])[probe_id]]) for probe_id in ids
    ]


def test_probes_that_were_loaded_find_what_repeats_them_when_they_are_checked(database: Database) -> None:
    """However many these are: after the check nothing is unchecked."""
    events = [add_event(database, entity=f"Person {n}", qid=f"Q{n + 1}") for n in range(lint_check.MOST_LIKES + 10)]
    ids = [add_probe(database, event, f"{CLEAN} Number {n}.").id for n, event in enumerate(events)]
    with database.write() as connection:
        connection.execute("DELETE FROM lint_check WHERE probe_id = ?", (ids[0],))
        connection.execute("DELETE FROM lint_print WHERE probe_id = ?", (ids[0],))
    lint = LintStore(database)
    assert lint.refresh() == 1 + 9
    assert lint.unchecked() == []


def test_siblings_are_judged_together(database: Database) -> None:
    event = add_event(database, entity="Leona Price")
    first = add_probe(database, event, CLEAN)
    second = add_probe(database, event, CLEAN.replace("spring", "autumn"))
    assert _rules(database, second.id) == ["duplicate"]
    _edit(database, first.id, OTHER)
    assert _rules(database, second.id) == []


def test_other_rules_make_every_check_stale(
    database: Database, leaking: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LintStore(database)
    linter = lint_check.the_linter()
    newer = Linter(linter.common, {})
    assert newer.version != linter.version
    for module in ("btc_gui.store.lint", "btc_gui.store.lint_check"):
        monkeypatch.setattr(f"{module}.the_linter", lambda: newer)
    assert len(store.unchecked()) == 2
    assert store.counts()["unchecked"] == 2
    assert ProbeStore(database).ids(ProbeQuery(lint=("clean",))) == []
    assert store.refresh() == 2
    assert store.refresh() == 0


def test_a_waiver_lets_a_rule_pass_with_name_and_reason(database: Database, leaking: Probe) -> None:
    store = LintStore(database)
    store.waive(leaking.id, "name", "  the price of a ticket ", "mara")
    finding = store.findings([leaking.id])[leaking.id][0]
    assert finding.waiver is not None
    assert (finding.waiver.reason, finding.waiver.author) == ("the price of a ticket", "mara")
    assert store.counts() == {"clean": 2, "waived": 1, "unchecked": 0}
    store.withdraw_waiver(leaking.id, "name", "nils")
    assert _rules(database, leaking.id) == ["name"]
    kept = store.waivers(leaking.id)
    assert [(each.waiver.author, each.withdrawn_by, bool(each.withdrawn_at)) for each in kept] == [
        ("mara", "nils", True)
    ]


def test_a_waiver_is_for_one_wording_and_its_facts(database: Database, leaking: Probe) -> None:
    store = LintStore(database)
    store.waive(leaking.id, "name", "meant otherwise", "mara")
    _edit(database, leaking.id, LEAK.replace("gala", "ball"))
    assert _rules(database, leaking.id) == ["name"]
    last = ReviewStore(database).undo_step("mara")
    assert last is not None
    ReviewStore(database).undo(last.about, "mara")
    assert _rules(database, leaking.id) == []
    EventStore(database).revise(leaking.event_id, make_facts("Leo Price"), "tests")
    assert _rules(database, leaking.id) == ["name"]


def test_a_waiver_survives_another_look(database: Database, leaking: Probe) -> None:
    LintStore(database).waive(leaking.id, "name", "meant otherwise", "mara")
    with database.write() as connection:
        lint_check.relint(connection, [leaking.id])
    assert _rules(database, leaking.id) == []


@pytest.mark.parametrize(
    ("rule", "reason"), [("name", "  "), ("nonsense", "because"), ("too_long", "because"), ("", "because")]
)
def test_a_waiver_that_says_nothing_is_refused(database: Database, leaking: Probe, rule: str, reason: str) -> None:
    with pytest.raises(InputError):
        LintStore(database).waive(leaking.id, rule, reason, "mara")
    assert _rules(database, leaking.id) == ["name"]


def test_a_second_waiver_and_a_needless_withdrawal_are_refused(database: Database, leaking: Probe) -> None:
    store = LintStore(database)
    with pytest.raises(ProjectError):
        store.withdraw_waiver(leaking.id, "name", "mara")
    store.waive(leaking.id, "name", "meant otherwise", "mara")
    with pytest.raises(InputError):
        store.waive(leaking.id, "name", "again", "mara")


def test_probes_are_filtered_by_findings(database: Database, leaking: Probe) -> None:
    probes, store = ProbeStore(database), LintStore(database)
    clean = next(i for i in probes.ids() if i != leaking.id)
    for word, wanted in (
        ("name", [leaking.id]),
        ("error", [leaking.id]),
        ("warning", []),
        ("clean", [clean]),
        ("unchecked", []),
        ("waived", []),
    ):
        assert probes.ids(ProbeQuery(lint=(word,))) == wanted
    assert len(probes.ids(ProbeQuery(lint=("name", "clean")))) == 2
    store.waive(leaking.id, "name", "meant otherwise", "mara")
    assert probes.ids(ProbeQuery(lint=("name",))) == []
    assert probes.ids(ProbeQuery(lint=("waived",))) == [leaking.id]
    with pytest.raises(InputError):
        probes.ids(ProbeQuery(lint=("nonsense",)))


def test_the_worst_finding_of_each_probe(database: Database, leaking: Probe) -> None:
    store = LintStore(database)
    assert store.worst(ProbeStore(database).ids()) == {leaking.id: Severity.ERROR}
    store.waive(leaking.id, "name", "meant otherwise", "mara")
    assert store.worst(ProbeStore(database).ids()) == {}


def test_probes_of_a_load_are_checked_on_request_all_together(database: Database) -> None:
    event = add_event(database, entity="Leona Price")
    hash_ = EventStore(database).get(event).facts.facts_hash
    new = [
        NewProbe(
            f"k{n}", event, ProbeKind.INDIRECT, n, ProbeText(f"{CLEAN} {LEAK} {n} {n * n}"), hash_, "loaded", "tests"
        )
        for n in range(lint_check.MANY + 5)
    ]
    with database.write() as connection:
        connection.execute(
            "INSERT INTO load (id, subject, file, sha256, started_at, completed_at) "
            "VALUES (1, 'probes', 'f', 'h', '', '')"
        )
        ProbeStore(database).add_many(connection, new, 1)
    store = LintStore(database)
    assert len(store.unchecked()) == len(new)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        store.refresh(progress=progress)
    assert store.refresh() == len(new)
    assert store.counts()["name"] == len(new)
    assert store.counts()["duplicate"] == len(new) - 1
    # One by one gives the same as all together.
    together = store.findings(ProbeStore(database).ids())
    with database.write() as connection:
        lint_check.relint(connection, ProbeStore(database).ids()[:5])
    assert store.findings(ProbeStore(database).ids()) == together
