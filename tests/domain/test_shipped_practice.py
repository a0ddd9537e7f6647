"""The practice items that ship with each category: invented, and right by the rule that they teach."""

from __future__ import annotations

import re
from collections import Counter
from itertools import count

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.packet import ItemId, Layer, PacketItem, PracticeItem
from btc_gui.domain.practice_items import practice_items
from btc_gui.domain.studies import study_kind

COUNTED = ("states", "entails")
CATEGORIES = load_categories(paths.resources() / "categories")


def items_of(category: Category, kind: str, layer: Layer = Layer.BLIND) -> list[PracticeItem]:
    numbers = count(1)
    return practice_items(category.practice, study_kind(kind), layer, lambda: ItemId(f"{next(numbers):016x}"))


@pytest.mark.parametrize("category", CATEGORIES.values(), ids=list(CATEGORIES))
def test_every_category_has_enough_of_each_kind(category: Category) -> None:
    verdicts = Counter((item.page, item.label) for item in items_of(category, "judge_verdict"))
    assert sum(verdicts.values()) >= 10
    assert {page for page, _ in verdicts} == {f"{category.name}/direct", f"{category.name}/indirect"}
    assert all(verdicts[page, label] >= 2 for page, _ in verdicts for label in ("correct", "incorrect"))
    modes = Counter(item.label for item in items_of(category, "failure_mode"))
    assert sum(modes.values()) >= 5
    assert set(modes) == set(FailureMode)


@pytest.mark.parametrize("category", CATEGORIES.values(), ids=list(CATEGORIES))
def test_the_known_mode_follows_from_the_known_parts(category: Category) -> None:
    for layer in (Layer.BLIND, Layer.ASSISTED):
        for known in items_of(category, "failure_mode", layer):
            shown = PacketItem(known.item, 1, known.page, known.values)
            study_kind("failure_mode").check_answers(known.label, known.answers, shown, COUNTED)
            form = ModeForm.from_text(known.answers)
            assert form.derived(COUNTED).mode == known.label
            assert form.override is None


@pytest.mark.parametrize("category", CATEGORIES.values(), ids=list(CATEGORIES))
def test_only_an_assisted_packet_shows_what_the_machine_would_have_found(category: Category) -> None:
    for item in items_of(category, "failure_mode"):
        assert "evidence" not in item.values
        assert all(not search.finding for search in PacketItem(item.item, 1, item.page, item.values).searches())
    for item in items_of(category, "failure_mode", Layer.ASSISTED):
        shown = PacketItem(item.item, 1, item.page, item.values)
        assert [search.finding for search in shown.searches()] == list(ModeForm.from_text(item.answers).labels)


def test_no_item_is_about_somebody_of_the_demo_and_every_address_is_an_example() -> None:
    for category in CATEGORIES.values():
        for row in category.practice:
            text = str(row.values)
            assert not re.search(r"Hockney|Morton|Iskenderian|Kluge|Orbán|Banerjee|Aquila|Kretschmann|Bayeux", text)
            assert set(re.findall(r"https?://([^/\s]+)", text)) <= {"example.org"}
