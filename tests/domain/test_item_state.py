"""A form that was left comes back as it was, also from what earlier packets kept."""

from __future__ import annotations

import pytest

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import GivenLabel, ItemId


@pytest.mark.parametrize(
    "state",
    [
        ItemState(),
        ItemState(note="half a thou"),
        ItemState("unsure", "two people 日本 🙂", "a note", 2, '{"queries":["explicit"]}'),
        ItemState(note='{"note":"looks like ours"}'),
    ],
)
def test_a_form_comes_back_as_it_was_kept(state: ItemState) -> None:
    assert ItemState.from_text(state.text) == state


def test_an_empty_form_keeps_nothing() -> None:
    assert ItemState().text == ""


@pytest.mark.parametrize("text", ["a plain note", "12", "[1]", "{half", '"quoted"'])
def test_what_packets_of_version_1_kept_is_a_note(text: str) -> None:
    assert ItemState.from_text(text) == ItemState(note=text)


def test_odd_contents_are_left_out() -> None:
    assert ItemState.from_text('{"confidence":9,"note":null,"more":1}') == ItemState()


def test_the_form_of_a_label_is_as_it_was_given() -> None:
    row = GivenLabel(1, ItemId("0" * 16), "unsure", "why", "note", confidence=3, answers="{}")
    assert ItemState.of(row) == ItemState("unsure", "why", "note", 3, "{}")
    assert ItemState.of(None) == ItemState()
