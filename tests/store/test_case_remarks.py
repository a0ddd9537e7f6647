"""Notes, tags and collections of cases: who said what and when stays on record, whatever is edited or withdrawn."""

from __future__ import annotations

import pytest

from btc_gui.domain.case_remarks import tags_of
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.case_remarks import case_remarks
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_trajectory


@pytest.fixture
def ids(database: Database) -> list[AnswerId]:
    probe = add_probe(database, add_event(database))
    return add_answers(database, probe, [make_trajectory() for _ in range(3)])[1]


def test_an_edited_note_is_a_new_row_in_the_place_of_the_old_one(database: Database, ids: list[AnswerId]) -> None:
    store = CaseNoteStore(database)
    first = store.add(ids[0], " to late ", "ann", step_number=2)
    store.add(ids[0], "second", "bo")
    edited = store.edit(first, "too late", "bo")
    assert [(note.note, note.author, note.step_number) for note in store.of(ids[0])] == [
        ("too late", "bo", 2),
        ("second", "bo", None),
    ]
    kept = {note.id: note for note in store.of(ids[0], with_withdrawn=True)}
    assert (kept[first].note, kept[first].author, kept[first].withdrawn_by) == ("to late", "ann", "bo")
    assert kept[edited].replaces == first
    assert store.of(ids[1]) == []


def test_a_note_withdrawn_meanwhile_is_not_edited(database: Database, ids: list[AnswerId]) -> None:
    store = CaseNoteStore(database)
    note_id = store.add(ids[0], "a", "ann")
    store.withdraw(note_id, "ann")
    with pytest.raises(ProjectError, match="meanwhile"):
        store.edit(note_id, "b", "bo")
    with pytest.raises(InputError):
        store.add(ids[0], "  ", "bo")
    assert store.of(ids[0]) == []


def test_an_edit_to_nothing_leaves_the_note(database: Database, ids: list[AnswerId]) -> None:
    store = CaseNoteStore(database)
    note_id = store.add(ids[0], "a", "ann")
    with pytest.raises(InputError):
        store.edit(note_id, " \n", "bo")
    assert [note.note for note in store.of(ids[0])] == ["a"]


def test_tags_have_one_spelling_and_stand_once(database: Database, ids: list[AnswerId]) -> None:
    store = CaseTagStore(database)
    assert store.add(ids[:2], " Late  search", "ann") == ("Late search", 2)
    assert store.add(ids, "#late SEARCH", "bo") == ("Late search", 1)
    assert store.add(ids[:1], "late search", "bo", step_number=4) == ("Late search", 1)
    assert store.add(ids[2:], "Straße", "bo")[0] == store.add(ids[2:], "STRASSE", "bo")[0] == "Straße"
    assert store.counts() == {"Late search": 3, "Straße": 1}
    store.withdraw(ids[1], "Late search", "ann")
    store.withdraw(ids[1], "Late search", "ann")
    assert store.of(ids[1]) == []
    assert [(tag.step_number, tag.author) for tag in store.of(ids[0])] == [(None, "ann"), (4, "bo")]
    assert store.add([ids[1]], "Late search", "bo")[1] == 1
    rows = database.read().execute("SELECT author, withdrawn_by FROM case_tag WHERE answer_id = ?", (ids[1],))
    assert [tuple(row) for row in rows] == [("ann", "ann"), ("bo", "")]


@pytest.mark.parametrize("tag", ["", " # ", "a, b", "x" * 61])
def test_what_is_no_tag_is_refused(database: Database, ids: list[AnswerId], tag: str) -> None:
    with pytest.raises(InputError):
        CaseTagStore(database).add(ids, tag, "ann")


def test_commas_part_tags() -> None:
    assert tags_of(" late,  old\tnews ,, late") == ["late", "old news"]
    assert tags_of("évident, e\u0301vident") == ["évident"]


def test_a_collection_keeps_its_order_and_what_was_taken_out(database: Database, ids: list[AnswerId]) -> None:
    store = CaseCollectionStore(database)
    collection_id = store.create("For  the paper", "Three that surprise", "ann")
    assert store.add(collection_id, ids[:2], "ann") == 2
    assert store.add(collection_id, ids, "bo") == 1
    store.arrange(collection_id, [ids[2], ids[0]])
    assert store.ids(collection_id) == [ids[2], ids[0], ids[1]]
    store.remove(collection_id, [ids[0]], "bo")
    assert store.ids(collection_id) == [ids[2], ids[1]]
    store.add(collection_id, [ids[0]], "bo")
    assert store.ids(collection_id) == [ids[2], ids[1], ids[0]]
    found = store.find("for the PAPER")
    assert (found.name, found.description, found.author, found.cases) == (
        "For the paper",
        "Three that surprise",
        "ann",
        3,
    )
    assert [each.name for each in store.holding(ids[1])] == ["For the paper"]


def test_notes_and_collections_are_views_for_other_programs(database: Database, ids: list[AnswerId]) -> None:
    notes, collections = CaseNoteStore(database), CaseCollectionStore(database)
    notes.edit(notes.add(ids[0], "to late", "ann", 2), "too late", "bo")
    notes.withdraw(notes.add(ids[0], "gone", "ann"), "ann")
    kept, dropped = collections.create("Old", "why", "ann"), collections.create("Dropped", "", "ann")
    collections.add(kept, ids, "ann")
    collections.add(dropped, ids, "ann")
    collections.withdraw(dropped, "ann")
    collections.remove(kept, ids[:1], "ann")
    collections.arrange(kept, [ids[2], ids[1]])
    collections.describe(kept, "New", "why", "bo")
    read = database.read()
    assert [tuple(row) for row in read.execute("SELECT reference, note, author FROM v_notes")] == [
        (f"btc:{ids[0]}#2", "too late", "bo")
    ]
    rows = read.execute("SELECT reference, collection, description, place FROM v_collections ORDER BY place")
    assert [tuple(row) for row in rows] == [
        (f"btc:{ids[2]}", "New", "why", 1),
        (f"btc:{ids[1]}", "New", "why", 2),
    ]


def test_names_of_collections_are_told_apart(database: Database, ids: list[AnswerId]) -> None:
    store = CaseCollectionStore(database)
    one = store.create("One", "", "ann")
    two = store.create("Two", "", "ann")
    with pytest.raises(InputError, match="already"):
        store.create("ONE", "", "ann")
    with pytest.raises(InputError, match="already"):
        store.describe(two, "one", "", "ann")
    with pytest.raises(InputError, match="name"):
        store.create(" ", "", "ann")
    with pytest.raises(InputError, match="“One”, “Two”"):
        store.find("Three")
    assert len(store.all()) == 2
    store.describe(one, "First", "described", "bo")
    store.describe(one, "First", "described", "bo")
    assert database.read().execute("SELECT count(*) FROM case_collection_text").fetchone()[0] == 3
    store.withdraw(one, "bo")
    assert [each.name for each in store.all()] == ["Two"]
    with pytest.raises(ProjectError):
        store.add(one, ids, "bo")
    assert store.create("First", "", "bo") not in (one, two)


def test_everything_about_a_case_is_read_together(database: Database, ids: list[AnswerId]) -> None:
    CaseNoteStore(database).add(ids[1], "n", "ann")
    CaseTagStore(database).add([ids[1]], "t", "ann")
    collection_id = CaseCollectionStore(database).create("c", "", "ann")
    CaseCollectionStore(database).add(collection_id, [ids[1]], "ann")
    none, some = case_remarks(database, ids[:2])
    assert not none.notes
    assert not none.tags
    assert not none.collections
    assert (some.notes[0].note, some.tags[0].tag, some.collections[0].cases) == ("n", "t", 1)
