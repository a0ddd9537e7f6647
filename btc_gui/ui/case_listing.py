"""What the list of cases shows: what a query found, its conditions and its count in words."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.case import IN_STUDY, CaseQuery, CaseRow
from btc_gui.domain.configuration_titles import configuration_titles
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store.cases import FoundCases
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.runs import RunStore
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.words import counted


@dataclass(frozen=True, slots=True)
class ListedCases:
    """What a query found, and the state of the project before that."""

    state: object
    query: CaseQuery
    chosen: CaseSet | None
    found: FoundCases
    rows: dict[AnswerId, CaseRow]
    only: dict[str, str]
    has_filter: bool


def conditions_of(database: Database, query: CaseQuery) -> dict[str, str]:
    """The conditions of a query that no facet shows: the query's field, and words."""
    words = {}
    if query.run_id is not None:
        words["run_id"] = f"run “{RunStore(database).get(query.run_id).name}”"
    if query.event_id is not None:
        words["event_id"] = EventStore(database).get(query.event_id).facts.entity
    if query.probe_id is not None:
        words["probe_id"] = ProbeStore(database).get(query.probe_id).text
    if query.configuration_id is not None:
        titles = configuration_titles(RunStore(database).configurations())
        words["configuration_id"] = titles[query.configuration_id]
    return words


def words_of_count(read: ListedCases, is_filtered: bool) -> str:
    """How many cases were found, and what of them can't be told yet."""
    words = counted(len(read.found.ids), "case") + (" found" if is_filtered else "")
    blind = read.found.facets.get("labels", {}).get(IN_STUDY, 0)
    is_left_out = bool(read.query.labels) and IN_STUDY not in read.query.labels
    if blind and not is_left_out and not read.chosen:
        words += f" · {blind:,} {IN_STUDY}"
    if read.found.unsearched:
        words += f" · {read.found.unsearched:,} more are being made searchable"
    return words
