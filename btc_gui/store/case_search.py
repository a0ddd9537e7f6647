"""Selects cases in memory: facets by their columns, words by the index of texts, names of entities as they stand.

Import this module only when cases are looked for: it brings numpy along.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from btc_gui.domain.case import FACETS, CaseQuery
from btc_gui.domain.case_reference import answer_of_reference, is_reference
from btc_gui.domain.search_terms import Both, Either, Near, Term, Without, Words, parse
from btc_gui.domain.search_words import pattern
from btc_gui.progress import Cancelled, Progress
from btc_gui.store import case_text
from btc_gui.store.case_index import CaseIndex
from btc_gui.store.coded import Coded, Mask, Numbers

_KEPT_SEARCHES = 24
#: SQLite asks after so many of its steps whether to go on: some thousand times a second.
_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Selected:
    """The ids in order, and the counts of all facets."""

    ids: list[int]
    facets: dict[str, dict[str, int]]
    values: dict[str, int]


def select(
    index: CaseIndex,
    connection: sqlite3.Connection,
    query: CaseQuery,
    among: Sequence[int] | None,
    person: str | None,
    progress: Progress,
) -> Selected:
    """What `CaseStore.find` gives."""
    base = _base(index, connection, query, progress)
    if among is not None:
        base &= index.mask_of(among)
    told = index.told(connection, person)
    coded: dict[str, Coded] = {**index.coded, **told.coded}
    many: dict[str, dict[str, Numbers]] = {**index.many, "humans": told.humans}
    missed = np.zeros(len(index), np.int64)
    misses: dict[str, Mask] = {}
    for facet in FACETS:
        chosen = getattr(query, facet)
        if chosen:
            has = coded[facet].mask(chosen) if facet in coded else _any(index, many[facet], chosen)
            misses[facet] = ~has
            missed += misses[facet]
    fits = base & (missed == 0)
    counts: dict[str, dict[str, int]] = {}
    for facet in FACETS:
        progress.check()
        counted = fits if facet not in misses else fits | (base & (missed == 1) & misses[facet])
        if facet in coded:
            counts[facet] = coded[facet].counts(counted)
        else:
            found = {value: int(counted[places].sum()) for value, places in many[facet].items()}
            counts[facet] = {value: n for value, n in sorted(found.items()) if n}
    values = {facet: sum(each != "" for each in coded[facet].used) for facet in coded}
    values |= {facet: len(each) for facet, each in many.items()}
    order = index.order(connection, query.order, person)
    places = order[fits[order]]
    if query.descending:
        places = places[::-1]
    return Selected(index.ids[places].tolist(), counts, values)


def _any(index: CaseIndex, values: dict[str, Numbers], chosen: tuple[str, ...]) -> Mask:
    mask = np.zeros(len(index), np.bool_)
    for value in chosen:
        if value in values:
            mask[values[value]] = True
    return mask


def _base(index: CaseIndex, connection: sqlite3.Connection, query: CaseQuery, progress: Progress) -> Mask:
    mask = np.ones(len(index), np.bool_)
    for column, value in (
        (index.run_ids, query.run_id),
        (index.event_ids, query.event_id),
        (index.probe_ids, query.probe_id),
        (index.configuration_ids, query.configuration_id),
    ):
        if value is not None:
            mask &= column == value
    words = query.contains.strip()
    if is_reference(words):
        mask &= index.ids == answer_of_reference(words)
    elif words:
        with stopping(connection, progress):
            mask &= matching(index, connection, parse(words), progress)
    return mask


@contextmanager
def stopping(connection: sqlite3.Connection, progress: Progress) -> Iterator[None]:
    """Within this block a statement ends soon after the work was cancelled, by raising `Cancelled`."""
    connection.set_progress_handler(lambda: int(progress.is_cancelled), _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if progress.is_cancelled:
            raise Cancelled from error
        raise
    finally:
        connection.set_progress_handler(None, 0)


def matching(index: CaseIndex, connection: sqlite3.Connection, term: Term, progress: Progress) -> Mask:
    """Which cases a search means."""
    progress.check()
    if isinstance(term, Both | Either):
        parts = [matching(index, connection, part, progress) for part in term.parts]
        joined = np.logical_and if isinstance(term, Both) else np.logical_or
        return np.asarray(joined.reduce(parts), np.bool_)
    if isinstance(term, Without):
        return ~matching(index, connection, term.part, progress)
    # The number of indexed texts: more may have become searchable since.
    key = term, case_text.count_indexed(connection, index.pool)
    found = index.found.get(key)
    if found is None:
        found = np.zeros(len(index), np.bool_)
        field = term.left.field if isinstance(term, Near) else term.field
        if field != "entity":
            found |= index.mask_of(case_text.matching(connection, index.pool, term))
        if field in ("", "entity"):
            found |= _named(index, term)
        while len(index.found) >= _KEPT_SEARCHES:
            index.found.pop(next(iter(index.found)), None)
        index.found[key] = found
    return found


def _named(index: CaseIndex, term: Words | Near) -> Mask:
    """The cases whose entity (or, in a log, task and sample) is called so."""
    sides = [term] if isinstance(term, Words) else [term.left, term.right]
    patterns = [re.compile(pattern(side.units, begins=side.begins)) for side in sides]

    def fits(name: str) -> bool:
        return all(each.search(name) for each in patterns)

    events, samples = index.folded_names
    named = [number for number, name in events.items() if fits(name)]
    mask: Mask = np.isin(index.event_ids, np.array(named, np.int64)) & ~index.is_log
    mask[[place for place, name in samples.items() if fits(name)]] = True
    return mask
