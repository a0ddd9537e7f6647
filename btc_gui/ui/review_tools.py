"""What the probes and the review page do with many probes: decide, assign, look at the agreement, take back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from btc_gui.domain.lint import Finding
from btc_gui.domain.probe import ProbeId
from btc_gui.progress import Progress
from btc_gui.sessions.review_queue import Queue, QueueKind
from btc_gui.store.reviews import Step
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.wording import action_words, counted

if TYPE_CHECKING:
    # What a dialog needs is loaded with it: the first probe to review comes before.
    from btc_gui.sessions.bulk_reviewing import BulkOutcome, BulkPlan
    from btc_gui.ui.widgets.assign_dialog import AssignDialog
    from btc_gui.ui.widgets.bulk_dialog import BulkDialog
    from btc_gui.ui.widgets.waive_dialog import WaiveDialog

_LANE = "review"
#: What the window says once a step is taken back, or brought back.
UNDID, DID_AGAIN = "Undid", "Did again"


class ReviewTools(QObject):
    """`done` is called (on the window's thread) when a bulk action has ended or assignments have changed."""

    def __init__(self, context: Context, page: QWidget, done: Callable[[], None]) -> None:
        super().__init__(page)
        self._context, self._page, self._done = context, page, done

    def decide(self, ids: Sequence[ProbeId], scope: str) -> BulkDialog:
        """Ask what to do with these probes, show what would change, and do it."""
        from btc_gui.ui.widgets.bulk_dialog import BulkDialog

        dialog = BulkDialog(self._context, ids, scope, self._page.window())
        dialog.confirmed.connect(self._apply)
        dialog.open()
        return dialog

    def _apply(self, plan: BulkPlan, scope: str) -> None:
        database, reviewer = self._context.database, self._context.settings.reviewer

        def work(progress: Progress) -> BulkOutcome:
            from btc_gui.sessions.bulk_reviewing import apply_bulk

            return apply_bulk(database, plan, reviewer, scope, progress)

        title = f"{action_words(plan.action)}: {counted(len(plan.changes), 'probe')}"
        self._context.job_runner.start(title, work, lane=_LANE, succeeded=self._ended, failed=self._failed)

    def turn_bulk(self, step: Step, word: str) -> None:
        """Take a bulk action back as a whole, or bring it back."""
        database, reviewer = self._context.database, self._context.settings.reviewer

        def work(progress: Progress) -> BulkOutcome:
            from btc_gui.sessions.bulk_reviewing import bring_back, take_back

            turn = take_back if word == UNDID else bring_back
            return turn(database, step, reviewer, progress)

        title = f"{word}: {action_words(step.about.action).lower()} in bulk"
        self._context.job_runner.start(title, work, lane=_LANE, succeeded=self._ended, failed=self._failed)

    def _ended(self, outcome: BulkOutcome) -> None:
        self._follow()
        skipped = "".join(f" {number:,} left out: {reason}." for reason, number in outcome.skipped.items())
        self._context.shell.say(f"{counted(outcome.done, 'probe')} changed.{skipped}")

    def _failed(self, error: BaseException) -> None:
        self._follow()
        self._context.shell.show_error(error)

    def assign(self, ids: Sequence[ProbeId] | None = None, scope: str = "The probes of this queue.") -> AssignDialog:
        """Share probes out among curators."""
        from btc_gui.ui.widgets.assign_dialog import AssignDialog

        dialog = AssignDialog(self._context, ids or [], scope, self._page.window())
        dialog.assigned.connect(self._assigned)
        dialog.open()
        return dialog

    def _assigned(self, words: str) -> None:
        self._follow()
        self._context.shell.say(words)

    def waive(self, probe_id: ProbeId, findings: Sequence[Finding]) -> WaiveDialog:
        """Let a rule of the linter pass on one probe, or take that back."""
        from btc_gui.ui.widgets.waive_dialog import WaiveDialog

        dialog = WaiveDialog(self._context, probe_id, findings, self._page.window())
        dialog.changed.connect(self._follow)
        dialog.open()
        return dialog

    def show_agreement(self) -> None:
        """Show whether the curators agree."""
        # Brings the statistics: not before somebody asks for them.
        from btc_gui.ui.widgets.agreement_dialog import AgreementDialog

        dialog = AgreementDialog(self._context, self._page.window())
        dialog.resolve_asked.connect(self._resolve)
        dialog.open()

    def _resolve(self) -> None:
        self._context.shell.open("review", Queue(QueueKind.DISPUTED))

    def _follow(self) -> None:
        self._done()
        self._context.changes.tell(Subject.REVIEWS)
