"""How web_search works in a configuration: the backend, its limits, and the day that the world ends for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.dates import parse_event_date
from btc_gui.errors import InputError

#: How many results are asked for to have enough left where some will be dropped, at most.
_MOST_ASKED = 25
#: How many results a service is asked for when there is no limit.
_USUAL_RESULTS = 10
#: Before the names of these settings among a configuration's others.
_PREFIX = "search_"


class SearchKind(StrEnum):
    """What stands behind web_search."""

    REPLAY = "replay"
    EXA = "exa"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """All that decides what an agent gets for a query, apart from the world itself.

    At most `results` results come back, each with at most `characters` characters of excerpts (0 = no limit).
    `as_of` (a day as ISO date, or empty) drops what was published later; results without a date are kept unless
    `keep_undated` is off. `folder` and `documents` are for the local backend: where the documents are, and the
    hash of their contents, which holds a run to the documents that it was planned with.

    The defaults are part of every stored configuration's identity: don't change them.
    """

    kind: SearchKind = SearchKind.REPLAY
    results: int = 10
    characters: int = 0
    as_of: str = ""
    keep_undated: bool = True
    folder: str = ""
    documents: str = ""

    def __post_init__(self) -> None:
        """Raises `InputError` for limits below zero and an as-of that is no day."""
        if self.results < 0 or self.characters < 0:
            raise InputError("A limit of search results can't be below zero.", "0 means no limit.")
        if self.as_of:
            _day(self.as_of)
        if self.kind is SearchKind.LOCAL and not self.folder:
            raise InputError(
                "Local search needs a folder of documents.",
                "Choose the folder, or another search (in a terminal: --search-folder, --search).",
            )

    @property
    def asked_results(self) -> int:
        """How many results a service is asked for: with an as-of day more, since some will be dropped."""
        wanted = self.results or _USUAL_RESULTS
        return max(wanted, min(2 * wanted, _MOST_ASKED)) if self.as_of else wanted

    def as_settings(self) -> dict[str, str]:
        """What goes into `Configuration.settings`: only what differs from the defaults, each as text.

        `kind` is `Configuration.search` and `as_of` is `Configuration.as_of`.
        """
        default = SearchSettings()
        found: dict[str, str] = {}
        for name in ("results", "characters", "keep_undated", "folder", "documents"):
            value = getattr(self, name)
            if value != getattr(default, name):
                found[_PREFIX + name] = str(int(value)) if isinstance(value, bool) else str(value)
        return found

    @classmethod
    def read(cls, kind: str, as_of: str, settings: Mapping[str, str]) -> SearchSettings:
        """The reverse of `as_settings`; other settings are left alone. Raises `InputError`."""
        if kind not in list(SearchKind):
            raise InputError(f"The search backend “{kind}” is unknown.", f"Known are: {', '.join(SearchKind)}.")
        default = cls()
        return cls(
            kind=SearchKind(kind),
            results=_number(settings, "results", default.results),
            characters=_number(settings, "characters", default.characters),
            as_of=as_of,
            keep_undated=bool(_number(settings, "keep_undated", default.keep_undated)),
            folder=settings.get(_PREFIX + "folder", ""),
            documents=settings.get(_PREFIX + "documents", ""),
        )

    @classmethod
    def from_configuration(cls, configuration: Configuration) -> SearchSettings:
        """The search of a configuration. Raises `InputError` for one that has none."""
        return cls.read(configuration.search, configuration.as_of, configuration.settings)

    def is_later(self, published: str) -> bool:
        """Whether something published then is from after the as-of day.

        A date known to the month or year only counts as its last day: it may be from after, and one word from
        the future spoils an answer. Without an as-of, or without a date that can be read, it is not.
        """
        day = last_day(published)
        return bool(self.as_of) and day is not None and day > _day(self.as_of)


def last_day(published: str) -> date | None:
    """The latest day that a publication date may mean (`2026`, `2026-05`, `2026-05-09`, `2026-05-09T10:00:00Z`).

    The day is the one written, in whatever zone. None for what is no date.
    """
    try:
        found = parse_event_date(published.strip().partition("T")[0].partition(" ")[0])
    except ValueError:
        return None
    return date(found.year, found.month or 12, found.day or _days(found.year, found.month or 12))


def _number(settings: Mapping[str, str], name: str, default: int) -> int:
    text = settings.get(_PREFIX + name, str(int(default)))
    try:
        return int(text)
    except ValueError:
        raise InputError(f"The setting {_PREFIX}{name} is not a number: “{text}”.") from None


def _days(year: int, month: int) -> int:
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - date(year, month, 1)).days


def _day(text: str) -> date:
    try:
        day = parse_event_date(text).as_day()
    except ValueError as error:
        raise InputError(f"The as-of date can't be read: {error}.") from error
    if day is None:
        raise InputError(f"The as-of date “{text}” is not a full day.", "Write it as 2026-05-09.")
    return day
