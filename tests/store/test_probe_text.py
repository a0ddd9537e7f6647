"""Finding probes by words: parts of words, any case and accents, scripts without spaces, the current wording only."""

from __future__ import annotations

import pytest

from btc_gui.domain.probe import ProbeText
from btc_gui.domain.review import Action
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe


@pytest.mark.parametrize(
    "words",
    [
        "café",
        "CAFE",
        "afé  ever",
        "cafe\neverywhere",
        "東京",
        "京",
        "100%",
        "_a",
        "ist“",
        'ist"',
        "шко",
        "🎻",
        "müller",
    ],
)
def test_words_are_found_however_they_are_written(database: Database, words: str) -> None:
    event = add_event(database, entity="Ada Müller")
    text = "Which café  everywhere in 東京 is at 100% with_a 🎻 “list” школа?"
    wanted = add_probe(database, event, text=text)
    add_probe(database, add_event(database, entity="Bo Brown"), text="Who else could be asked?")
    assert ProbeStore(database).ids(ProbeQuery(contains=words)) == [wanted.id]


@pytest.mark.parametrize("words", ["nothing like it", "bird watching tower"])
def test_words_that_stand_apart_are_not_found_together(database: Database, words: str) -> None:
    """The three letters of each trigram occur, the words don't; nor do words reach from one field into the next."""
    probe = add_probe(database, add_event(database), text="A bird watch")
    seen = ReviewStore(database)
    edited = ProbeText("A bird watch", "ing tower", "a nothing", "like it")
    seen.decide(probe.id, probe.revision_id, Action.EDIT, "ann", edited=edited)
    assert ProbeStore(database).ids(ProbeQuery(contains=words)) == []
    assert ProbeStore(database).ids(ProbeQuery(contains="ING TOWER")) == [probe.id]


def test_only_the_current_wording_is_found_and_undo_brings_the_old_one_back(database: Database) -> None:
    probe = add_probe(database, add_event(database), text="Which harbours could host it?")
    reviews, probes = ReviewStore(database), ProbeStore(database)
    decision = reviews.decide(probe.id, probe.revision_id, Action.EDIT, "ann", edited=ProbeText("Which ports?"))
    assert probes.ids(ProbeQuery(contains="harbour")) == []
    assert probes.ids(ProbeQuery(contains="ports")) == [probe.id]
    reviews.undo(decision, "ann")
    assert probes.ids(ProbeQuery(contains="harbour")) == [probe.id]


def test_wordings_that_went_with_a_broken_load_are_not_found_under_another_id(database: Database) -> None:
    """Their ids are given again."""
    event = add_event(database)
    with database.write() as connection:
        connection.execute("INSERT INTO load (id, subject, file, sha256, started_at) VALUES (1, 'probes', 'f', '', '')")
    probe = add_probe(database, event, text="A wording that goes away")
    with database.write() as connection:
        connection.execute("UPDATE probe SET load_id = 1 WHERE id = ?", (probe.id,))
        connection.execute("DELETE FROM load WHERE id = 1")
    again = add_probe(database, event, text="Another one that stays")
    assert again.revision_id == probe.revision_id
    assert ProbeStore(database).ids(ProbeQuery(contains="goes away")) == []
    assert ProbeStore(database).ids(ProbeQuery(contains="stays")) == [again.id]
