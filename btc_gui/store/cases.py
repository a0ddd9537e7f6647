"""Cases: one answer to one probe with all that is known of it; filters, facets, searches, orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from btc_gui.domain.case import ALL_CASES, CasePool, CaseQuery, CaseRow
from btc_gui.domain.case_pick import picked_cases
from btc_gui.domain.case_reference import answer_of_reference, is_reference
from btc_gui.domain.search_snippet import Snippet
from btc_gui.domain.search_terms import parse
from btc_gui.domain.study import StudyId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import ProjectError
from btc_gui.progress import Progress
from btc_gui.store import case_rows, case_snippets
from btc_gui.store.database import Database
from btc_gui.store.studies import OPEN_STUDY, note_exposure


@dataclass(frozen=True, slots=True)
class FoundCases:
    """What a query found: the cases in order, for each facet how many each of its values has, and the words of values
    that are numbers. `values` tells how many values a facet has over all cases of the pool; `unsearched` counts the
    cases that can't be found by their words yet."""

    ids: list[AnswerId]
    facets: dict[str, dict[str, int]]
    names: dict[str, dict[str, str]]
    values: dict[str, int]
    unsearched: int = 0


class CaseStore:
    """The cases of a project: its final answers (one a planned item, every repetition a case of its own).

    With `blind_for`, labels and modes of cases of open studies are told (in rows, facets, filters and orders) only
    where this person has opened the case, which is on record as an exposure.
    """

    def __init__(self, database: Database, *, blind_for: str | None = None) -> None:
        self._database = database
        self._person = blind_for

    # -- reading ---------------------------------------------------------------------------------------------

    def find(
        self,
        query: CaseQuery = ALL_CASES,
        progress: Progress | None = None,
        *,
        among: Sequence[AnswerId] | None = None,
    ) -> FoundCases:
        """The cases of `query` (`among` these, if any are given) in its order, and the counts of all facets.

        A facet's own filter does not count for its counts, so that a second value of it can be chosen. Values without
        any case are left out; `""` (such as the mode of a correct answer) too. Raises `InputError` for a search that
        can't be understood, KeyError for an order that is none, `Cancelled` once `progress` is.
        """
        # Brings numpy: only when cases are looked for.
        from btc_gui.store.case_index import case_index
        from btc_gui.store.case_search import select

        words = query.contains.strip()
        if is_reference(words):
            query = replace(query, pool=self._pool_of(answer_of_reference(words)))
        index = case_index(self._database, query.pool)
        connection = self._database.read()
        found = select(index, connection, query, among, self._person, progress or Progress())
        unsearched = index.count_unsearched(connection) if words and not is_reference(words) else 0
        # There may be hundreds of thousands.
        ids = cast("list[AnswerId]", found.ids)
        return FoundCases(ids, found.facets, {"runs": index.run_names}, found.values, unsearched)

    def ids(self, query: CaseQuery = ALL_CASES) -> list[AnswerId]:
        """The cases of `query`, in its order. Raises as `find` does."""
        return self.find(query).ids

    def facets(self, query: CaseQuery = ALL_CASES) -> dict[str, dict[str, int]]:
        """For each facet, how many cases each of its values has under the other filters of `query`: see `find`."""
        return self.find(query).facets

    def has_pool(self, pool: CasePool) -> bool:
        """Whether there are runs of a pool."""
        condition = "purpose = 'filter'" if pool is CasePool.FILTER else "purpose <> 'filter'"
        return self._database.read().execute(f"SELECT 1 FROM run WHERE {condition} LIMIT 1").fetchone() is not None

    def pick(
        self,
        query: CaseQuery,
        count: int,
        seed: str,
        progress: Progress | None = None,
    ) -> list[AnswerId]:
        """So many of the cases of `query` at random: see `picked_cases`."""
        return picked_cases(self.find(query, progress).ids, count, seed)

    def snippets(
        self, ids: Sequence[AnswerId], search: str, progress: Progress | None = None
    ) -> dict[AnswerId, Snippet]:
        """For some cases that `search` found: the first place in their texts with one of its words, where there is one.

        Takes a millisecond or so for each case. Raises as `find` does.
        """
        if not search.strip() or is_reference(search):
            return {}
        return case_snippets.snippets(self._database.read(), ids, parse(search), progress or Progress())

    def _pool_of(self, answer_id: AnswerId) -> CasePool:
        row = (
            self._database.read()
            .execute(
                "SELECT run.purpose = 'filter' FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
                "JOIN run ON run.id = run_item.run_id WHERE answer.id = ?",
                (answer_id,),
            )
            .fetchone()
        )
        return CasePool.FILTER if row is not None and row[0] else CasePool.EVALUATION

    def fetch(self, ids: Sequence[AnswerId]) -> dict[AnswerId, CaseRow]:
        """The cases of `ids`, by id (unknown ids and attempts that don't count left out)."""
        return case_rows.case_rows(self._database.read(), ids, self._person)

    def get(self, answer_id: AnswerId) -> CaseRow:
        """One case. Raises `ProjectError` when there is none of that id."""
        case = self.fetch([answer_id]).get(answer_id)
        if case is None:
            raise ProjectError(f"There is no case btc:{answer_id} in this project.")
        return case

    def relatives(self, answer_id: AnswerId) -> list[AnswerId]:
        """The other cases about the same event: those of the same probe first, then by kind and configuration.

        For a sample of a log: the other answers to the same sample of that task. A filter's answers have those of
        filters beside them.
        """
        return case_rows.relatives(self._database.read(), self.get(answer_id))

    # -- exposure --------------------------------------------------------------------------------------------

    def record_exposure(self, answer_id: AnswerId, person: str) -> int:
        """Note that `person` has seen this case while studies over it were open; gives how many there are.

        Nothing is written for a case of no open study. The first time counts.
        """
        rows = self._database.read().execute(
            "SELECT DISTINCT study.id FROM study JOIN study_item ON study_item.study_id = study.id "
            f"WHERE study_item.answer_id = ? AND {OPEN_STUDY} ORDER BY study.id",
            (answer_id,),
        )
        found = [StudyId(row["id"]) for row in rows]
        if found:
            with self._database.write() as connection:
                for study_id in found:
                    note_exposure(connection, study_id, answer_id, person)
        return len(found)
