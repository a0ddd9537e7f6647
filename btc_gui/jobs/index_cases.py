"""Makes cases findable by their words that are not yet: those of older projects, and the answers of filters."""

from __future__ import annotations

from btc_gui.domain.case import CasePool
from btc_gui.progress import Progress
from btc_gui.store.case_text import index_missing
from btc_gui.store.database import Database


def index_cases(database: Database, progress: Progress, pool: CasePool = CasePool.EVALUATION) -> int:
    """Index the cases of a pool that are not indexed yet; gives how many these were.

    Writes in short batches, may be cancelled at any time and goes on where it was.
    """
    return index_missing(database, pool, progress)
