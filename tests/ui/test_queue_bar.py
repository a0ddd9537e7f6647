"""What is said above and instead of a queue."""

from __future__ import annotations

from btc_gui.sessions.reviewing import ReviewProgress
from btc_gui.ui.widgets.queue_bar import end_words


def test_who_has_decided_on_everything_is_told_what_comes_next() -> None:
    """Not while something is deferred, and not at the end of one's own share of a project."""
    done = ReviewProgress(6, 6, 0, 0, None)
    assert "a release" in end_words(done, is_empty=True)[1]
    assert "a release" not in end_words(done, is_empty=True, is_share=True)[1]
    assert "a release" not in end_words(ReviewProgress(5, 6, 1, 1, None), is_empty=False)[1]
