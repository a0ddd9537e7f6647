"""The linter: all rules over one probe, over an event's probes, over a project's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from btc_gui.domain.event import EventFacts
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.alike import (
    candidates,
    duplicate_finding,
    find_monotony,
    index_prints,
    likeness,
    plain_wording,
    prints,
    shared_fields,
)
from btc_gui.domain.lint.event_words import find_dates, find_event_words, lacks_need
from btc_gui.domain.lint.names import NameFinder
from btc_gui.domain.lint.request import PositionFinder, find_not_a_request, find_one_answer, find_past, find_singled_out
from btc_gui.domain.lint.rules import RULES, RULES_VERSION
from btc_gui.domain.lint.shape import find_language, find_length
from btc_gui.domain.lint.tokens import Text
from btc_gui.domain.lint.words import CategoryWords, CommonWords, load_category_words, load_common_words
from btc_gui.domain.probe import ProbeKind, ProbeText

Key = TypeVar("Key", int, str)
_SEVERITIES = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
_ORDER = {name: place for place, name in enumerate(RULES)}


@dataclass(frozen=True, slots=True)
class Linted(Generic[Key]):
    """A probe for the linter. `event` tells an event's probes from others; `name` is what findings call it by."""

    key: Key
    event: Key
    name: str
    kind: ProbeKind
    ordinal: int
    content: ProbeText


@dataclass(frozen=True, slots=True)
class Checked(Generic[Key]):
    """What is wrong with a probe, the worst first. `like` is the probe of another event that it nearly repeats."""

    findings: tuple[Finding, ...]
    like: Key | None = None


@dataclass(frozen=True, slots=True)
class _Finders:
    names: NameFinder
    position: PositionFinder


class Linter:
    """Knows the words of all categories. Safe to use from several threads."""

    def __init__(self, common: CommonWords, categories: Mapping[str, CategoryWords]) -> None:
        self.common = common
        self._categories = dict(categories)
        self._finders: dict[tuple[str, str, str, tuple[str, ...], str], _Finders] = {}
        self.version = hash_of(
            {
                "rules": RULES_VERSION,
                "common": common.source,
                # A category without words of its own changes nothing that was checked of others before it came.
                "categories": {
                    name: [words.is_person, words.source] for name, words in categories.items() if words.source
                },
            }
        )[:16]

    def _words(self, category: str) -> CategoryWords:
        return self._categories.get(category) or CategoryWords()

    def _of(self, facts: EventFacts) -> _Finders:
        key = (facts.category, facts.entity, facts.article, facts.aliases, facts.position)
        found = self._finders.get(key)
        if found is None:
            if len(self._finders) > 20_000:
                self._finders.clear()
            is_person = self._words(facts.category).is_person
            found = _Finders(NameFinder(facts, self.common, is_person=is_person), PositionFinder(facts))
            self._finders[key] = found
        return found

    # -- one probe --------------------------------------------------------------------------------------------

    def check_text(self, text: str, facts: EventFacts, kind: ProbeKind = ProbeKind.INDIRECT) -> tuple[Finding, ...]:
        """What a probe's text alone shows, the worst first."""
        read = Text(text)
        found = self._check_direct(read, facts) if kind is ProbeKind.DIRECT else self._check_indirect(read, facts)
        return in_order(found)

    def _check_direct(self, text: Text, facts: EventFacts) -> list[Finding]:
        # Names and descriptions leave little room for the commonest words: only a whole foreign sentence counts.
        found = [each for each in find_language(text, self.common) if each.severity is Severity.ERROR]
        if not self._of(facts).names.names(text):
            why = f"It doesn't name {facts.entity}, whom it must ask about."
            found.append(Finding("no_name", Severity.ERROR, 0, 0, "", why))
        if "?" not in text.plain:
            found.append(Finding("not_a_request", Severity.ERROR, 0, 0, "", "It asks nothing."))
        return found

    def _check_indirect(self, text: Text, facts: EventFacts) -> list[Finding]:
        common, words, finders = self.common, self._words(facts.category), self._of(facts)
        found = finders.names.find(text) + find_event_words(text, words) + find_dates(text, facts.date)
        found += find_length(text, common)
        language = find_language(text, common)
        if language:
            # How a text in another language asks can't be told.
            return found + language
        found += finders.position.find(text) or find_singled_out(text, common)
        if any(finding.rule == "too_short" for finding in found):
            return found
        not_a_request = find_not_a_request(text, common)
        found += not_a_request
        if not not_a_request:
            found += find_past(text, common) + find_one_answer(text, common) + lacks_need(text, words)
        return found

    # -- an event's probes ------------------------------------------------------------------------------------

    def check_event(self, probes: Sequence[Linted[Key]]) -> dict[Key, list[Finding]]:
        """What an event's indirect probes show together; it is the later one of two that is found alike."""
        ordered = sorted((p for p in probes if p.kind is ProbeKind.INDIRECT), key=lambda p: (p.ordinal, p.key))
        plains = [plain_wording(probe.content.text) for probe in ordered]
        least = self.common.limits["alike_of_event"]
        found: dict[Key, list[Finding]] = {probe.key: [] for probe in probes}
        shared = shared_fields([probe.content for probe in ordered])
        for place, probe in enumerate(ordered):
            mine = found[probe.key]
            percents = [likeness(plains[place], plains[other], least) for other in range(place)]
            if any(percents):
                best = max(range(place), key=percents.__getitem__)
                mine.append(duplicate_finding(percents[best], ordered[best].name, is_sibling=True))
            mine += find_monotony(probe.content, [(other.name, other.content) for other in ordered[:place]], shared)
        return found

    # -- a project's probes -----------------------------------------------------------------------------------

    def check_among(
        self, mine: Linted[Key], plain: str, others: Iterable[tuple[Linted[Key], str]]
    ) -> tuple[Finding, Key] | None:
        """Whether a probe nearly repeats an earlier one of another event, and which. `others` come with their plain
        wordings."""
        if mine.kind is not ProbeKind.INDIRECT:
            return None
        best: tuple[float, Linted[Key]] | None = None
        for other, wording in others:
            if other.event == mine.event or other.key >= mine.key or other.kind is not ProbeKind.INDIRECT:
                continue
            percent = likeness(plain, wording, self.common.limits["alike_of_project"])
            if percent and (best is None or (percent, other.key) > (best[0], best[1].key)):
                best = (percent, other)
        if best is None:
            return None
        return duplicate_finding(best[0], best[1].name, is_sibling=False), best[1].key

    def check_all(
        self,
        probes: Sequence[Linted[Key]],
        facts: Mapping[Key, EventFacts],
        reported: Callable[[int], None] = lambda done: None,
    ) -> dict[Key, Checked[Key]]:
        """Everything about many probes, in time linear in their number; `facts` by event.

        `reported` is told how many are done; what it raises ends the work.
        """
        found: dict[Key, list[Finding]] = {}
        by_event: dict[Key, list[Linted[Key]]] = {}
        for done, probe in enumerate(probes):
            if done % 100 == 0:
                reported(done)
            found[probe.key] = list(self.check_text(probe.content.text, facts[probe.event], probe.kind))
            by_event.setdefault(probe.event, []).append(probe)
        for siblings in by_event.values():
            for key, more in self.check_event(siblings).items():
                found[key] += more
        checked: dict[Key, Checked[Key]] = {}
        for probe, hit in zip(probes, self._repeated(probes), strict=True):
            if hit is None:
                checked[probe.key] = Checked(in_order(found[probe.key]))
            else:
                found[probe.key].append(hit[0])
                checked[probe.key] = Checked(in_order(found[probe.key]), hit[1])
        return checked

    def _repeated(self, probes: Sequence[Linted[Key]]) -> Iterator[tuple[Finding, Key] | None]:
        plains = [plain_wording(probe.content.text) for probe in probes]
        all_prints = {place: prints(plain) for place, plain in enumerate(plains)}
        by_print = index_prints(all_prints)
        for place, probe in enumerate(probes):
            near = candidates(by_print, all_prints[place]) - {place}
            yield self.check_among(probe, plains[place], [(probes[i], plains[i]) for i in near]) if near else None


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The worst first, then by rule and place."""
    return tuple(sorted(findings, key=lambda f: (_SEVERITIES[f.severity], _ORDER[f.rule], f.start)))


@lru_cache(maxsize=4)
def load_linter(resources: Path, own: Path | None = None) -> Linter:
    """The linter of a resources folder and of a person's `own` categories: its words are read once.

    Raises `SettingsError`.
    """
    folders = [resources / "categories", *([own] if own is not None else [])]
    categories = {
        path.parent.name: load_category_words(path.parent)
        for folder in folders
        for path in sorted(folder.glob("*/category.toml"))
    }
    return Linter(load_common_words(resources / "lint"), categories)
