"""Agreement of curators: only verdicts that were given blind, on the same wording and facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.review import Action, Decision, DecisionId
from btc_gui.domain.review_agreement import blind_verdicts, pair_agreements

_BOTH = frozenset({"ann", "bob"})


def _log(*rows: tuple[str, str], probe: int = 1, revision: int = 1) -> list[Decision]:
    """Decisions as (reviewer, action); an edit makes the next revision."""
    log = []
    for number, (reviewer, action) in enumerate(rows, 1):
        made = RevisionId(revision + 1) if action == "edit" else None
        log.append(
            Decision(
                DecisionId(100 * probe + number),
                ProbeId(probe),
                RevisionId(revision),
                Action(action),
                (),
                "",
                "t",
                "f",
                made,
                None,
                reviewer,
                "",
            )
        )
        revision += made is not None
    return log


def _said(log: list[Decision]) -> dict[str, str] | None:
    given = blind_verdicts(log, _BOTH)
    return None if given is None else {name: decision.action for name, decision in given.verdicts.items()}


def test_what_is_decided_after_both_is_no_blind_verdict() -> None:
    """One may change one's mind before the other has judged, not after."""
    assert _said(_log(("ann", "accept"))) is None
    assert _said(_log(("ann", "accept"), ("ann", "reject"), ("bob", "accept"))) == {"ann": "reject", "bob": "accept"}
    both = _log(("ann", "accept"), ("bob", "reject"), ("ann", "reject"))
    assert _said(both) == {"ann": "accept", "bob": "reject"}


def _undone(log: list[Decision], number: int) -> Decision:
    """The undo of a log's decision, by who made it."""
    withdrawn = log[number - 1]
    return replace(
        withdrawn, id=DecisionId(100 + len(log) + 1), action=Action.UNDO, undoes=withdrawn.id, new_revision_id=None
    )


def _then(log: list[Decision], reviewer: str, action: str) -> list[Decision]:
    return [*log, replace(log[0], id=DecisionId(100 + len(log) + 1), reviewer=reviewer, action=Action(action))]


def test_an_undo_after_seeing_the_others_verdict_raises_no_agreement() -> None:
    """Ann rejects, sees Bob's accept, undoes and accepts too: they disagreed. Before Bob's, she may undo."""
    log = _log(("bob", "accept"), ("ann", "reject"))
    log.append(_undone(log, 2))
    assert _said(log) == {"ann": "reject", "bob": "accept"}
    assert _said(_then(log, "ann", "accept")) == {"ann": "reject", "bob": "accept"}
    log = _log(("ann", "reject"))
    log.append(_undone(log, 1))
    assert _said(_then(_then(log, "ann", "accept"), "bob", "accept")) == {"ann": "accept", "bob": "accept"}


def test_what_a_third_curators_verdict_showed_is_known_to_each_pair() -> None:
    """Ann changes her mind when she sees Carl's: with Bob, who judges later, her first verdict counts."""
    log = _log(("ann", "accept"), ("carl", "reject"), ("ann", "reject"), ("bob", "reject"))
    pairs = pair_agreements({ProbeId(1): log}, {ProbeId(1): frozenset({"ann", "bob", "carl"})})
    assert {pair.reviewers: len(pair.differ) for pair in pairs} == {
        ("ann", "bob"): 1,
        ("ann", "carl"): 1,
        ("bob", "carl"): 0,
    }


def test_an_edit_is_a_verdict_on_the_wording_that_it_replaced() -> None:
    """Bob has only seen Ann's wording: the pair is about that one."""
    assert _said(_log(("ann", "edit"), ("ann", "accept"), ("bob", "accept"))) == {"ann": "accept", "bob": "accept"}
    assert _said(_log(("ann", "accept"), ("bob", "edit"))) == {"ann": "accept", "bob": "edit"}
    assert _said(_log(("ann", "note"), ("carl", "accept"), ("bob", "accept"))) is None


def test_kappa_of_two_curators_by_hand() -> None:
    """20 both accept, 10 both reject, 5 each way: po = 30/40, pe = (25² + 15²)/40² = 0.53125, κ = 7/15."""
    logs, number = {}, 0
    for times, first, second in ((20, "accept", "accept"), (10, "reject", "reject"), (5, "accept", "reject")):
        for _ in range(times):
            number += 1
            logs[ProbeId(number)] = _log(("ann", first), ("bob", second), probe=number)
    for _ in range(5):
        number += 1
        logs[ProbeId(number)] = _log(("ann", "reject"), ("bob", "accept"), probe=number)
    assigned = dict.fromkeys([*logs, ProbeId(900), ProbeId(901)], _BOTH)
    (pair,) = pair_agreements(logs, assigned)
    assert pair.reviewers == ("ann", "bob")
    assert pair.table == ((20, 0, 5), (0, 0, 0), (5, 0, 10))
    assert (pair.n, pair.waiting, len(pair.differ)) == (40, 2, 10)
    assert pair.observed.value == 0.75
    assert pair.kappa.value == pytest.approx(7 / 15)
    assert pair.kappa.interval is not None


def test_curators_who_all_accept_have_no_kappa_but_an_agreement() -> None:
    """An undefined number is said to be undefined."""
    logs = {ProbeId(i): _log(("ann", "accept"), ("bob", "accept"), probe=i) for i in range(1, 6)}
    (pair,) = pair_agreements(logs, dict.fromkeys(logs, _BOTH))
    assert pair.observed.value == 1.0
    assert pair.kappa.value is None
    assert pair.kappa.reason


def test_nothing_shared_gives_no_pair() -> None:
    """Probes of one curator tell nothing about agreement."""
    assert pair_agreements({}, {ProbeId(1): frozenset({"ann"})}) == []
