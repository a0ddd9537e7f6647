"""A release: the accepted pairs of probes of a project, frozen under a name, as others get them.

A pair is one line of JSON: the update, an indirect probe, the direct probe of the same update, and where all of it is
from. The files of a release follow from its pairs and its datasheet alone, so they are the same bytes every time.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NewType

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.event import EventFacts
from btc_gui.domain.hashing import sha256
from btc_gui.domain.outside_text import spreadsheet_text
from btc_gui.domain.probe import ProbeId, ProbeText
from btc_gui.outside_data import json_from

ReleaseId = NewType("ReleaseId", int)

#: Named in the manifest. A reader refuses a number that it does not know.
FORMAT = "btc_gui release 1"
PAIRS_FILE, TABLE_FILE, DATASHEET_FILE, MANIFEST_FILE = "pairs.jsonl", "pairs.csv", "datasheet.md", "manifest.json"

_FACTS = ("category", "entity", "qid", "description", "article", "position", "position_qid", "country", "source")
_DATES = ("date", "started", "ends")
_WORDING = ("text", "requester", "situation", "consequence")


@dataclass(frozen=True, slots=True)
class ReleasedProbe:
    """A probe as released. `origin` says where the wording is from (generated, edited …)."""

    key: str
    content: ProbeText
    origin: str


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """One line of a release.

    `before` and `after` are the update's two facts as sentences. `provenance` holds what is known of how the pair came
    to be (model and prompt of the generation, article and its revision, who accepted it when, which models retain it):
    data for readers, by which nothing is decided here.
    """

    facts: EventFacts
    before: str
    after: str
    indirect: ReleasedProbe
    direct: ReleasedProbe
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of the indirect probe: it names the pair."""
        return self.indirect.key

    def as_line(self) -> str:
        """The pair as one line of JSON, with sorted keys and no line end."""
        update: dict[str, object] = {name: getattr(self.facts, name) for name in _FACTS}
        update |= {name: _iso(getattr(self.facts, name)) for name in _DATES}
        update["aliases"] = list(self.facts.aliases)
        update |= {"before": self.before, "after": self.after, "facts_hash": self.facts.facts_hash}
        line = {
            "update": update,
            "indirect": _probe_values(self.indirect),
            "direct": _probe_values(self.direct),
            "provenance": dict(self.provenance),
        }
        return json.dumps(line, ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Release:
    """A release as the project keeps it. `sha256` is that of its pairs' file; `counts` are its pairs by category."""

    id: ReleaseId
    name: str
    note: str
    counts: Mapping[str, int]
    sha256: str
    created_by: str
    created_at: str

    @property
    def pairs(self) -> int:
        """How many pairs it has."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    """Why a probe can't be released: `what` is against it, what to do, and which probe to look at for that."""

    key: str
    entity: str
    what: str
    remedy: str
    look_at: ProbeId


@dataclass(frozen=True, slots=True)
class ChangedPair:
    """A pair that two releases have in different forms; `parts` names what differs."""

    key: str
    entity: str
    parts: tuple[str, ...]
    old: ReleasePair
    new: ReleasePair


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """What a later release has more, less and different; pairs are matched by key."""

    added: tuple[ReleasePair, ...]
    removed: tuple[ReleasePair, ...]
    changed: tuple[ChangedPair, ...]
    same: int

    @property
    def is_empty(self) -> bool:
        """Whether the two say the same."""
        return not (self.added or self.removed or self.changed)


def read_pair(line: str) -> ReleasePair:
    """A pair from its line. Raises `ValueError` with the reason when it is none, or is not what its hashes name."""
    try:
        values = json_from(line)
        update = values["update"]
        facts = EventFacts(
            **{name: str(update[name]) for name in _FACTS},
            date=parse_event_date(update["date"]),
            started=_date(update["started"]),
            ends=_date(update["ends"]),
            aliases=tuple(str(each) for each in update["aliases"]),
        )
        pair = ReleasePair(
            facts,
            str(update["before"]),
            str(update["after"]),
            _probe(values["indirect"]),
            _probe(values["direct"]),
            dict(values["provenance"]),
        )
        named = update["facts_hash"], values["indirect"]["text_hash"], values["direct"]["text_hash"]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no line of a release: {error!r} is missing or of another kind") from error
    if named != (facts.facts_hash, pair.indirect.content.text_hash, pair.direct.content.text_hash):
        raise ValueError("a text or a fact was changed since it was released: its hash is another")
    return pair


def pairs_file(pairs: Iterable[ReleasePair]) -> str:
    """The JSONL file: a line a pair, in their order."""
    return "".join(f"{pair.as_line()}\n" for pair in pairs)


def pairs_table(pairs: Iterable[ReleasePair]) -> str:
    """The same as CSV (RFC 4180), the columns that fit into a table. No spreadsheet runs a text of it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")

    def write(row: Sequence[object]) -> None:
        writer.writerow([spreadsheet_text(cell) if isinstance(cell, str) else cell for cell in row])

    write(
        ["key", *_FACTS[:3], "date", "ends", "position", "before", "after"]
        + [f"indirect_{name}" for name in _WORDING]
        + ["direct_key", "direct_text", "facts_hash"]
    )
    for pair in pairs:
        write(
            [pair.key, pair.facts.category, pair.facts.entity, pair.facts.qid, _iso(pair.facts.date)]
            + [_iso(pair.facts.ends), pair.facts.position, pair.before, pair.after]
            + [getattr(pair.indirect.content, name) for name in _WORDING]
            + [pair.direct.key, pair.direct.content.text, pair.facts.facts_hash]
        )
    return out.getvalue()


def manifest_file(release: Release, files: Mapping[str, str]) -> str:
    """The manifest: counts, and size and SHA-256 of every other file (given with its whole text)."""
    manifest = {
        "format": FORMAT,
        "name": release.name,
        "note": release.note,
        "created_by": release.created_by,
        "created_at": release.created_at,
        "counts": {"pairs": release.pairs, "by_category": dict(release.counts)},
        "files": {
            name: {"sha256": sha256(text), "bytes": len(text.encode("utf-8"))} for name, text in sorted(files.items())
        },
    }
    return json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=2) + "\n"


def counts_of(pairs: Iterable[ReleasePair]) -> dict[str, int]:
    """How many pairs each category has, by name."""
    return dict(sorted(Counter(pair.facts.category for pair in pairs).items()))


def in_order(pairs: Iterable[ReleasePair]) -> list[ReleasePair]:
    """By category, day and entity; the pairs of one event by key. No two projects order the same pairs differently."""
    return sorted(pairs, key=lambda each: (each.facts.category, each.facts.date.iso, each.facts.entity, each.key))


def compare(old: Sequence[ReleasePair], new: Sequence[ReleasePair]) -> ReleaseDiff:
    """What `new` has more, less and different than `old`; provenance alone is no difference."""
    before, after = {pair.key: pair for pair in old}, {pair.key: pair for pair in new}
    changed = [
        ChangedPair(key, pair.facts.entity, parts, before[key], pair)
        for key, pair in after.items()
        if key in before and (parts := _differing(before[key], pair))
    ]
    return ReleaseDiff(
        added=tuple(pair for key, pair in after.items() if key not in before),
        removed=tuple(pair for key, pair in before.items() if key not in after),
        changed=tuple(changed),
        same=len(before.keys() & after.keys()) - len(changed),
    )


def _differing(old: ReleasePair, new: ReleasePair) -> tuple[str, ...]:
    differs = {
        "facts": old.facts.facts_hash != new.facts.facts_hash,
        "description": old.facts != new.facts and old.facts.facts_hash == new.facts.facts_hash,
        "indirect probe": old.indirect.content != new.indirect.content,
        "direct probe": (old.direct.key, old.direct.content) != (new.direct.key, new.direct.content),
    }
    return tuple(name for name, is_other in differs.items() if is_other)


def _iso(date: EventDate | None) -> str:
    return date.iso if date else ""


def _date(text: str) -> EventDate | None:
    return parse_event_date(text) if text else None


def _probe_values(probe: ReleasedProbe) -> dict[str, str]:
    values = {name: getattr(probe.content, name) for name in _WORDING}
    return {"key": probe.key, "origin": probe.origin, "text_hash": probe.content.text_hash, **values}


def _probe(values: Mapping[str, str]) -> ReleasedProbe:
    content = ProbeText(*(str(values[name]) for name in _WORDING))
    return ReleasedProbe(str(values["key"]), content, str(values["origin"]))
