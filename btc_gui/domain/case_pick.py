"""Some cases at random: the same seed draws the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from btc_gui.domain.sampling import hash_order
from btc_gui.domain.trajectory import AnswerId


def picked_cases(ids: Iterable[AnswerId], count: int, seed: str) -> list[AnswerId]:
    """So many of these cases, drawn by hash (see `sampling`): those of lowest rank, in the order of their ranks.

    What is ranked is the reference (`btc:17`), so that anybody can draw the same with sha256sum; a draw of more holds
    the draw of fewer, and the order of `ids` does not matter.
    """
    references = {f"btc:{answer_id}": answer_id for answer_id in ids}
    return [references[each] for each in hash_order(references, seed)[:count]]
