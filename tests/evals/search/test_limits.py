"""What of a backend's results reaches the agent."""

from __future__ import annotations

from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.search.backend import Found
from btc_gui.evals.search.limits import Shown, shown

RESULTS = tuple(
    SearchResult(published or "undated", f"https://example.org/{number}", published, ("x" * 30, "y" * 30))
    for number, published in enumerate(["2026-05-10", "2026-05-09", "2026-05", "", "2026-04", "2026-06-01", "soon"])
)


def _titles(found: Shown) -> list[str]:
    return [each.title for each in found.results]


def test_without_limits_everything_is_shown() -> None:
    assert shown(Found(RESULTS), SearchSettings(results=0)) == Shown(RESULTS)


def test_what_is_later_is_dropped_and_counted_and_the_next_ones_move_up() -> None:
    found = shown(Found(RESULTS), SearchSettings(results=3, as_of="2026-05-09"))
    assert (_titles(found), found.dropped) == (["2026-05-09", "undated", "2026-04"], 2)


def test_what_is_below_the_last_one_shown_is_not_counted() -> None:
    found = shown(Found(RESULTS), SearchSettings(results=1, as_of="2026-05-09"))
    assert (_titles(found), found.dropped) == (["2026-05-09"], 1)


def test_undated_ones_can_be_dropped() -> None:
    found = shown(Found(RESULTS), SearchSettings(results=0, as_of="2026-05-09", keep_undated=False))
    assert (_titles(found), found.dropped) == (["2026-05-09", "2026-04"], 5)
    assert shown(Found(RESULTS), SearchSettings(results=0, keep_undated=False)).dropped == 0


def test_excerpts_are_cut_to_the_characters_of_a_result() -> None:
    def lengths(limit: int) -> list[int]:
        return [len(each) for each in shown(Found(RESULTS), SearchSettings(characters=limit)).results[0].excerpts]

    assert [lengths(limit) for limit in (0, 60, 45, 30, 10, 1)] == [[30, 30], [30, 30], [30, 15], [30], [10], [1]]
    cut = shown(Found(RESULTS), SearchSettings(characters=10)).results[0].excerpts[0]
    assert cut == "x" * 9 + "…"
