"""How well and how fast the linter finds things.

    python -m tests.bench.lint [--probes 14145] [--misses]

Prints precision and recall of each rule on the labelled probes of tests/data/lint_cases.jsonl, apart for those that
the rules were made by and the third that was held out; then the time that 14,145 probes take, and its ratio to a bare
loop that only looks each text's words up in a set.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.event import EventFacts
from btc_gui.domain.lint import Severity
from btc_gui.domain.lint.linter import Checked, Linted, load_linter
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.probe import ProbeKind, ProbeText

CASES = Path(__file__).resolve().parent.parent / "data" / "lint_cases.jsonl"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled probe: the rules that it breaks. The rules were made without looking at those held out."""

    probe: Linted[str]
    labels: frozenset[str]
    is_held_out: bool


@dataclass(slots=True)
class Score:
    """How often a rule was right."""

    hits: int = 0
    false_alarms: int = 0
    misses: int = 0

    @property
    def precision(self) -> float:
        """The share of its findings that are right; 1 without any."""
        found = self.hits + self.false_alarms
        return self.hits / found if found else 1.0

    @property
    def recall(self) -> float:
        """The share of what there is that it finds; 1 when there is nothing."""
        there = self.hits + self.misses
        return self.hits / there if there else 1.0


def read_cases() -> tuple[list[Case], dict[str, EventFacts]]:
    """The labelled probes, and their events' facts."""
    cases: list[Case] = []
    facts: dict[str, EventFacts] = {}
    for line in CASES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        event = row["key"].rpartition("-")[0]
        facts[event] = EventFacts(
            category=row["category"],
            entity=row["entity"],
            date=parse_event_date(row["date"]),
            position=row["position"],
            country=row["country"],
            aliases=tuple(alias for alias in row["aliases"].split("|") if alias),
        )
        content = ProbeText(row["text"], row["requester"], row["situation"], row["consequence"])
        probe = Linted(row["key"], event, row["key"], ProbeKind.INDIRECT, row["ordinal"], content)
        cases.append(Case(probe, frozenset(row["labels"]), row["held_out"]))
    return cases, facts


def check_cases() -> tuple[list[Case], dict[str, Checked[str]]]:
    """The labelled probes, and what the linter finds in them."""
    cases, facts = read_cases()
    return cases, load_linter(paths.resources()).check_all([case.probe for case in cases], facts)


def score(cases: Sequence[Case], found: Mapping[str, Checked[str]]) -> dict[str, Score]:
    """The score of each rule that occurs. Notes are no findings here: they only tell."""
    scores: dict[str, Score] = defaultdict(Score)
    for case in cases:
        rules = {f.rule for f in found[case.probe.key].findings if f.severity is not Severity.NOTE}
        for rule in rules | case.labels:
            if rule in rules and rule in case.labels:
                scores[rule].hits += 1
            elif rule in rules:
                scores[rule].false_alarms += 1
            else:
                scores[rule].misses += 1
    return scores


def _print_scores(title: str, scores: Mapping[str, Score]) -> None:
    print(f"\n{title}\n{'rule':<14}{'there':>7}{'found':>7}{'precision':>11}{'recall':>8}")
    for rule in RULES:
        if rule in scores:
            mine = scores[rule]
            there, found = mine.hits + mine.misses, mine.hits + mine.false_alarms
            print(f"{rule:<14}{there:>7}{found:>7}{mine.precision:>11.3f}{mine.recall:>8.3f}")


_PARTS = {
    "who": "museum festival school library choir company broadcaster club university charity publisher theatre",
    "what": "panel concert jury workshop interview commission lecture ceremony residency tour recording opening",
    "trade": "singers painters actors historians directors poets engineers chefs physicists mayors governors bishops",
    "do": "join lead open judge host sign teach perform record approve attend design",
    "place": "Lyon Turin Leeds Bergen Graz Porto Ghent Cork Lodz Basel Malmo Split Tampere Bilbao Aarhus Brno",
    "name": "Anwar Berg Castel Dumont Eriks Falk Garnier Holm Ivers Jansky Keller Lorca Mertens Novak Orsini Palmer",
}
_MORE = (
    "The budget is small but the hall is large.",
    "We would love to hear from you before the summer.",
    "Three or four names will do.",
    "They should be good with a young audience.",
    "It is our tenth anniversary and the whole town will come.",
)


def made_up(count: int, seed: int = 5) -> tuple[list[Linted[int]], dict[int, EventFacts]]:
    """So many probes of events of five, about as long and as varied as real ones."""
    draw = random.Random(seed)

    def any_of(part: str) -> str:
        return draw.choice(_PARTS[part].split())

    facts: dict[int, EventFacts] = {}
    probes: list[Linted[int]] = []
    for number in range(count):
        event = number // 5
        if number % 5 == 0:
            name = f"{any_of('name')}a {any_of('name')}-{any_of('name')}"
            category = "tenure" if event % 4 == 0 else "demise"
            position = f"Mayor of {any_of('place')}" if category == "tenure" else ""
            facts[event] = EventFacts(
                category, name, EventDate(2026, 3, 1), position=position, aliases=(f"{name} Jr.",)
            )
        who, what, trade = any_of("who"), any_of("what"), any_of("trade")
        text = (
            f"Our {who} in {any_of('place')} plans a {any_of('what')} and a {what} next spring. {draw.choice(_MORE)} "
            f"Which {trade} from {any_of('place')} or the {any_of('who')} of {any_of('place')} could "
            f"{any_of('do')} it and {any_of('do')} the {any_of('what')}?"
        )
        content = ProbeText(text, who, what, trade)
        probes.append(Linted(number, event, str(number), ProbeKind.INDIRECT, number % 5 + 1, content))
    return probes, facts


def _measure(count: int) -> None:
    probes, facts = made_up(count)
    linter = load_linter(paths.resources())
    known = linter.common.function_words
    best_bare = best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        for probe in probes:
            sum(word in known for word in _WORD.findall(probe.content.text.casefold()))
        best_bare = min(best_bare, time.perf_counter() - started)
        started = time.perf_counter()
        found = linter.check_all(probes, facts)
        best = min(best, time.perf_counter() - started)
    repeated = sum(any(f.rule == "duplicate" for f in each.findings) for each in found.values())
    print(f"\n{count:,} probes: {best:.2f} s, {best / count * 1e6:.0f} µs each; {repeated:,} nearly repeat another one")
    print(f"bare loop over the same texts: {best_bare:.3f} s; ratio {best / best_bare:.0f}")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--probes", type=int, default=14_145)
    parser.add_argument("--misses", action="store_true", help="Print each probe that a rule got wrong.")
    options = parser.parse_args()
    cases, found = check_cases()
    print(f"{len(cases)} labelled probes, {sum(case.is_held_out for case in cases)} of them held out")
    _print_scores("Those that the rules were made by", score([case for case in cases if not case.is_held_out], found))
    _print_scores("Held out", score([case for case in cases if case.is_held_out], found))
    _print_scores("All", score(cases, found))
    if options.misses:
        for case in cases:
            rules = {f.rule for f in found[case.probe.key].findings if f.severity is not Severity.NOTE}
            for rule in sorted(rules ^ case.labels):
                kind = "false alarm" if rule in rules else "missed"
                print(f"{kind:<12} {rule:<12} {case.probe.key:<10} {case.probe.content.text}")
    _measure(options.probes)


if __name__ == "__main__":
    main()
