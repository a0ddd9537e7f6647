"""Asking the queries of a plan: day by day and in batches, smaller where the service runs out of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from btc_gui.domain.collection import Collection, ReplyOutcome
from btc_gui.domain.collection_plan import Binding, CollectionPlan, QuerySpec, fill_query, halves, ids_for, slices
from btc_gui.domain.dates import day_words
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.sparql_rows import read_results
from btc_gui.errors import ServiceError
from btc_gui.progress import Progress
from btc_gui.remote.http import TimedOutError
from btc_gui.remote.wikidata import Wikidata
from btc_gui.store.collections import CollectionStore

_NAMED = 5


def part_of(start: date, end: date) -> str:
    """The name under which the answer about the days [start, end) is kept."""
    return f"{start.isoformat()}/{end.isoformat()}"


def _days_text(start: date, end: date) -> str:
    last = date.fromordinal(end.toordinal() - 1)
    text = day_words(start)
    return text if last == start else f"{text} to {day_words(last)}"


@dataclass
class Asking:
    """Asks for what is missing of one collection."""

    store: CollectionStore
    collection: Collection
    plan: CollectionPlan
    wikidata: Wikidata
    progress: Progress
    done: int = 0
    total: int = 0
    _known: dict[tuple[str, str], ReplyOutcome] = field(default_factory=dict)
    _missing: list[str] = field(default_factory=list)
    _sent: int = 0
    _waited: float = 0.0

    def ask_all(self) -> dict[str, list[Binding]]:
        """Every query of the plan, in order; the rows by query. Raises `ServiceError` when a part got no answer."""
        question = self.collection.question
        self.wikidata.client.said = self._say
        self._known = self.store.parts(self.collection.id)
        stretches = slices(question.first_day, question.last_day, self.plan.slice_days)
        self.total = len(stretches) * sum(1 for spec in self.plan.queries if spec.is_slice)
        if not self.collection.data_date and (data_date := self.wikidata.data_date()):
            self.store.set_data_date(self.collection.id, data_date)
        rows: dict[str, list[Binding]] = {}
        for spec in self.plan.queries:
            if spec.is_slice:
                for start, end in stretches:
                    self._ask_stretch(spec, start, end)
                    self.done += 1
                    self.progress.report(self.done, self.total, _days_text(start, end))
            else:
                self._ask_batches(spec, ids_for(spec, rows))
            self._refuse_missing(spec)
            rows[spec.name] = self._rows(spec)
        return rows

    # -- stretches of days ------------------------------------------------------------------------------------

    def _ask_stretch(self, spec: QuerySpec, start: date, end: date) -> None:
        part = part_of(start, end)
        known = self._known.get((spec.name, part))
        if known is ReplyOutcome.ANSWERED:
            return
        if known is None and self._ask(spec, part, self._fill(spec, start, end)):
            return
        smaller = halves(start, end)
        for first, after in smaller:
            self._ask_stretch(spec, first, after)
        if smaller:
            return
        simple = f"{part}/simple"
        if self._known.get((spec.name, simple)) is ReplyOutcome.ANSWERED:
            return
        # Without a simpler form the same is asked once more: the service may have been busy then.
        if not self._ask(spec, simple, self._fill(spec, start, end, fallback=True)):
            self._missing.append(_days_text(start, end))

    def _fill(self, spec: QuerySpec, start: date, end: date, fallback: bool = False) -> str:
        return fill_query(spec, start=start, end=end, range_hint=self.wikidata.range_hint, fallback=fallback)

    # -- batches of ids ---------------------------------------------------------------------------------------

    def _ask_batches(self, spec: QuerySpec, ids: Sequence[str]) -> None:
        batches = [ids[at : at + spec.batch_size] for at in range(0, len(ids), spec.batch_size)]
        self.total += len(batches)
        for batch in batches:
            self._ask_ids(spec, batch)
            self.done += 1
            self.progress.report(self.done, self.total, f"{spec.name.replace('_', ' ')}: {len(ids):,} items")

    def _ask_ids(self, spec: QuerySpec, ids: Sequence[str]) -> None:
        part = f"ids:{hash_of(list(ids))[:24]}"
        known = self._known.get((spec.name, part))
        if known is ReplyOutcome.ANSWERED:
            return
        if (known is None or len(ids) == 1) and self._ask(
            spec, part, fill_query(spec, ids=ids, range_hint=self.wikidata.range_hint)
        ):
            return
        if len(ids) == 1:
            self._missing.append(ids[0])
            return
        middle = len(ids) // 2
        self._ask_ids(spec, ids[:middle])
        self._ask_ids(spec, ids[middle:])

    # -- one request ------------------------------------------------------------------------------------------

    def _ask(self, spec: QuerySpec, part: str, text: str) -> bool:
        self.progress.report(self.done, self.total, f"{spec.name.replace('_', ' ')}: {part[:40]}")
        try:
            answer = self.wikidata.query(text, spec.variables)
        except TimedOutError as error:
            self._keep(spec, part, ReplyOutcome.OUT_OF_TIME, error.body, 0, 0.0)
            return False
        self._keep(spec, part, ReplyOutcome.ANSWERED, answer.text, len(answer.bindings), answer.seconds)
        return True

    def _keep(self, spec: QuerySpec, part: str, outcome: ReplyOutcome, text: str, rows: int, seconds: float) -> None:
        client = self.wikidata.client
        sent, waited = client.sent - self._sent, client.waited - self._waited
        self._sent, self._waited = client.sent, client.waited
        self.store.add_reply(self.collection.id, spec.name, part, outcome, text, rows, seconds, sent, waited)
        self._known[(spec.name, part)] = outcome

    def _say(self, text: str) -> None:
        self.progress.tell(self.done, self.total, text)

    def _rows(self, spec: QuerySpec) -> list[Binding]:
        rows: list[Binding] = []
        for _, text in self.store.answers(self.collection.id, spec.name):
            rows.extend(read_results(text, spec.variables).rows)
        return rows

    def _refuse_missing(self, spec: QuerySpec) -> None:
        if not self._missing:
            return
        named = ", ".join(self._missing[:_NAMED]) + (", …" if len(self._missing) > _NAMED else "")
        raise ServiceError(
            f"{self.wikidata.title} ran out of time on {len(self._missing):,} parts of “{spec.name}”: {named}.",
            "Nothing was decided on a part of the answers. Collect again later: only these are asked then.",
        )


def ask_about(wikidata: Wikidata, spec: QuerySpec, ids: Sequence[str], progress: Progress) -> list[Binding]:
    """The rows of a batch query for these ids, nothing of it kept; batches that take too long are halved.

    Raises `TimedOutError` when one id alone takes too long, and what `Wikidata.query` raises.
    """
    rows: list[Binding] = []
    waiting = [ids[at : at + spec.batch_size] for at in range(0, len(ids), spec.batch_size)][::-1]
    while waiting:
        progress.check()
        batch = waiting.pop()
        try:
            rows.extend(wikidata.query(fill_query(spec, ids=batch), spec.variables).bindings)
        except TimedOutError:
            if len(batch) == 1:
                raise
            middle = len(batch) // 2
            waiting += [batch[middle:], batch[:middle]]
    return rows
