"""How far two judges agree on the answers that both judged. Neither is the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from btc_gui.domain.agreement_report import AgreementReport, SampleKind, agreement_report
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.verdict import Label
from btc_gui.store.judges import JudgedTwice


def grouped(found: Sequence[JudgedTwice]) -> dict[str, list[JudgedTwice]]:
    """The answers that two judges judged: all of them, then by category and kind of probe."""
    groups: dict[str, list[JudgedTwice]] = {"all": list(found)}
    for row in found:
        groups.setdefault(f"{row.category}, {row.kind}", []).append(row)
    return groups


def compare_judges(found: Sequence[JudgedTwice], left: str, right: str) -> dict[str, AgreementReport]:
    """How two judges agree on the answers that both judged: all, and by category and kind of probe.

    Neither is the truth: this is judge against judge, and says nothing of people.
    """
    reports = {}
    for name, rows in grouped(found).items():
        matrix = ConfusionMatrix.from_pairs(
            [(row.left and row.left.value, row.right and row.right.value) for row in rows],
            [label.value for label in (Label.CORRECT, Label.INCORRECT)],
            rows_name=left,
            columns_name=right,
        )
        events: dict[str, Counter[bool]] = {}
        for row in rows:
            if row.left and row.right:
                events.setdefault(str(row.event_id), Counter())[row.left is row.right] += 1
        reports[name] = agreement_report(
            matrix,
            sample=SampleKind.UNKNOWN,
            events={event: (count[True], count.total()) for event, count in events.items()} or None,
        )
    return reports
