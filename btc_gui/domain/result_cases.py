"""Which answers stand behind a figure of a table of results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow, ResultAnswer, first_of_event
from btc_gui.domain.result_table import CasesOf

#: The pairs that a drop is made of.
LOST = "direct right, indirect wrong"
#: The failures of the two modes that are taken together.
INDIRECT_OR_NONE = "indirect, incorrect: indirect or no search"
#: Those of one row of the table by number of queries.
SO_MANY_QUERIES = "indirect, with so many queries"
#: The pairs that a change is made of.
BETTER, WORSE = "right in the second only", "right in the first only"


def failed_by(mode: FailureMode | None) -> str:
    """What columns call the indirect failures of a mode; None: those without one."""
    return f"indirect, incorrect: {mode.text.lower() if mode else 'not classified'}"


def with_queries(number: int) -> str:
    """What columns call the scored indirect answers with so many queries."""
    return f"indirect, {number} {'query' if number == 1 else 'queries'}"


def _scored(kind: ProbeKind, pick: Callable[[ResultAnswer], bool] = lambda _: True) -> Callable[[ResultAnswer], bool]:
    return lambda answer: answer.kind is kind and answer.is_scored and pick(answer)


def _of_mode(mode: FailureMode | None) -> Callable[[ResultAnswer], bool]:
    return _scored(ProbeKind.INDIRECT, lambda answer: not answer.is_correct and answer.mode is mode)


_PICKS: dict[str, Callable[[ResultAnswer], bool]] = {
    "direct": _scored(ProbeKind.DIRECT),
    "indirect": _scored(ProbeKind.INDIRECT),
    "indirect, incorrect": _scored(ProbeKind.INDIRECT, lambda answer: not answer.is_correct),
    "indirect, without a query": _scored(ProbeKind.INDIRECT, lambda answer: answer.queries == 0),
    "indirect, with a query or more": _scored(ProbeKind.INDIRECT, lambda answer: (answer.queries or 0) >= 1),
    "indirect, with two queries or more": _scored(ProbeKind.INDIRECT, lambda answer: (answer.queries or 0) >= 2),
    "indirect, queries not known": _scored(ProbeKind.INDIRECT, lambda answer: answer.queries is None),
    "indirect, without an answer": lambda answer: (
        answer.kind is ProbeKind.INDIRECT and answer.outcome in ("no_answer", "refused")
    ),
    "indirect, unscored": lambda answer: answer.kind is ProbeKind.INDIRECT and answer.outcome == "unscored",
    "without an answer": lambda answer: answer.outcome in ("no_answer", "refused"),
    "failed": lambda answer: answer.outcome == "failed",
    "unscored": lambda answer: answer.outcome == "unscored",
    "not judged": lambda answer: answer.outcome == "unjudged",
    **{failed_by(mode): _of_mode(mode) for mode in (*FailureMode, None)},
    INDIRECT_OR_NONE: lambda answer: any(_of_mode(mode)(answer) for mode in (FailureMode.INDIRECT, FailureMode.NONE)),
}


class ResultCases:
    """The answers behind rows by their configuration and category."""

    def __init__(self, groups: Iterable[ConfigurationGroup]) -> None:
        self._groups = tuple(groups)
        self._by_head = {(group.head.category, group.head.configuration_id): group for group in self._groups}

    def of(self, head: ConfigurationRow, category: str = "") -> CasesOf:
        """Those of one configuration in one category (that of its row unless another is named)."""
        group = self._by_head.get((category or head.category, head.configuration_id))
        return self.of_groups(() if group is None else (group,))

    def of_groups(self, groups: Sequence[ConfigurationGroup]) -> CasesOf:
        """Those of several configurations together."""

        def cases(name: str) -> Sequence[ResultAnswer]:
            if name == LOST:
                return [answer for group in groups for answer in _lost(group)]
            return [answer for group in groups for answer in group.answers if _PICKS[name](answer)]

        return cases

    def where(self, category: str, harness: str, effort: str) -> CasesOf:
        """Those of all configurations of a category and harness; of an effort, or of "all"."""
        return self.of_groups(
            [
                group
                for group in self._groups
                if (group.head.category, group.head.configuration.harness) == (category, harness)
                and effort in ("all", group.head.configuration.effort)
            ]
        )

    def among(self, head: ConfigurationRow, probes: Collection[str]) -> CasesOf:
        """Scored indirect answers: "common" are those to `probes`, "all" all of them."""
        own = self.of(head)

        def cases(name: str) -> Sequence[ResultAnswer]:
            return [answer for answer in own("indirect") if name == "all" or answer.probe in probes]

        return cases

    def with_queries(self, head: ConfigurationRow, number: int) -> CasesOf:
        """`SO_MANY_QUERIES` are the scored indirect answers with this number; all else is of the configuration."""
        own = self.of(head)

        def cases(name: str) -> Sequence[ResultAnswer]:
            if name == SO_MANY_QUERIES:
                return [answer for answer in own("indirect") if answer.queries == number]
            return own(name)

        return cases

    def between(self, first: ConfigurationRow, second: ConfigurationRow) -> CasesOf:
        """The events that only one of two configurations has right: both of their indirect answers."""
        one, other = (self._first(head) for head in (first, second))

        def cases(name: str) -> Sequence[ResultAnswer]:
            found: list[ResultAnswer] = []
            for event in one.keys() & other.keys():
                pair = one[event], other[event]
                if (pair[0].is_correct, pair[1].is_correct) == ((False, True) if name == BETTER else (True, False)):
                    found += pair
            return sorted(found, key=lambda answer: answer.id)

        return cases

    def _first(self, head: ConfigurationRow) -> dict[int, ResultAnswer]:
        found = first_of_event(self.of(head)("indirect"))
        return {int(event): answer for event, answer in found.items()}


def repeated(answers: Iterable[ResultAnswer], head: ConfigurationRow, kind: ProbeKind) -> CasesOf:
    """Of these answers (counted and further ones) those to probes that the configuration has two scored answers to."""
    found: dict[str, list[ResultAnswer]] = {}
    for answer in answers:
        own: tuple[str, ConfigurationId, ProbeKind] = answer.category, answer.configuration, answer.kind
        if own == (head.category, head.configuration_id, kind) and answer.is_scored:
            found.setdefault(answer.probe, []).append(answer)
    several = [each for each in found.values() if len(each) > 1]

    def cases(name: str) -> Sequence[ResultAnswer]:
        return [
            answer for each in several if name != "same" or len({one.label for one in each}) == 1 for answer in each
        ]

    return cases


def _lost(group: ConfigurationGroup) -> list[ResultAnswer]:
    direct, indirect = group.events(ProbeKind.DIRECT), first_of_event(group.of_kind(ProbeKind.INDIRECT))
    return [answer for event, answer in indirect.items() if direct.get(event) and not answer.is_correct]
