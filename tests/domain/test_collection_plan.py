"""The plan of collecting: what is asked in which order, and mistakes in a category's file that are told before."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories, load_category
from btc_gui.domain.collecting import plan_of
from btc_gui.domain.collection_plan import QuerySpec, fill_query, halves, ids_for, slices
from btc_gui.errors import SettingsError
from tests.wikidata_rows import demise, row

CATEGORIES = load_categories(paths.resources() / "categories")
each = pytest.mark.parametrize("category", CATEGORIES.values(), ids=list(CATEGORIES))


def specs(category: Category) -> dict[str, QuerySpec]:
    """The queries of a category by name."""
    return {spec.name: spec for spec in plan_of(category).all_queries}


@each
def test_queries_are_complete(category: Category) -> None:
    """Filled in, a query has all its prefixes declared, no open place, and no label service (QLever has none)."""
    for spec in specs(category).values():
        for fallback in (False, True):
            if spec.is_slice:
                text = fill_query(spec, start=date(2026, 5, 9), end=date(2026, 5, 10), fallback=fallback)
            else:
                text = fill_query(spec, ids=["Q1", "Q2"], fallback=fallback)
            assert not re.search(r"\{[A-Z_]+\}", text), spec.name
            body = re.sub(r"#.*|<[^>]*>|\"[^\"]*\"", "", re.sub(r"(?m)^(PREFIX|#).*$", "", text))
            used = set(re.findall(r"\b([a-z]+):", body))
            assert used <= set(re.findall(r"(?m)^PREFIX (\w+):", text)), spec.name
            assert "wikibase:label" not in text
            assert "wdt:P39" not in text
            assert "wdt:P570 ?date" not in text


def test_slices_and_halves() -> None:
    """Stretches cover the window without a gap; a stretch that takes too long is halved down to a day."""
    found = slices(date(2026, 2, 1), date(2026, 6, 30))
    assert len(found) == 150
    assert (found[0], found[-1][1]) == ((date(2026, 2, 1), date(2026, 2, 2)), date(2026, 7, 1))
    weeks = slices(date(2026, 2, 1), date(2026, 2, 10), 7)
    assert weeks == [(date(2026, 2, 1), date(2026, 2, 8)), (date(2026, 2, 8), date(2026, 2, 11))]
    assert halves(*weeks[0]) == [(date(2026, 2, 1), date(2026, 2, 4)), (date(2026, 2, 4), date(2026, 2, 8))]
    assert halves(date(2026, 2, 1), date(2026, 2, 2)) == []


def test_ids_for_a_batch() -> None:
    """Ids come once each, in the order of their numbers, from all the places that a query names."""
    spec = specs(CATEGORIES["tenure"])["positions"]
    rows = {
        "tenures": [row(position="Q20"), row(position="Q3"), row(position="?")],
        "all_terms": [row(position="Q3", family="Q100"), row(position="Q3")],
    }
    assert ids_for(spec, rows) == ["Q3", "Q20", "Q100"]
    assert ids_for(specs(CATEGORIES["demise"])["all_deaths"], {"demises": [demise(7)]}) == ["Q7"]


def test_filling_in() -> None:
    """A range hint goes to the service that knows it; what is missing or no id is refused."""
    demises, deaths = specs(CATEGORIES["demise"])["demises"], specs(CATEGORIES["demise"])["all_deaths"]
    first, after = date(2026, 5, 9), date(2026, 5, 10)
    text = fill_query(demises, start=first, end=after, range_hint="hint:Prior hint:rangeSafe true .")
    assert "?st ps:P570 ?date . hint:Prior hint:rangeSafe true ." in text
    assert '?date >= "2026-05-09T00:00:00Z"^^xsd:dateTime && ?date < "2026-05-10T00:00:00Z"' in text
    assert "VALUES ?person { wd:Q1 wd:Q2 }" in fill_query(deaths, ids=["Q1", "Q2"])
    assert "OPTIONAL" not in fill_query(demises, start=first, end=after, fallback=True)
    with pytest.raises(ValueError, match="the query demises needs a stretch of days"):
        fill_query(demises)
    with pytest.raises(ValueError, match="the query all_deaths needs ids"):
        fill_query(deaths)
    with pytest.raises(ValueError, match="is not an id of Wikidata"):
        fill_query(deaths, ids=["Q1 }"])


def test_verifying_asks_about_the_events_themselves() -> None:
    """What is asked about rows of a slice is asked about the project's events; what follows from it stays."""
    verify = {spec.name: spec.ids_from for spec in plan_of(CATEGORIES["tenure"]).verify}
    assert verify == {
        "all_terms": (),
        "positions": ("all_terms.position", "all_terms.family"),
        "parliaments": ("all_terms.term",),
        "redirects": (),
    }


def test_category_that_is_not_collected(tmp_path: Path) -> None:
    """A category need not say how it is collected; asking to collect it says what is missing."""
    category = load_category(copy(tmp_path, lambda text: text.partition("[collection]")[0]))
    assert category.collection is None
    with pytest.raises(SettingsError, match=r"Demises can't be collected: the category has no \[collection\]"):
        plan_of(category)


def copy(folder: Path, change: Callable[[str], str]) -> Path:
    """The folder of a category of its own, whose file is changed."""
    shutil.copytree(paths.resources() / "categories", folder / "categories")
    path = folder / "categories" / "demise" / "category.toml"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    return path.parent


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('change = "value"', 'change = "sometime"', "needs change = value or start or end"),
        ('file = "demises.rq"', 'file = "nowhere.rq"', "there is no query nowhere.rq"),
        ('kind = "slice"', 'kind = "often"', "the query “demises” needs kind = slice or batch"),
        ('fallback = "demises_bare.rq"', 'fallback = "names.rq"', "the same ones in its fallback"),
        ("batch_size = 200", "batch_size = 0", "the query “all_deaths” needs batch_size"),
        ('date = "date"', 'day = "date"', "“day” is no meaning of a column"),
        ('rank = "rank"', 'rank = "rang"', "the query “demises” has no column “rang”"),
        ('ids_from = ["demises.person"]', 'ids_from = ["deaths.person"]', "which no earlier query gives"),
        ('ids_from = ["demises.person"]', "", "the query “all_deaths” needs ids_from"),
        ('asked_to = ["collect", "verify"]', 'asked_to = ["guess"]', "is asked to collect, to verify"),
        ('name = "names"', 'name = "demises"', "two queries are called “demises”"),
        ("human = true", "humane = true", "there is no rule “humane”"),
        ('property = "P570"', "", "the key “property” must be a text"),
    ],
)
def test_mistakes_in_a_category(tmp_path: Path, old: str, new: str, reason: str) -> None:
    """A wrong plan or rule is told with the file and what is wrong, before anything is asked."""
    folder = copy(tmp_path, lambda text: text.replace(old, new, 1))
    with pytest.raises(SettingsError, match=re.escape(reason)) as refused:
        load_category(folder)
    assert "category.toml" in str(refused.value)
