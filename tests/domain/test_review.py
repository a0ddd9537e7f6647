"""The standing of a probe follows from its log alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.probe import ProbeId, ReviewStatus, RevisionId
from btc_gui.domain.review import Action, Decision, DecisionId, review_state, undoable


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
