"""Names of thousands of real people, which no rule was made by: those of the tables beside the checkout."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import pytest

from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.domain.lint import Severity
from btc_gui.domain.lint.linter import Linter
from btc_gui.domain.lint.names import NameFinder
from btc_gui.domain.lint.tokens import Text
from tests.bench.lint import read_cases

_GENERATION = frozenset(["jr", "sr", "ii", "iii", "iv"])


@pytest.fixture(scope="module")
def names() -> list[str]:
    """Six hundred of them."""
    folder = Path(__file__).resolve().parents[4] / "shared" / "data" / "wikidata"
    if not folder.is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    found: set[str] = set()
    for path in sorted(folder.glob("events_*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            found.update(row["name"].strip() for row in csv.DictReader(file) if row.get("name"))
    people = sorted(name for name in found if name and not re.match(r"Q\d+$", name) and "(" not in name)
    return random.Random(3).sample(people, 600)


def _is_named(finder: NameFinder, text: Text) -> bool:
    return any(each.severity is not Severity.NOTE for each in finder.find(text))


def _finder(linter: Linter, name: str) -> NameFinder:
    return NameFinder(EventFacts("demise", name, EventDate(2026, 3, 1)), linter.common)


def test_full_names_and_surnames_of_real_people_are_found(linter: Linter, names: list[str]) -> None:
    missed = []
    for name in names:
        last = [word for word in name.split() if word.strip(".,").casefold() not in _GENERATION][-1]
        texts = (
            f"Our hall wants {name} or somebody like that on stage. Who could come in autumn?",
            f"Our hall wants somebody like {last} on stage next autumn. Who could come?",
            f"We want somebody with the standing of {last} for the evening. Who could come?",
        )
        finder = _finder(linter, name)
        missed += [text for text in texts if not _is_named(finder, Text(text))]
    assert len(missed) <= 0.01 * 3 * len(names), missed


def test_real_people_are_hardly_ever_found_where_they_are_not(linter: Linter, names: list[str]) -> None:
    draw = random.Random(4)
    texts = [Text(case.probe.content.text) for case in read_cases()[0]]
    wrong = []
    for name in names:
        finder = _finder(linter, name)
        wrong += [(name, text.original) for text in draw.sample(texts, 10) if _is_named(finder, text)]
    assert len(wrong) <= 0.001 * 10 * len(names), wrong
