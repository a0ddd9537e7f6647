"""The standing of a probe follows from its log alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.probe import ProbeId, ReviewStatus, RevisionId
from btc_gui.domain.review import (
    Action,
    Decision,
    DecisionId,
    differing_verdicts,
    review_state,
    standing,
    undoable,
    withdraws,
)


def log_of(*actions: str) -> list[Decision]:
    """Decisions one after the other; `undo` withdraws the newest standing one."""
    log: list[Decision] = []
    revision = 1
    for number, name in enumerate(actions, 1):
        action = Action(name)
        newest = undoable(log)
        if action is Action.UNDO and newest is None:
            continue
        log.append(
            Decision(
                id=DecisionId(number),
                probe_id=ProbeId(1),
                revision_id=RevisionId(revision),
                action=action,
                reasons=(),
                note="",
                text_hash="t",
                facts_hash="f",
                new_revision_id=RevisionId(100 + number) if action is Action.EDIT else None,
                undoes=newest.id if action is Action.UNDO and newest else None,
                reviewer="r",
                at="",
            )
        )
    return log


def test_the_newest_decision_counts() -> None:
    """Reject after accept is a rejection; taking it back is an acceptance again."""
    first = RevisionId(1)
    assert review_state([], first).status is ReviewStatus.UNREVIEWED
    assert review_state(log_of("accept", "reject"), first).status is ReviewStatus.REJECTED
    assert review_state(log_of("accept", "reject", "undo"), first).status is ReviewStatus.ACCEPTED
    assert review_state(log_of("accept", "reject", "undo", "undo"), first).status is ReviewStatus.UNREVIEWED


def test_an_edit_asks_for_a_new_review_and_can_be_undone() -> None:
    """An approval is bound to its wording: an edit takes it away, undoing the edit brings both back."""
    first = RevisionId(1)
    edited = review_state(log_of("accept", "edit"), first)
    assert (edited.status, edited.revision_id) == (ReviewStatus.UNREVIEWED, RevisionId(102))
    back = review_state(log_of("accept", "edit", "undo"), first)
    assert (back.status, back.revision_id) == (ReviewStatus.ACCEPTED, first)


def test_flags_and_notes_leave_the_decision_alone() -> None:
    """Flagging is beside accepting, not instead of it."""
    state = review_state(log_of("accept", "flag", "note"), RevisionId(1))
    assert (state.status, state.is_flagged) == (ReviewStatus.ACCEPTED, True)
    assert review_state(log_of("accept", "flag", "unflag"), RevisionId(1)).is_flagged is False


@given(st.lists(st.sampled_from(["accept", "reject", "defer", "edit", "flag", "unflag", "note"]), max_size=12))
def test_undoing_everything_leads_back_to_the_start(actions: list[str]) -> None:
    """However long the log: as many undos as decisions give the untouched probe."""
    log = log_of(*actions, *["undo"] * len(actions))
    assert review_state(log, RevisionId(1)) == review_state([], RevisionId(1))
    assert undoable(log) is None


def _decision(number: int, action: str, reviewer: str = "ann", undoes: int | None = None, facts: str = "f") -> Decision:
    return Decision(
        id=DecisionId(number),
        probe_id=ProbeId(1),
        revision_id=RevisionId(1),
        action=Action(action),
        reasons=(),
        note="",
        text_hash="t",
        facts_hash=facts,
        new_revision_id=RevisionId(100 + number) if action == "edit" else None,
        undoes=DecisionId(undoes) if undoes else None,
        reviewer=reviewer,
        at="",
    )


def test_an_undo_can_be_undone_and_that_again() -> None:
    """Withdrawing an undo brings the decision back; each row withdraws exactly the one it names."""
    accept, undo = _decision(1, "accept"), _decision(2, "undo", undoes=1)
    redo, again = _decision(3, "undo", undoes=2), _decision(4, "undo", undoes=3)
    assert standing([accept, undo]) == []
    assert standing([accept, undo, redo]) == [accept]
    assert standing([accept, undo, redo, again]) == []
    assert withdraws(redo, [accept, undo, redo]) == (accept, True)
    assert withdraws(again, [accept, undo, redo, again]) == (accept, False)


def test_two_curators_who_differ_make_a_probe_disputed_until_one_more_decision() -> None:
    """Neither verdict wins by being the later one; a third decision, in knowledge of both, settles it for good."""
    first, both = RevisionId(1), {"ann", "bob"}
    log = [_decision(1, "accept", "ann"), _decision(2, "reject", "bob")]
    state = review_state(log, first, both)
    assert (state.status, state.is_disputed) == (ReviewStatus.DEFERRED, True)
    assert review_state(log, first).status is ReviewStatus.REJECTED
    settled = review_state([*log, _decision(3, "accept", "carl")], first, both)
    assert (settled.status, settled.is_disputed) == (ReviewStatus.ACCEPTED, False)
    later = review_state([*log, _decision(3, "accept", "carl"), _decision(4, "reject", "bob")], first, both)
    assert (later.status, later.is_disputed) == (ReviewStatus.REJECTED, False)


def test_the_verdicts_that_differ_are_those_to_be_weighed() -> None:
    """One of each curator, the latest; none while they agree, are settled, or only one of them is known."""
    both = {"ann", "bob"}
    log = [_decision(1, "reject", "ann"), _decision(2, "accept", "ann"), _decision(3, "reject", "bob")]
    assert [each.id for each in differing_verdicts(log, both)] == [2, 3]
    assert differing_verdicts([*log, _decision(4, "accept", "carl")], both) == ()
    assert differing_verdicts(log[:2], both) == ()
    assert differing_verdicts(log, set()) == ()


def test_a_dispute_ends_with_the_undo_of_either_verdict_and_with_another_wording() -> None:
    """It is derived from what stands, like everything else."""
    first, both = RevisionId(1), {"ann", "bob"}
    log = [_decision(1, "accept", "ann"), _decision(2, "reject", "bob")]
    undone = review_state([*log, _decision(3, "undo", "bob", undoes=2)], first, both)
    assert (undone.status, undone.is_disputed) == (ReviewStatus.ACCEPTED, False)
    edited = review_state([*log, _decision(3, "edit", "ann")], first, both)
    assert (edited.status, edited.is_disputed) == (ReviewStatus.UNREVIEWED, False)


def test_curators_who_agree_or_saw_other_facts_are_in_no_dispute() -> None:
    """Once both agree, a change of mind is one; verdicts for facts that have moved are not compared."""
    first, both = RevisionId(1), {"ann", "bob"}
    agreed = [_decision(1, "accept", "ann"), _decision(2, "accept", "bob"), _decision(3, "reject", "bob")]
    assert review_state(agreed, first, both).status is ReviewStatus.REJECTED
    moved = [_decision(1, "accept", "ann", facts="old"), _decision(2, "reject", "bob", facts="new")]
    assert review_state(moved, first, both).is_disputed is False
