"""Two logs of one packet become one: nothing lost, the order of time kept, and again the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.merge_labels import merge_labels
from btc_gui.domain.packet import GivenLabel, ItemId, standing, summarise


def _row(sequence: int, item: str, label: str, at: int, undoes: int | None = None) -> GivenLabel:
    return GivenLabel(sequence, ItemId(item), label, undoes=undoes, at=f"2026-07-01T09:00:00.{at:03}+00:00")


def test_rows_stand_in_the_order_of_their_times_and_undos_follow_their_rows() -> None:
    """By hand: machine B labels b at 2 and withdraws it at 5; machine A labels a at 1, c at 3."""
    first = [_row(1, "a", "correct", 1), _row(2, "c", "correct", 3)]
    second = [_row(1, "b", "incorrect", 2), _row(2, "b", "incorrect", 5, undoes=1)]
    merged = merge_labels(first, second)
    assert [(row.sequence, row.item, row.undoes) for row in merged.labels] == [
        (1, "a", None),
        (2, "b", None),
        (3, "c", None),
        (4, "b", 2),
    ]
    assert (merged.new_rows, merged.extends, merged.twice, merged.is_merge) == (2, False, 0, True)
    assert set(summarise(merged.labels).analysed) == {"a", "c"}


def test_the_earlier_label_of_an_item_counts_and_the_other_is_a_change() -> None:
    first, second = [_row(1, "a", "correct", 9)], [_row(1, "a", "incorrect", 4)]
    for one, other in ((first, second), (second, first)):
        merged = merge_labels(one, other)
        assert [row.label for row in merged.labels] == ["incorrect", "correct"]
        assert merged.twice == 1
    late = merge_labels(first, second, at_end=True)
    assert [row.label for row in late.labels] == ["correct", "incorrect"]
    assert late.extends


def test_a_clock_that_jumps_does_not_change_the_order_of_one_machine() -> None:
    """What was labelled after the clock was set back stays after what came before it."""
    known = [_row(1, "a", "correct", 500), _row(2, "b", "correct", 10)]
    merged = merge_labels(known[:1], known)
    assert list(merged.labels) == known
    assert (merged.extends, merged.is_merge) == (True, False)


_events = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(("correct", "incorrect")), st.booleans()), max_size=9
)


def _log(events: list[tuple[str, str, bool]], start: int) -> list[GivenLabel]:
    """A log as the screen writes it: each event labels an item or withdraws the newest standing label."""
    rows: list[GivenLabel] = []
    for number, (item, label, is_undo) in enumerate(events, start=1):
        left = standing(rows)
        at = start + 2 * number
        rows.append(
            _row(number, left[-1].item, left[-1].label, at, left[-1].sequence)
            if is_undo and left
            else _row(number, item, label, at)
        )
    return rows


@given(_events, _events)
def test_merging_loses_nothing_and_again_changes_nothing(
    one: list[tuple[str, str, bool]], two: list[tuple[str, str, bool]]
) -> None:
    """In either order, and with older states of either log, the merged log is the same."""
    first, second = _log(one, 0), _log(two, 1)
    merged = merge_labels(first, second).labels
    assert [row.sequence for row in merged] == list(range(1, len(first) + len(second) + 1))
    assert sorted((row.item, row.label, row.at) for row in merged) == sorted(
        (row.item, row.label, row.at) for row in (*first, *second)
    )
    assert merge_labels(second, first).labels == merged
    for again in (first, second, first[: len(first) // 2], merged):
        assert merge_labels(merged, again).new_rows == 0
        assert merge_labels(merged, again).labels == merged
    step = merge_labels(merge_labels(first, second[: len(second) // 2]).labels, second).labels
    assert step == merged
