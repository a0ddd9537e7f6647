"""Vetting in the window: redo, whole edits, article with find, many at once, assignments, saved filters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.article import About, Article, AsOf
from btc_gui.domain.probe import Probe, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.review_assignment import plan_assignment
from btc_gui.sessions.bulk_reviewing import BulkPlan
from btc_gui.sessions.review_queue import Queue, QueueKind, QueueOrder, QueueScope
from btc_gui.store.articles import ArticleStore
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import review_page
from btc_gui.ui.pages.probes_page import ProbesPage
from btc_gui.ui.pages.review_page import ReviewPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.article_card import found_in
from btc_gui.ui.widgets.bulk_dialog import plan_words
from btc_gui.ui.widgets.frames import ScrollColumn


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting between decisions."""
    monkeypatch.setattr(review_page, "SETTLE_MILLISECONDS", 0)


@pytest.fixture
def page(window: MainWindow) -> ReviewPage:
    window.go("review")
    made = window.current_page
    assert isinstance(made, ReviewPage)
    return made


def _probes(database: Database) -> list[Probe]:
    store = ProbeStore(database)
    ids = store.ids()
    found = store.fetch(ids)
    return [found[i] for i in ids]


def _statuses(database: Database) -> list[str]:
    return [probe.status.value[:3] for probe in _probes(database)]


def _press(page: ReviewPage, letters: str) -> None:
    for letter in letters:
        modifier = Qt.KeyboardModifier.ShiftModifier if letter.isupper() else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(page, Qt.Key(ord(letter.upper())), modifier)


def test_undo_and_redo_go_back_and_forth(page: ReviewPage, filled: Database) -> None:
    _press(page, "aad")
    _press(page, "uu")
    assert _statuses(filled) == ["acc", "unr", "unr", "unr", "unr"]
    _press(page, "U")
    assert _statuses(filled) == ["acc", "acc", "unr", "unr", "unr"]
    _press(page, "U")
    assert _statuses(filled) == ["acc", "acc", "def", "unr", "unr"]
    assert not page._context.commands.action("review.redo").isEnabled()
    assert page.header.counts.text().startswith("2 of 5 decided · 1 deferred")


def test_all_of_a_wording_can_be_edited_with_its_changes_shown(page: ReviewPage, filled: Database) -> None:
    card = page.probe_card
    _press(page, "e")
    card.wording.fields["requester"].setFocus()
    QTest.keyClicks(card.wording.fields["requester"], "a host")
    assert not card.wording.diff.isVisible()
    QTest.keyClicks(card.text, " Soon")
    card.wording._show_diff()
    assert card.wording.diff.isVisible()
    assert card.wording.diff.toPlainText().endswith(" Soon")
    QTest.keyClick(card.wording.fields["situation"], Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    probe = _probes(filled)[0]
    assert (probe.text, probe.content.requester) == ("Which mayors should we invite? Soon", "a host")
    assert not card.is_editing
    assert card.varied.text() == "a host"


def test_typing_without_a_pause_is_kept_all_the_same(qtbot: QtBot, page: ReviewPage, filled: Database) -> None:
    """A kill loses what was typed in the last moments, however long somebody has been typing."""
    _press(page, "n")
    note = page.panel.note
    probe_id = _probes(filled)[0].id

    def typed_on() -> bool:
        QTest.keyClicks(note, "x")
        return bool(page._session.note_draft(probe_id))

    qtbot.waitUntil(typed_on, timeout=20_000)


def test_the_article_is_beside_the_probe_and_can_be_searched(
    qtbot: QtBot, page: ReviewPage, filled: Database, window: MainWindow
) -> None:
    event_id = _probes(filled)[1].event_id
    text = "Ada Lovely is a café owner.\n" * 3 + "École."
    article = Article(event_id, About.ENTITY, "Ada", AsOf.NOW, None, title="Ada Lovely", text=text)
    ArticleStore(filled).keep([article])
    card = page.reader.article_card
    _press(page, "j")
    qtbot.waitUntil(lambda: "café" in card.view.toPlainText())
    window.commands.action("view.filter").trigger()
    assert card.finder.hasFocus()
    QTest.keyClicks(card.finder, "CAFE ad")
    QTest.keyClick(card.finder, Qt.Key.Key_Return)
    assert card.count.text() == "none"
    for _ in range(3):
        QTest.keyClick(card.finder, Qt.Key.Key_Backspace)
    QTest.keyClick(card.finder, Qt.Key.Key_Return)
    assert card.count.text() == "2 of 3"
    QTest.keyClick(card.finder, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert card.count.text() == "1 of 3"
    QTest.keyClick(card.finder, Qt.Key.Key_Escape)
    QTest.keyClick(card.finder, Qt.Key.Key_Escape)
    assert page.hasFocus()


def test_what_find_found_is_scrolled_into_sight(
    qtbot: QtBot, page: ReviewPage, filled: Database, window: MainWindow
) -> None:
    """The article stands below what changed: the column around it scrolls, to the field and to the hit."""
    text = "Ada Lovely is an owner. " * 2_000 + "She left the needle. " + "Then she rested. " * 2_000
    article = Article(_probes(filled)[0].event_id, About.ENTITY, "Ada", AsOf.NOW, None, title="Ada Lovely", text=text)
    ArticleStore(filled).keep([article])
    window.resize(1024, 640)
    page.activate()
    card = page.reader.article_card
    qtbot.waitUntil(lambda: "needle" in card.view.toPlainText())
    column = next(area for area in page.findChildren(ScrollColumn) if area.isAncestorOf(card))

    def is_seen(widget: QWidget, part: QRect) -> bool:
        place = QRect(widget.mapTo(column.viewport(), part.topLeft()), part.size())
        return column.viewport().rect().contains(place)

    window.commands.action("view.filter").trigger()
    assert is_seen(card.finder, card.finder.rect())
    QTest.keyClicks(card.finder, "needle")
    QTest.keyClick(card.finder, Qt.Key.Key_Return)
    assert card.count.text() == "1 of 1"
    assert is_seen(card.view.viewport(), card.view.cursorRect())


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [("a🎻 Ünïcode", "unicode", [(4, 11)]), ("aaa", "", []), ("İx x", "x", [(1, 2), (3, 4)]), ("a.b", ".", [(1, 2)])],
)
def test_find_counts_as_the_view_does(text: str, words: str, found: list[tuple[int, int]]) -> None:
    """Emoji are two units there; accents and case don't matter, patterns mean nothing."""
    assert found_in(text, words) == found


def test_many_probes_are_decided_after_a_preview_and_taken_back_by_one_undo(
    qtbot: QtBot, window: MainWindow, filled: Database
) -> None:
    window.go("probes")
    probes_page = window.current_page
    assert isinstance(probes_page, ProbesPage)
    probes_page.kind.choose(["indirect"])
    probes_page.kind.chosen.emit(("indirect",))
    dialog = probes_page._tools.decide(*probes_page._chosen())
    assert dialog.headline.text() == "4 of 4 probes would change"
    assert "4 unreviewed" in dialog.details.text()
    dialog.action.setCurrentIndex(1)
    assert not dialog.confirm_button.isEnabled()
    dialog.boxes["unnatural"].setChecked(True)
    assert dialog.confirm_button.text() == "Reject 4 probes"
    assert set(_statuses(filled)) == {"unr"}
    dialog.confirm_button.click()
    settle(window.job_runner)
    assert sorted(_statuses(filled)) == ["rej", "rej", "rej", "rej", "unr"]
    window.go("review")
    review = window.current_page
    assert isinstance(review, ReviewPage)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    _press(review, "u")
    settle(window.job_runner)
    assert set(_statuses(filled)) == {"unr"}
    _press(review, "U")
    settle(window.job_runner)
    assert sorted(_statuses(filled)) == ["rej", "rej", "rej", "rej", "unr"]
    assert review.header.counts.text().startswith("4 of 5")


def test_assigned_probes_are_a_queue_and_disagreements_another(
    qtbot: QtBot, page: ReviewPage, window: MainWindow, filled: Database
) -> None:
    dialog = page._tools.assign(ProbeStore(filled).ids())
    dialog.curators.setText("mara, jo")
    dialog.each.setValue(2)
    dialog.overlap.setValue(50)
    assert dialog.headline.text() == "2 for each of 2 curators, 1 of them the same: 3 probes."
    dialog.assign_button.click()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    page.header.assigned.choose(["mine"])
    page.header.assigned.chosen.emit(("mine",))
    assert len(page._session.ids) == 2
    (shared,) = AssignmentStore(filled).shared()
    probe = ProbeStore(filled).get(shared)
    ReviewStore(filled).decide(shared, probe.revision_id, Action.REJECT, "jo", reasons=("unnatural",))
    page.activate()
    assert shared in page._session.ids
    page._show_probe(shared)
    assert "Shared: judged blind" in page.probe_card.chips.texts
    assert "Unreviewed" in page.probe_card.chips.texts
    _press(page, "a")
    page.header.queue_box.setCurrentIndex(4)
    page.header.order.choose([])
    page.header.chosen.emit()
    assert page._session.ids == [shared]
    assert "Disagreement" in page.probe_card.chips.texts
    said = [" ".join(each.text() for each in card.findChildren(QLabel)) for card in page.probe_card.verdicts.cards]
    assert len(said) == 2
    assert "jo: rejected" in said[0]
    assert "Unnatural or unclear wording" in said[0]
    assert "mara: accepted" in said[1]
    assert page.probe_card.verdicts.isVisible()
    _press(page, "a")
    assert ProbeStore(filled).get(shared).status is ReviewStatus.ACCEPTED
    assert not page.probe_card.verdicts.isVisible()


def test_the_agreement_is_shown(page: ReviewPage, window: MainWindow, filled: Database, qtbot: QtBot) -> None:
    probe = _probes(filled)[0]
    AssignmentStore(filled).add("R", plan_assignment([probe.id], ["mara", "jo"], 1, 1.0), "mara")
    for name in ("mara", "jo"):
        ReviewStore(filled).decide(probe.id, probe.revision_id, Action.ACCEPT, name)
    page._tools.show_agreement()
    from btc_gui.ui.widgets.agreement_dialog import AgreementDialog

    dialog = next(iter(window.findChildren(AgreementDialog)))
    qtbot.waitUntil(lambda: dialog._pairs.count() > 1)
    assert not dialog.resolve_button.isEnabled()
    window.grab()
    dialog.reject()


def test_a_filter_is_saved_and_chosen_again(page: ReviewPage, window: MainWindow, filled: Database) -> None:
    _press(page, "d")
    page.header.queue_box.setCurrentIndex(1)
    page.header.order.choose(["sample"])
    page.header.search.setText("mayors")
    page.header.saved.ask_name()
    dialog = page.header.saved.dialog
    assert dialog is not None
    assert not dialog.do_button.isEnabled()
    QTest.keyClicks(dialog.field, "late ones")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert list(page.header.saved._store.all()) == ["late ones"]
    page.header.saved.ask_name()
    again = page.header.saved.dialog
    assert again is not None
    again.field.setText("late ones")
    assert "Replaces" in again.words.text()
    again.reject()
    page.header.queue_box.setCurrentIndex(0)
    page.header.order.choose([])
    page.header.search.setText("")
    page.header.chosen.emit()
    content = page.header.saved._store.all()["late ones"]
    page.header.saved.chosen.emit(content)
    queue = page._session.queue
    assert (queue.kind, queue.order, queue.contains) == (QueueKind.DEFERRED, QueueOrder.SAMPLE, "mayors")
    assert len(page._session.ids) == 1


def test_probes_are_found_by_words(page: ReviewPage) -> None:
    QTest.keyClick(page, Qt.Key.Key_Slash)
    assert page.header.search.hasFocus()
    QTest.keyClicks(page.header.search, "EVENING 2")
    QTest.keyClick(page.header.search, Qt.Key.Key_Return)
    assert page.probe_card.text.toPlainText() == "Who could speak at evening 2?"


def test_what_others_decide_is_followed_though_ones_own_is_not_read_again(
    page: ReviewPage, filled: Database, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Queue] = []
    read = page._session.read_scope

    def counted(queue: Queue) -> QueueScope:
        reads.append(queue)
        return read(queue)

    monkeypatch.setattr(page._session, "read_scope", counted)
    _press(page, "aa")
    page.activate()
    settle(window.job_runner)
    assert reads == []
    probe = _probes(filled)[3]
    ReviewStore(filled).decide(probe.id, probe.revision_id, Action.ACCEPT, "jo")
    page.activate()
    settle(window.job_runner)
    assert len(reads) == 1
    assert page.header.counts.text().startswith("3 of 5")


def test_what_the_linter_finds_is_said_at_the_probe_and_gone_after_the_edit(page: ReviewPage, filled: Database) -> None:
    """An edit is checked in the same transaction."""
    _press(page, "e")
    page.probe_card.text.setPlainText("Could Ada Lovely or Bo Brown give the talk in autumn?")
    page.probe_card._save()
    assert "Names the entity" in page.probe_card.lint.chips.texts
    assert page.probe_card.text.extraSelections()
    _press(page, "e")
    page.probe_card.text.setPlainText("Which mayors should we invite to the opening of the fair in autumn?")
    page.probe_card._save()
    assert "Names the entity" not in page.probe_card.lint.chips.texts
    assert page.probe_card.text.extraSelections() == []


def test_the_preview_of_many_says_what_the_linter_is_overruled_in() -> None:
    """Accepting against errors is allowed, and said before it is done."""
    plan = BulkPlan(Action.ACCEPT, (), "", 3, (), {ReviewStatus.UNREVIEWED: 3}, 0, 2, 0, {}, ())
    assert plan_words(plan) == "Now 3 unreviewed. 2 are accepted against the linter's errors."
