"""The facts of an event as they are stored."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.event import EventFacts
from btc_gui.errors import ProjectError


def _date_or_none(text: str) -> EventDate | None:
    return parse_event_date(text) if text else None


def facts_to_json(facts: EventFacts) -> str:
    """The facts as stored."""
    values = asdict(facts)
    for key in ("date", "started", "ends"):
        date: EventDate | None = getattr(facts, key)
        values[key] = date.iso if date else ""
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=4_000)
def facts_from_json(text: str) -> EventFacts:
    """Read stored facts: those of an event once, however many lists and probes they are of.

    Raises `ProjectError` for what was damaged on the disk.
    """
    try:
        values = json.loads(text)
        return EventFacts(
            **{
                **values,
                "date": parse_event_date(values["date"]),
                "started": _date_or_none(values["started"]),
                "ends": _date_or_none(values["ends"]),
                "aliases": tuple(values["aliases"]),
            }
        )
    except (ValueError, TypeError, KeyError) as error:
        raise ProjectError(
            "The facts of an event in this project are damaged and can't be read.",
            "“btc-gui check” says how many are. Go back to a copy.",
        ) from error
