"""One case as it is read, alone or beside others: its trajectory, what was found in it, who is named in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from btc_gui.domain.case import CaseRow
from btc_gui.domain.classification import Classification, Evidence, delivered_text
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.mentions import Mention, Name, find_mentions
from btc_gui.domain.trajectory import ResultId, SearchResult, Step, Trajectory
from btc_gui.domain.verdict import Verdict


@dataclass(frozen=True)
class Side:
    """One case with its trajectory, its verdict and what the classifier found.

    `told_date` is the day that the agent was told it is (ISO).
    """

    case: CaseRow
    told_date: str
    trajectory: Trajectory
    verdict: Verdict | None
    classification: Classification | None
    names: tuple[Name, ...]
    _found: dict[str, list[Mention]] = field(default_factory=dict, repr=False, compare=False)

    def query_class(self, step: Step) -> QueryClass | None:
        """What the classifier says this query could reveal; None for other steps, or where it said nothing."""
        if self.classification is None or step.id is None:
            return None
        return self.classification.queries.get(step.id)

    def evidence(self, step: Step) -> dict[ResultId, list[Evidence]]:
        """The evidence in a query's results, by result; offsets count in the result's `delivered_text`."""
        found: dict[ResultId, list[Evidence]] = {}
        if self.classification is not None:
            own = {result.id for result in step.results}
            for each in self.classification.evidence:
                if each.result_id in own:
                    found.setdefault(each.result_id, []).append(each)
        return found

    def mentions(self, step: Step) -> list[Mention]:
        """Where the step's text names the entity."""
        return self._find(step.text)

    def result_mentions(self, result: SearchResult) -> list[Mention]:
        """Where a result names the entity; offsets count in its `delivered_text`."""
        return self._find(delivered_text(result))

    def _find(self, text: str) -> list[Mention]:
        if text not in self._found:
            self._found[text] = find_mentions(text, self.names)
        return self._found[text]
