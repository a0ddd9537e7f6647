"""All that people attached to cases, read in one go."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.case_remarks import CaseRemarks
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.database import Database


def case_remarks(database: Database, answer_ids: Sequence[AnswerId]) -> tuple[CaseRemarks, ...]:
    """Standing notes and tags of each case, and the collections that it is in."""
    notes, tags, collections = CaseNoteStore(database), CaseTagStore(database), CaseCollectionStore(database)
    return tuple(
        CaseRemarks(each, tuple(notes.of(each)), tuple(tags.of(each)), tuple(collections.holding(each)))
        for each in answer_ids
    )
