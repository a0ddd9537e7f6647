"""The next probe is laid out ahead: what is shown is the same as without, and as the project says by then."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.probe import ProbeText
from btc_gui.domain.review import Action
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import review_page
from btc_gui.ui.pages.review_page import ReviewPage


@pytest.fixture
def page(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> ReviewPage:
    monkeypatch.setattr(review_page, "SETTLE_MILLISECONDS", 0)
    window.go("review")
    made = window.current_page
    assert isinstance(made, ReviewPage)
    made._ahead.timeout.disconnect()
    return made


def _places(page: ReviewPage) -> list[tuple[str, int, int, int, int]]:
    """Where everything of the card stands, once all is laid out."""
    QTest.qWait(0)
    parts = [part for part in page.probe_card.findChildren(QWidget) if part.isVisible()]
    return [(type(part).__name__, part.x(), part.y(), part.width(), part.height()) for part in parts]


def _stops(page: ReviewPage) -> list[tuple[str, str]]:
    """What Tab comes to, in turn."""
    found, each = list[tuple[str, str]](), page.nextInFocusChain()
    while each is not None and each is not page:
        if page.isAncestorOf(each) and each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            found.append((type(each).__name__, each.accessibleName()))
        each = each.nextInFocusChain()
    return found


def test_a_probe_that_was_laid_out_ahead_looks_as_if_it_were_not(page: ReviewPage) -> None:
    first, of_first = page.probe_card, page.reader.event_card
    seen = []
    for is_ready in (False, True):
        if is_ready:
            page._make_ready()
        QTest.keyClick(page, Qt.Key.Key_A)
        event = page.reader.event_card
        assert (event is of_first) is not is_ready
        assert event.isVisible()
        seen.append((page.probe_card.text.toPlainText(), event.entity.text(), event.grab().toImage(), _stops(page)))
        assert (page.probe_card is first) is not is_ready
        ready = _places(page)
        picture = page.probe_card.grab().toImage()
        assert page._shown is not None
        page.probe_card.show_item(page._shown, has_draft=False)
        assert _places(page) == ready
        assert page.probe_card.grab().toImage() == picture
        QTest.keyClick(page, Qt.Key.Key_U)
        first, of_first = page.probe_card, page.reader.event_card
    assert seen[0] == seen[1]
    assert seen[0][:2] == ("Who could speak at evening 1?", "Ada Lovely")


def test_siblings_that_stand_elsewhere_by_then_are_shown_as_they_stand(page: ReviewPage) -> None:
    QTest.keyClick(page, Qt.Key.Key_A)
    assert page.probe_card.text.toPlainText() == "Who could speak at evening 1?"
    page._make_ready()
    QTest.keyClick(page, Qt.Key.Key_D)
    assert page.probe_card.text.toPlainText() == "Who could speak at evening 2?"
    names = [row.accessibleName() for row in page.probe_card.siblings._rows]
    assert names[0].startswith("Probe 1, Deferred:")
    assert names[1].startswith("Probe 2, Unreviewed, shown now:")


def test_what_others_changed_meanwhile_is_shown(page: ReviewPage, filled: Database) -> None:
    page._make_ready()
    following = page._session.following()
    assert following is not None
    probe = ProbeStore(filled).get(following.probe.id)
    ReviewStore(filled).decide(probe.id, probe.revision_id, Action.EDIT, "bob", edited=ProbeText("Theirs?"))
    QTest.keyClick(page, Qt.Key.Key_A)
    assert page.probe_card.text.toPlainText() == "Theirs?"
    assert "revision 2" in page.probe_card.chips.texts


def test_who_is_in_the_card_stays_in_it(page: ReviewPage, qtbot: QtBot) -> None:
    QTest.keyClick(page, Qt.Key.Key_A)
    page._make_ready()
    card = page.probe_card
    row = card.siblings._rows[3]
    row.setFocus()
    qtbot.waitUntil(row.hasFocus)
    QTest.keyClick(row, Qt.Key.Key_A)
    assert page.probe_card is card
    assert row.hasFocus()
    assert card.text.toPlainText() == "Who could speak at evening 2?"


def test_the_last_probe_has_none_after_it(page: ReviewPage) -> None:
    for _ in range(4):
        QTest.keyClick(page, Qt.Key.Key_A)
    assert page._session.following() is None
    page._make_ready()
    QTest.keyClick(page, Qt.Key.Key_A)
    assert page.finished.isVisible()


def test_what_others_write_all_the_time_does_not_put_off_the_next_one(page: ReviewPage) -> None:
    """Another curator's decisions have this page shown anew each second, and that must not start the wait again."""
    page._ahead.setInterval(60_000)
    QTest.keyClick(page, Qt.Key.Key_J)
    # A wait that is begun again is another timer.
    began = page._ahead.timerId()
    page._show()
    assert (page._ahead.isActive(), page._ahead.timerId()) == (True, began)
    QTest.keyClick(page, Qt.Key.Key_J)
    assert page._ahead.timerId() != began
