"""Whether curators agree: their verdicts on the same wording, none knowing the others'."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.agreement import kappa_estimate
from btc_gui.domain.estimate import Estimate
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.proportions import wilson
from btc_gui.domain.review import Action, Decision, standing

#: The classes of the table: as it stands, not as it stands, not at all.
CLASSES = (Action.ACCEPT, Action.EDIT, Action.REJECT)


@dataclass(frozen=True, slots=True)
class BlindVerdicts:
    """What the curators of one probe said of one wording, and for which facts."""

    probe_id: ProbeId
    revision_id: RevisionId
    facts_hash: str
    verdicts: Mapping[str, Decision]

    @property
    def differ(self) -> bool:
        """Whether they said different things."""
        return len({decision.action for decision in self.verdicts.values()}) > 1


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two curators: the table of their verdicts (rows the first one's, over `CLASSES`) and what follows from it.

    `waiting` shared probes lack the verdict of one of them or of both.
    """

    reviewers: tuple[str, str]
    table: tuple[tuple[int, ...], ...]
    observed: Estimate
    kappa: Estimate
    differ: tuple[BlindVerdicts, ...]
    waiting: int

    @property
    def n(self) -> int:
        """How many probes both have judged."""
        return sum(map(sum, self.table))


def blind_verdicts(
    log: Sequence[Decision], assigned: Collection[str], of: Collection[str] = ()
) -> BlindVerdicts | None:
    """The verdicts on the first wording that two or more of those assigned (or `of` these) judged; None before that.

    A verdict may be changed until somebody else's stands on the same wording and facts: from then on each can see the
    other's, so what is undone or decided afterwards does not count. The log must be whole, with undone decisions.
    """
    blind: dict[tuple[RevisionId, str], dict[str, Decision]] = {}
    for length in range(1, len(log) + 1):
        for wording, verdicts in _standing_verdicts(log[:length], assigned).items():
            if len(verdicts) > 1:
                known = blind.setdefault(wording, {})
                known |= {name: decision for name, decision in verdicts.items() if name not in known}
    for (revision_id, facts_hash), verdicts in blind.items():
        given = {name: decision for name, decision in verdicts.items() if not of or name in of}
        if len(given) > 1:
            return BlindVerdicts(log[0].probe_id, revision_id, facts_hash, given)
    return None


def _standing_verdicts(
    log: Sequence[Decision], assigned: Collection[str]
) -> dict[tuple[RevisionId, str], dict[str, Decision]]:
    """Each curator's newest verdict that no undo has withdrawn, by wording and facts."""
    found: dict[tuple[RevisionId, str], dict[str, Decision]] = {}
    for decision in standing(log):
        if decision.action in CLASSES and decision.reviewer in assigned:
            found.setdefault((decision.revision_id, decision.facts_hash), {})[decision.reviewer] = decision
    return found


def pair_agreements(
    logs: Mapping[ProbeId, Sequence[Decision]], assigned: Mapping[ProbeId, Collection[str]]
) -> list[PairAgreement]:
    """The agreement of every two curators who share probes, by name. `logs` may lack probes without decisions."""
    shared: dict[tuple[str, str], list[ProbeId]] = {}
    for probe_id, reviewers in assigned.items():
        for pair in itertools.combinations(sorted(reviewers), 2):
            shared.setdefault(pair, []).append(probe_id)
    return [_pair(pair, probes, logs, assigned) for pair, probes in sorted(shared.items())]


def _pair(
    pair: tuple[str, str],
    probes: Sequence[ProbeId],
    logs: Mapping[ProbeId, Sequence[Decision]],
    assigned: Mapping[ProbeId, Collection[str]],
) -> PairAgreement:
    table = [[0] * len(CLASSES) for _ in CLASSES]
    differ, waiting = [], 0
    for probe_id in probes:
        given = blind_verdicts(logs.get(probe_id, ()), assigned[probe_id], pair)
        if given is None:
            waiting += 1
            continue
        first, second = (given.verdicts[name].action for name in pair)
        table[CLASSES.index(first)][CLASSES.index(second)] += 1
        if given.differ:
            differ.append(given)
    counts = tuple(tuple(row) for row in table)
    n, agreed = sum(map(sum, counts)), sum(counts[i][i] for i in range(len(CLASSES)))
    observed = Estimate(
        agreed / n if n else None, wilson(agreed, n), "Wilson", "" if n else "no probe was judged by both"
    )
    return PairAgreement(pair, counts, observed, kappa_estimate(counts), tuple(differ), waiting)
