"""How web_search works in a configuration: settings as text and back, and what counts as later than the as-of."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.search_settings import SearchKind, SearchSettings, last_day
from btc_gui.errors import InputError


def _configuration(search: SearchSettings, **settings: str) -> Configuration:
    return Configuration(
        "Larkspur-2",
        Harness.SHARED,
        Effort.LOW,
        search=search.kind,
        as_of=search.as_of,
        settings={**settings, **search.as_settings()},
    )


@pytest.mark.parametrize(
    "search",
    [
        SearchSettings(),
        SearchSettings(SearchKind.EXA, results=5, characters=800),
        SearchSettings(SearchKind.EXA, results=0, as_of="2026-05-09", keep_undated=False),
        SearchSettings(SearchKind.LOCAL, folder="/a folder/ж", documents="00ff"),
    ],
)
def test_a_configuration_gives_its_search_back(search: SearchSettings) -> None:
    assert SearchSettings.from_configuration(_configuration(search, cutoff="2025-08-31")) == search


def test_every_setting_makes_another_configuration() -> None:
    local = SearchSettings(SearchKind.LOCAL, folder="/documents", documents="00")
    others = [
        SearchSettings(),
        SearchSettings(SearchKind.EXA),
        local,
        replace(local, results=3),
        replace(local, characters=100),
        replace(local, as_of="2026-05-09"),
        replace(local, as_of="2026-05-10"),
        replace(local, keep_undated=False),
        replace(local, folder="/elsewhere"),
        replace(local, documents="01"),
    ]
    assert len({_configuration(each).identity for each in others}) == len(others)


def test_defaults_are_what_stored_configurations_rely_on() -> None:
    """They are not written out: a change would silently change the meaning of what is stored."""
    assert SearchSettings().as_settings() == {}
    default = SearchSettings.read("replay", "", {})
    assert (default.results, default.characters, default.as_of, default.keep_undated) == (10, 0, "", True)


@pytest.mark.parametrize(
    ("kind", "as_of", "settings", "message"),
    [
        ("a hunch", "", {}, "The search backend “a hunch” is unknown. Known are: replay, exa, local."),
        ("", "", {}, "The search backend “” is unknown. Known are: replay, exa, local."),
        ("exa", "2026-05", {}, "The as-of date “2026-05” is not a full day. Write it as 2026-05-09."),
        ("exa", "2026-02-30", {}, "The as-of date can't be read: “2026-02-30” is not a day of the calendar"),
        ("exa", "", {"search_results": "-1"}, "A limit of search results can't be below zero. 0 means no limit."),
        ("exa", "", {"search_results": "many"}, "The setting search_results is not a number: “many”."),
        ("local", "", {}, "Local search needs a folder of documents. Choose the folder, or another search"),
    ],
)
def test_wrong_settings_are_refused_with_what_is_wrong(
    kind: str, as_of: str, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        SearchSettings.read(kind, as_of, settings)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("published", "day"),
    [
        ("2026-05-09", date(2026, 5, 9)),
        ("2026-05", date(2026, 5, 31)),
        ("2024-02", date(2024, 2, 29)),
        ("2026", date(2026, 12, 31)),
        ("2026-05-09T23:30:00-05:00", date(2026, 5, 9)),
        ("2026-05-09 23:30", date(2026, 5, 9)),
        ("", None),
        ("last week", None),
        ("2026-13-01", None),
    ],
)
def test_a_date_counts_as_the_last_day_it_may_mean(published: str, day: date | None) -> None:
    assert last_day(published) == day


@pytest.mark.parametrize(
    ("published", "is_later"),
    [
        ("2026-05-09", False),
        ("2026-05-10", True),
        ("2026-04", False),
        ("2026-05", True),  # It may be from the 31st.
        ("2025", False),
        ("2026", True),
        ("", False),
        ("soon", False),
    ],
)
def test_what_is_later_than_the_as_of(published: str, is_later: bool) -> None:
    assert SearchSettings(as_of="2026-05-09").is_later(published) is is_later
    assert not SearchSettings().is_later(published)
