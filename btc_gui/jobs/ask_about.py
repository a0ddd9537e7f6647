"""One loop for all that is asked about answers, judging and classifying: what is open is asked, counted and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from btc_gui.domain.trajectory import AnswerId, Usage
from btc_gui.jobs.ask_model import Asked, FailedItem, Work, ask_all
from btc_gui.jobs.ask_plan import Again, Candidate, plan, still_open
from btc_gui.jobs.spending import Spending, SpendingLimitError
from btc_gui.progress import Progress
from btc_gui.remote.language_model import LanguageModel
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId
from btc_gui.store.own_categories import keep_categories


@dataclass(frozen=True, slots=True)
class AskOutcome:
    """What asking about answers did. Every answer is in exactly one of the counts but `cached`.

    `unscored` got a reply that can't be used, or is too long to be asked about; `cached` of those with a reply
    needed no call of their own; `skipped` had what was wanted, for the very same request; `failures` got no reply
    and are tried again next time. `left` answers were not asked about because the spending limit was reached.
    `why_unscored` is the most frequent reason.
    """

    unscored: int = 0
    cached: int = 0
    skipped: int = 0
    failures: tuple[FailedItem, ...] = ()
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    left: int = 0
    why_unscored: str = ""

    @property
    def failed(self) -> int:
        """How many answers got no reply."""
        return len(self.failures)

    def counts_as_json(self) -> dict[str, object]:
        """The counts for a machine."""
        return {
            "unscored": self.unscored,
            "cached": self.cached,
            "skipped": self.skipped,
            "failed": [{"subject": item.subject, "reason": item.reason} for item in self.failures],
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost": self.cost,
            "left_by_spending_limit": self.left,
            "why_unscored": self.why_unscored,
        }


@dataclass
class Tally:
    """What became of the answers so far; `scored` got what was wanted."""

    scored: int = 0
    unscored: int = 0
    skipped: int = 0
    left: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    asked: Asked = field(default_factory=Asked)

    @property
    def done(self) -> int:
        """How many answers nothing more is to be done about in this session."""
        return self.scored + self.unscored + self.skipped + len(self.asked.failures)

    def counts(self) -> dict[str, Any]:
        """The fields of an `AskOutcome`."""
        return {
            "unscored": self.unscored,
            "cached": self.asked.cached,
            "skipped": self.skipped,
            "failures": tuple(self.asked.failures),
            "calls": self.asked.calls,
            "usage": self.asked.usage,
            "cost": self.asked.cost,
            "left": self.left,
            "why_unscored": "".join(why for why, _ in self.reasons.most_common(1)),
        }

    def add_unscored(self, why: str) -> None:
        """Count an answer that stays without what was wanted."""
        self.unscored += 1
        self.reasons[why] += 1


def ask_about(
    database: Database,
    language_model: LanguageModel,
    candidates: Callable[[], Iterator[list[Candidate]]],
    total: int,
    progress: Progress,
    keep: Callable[[Work, CallId, str, str], str],
    leave: Callable[[AnswerId, str], None],
    *,
    tally: Tally,
    limit: int | None,
    again: Again,
    at_once: int,
    spending: Spending,
    longest: int,
) -> None:
    """Ask about all candidates (read part by part) that need it, and count into `tally` what became of them.

    `keep` stores what a reply comes to and says why it is not what was wanted (“” when it is); `leave` stores why an
    answer is not asked about at all. Both are called within a write transaction. `total` is for the progress.
    Raises `Cancelled` (what was answered is kept) and `ModelError` when the model can't be used at all.
    """
    asked = tally.asked
    keep_categories(database)

    def kept(work: Work, call_id: CallId, text: str, cut: str) -> None:
        if why := keep(work, call_id, text, cut):
            tally.add_unscored(why)
        else:
            tally.scored += 1
        progress.tell(tally.done, total, work.request.subject)

    for planned in plan(database, language_model.name, candidates(), limit, again, longest):
        tally.skipped += planned.skipped
        asked.failures += planned.failures
        progress.report(tally.done, total)
        with database.write():
            for answer_id, words in planned.too_long:
                leave(answer_id, words)
                tally.add_unscored(words)
        try:
            ask_all(database, language_model, planned.work, progress, kept, asked, at_once=at_once, spending=spending)
        except SpendingLimitError:
            tally.left = still_open(database, language_model.name, candidates(), limit, again, asked, longest)
            return
    progress.tell(total, total)
