"""Some cases by their ids, with words for what they have in common: what a cell of a matrix opens."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.trajectory import AnswerId


@dataclass(frozen=True, slots=True)
class CaseSet:
    """Given to the Cases page to show exactly these; with `shows_verdicts` what machines and people said is open.

    With `keeps_order` they stand in the order of `ids`, until somebody sorts them.
    """

    title: str
    ids: tuple[AnswerId, ...]
    shows_verdicts: bool = False
    keeps_order: bool = False
