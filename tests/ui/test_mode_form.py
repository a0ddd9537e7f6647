"""Failure modes at the keyboard: queries before results, passages, what follows, another mode with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.mode_form import DateOrigin, EvidenceAnswer, ModeForm, OverrideCode, QueryLabel, Relation
from btc_gui.domain.packet import (
    OWN_ANSWERS,
    Excerpt,
    Field,
    GivenLabel,
    Layer,
    PacketItem,
    PracticeItem,
    Search,
    written,
)
from btc_gui.domain.received import write_results
from btc_gui.domain.trajectory import SearchResult
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from btc_gui.ui.labelling import received_view
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.mode_form import FailureModeForm
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.theme import Theme
from tests.study_builders import item_id, make_manifest, practice_id
from tests.ui.conftest import activate

OLD = write_results([SearchResult("Carvers 🪵 of the coast", "https://example.org/1", "2025-06-02", ("She is 90.",))])
NEWS = write_results(
    [
        SearchResult("A list", "https://example.org/2", "2025-01-01", ("Nothing new.",)),
        SearchResult(
            "The gallery 🎨", "https://example.org/3", "2026-03-09", ("It is closed. Ada Holm died. She was 91.",)
        ),
        SearchResult("Undated", "https://example.org/4", "", ("Ada Holm (1935–2026) carved herons.",)),
    ]
)
TWO = (Search("driftwood carvers", OLD), Search("carving classes", NEWS))
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(autouse=True)
def _quick_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests press keys faster than people."""
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 0)


def values_of(searches: Sequence[Search], layer: Layer = Layer.BLIND) -> dict[str, str]:
    values = {
        "entity": "Ada Holm",
        "before": "Ada Holm is alive.",
        "after": "Ada Holm died on 3 March 2026.",
        "probe": "Whom to invite?",
        "searches": written(searches),
        "answer": "Invite Ada Holm.",
    }
    if layer.shows_machine:
        values["evidence"] = written([Excerpt("Ada Holm died", "The gallery", "2026-03-09")])
    return values


def packet(path: Path, *items: Sequence[Search], layer: Layer = Layer.BLIND, practice: bool = False) -> Path:
    """A packet of failure modes with an item for each row of searches."""
    manifest = replace(make_manifest(len(items), "failure_mode", layer), relations=("states", "entails"))
    entries = [PacketItem(item_id(n), n, "p", values_of(each, layer)) for n, each in enumerate(items, 1)]
    parts = '{"evidence":"no","queries":[{"label":"indirect"}]}'
    known = [PracticeItem(practice_id(1), "p", values_of(TWO[:1]), "none", "No query was about her.", parts)]
    PacketFile.create(path, manifest, {"p": "The codebook."}, entries, known if practice else ())
    return path


def open_window(qtbot: QtBot, theme: Theme, path: Path) -> LabellingWindow:
    window = LabellingWindow(LabellingSession(path), theme)
    qtbot.addWidget(window)
    activate(window, qtbot)
    return window


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[LabellingWindow]:
    made = open_window(qtbot, theme, packet(tmp_path / "p.btcp", TWO, TWO[:1], ()))
    yield made
    made.close()


def form_of(window: LabellingWindow) -> FailureModeForm:
    assert isinstance(window.form, FailureModeForm)
    return window.form


def press(window: QWidget, keys: str) -> None:
    """Type into whatever has the focus."""
    for each in keys:
        _lift(window)
        QTest.keyClicks(window.focusWidget() or window, each)


def key(window: QWidget, code: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    _lift(window)
    QTest.keyClick(window.focusWidget() or window, code, modifier)


def _lift(window: QWidget) -> None:
    """Another key in between: the same one twice in a moment, as tests press it, is a key held down."""
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Shift)


def labels_of(window: LabellingWindow) -> list[GivenLabel]:
    return window._session._labels


def answers(row: GivenLabel) -> ModeForm:
    return ModeForm.from_text(row.answers)


def message(window: LabellingWindow) -> str:
    return window._message.text()


def line_of(window: LabellingWindow) -> str:
    """The first line of the list of queries."""
    item = form_of(window).work.queries.topLevelItem(0)
    assert item is not None
    return f"{item.text(1)} | {item.text(2)}"


def texts_in(widget: QWidget) -> str:
    """Every word in the widget, shown or not."""
    parts = [each.toPlainText() for each in widget.findChildren(QTextEdit)]
    parts += [each.text() for each in widget.findChildren(QLabel)]
    return "\n".join(parts)


# -- a whole item from the keyboard --------------------------------------------------------------------------


def test_an_item_is_labelled_with_its_evidence_from_the_keyboard_alone(window: LabellingWindow) -> None:
    press(window, "ir")
    press(window, "o")
    press(window, "j")
    press(window, "g")  # To the mention of the person: the caret is in the sentence that tells it.
    press(window, "7")
    assert form_of(window).conclusion._words.text() == (
        "Reasoning error follows: what the model received for query 2, result 2 states the change."
    )
    key(window, Qt.Key.Key_Return, CTRL)
    assert window.windowTitle() == "Labelling: item 2 of 3"
    (row,) = labels_of(window)
    form = answers(row)
    assert row.label == "reasoning"
    assert form.labels == (QueryLabel.INDIRECT, QueryLabel.UNRELATED)
    (span,) = form.spans
    assert (span.quote, span.search, span.result, span.relation) == ("Ada Holm died.", 2, 2, Relation.STATES)
    assert (span.published, span.dated_by) == ("2026-03-09", DateOrigin.METADATA)
    assert NEWS[span.start : span.stop] == span.quote


def test_the_selection_is_marked_character_for_character(window: LabellingWindow) -> None:
    """An emoji before it, which Qt counts as two, moves nothing."""
    press(window, "rroj")
    press(window, "gg")
    assert form_of(window).received.caret == NEWS.index("Ada Holm (1935")
    for _ in range(len("Ada Holm (1935–2026)")):
        key(window, Qt.Key.Key_Right, SHIFT)
    press(window, "8")
    (span,) = form_of(window)._form.spans
    assert (span.quote, span.result, span.relation) == ("Ada Holm (1935–2026)", 3, Relation.ENTAILS)
    assert (span.published, span.dated_by) == ("", DateOrigin.UNKNOWN)


def test_what_the_model_received_is_not_there_before_every_query_has_a_class(window: LabellingWindow) -> None:
    press(window, "o7y0")
    assert "died. She" not in texts_in(window)
    press(window, "r")
    press(window, "o")
    assert form_of(window)._form == ModeForm.from_text('{"queries": ["unrelated", ""]}')
    press(window, "e")
    assert "She is 90." not in texts_in(window)
    press(window, "o")
    assert "She is 90." in texts_in(window)
    press(window, "j")
    assert "died. She" in texts_in(window)


def test_a_key_that_does_nothing_yet_says_so(window: LabellingWindow) -> None:
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, Qt.Key.Key_7)
    assert message(window) == "Not now: Mark a passage that states the change"
    window.action("query_note").trigger()
    QTest.keyClick(handle, Qt.Key.Key_8)
    assert message(window) == "", "typed into a field it is no key"


def test_each_class_goes_to_the_next_query_without_one(window: LabellingWindow) -> None:
    form = form_of(window)
    press(window, "j")
    press(window, "e")
    assert form._query == 1
    press(window, "q")
    assert form._query == 1  # All have one: stay.
    assert form._form.labels == (QueryLabel.UNSURE, QueryLabel.EXPLICIT)
    press(window, "i")
    assert form._form.labels == (QueryLabel.INDIRECT, QueryLabel.EXPLICIT)


def test_a_class_changed_after_the_results_keeps_the_first_one_beside_it(window: LabellingWindow) -> None:
    press(window, "rro")
    press(window, "i")
    assert form_of(window)._form.queries[0].first is QueryLabel.UNRELATED
    assert "unrelated before" in line_of(window)


def test_a_mode_can_not_be_given_before_the_form_is_complete(window: LabellingWindow) -> None:
    press(window, "2")
    assert message(window) == "Still needed: a class for every query, then whether there is evidence."
    press(window, "rro")
    press(window, "y")
    key(window, Qt.Key.Key_Return, CTRL)
    press(window, "1")
    assert message(window) == "Still needed: a passage that is the evidence."
    assert not labels_of(window)


def test_an_item_without_a_query_is_confirmed_at_once(window: LabellingWindow) -> None:
    press(window, "f")
    press(window, "f")
    assert "made no query" in texts_in(window)
    press(window, "eo7")
    key(window, Qt.Key.Key_Return, CTRL)
    (row,) = labels_of(window)
    assert (row.label, answers(row).evidence) == ("none", EvidenceAnswer.NO)


# -- another mode --------------------------------------------------------------------------------------------


def test_another_mode_than_the_derived_one_asks_for_a_reason(window: LabellingWindow) -> None:
    press(window, "rro0")
    press(window, "3")
    assert not labels_of(window)
    key(window, Qt.Key.Key_Down)
    key(window, Qt.Key.Key_Tab)
    key(window, Qt.Key.Key_Return)
    assert message(window).startswith("A few words are needed")
    press(window, "31 words, and no key.")
    key(window, Qt.Key.Key_Return)
    (row,) = labels_of(window)
    form = answers(row)
    assert (row.label, form.override, form.override_text) == (
        "indirect",
        OverrideCode.EVIDENCE,
        "31 words, and no key.",
    )


def test_esc_leaves_the_reason_and_the_derived_mode_follows_again(window: LabellingWindow) -> None:
    press(window, "rro0")
    press(window, "3")
    key(window, Qt.Key.Key_Tab)
    press(window, "no")
    key(window, Qt.Key.Key_Escape)
    press(window, "4")
    (row,) = labels_of(window)
    assert (row.label, answers(row).override) == ("none", None)


def test_unsure_needs_a_reason_and_takes_the_form_as_it_is(window: LabellingWindow) -> None:
    press(window, "e")
    press(window, "u")
    press(window, "Two people have this name.")
    key(window, Qt.Key.Key_Return)
    (row,) = labels_of(window)
    assert (row.label, row.reason) == ("unsure", "Two people have this name.")
    assert answers(row).labels == (QueryLabel.EXPLICIT, None)


def test_one_reason_is_asked_for_at_a_time(window: LabellingWindow) -> None:
    press(window, "rro0")
    press(window, "3")
    assert form_of(window).conclusion.asked_mode is not None
    press(window, "u")
    assert form_of(window).conclusion.asked_mode is None
    press(window, "Two people.")
    key(window, Qt.Key.Key_Return, CTRL)
    assert message(window).startswith("Enter saves")
    key(window, Qt.Key.Key_Return)
    assert [(row.label, row.reason) for row in labels_of(window)] == [("unsure", "Two people.")]


def test_another_class_takes_the_question_back_and_the_keys_go_on(window: LabellingWindow) -> None:
    press(window, "rro0")
    press(window, "3")
    press(window, "i")
    assert form_of(window).conclusion.asked_mode is None
    press(window, "3")
    assert [row.label for row in labels_of(window)] == ["indirect"]


# -- taking back, keeping ------------------------------------------------------------------------------------


def test_a_removed_passage_comes_back_but_nothing_from_before_the_results(window: LabellingWindow) -> None:
    press(window, "rroj")
    press(window, "g7")
    marked = form_of(window)._form
    key(window, Qt.Key.Key_Delete)
    assert form_of(window)._form.spans == ()
    key(window, Qt.Key.Key_Z, CTRL)
    assert form_of(window)._form == marked
    for _ in range(5):
        key(window, Qt.Key.Key_Z, CTRL)
    assert form_of(window)._form.labels == (QueryLabel.UNRELATED, QueryLabel.UNRELATED)
    assert form_of(window)._form.has_opened


def test_the_same_passage_with_another_key_has_another_relation(window: LabellingWindow) -> None:
    press(window, "rroj")
    press(window, "g7")
    press(window, "9")
    assert [span.relation for span in form_of(window)._form.spans] == [Relation.SUGGESTS]
    assert "only suggest" in form_of(window).conclusion._words.text()
    key(window, Qt.Key.Key_Return, CTRL)
    assert [row.label for row in labels_of(window)] == ["none"]


def test_a_passage_over_two_results_is_refused_in_words(window: LabellingWindow) -> None:
    press(window, "rroj")
    key(window, Qt.Key.Key_A, CTRL)
    press(window, "7")
    assert "two results" in message(window)
    assert form_of(window)._form.spans == ()


def test_a_date_that_the_text_tells_is_written_beside_its_passage(window: LabellingWindow) -> None:
    press(window, "rroj")
    press(window, "gg8")
    press(window, "d")
    press(window, "soon")
    key(window, Qt.Key.Key_Return)
    assert "no date" in message(window)
    press(window, "d")
    press(window, "2026")
    key(window, Qt.Key.Key_Return)
    (span,) = form_of(window)._form.spans
    assert (span.published, span.dated_by) == ("2026", DateOrigin.TEXT)
    key(window, Qt.Key.Key_Return, CTRL)
    assert [row.label for row in labels_of(window)] == ["reasoning"]


def test_a_date_counts_though_its_field_was_not_left(window: LabellingWindow) -> None:
    press(window, "rroj")
    press(window, "gg8")
    press(window, "d")
    press(window, "2026-03")
    key(window, Qt.Key.Key_Return, CTRL)
    (row,) = labels_of(window)
    assert [span.published for span in answers(row).spans] == ["2026-03"]


def test_a_note_on_a_query_is_no_key_and_is_kept(window: LabellingWindow) -> None:
    key(window, Qt.Key.Key_N, SHIFT)
    press(window, "eirq 0 1?")
    key(window, Qt.Key.Key_Escape)
    press(window, "rro0")
    key(window, Qt.Key.Key_Return, CTRL)
    (row,) = labels_of(window)
    assert answers(row).queries[0].note == "eirq 0 1?"
    assert answers(row).labels == (QueryLabel.UNRELATED, QueryLabel.UNRELATED)


def test_an_unfinished_form_is_there_again_after_a_restart(
    qtbot: QtBot, theme: Theme, window: LabellingWindow, tmp_path: Path
) -> None:
    press(window, "rroj")
    press(window, "g7")
    press(window, "2")
    key(window, Qt.Key.Key_Tab)
    press(window, "half a rea")
    form = form_of(window)._form
    window.close()
    again = open_window(qtbot, theme, tmp_path / "p.btcp")
    assert form_of(again)._form == form.overridden(OverrideCode.BORDER, "half a rea")
    assert form_of(again).conclusion.reason.text() == "half a rea"
    assert "She is 90." in texts_in(again)
    again.close()


def test_undo_shows_the_form_as_it_was_given(window: LabellingWindow) -> None:
    press(window, "rroj")
    press(window, "g7")
    key(window, Qt.Key.Key_Return, CTRL)
    assert form_of(window)._form == ModeForm().for_queries(1)  # Nothing of the item before.
    press(window, "z")
    assert window.windowTitle() == "Labelling: item 1 of 3"
    assert form_of(window)._form == answers(labels_of(window)[0])


# -- what must not happen ------------------------------------------------------------------------------------


def test_every_key_has_one_action_and_none_repeats_while_held(window: LabellingWindow) -> None:
    actions = [*form_of(window).actions(), *window._actions.values()]
    keys = Counter(action.shortcut().toString() for action in actions if not action.shortcut().isEmpty())
    assert [each for each, count in keys.items() if count > 1] == []
    assert not any(action.autoRepeat() for action in actions)
    assert all(action.text() and action.objectName() for action in actions)


def test_a_second_press_meant_for_the_item_before_gives_nothing(
    window: LabellingWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(window, "rro0")
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 60_000)
    window._settled.restart()
    key(window, Qt.Key.Key_Return, CTRL)
    press(window, "4")
    assert not labels_of(window)


def test_a_megabyte_in_one_line_is_shown_in_parts_and_marked_in_its_place(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    text = "word " * 40_000 + "Ada Holm died. " + "word " * 160_000
    window = open_window(qtbot, theme, packet(tmp_path / "p.btcp", [Search("q", text)]))
    press(window, "ro")
    body = form_of(window).received.body
    assert len(body.toPlainText()) <= received_view.PART
    press(window, "]]")
    assert body.toPlainText().startswith(text[2 * received_view.PART :][:20])
    press(window, "g")
    assert form_of(window).received.caret == text.index("Ada")
    assert len(body.toPlainText()) <= received_view.PART
    for _ in "Ada Holm died.":
        key(window, Qt.Key.Key_Right, SHIFT)
    press(window, "7")
    (span,) = form_of(window)._form.spans
    assert (span.start, span.quote) == (text.index("Ada"), "Ada Holm died.")
    window.close()


def test_words_of_strangers_are_words(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    markup = "<b>x</b><img src='file:///etc/passwd'> & a < b\u2028c\r\nd"
    window = open_window(qtbot, theme, packet(tmp_path / "p.btcp", [Search(markup, markup)]))
    assert line_of(window).startswith("<b>x</b><img src=")
    press(window, "ro")
    assert form_of(window).received.body.toPlainText().startswith("<b>x</b><img src='file")
    key(window, Qt.Key.Key_End, CTRL)
    press(window, "7")
    (span,) = form_of(window)._form.spans
    assert (span.quote, span.start) == ("d", len(markup) - 1)
    window.close()


def test_findings_of_the_classifier_are_said_to_be_its_own(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    searches = [Search("q", NEWS, "explicit")]
    window = open_window(qtbot, theme, packet(tmp_path / "p.btcp", searches, layer=Layer.ASSISTED))
    form = form_of(window)
    assert "classifier: explicit" in line_of(window)
    assert form.given._found_area.isHidden()  # Not before the query has a class and the results are open.
    press(window, "io")
    assert not form.given._found_area.isHidden()
    assert "Evidence found by the classifier" in texts_in(form.given)
    assert form.received._found == [(NEWS.index("Ada Holm died"), NEWS.index("Ada Holm died") + len("Ada Holm died"))]
    assert form._form.spans == ()  # Nothing is taken over.
    window.close()


def test_whoever_labels_for_the_second_time_begins_with_the_blind_label(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    own = ModeForm.from_text('{"queries": ["unrelated"], "evidence": "no", "opened": true}')
    manifest = replace(make_manifest(1, "failure_mode", Layer.REVEALED), relations=("states", "entails"))
    fields = (*manifest.fields, Field("own_label", "Your blind label"), Field(OWN_ANSWERS, "Its parts"))
    values = values_of([Search("q", NEWS, "explicit")], Layer.REVEALED)
    values |= {"own_label": f"No or unrelated search\n{own.words}", OWN_ANSWERS: own.text}
    item = PacketItem(item_id(1), 1, "p", values)
    PacketFile.create(tmp_path / "p.btcp", replace(manifest, fields=fields), {"p": "The codebook."}, [item])
    window = open_window(qtbot, theme, tmp_path / "p.btcp")
    assert form_of(window)._form == own
    assert "Queries: 1 unrelated\nEvidence: no" in texts_in(form_of(window).given)
    assert "queries" not in texts_in(form_of(window).given.earlier)
    assert window.focusWidget() is form_of(window).received.body
    press(window, "g7")
    key(window, Qt.Key.Key_Return, CTRL)
    assert [row.label for row in labels_of(window)] == ["reasoning"]
    window.close()


def test_practice_tells_what_was_right(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    window = open_window(qtbot, theme, packet(tmp_path / "p.btcp", TWO, practice=True))
    key(window, Qt.Key.Key_Return)
    assert "practice item 1 of 1" in window.windowTitle()
    press(window, "ro0")
    key(window, Qt.Key.Key_Return, CTRL)
    assert "Query 1 is indirect; you said unrelated.\nNo query was about her." in texts_in(window)
    assert "✓ Right: No or unrelated search, but not every part" in texts_in(window)
    press(window, "e7")  # Only to be read now.
    key(window, Qt.Key.Key_Return)
    key(window, Qt.Key.Key_Return)
    assert window.windowTitle() == "Labelling: item 1 of 1"
    assert form_of(window)._form == ModeForm().for_queries(2)
    window.close()


def test_a_packet_without_relations_asks_for_more_than_is_shown(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    manifest = make_manifest(1, "failure_mode")
    PacketFile.create(tmp_path / "p.btcp", manifest, {"p": "x"}, [PacketItem(item_id(1), 1, "p", values_of(TWO))])
    window = open_window(qtbot, theme, tmp_path / "p.btcp")
    assert not window.can_show
    window.close()
