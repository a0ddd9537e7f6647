"""What tables may say while labels are still given: no figure may tell the label of a single answer.

The labels of all other answers can be seen, so that a count tells how many of the open ones are right. That tells
none of them as long as there are some and they differ. A finer figure (by number of queries, a pair of answers, a
probe) tells single ones soon, and is withheld. Leaving the open answers out instead would make figures wrong: they are
drawn by their labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup, ResultAnswer
from btc_gui.domain.trajectory import AnswerId

#: Among fewer open answers a count says too much of each.
LEAST_OPEN = 5


@dataclass(frozen=True, slots=True)
class Blinding:
    """The answers of studies whose key is closed: those whose verdict people give, and those whose failure mode."""

    verdicts: frozenset[AnswerId] = frozenset()
    modes: frozenset[AnswerId] = frozenset()

    @property
    def answers(self) -> frozenset[AnswerId]:
        """All of them."""
        return self.verdicts | self.modes

    def covers(self, answers: Iterable[ResultAnswer]) -> bool:
        """Whether counts over these answers tell the label of none of the open ones among them."""
        known = list(answers)
        verdicts = [answer.label for answer in known if answer.id in self.verdicts]
        modes = [answer.mode for answer in known if answer.id in self.modes]
        return all(not each or (len(each) >= LEAST_OPEN and len(set(each)) > 1) for each in (verdicts, modes))


NOTHING_OPEN = Blinding()


@dataclass(frozen=True, slots=True)
class ToldGroups:
    """Configurations by what may be told of them.

    `free` ones have no open answer; of `covered` ones only accuracies and failure modes are shown, of `withheld` ones
    nothing.
    """

    free: tuple[ConfigurationGroup, ...]
    covered: tuple[ConfigurationGroup, ...] = ()
    withheld: tuple[ConfigurationGroup, ...] = ()


def told_groups(groups: Sequence[ConfigurationGroup], blinding: Blinding) -> ToldGroups:
    """Sort the configurations by what may be told of them, each in the order in which they came."""
    hidden = blinding.answers
    if not hidden:
        return ToldGroups(tuple(groups))
    free, covered, withheld = [], [], []
    for group in groups:
        if not any(answer.id in hidden for answer in group.answers):
            free.append(group)
        elif all(blinding.covers(group.of_kind(kind)) for kind in ProbeKind):
            covered.append(group)
        else:
            withheld.append(group)
    return ToldGroups(tuple(free), tuple(covered), tuple(withheld))


def pooled_groups(
    groups: Sequence[ConfigurationGroup], told: ToldGroups, blinding: Blinding
) -> tuple[ConfigurationGroup, ...]:
    """The configurations whose answers may be counted together, category by category.

    What is shown of the others can be subtracted from such a sum: a category is left out unless the open answers of
    those that are withheld cover each other.
    """
    untold = {
        group.head.category
        for group in told.withheld
        if not all(
            blinding.covers(
                answer
                for other in told.withheld
                if other.head.category == group.head.category
                for answer in other.of_kind(kind)
            )
            for kind in ProbeKind
        )
    }
    return tuple(group for group in groups if group.head.category not in untold)
