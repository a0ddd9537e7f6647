"""Checking what a classifier says: its excerpts must be in what was delivered, its labels must cover all queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.classification import Evidence, delivered_text
from btc_gui.domain.classifier_reply import ClassifierReply, QueryFinding
from btc_gui.domain.failure_mode import FailureMode, QueryClass, derive_mode
from btc_gui.domain.folding import fold_spaces
from btc_gui.domain.trajectory import SearchResult, Step, StepId, Trajectory


@dataclass(frozen=True, slots=True)
class Finding:
    """What a classifier's reply amounts to. `mode` is None when it can't be used; then `unscored` says why.

    `trace` says which rule fired, and which claims of evidence were refused.
    """

    mode: FailureMode | None
    trace: str
    unscored: str
    queries: Mapping[StepId, QueryClass]
    evidence: tuple[Evidence, ...]


def locate(excerpt: str, delivered: str) -> tuple[int, int] | None:
    """Where `excerpt` occurs in a delivered text, as offsets in it; None when it does not.

    White space, kinds of quotes and ways to write an accent don't matter; everything else does.
    """
    wanted = fold_spaces(excerpt).text
    if not any(character.isalnum() for character in wanted):
        return None
    folded = fold_spaces(delivered)
    start = folded.text.find(wanted)
    return None if start < 0 else folded.span(start, start + len(wanted))


def numbered_results(trajectory: Trajectory) -> list[SearchResult]:
    """All results of a trajectory in the order of their delivery; the first one is number 1."""
    return [result for query in trajectory.queries for result in query.results]


def examine(reply: ClassifierReply, trajectory: Trajectory) -> Finding:
    """Check a reply against the trajectory and derive the failure mode by the benchmark's ordered rule.

    An excerpt that does not occur in its result is refused: it is no evidence. A query without a label, with
    two, or a label without a query makes the whole reply unscored.
    """
    unscored = _what_is_wrong_with_labels(reply.queries, trajectory.queries)
    if unscored:
        return Finding(None, "", unscored, {}, ())
    evidence, refused = _check_claims(reply, numbered_results(trajectory))
    labels = {finding.query: finding.label for finding in reply.queries}
    in_order = [labels[number] for number in range(1, len(trajectory.queries) + 1)]
    derived = derive_mode(bool(evidence), in_order)
    classes = {step.id: label for step, label in zip(trajectory.queries, in_order, strict=True) if step.id is not None}
    return Finding(derived.mode, "; ".join([derived.trace, *refused]), "", classes, tuple(evidence))


def _what_is_wrong_with_labels(findings: Sequence[QueryFinding], queries: Sequence[Step]) -> str:
    given = [finding.query for finding in findings]
    for number in given:
        if not 1 <= number <= len(queries):
            return f"The reply labels query {number}, which does not exist."
        if given.count(number) > 1:
            return f"The reply labels query {number} more than once."
    missing = [str(number) for number in range(1, len(queries) + 1) if number not in given]
    return f"The reply has no label for query {', '.join(missing)}." if missing else ""


def _check_claims(reply: ClassifierReply, results: Sequence[SearchResult]) -> tuple[list[Evidence], list[str]]:
    found: list[Evidence] = []
    refused: list[str] = []
    for claim in reply.evidence:
        short = " ".join(claim.excerpt.split())[:80]
        if not 1 <= claim.result <= len(results):
            refused.append(f"refused evidence: there is no result {claim.result} (“{short}”)")
            continue
        result = results[claim.result - 1]
        delivered = delivered_text(result)
        place = locate(claim.excerpt, delivered)
        if place is None or result.id is None:
            refused.append(f"refused evidence: “{short}” does not occur in result {claim.result}")
            continue
        start, stop = place
        evidence = Evidence(result.id, delivered[start:stop], start, stop)
        if evidence not in found:
            found.append(evidence)
    return found, refused
