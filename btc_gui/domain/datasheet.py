"""The datasheet of a release: what it is, how it came to be, and under what terms, in Markdown.

Its questions follow the common form (Gebru et al., Datasheets for Datasets, 2021): motivation, composition, collection,
labelling, uses, distribution. It says what the project knows, and where it knows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.funnel import Funnel
from btc_gui.domain.number_words import decimal, span
from btc_gui.domain.outside_text import printable
from btc_gui.domain.retention import RetentionCount
from btc_gui.domain.review_agreement import PairAgreement

_COLLECTED_FACTS = (
    "Facts that were collected from Wikidata are under CC0; for others, the terms of the sources that the pairs name"
    " hold."
)
_OTHER_FACTS = (
    "Facts are as they were loaded or entered; the terms of their sources hold, which the pairs name where they are"
    " known."
)
_NOTHING = "Nothing is recorded of this in the project.\n"


@dataclass(frozen=True, slots=True)
class CollectionRecord:
    """One collection of events: what it asked (a sentence), and what became of its rows."""

    title: str
    funnel: Funnel


@dataclass(frozen=True, slots=True)
class DatasheetFacts:
    """What a datasheet is made of.

    `events` and `pairs` are counts by category; `days` the first and last day of the events (ISO). `writers` counts the
    released wordings by who or what wrote them; `decisions` the review's decisions on all indirect probes by what was
    decided; `reviewers` those who accepted what is released.
    """

    name: str
    created_by: str
    created_at: str
    note: str
    licence: str
    is_illustrative: bool
    events: Mapping[str, int]
    pairs: Mapping[str, int]
    days: tuple[str, str]
    collections: Sequence[CollectionRecord] = ()
    writers: Mapping[str, int] = field(default_factory=dict)
    retention: Sequence[RetentionCount] = ()
    decisions: Mapping[str, int] = field(default_factory=dict)
    reviewers: Mapping[str, int] = field(default_factory=dict)
    agreements: Sequence[PairAgreement] = ()
    findings: Mapping[str, int] = field(default_factory=dict)
    articles: int = 0


def datasheet(facts: DatasheetFacts) -> str:
    """The datasheet as Markdown; equal facts give equal bytes."""
    parts = [f"# Datasheet of “{_plain(facts.name)}”\n"]
    if facts.is_illustrative:
        parts.append("**Illustrative data: the events are real, models and their behaviour are made up.**\n")
    parts += [
        f"Frozen on {facts.created_at} by {_plain(facts.created_by)}.\n",
        *([f"{_plain(facts.note)}\n"] if facts.note else []),
        "## What it is for\n",
        "Pairs of probes that measure whether agents with web search look for a recent change when a request does not"
        " mention it (the BlindToChange benchmark, arXiv 2610.41435). The indirect probe is a recommendation request"
        " for which the person or place was an obvious candidate before the change; the direct probe asks for the"
        " changed fact itself.\n",
        "## What is in it\n",
        _table(
            ("category", "events", "pairs"),
            [(name, facts.events.get(name, 0), count) for name, count in sorted(facts.pairs.items())],
        ),
        f"The changes are dated {facts.days[0]} to {facts.days[1]}.\n" if facts.days[0] else "",
        "## How the events were collected\n",
        _collections(facts.collections),
        f"For {facts.articles:,} of the events a Wikipedia article was given to the model that wrote the probes; its"
        " revision is named in each of these pairs.\n"
        if facts.articles
        else "",
        "## Who wrote the probes\n",
        _table(("written by", "wordings"), sorted(facts.writers.items())) if facts.writers else _NOTHING,
        "## Which models they work for\n",
        _retention(facts.retention),
        "## How they were reviewed\n",
        _review(facts),
        "## Terms\n",
        f"Licence of the wordings: {_plain(facts.licence) or 'not stated by those who made this release'}.\n",
        f"{_COLLECTED_FACTS if facts.collections else _OTHER_FACTS} Texts of Wikipedia are not part of the"
        " release; where one served as context, its revision and attribution are named (CC BY-SA 4.0).\n",
    ]
    return "\n".join(part for part in parts if part)


def _collections(collections: Sequence[CollectionRecord]) -> str:
    if not collections:
        return "The events were loaded from files or entered by hand; a pair names its source where one was given.\n"
    parts = []
    for each in collections:
        steps = [
            (step.text, f"{step.dropped:,}" if step.dropped >= 0 else step.change, f"{step.left:,}")
            for step in each.funnel.told
        ]
        parts.append(f"{_plain(each.title)}:\n\n{_table(('step', 'dropped', 'left'), steps)}")
    return "\n".join(parts)


def _retention(counts: Sequence[RetentionCount]) -> str:
    if not counts:
        return "The probes were not filtered by any model in this project.\n"
    intro = "A model retains a probe when all three of its answers without search recommend the person or place.\n\n"
    rows = [(each.model, each.category, each.generated, each.retained) for each in counts]
    return intro + _table(("model", "category", "probes", "retained"), rows)


def _review(facts: DatasheetFacts) -> str:
    parts = [
        _table(("decision", "indirect probes"), sorted(facts.decisions.items())) if facts.decisions else _NOTHING,
        _table(("accepted by", "probes of the release"), sorted(facts.reviewers.items())) if facts.reviewers else "",
    ]
    for each in facts.agreements:
        first, second = map(_plain, each.reviewers)
        share = "undefined" if each.observed.value is None else decimal(each.observed.value)
        kappa = f"undefined ({each.kappa.reason})" if each.kappa.value is None else decimal(each.kappa.value)
        if each.kappa.value is not None and each.kappa.interval is not None:
            kappa += f" (95 % interval {span(each.kappa.interval)})"
        parts.append(
            f"{first} and {second} judged {each.n:,} probes without knowing of each other's verdicts:"
            f" agreement {share}, Cohen's κ {kappa}.\n"
        )
    if facts.findings:
        rows = sorted(facts.findings.items())
        parts.append("What the linter still finds in the released wordings, and curators accepted all the same:\n")
        parts.append(_table(("finding", "probes"), rows))
    return "\n".join(part for part in parts if part)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(_plain(_cell(value)) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _plain(text: str) -> str:
    """Text from outside on one line, with nothing that Markdown would take for markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(printable(text).split()))
