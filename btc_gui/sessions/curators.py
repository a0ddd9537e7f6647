"""Several curators on one project: who agrees with whom."""

from __future__ import annotations

from btc_gui.domain.review_agreement import PairAgreement, pair_agreements
from btc_gui.store.database import Database
from btc_gui.store.review_assignments import AssignmentStore


def agreement_of_curators(database: Database) -> list[PairAgreement]:
    """The agreement of every two curators who share probes."""
    store = AssignmentStore(database)
    return pair_agreements(store.logs_of_shared(), store.shared())
