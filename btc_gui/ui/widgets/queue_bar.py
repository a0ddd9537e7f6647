"""The top of the review page: which probes, in which order, and how far one is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from btc_gui.domain.lint import Severity
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.probe import ProbeKind
from btc_gui.sessions.review_queue import BY_ANY, BY_NONE, Queue, QueueKind, QueueOrder, queue_from_json
from btc_gui.sessions.reviewing import ReviewProgress
from btc_gui.store.lint import CLEAN, UNCHECKED, WAIVED
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.filter_bar import Choice, Facet, FilterText
from btc_gui.ui.widgets.frames import PageHeader
from btc_gui.ui.widgets.saved_filters_button import SavedFiltersButton
from btc_gui.ui.wording import counted

_QUEUES = (
    (QueueKind.UNREVIEWED, "Unreviewed"),
    (QueueKind.DEFERRED, "Deferred"),
    (QueueKind.FLAGGED, "Flagged"),
    (QueueKind.STALE, "Approved for other facts"),
    (QueueKind.DISPUTED, "Disagreements"),
    (QueueKind.ACCEPTED, "Accepted"),
    (QueueKind.REJECTED, "Rejected"),
    (QueueKind.ALL, "All probes"),
)
_SAMPLE, _MINE = "sample", "mine"
LINT_CHOICES = (
    *(Choice(severity.value, f"Any {severity.value}") for severity in Severity),
    Choice(CLEAN, "No error, no warning"),
    Choice(WAIVED, "Something waived"),
    Choice(UNCHECKED, "Not checked yet"),
    *(Choice(rule.name, rule.title) for rule in RULES.values()),
)


def end_words(progress: ReviewProgress, *, is_empty: bool, is_share: bool = False) -> tuple[str, str]:
    """What is said when no probe of a queue, or of a curator's own share, is left: heading and text."""
    if is_empty and (not progress.total or progress.decided < progress.total):
        return "Nothing here", "No probe is in this queue. Choose another one above."
    waiting = f" {counted(progress.deferred, 'probe')} wait among the deferred ones." if progress.deferred else ""
    apart = " Where curators judged differently, the queue “Disagreements” waits for a verdict." if is_share else ""
    is_all = progress.decided == progress.total and not is_share
    then = " Next: a run (Runs), or a release (“Releases…” on Probes)." if is_all else ""
    undo = "" if is_empty else " U takes back the last one."
    return "This queue is done", f"Every probe in it has a decision.{waiting}{apart}{then}{undo}"


class QueueBar(PageHeader):
    """`chosen` tells that another queue was put together."""

    chosen = Signal()

    def __init__(self, context: Context, reviewer: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__("Review", parent)
        self._reviewer = reviewer
        # In the order of their places, which is that of the Tab key.
        self.search = FilterText("Find probes", self, width=180)
        self.search.filtered.connect(self._tell)
        self.queue_box = QComboBox(self)
        self.queue_box.setAccessibleName("Which probes")
        self.queue_box.setAccessibleDescription("Which probes")
        for kind, words in _QUEUES:
            self.queue_box.addItem(words, kind)
        self.queue_box.activated.connect(self._tell)
        self.assigned = Facet("Assigned", [Choice(_MINE, "Assigned to me")], self)
        self.category = Facet("Category", [Choice(c.name, c.plural) for c in context.categories.values()], self)
        self.kind = Facet("Kind", [Choice(kind.value, kind.value.capitalize()) for kind in ProbeKind], self)
        self.retained = Facet("Retained", (), self)
        self.retained.hide()
        self.lint = Facet("Lint", LINT_CHOICES, self)
        self.order = Facet("Order", [Choice(_SAMPLE, "Sample order first")], self)
        self.saved = SavedFiltersButton(SavedFilterStore(context.database, "review"), self._kept, context.shell, self)
        self.saved.chosen.connect(self._choose_saved)
        facets = (self.assigned, self.category, self.kind, self.retained, self.lint, self.order)
        for facet in facets:
            facet.chosen.connect(self._tell)
        for widget in (self.search, self.queue_box, *facets):
            self.add(widget)
        self.add(self.saved)

    def queue(self) -> Queue:
        """The queue that is put together."""
        index = max(self.queue_box.currentIndex(), 0)
        return Queue(
            kind=_QUEUES[index][0],
            categories=self.category.values,
            kinds=tuple(ProbeKind(value) for value in self.kind.values),
            contains=self.search.text().strip(),
            retained=self.retained.values,
            lint=self.lint.values,
            assigned_to=self._reviewer() if _MINE in self.assigned.values else "",
            order=QueueOrder.SAMPLE if _SAMPLE in self.order.values else QueueOrder.EVENT,
        )

    def show_queue(self, queue: Queue) -> None:
        """Show what a queue is put together of, without telling."""
        if queue.ids:
            self.queue_box.setCurrentIndex(-1)
            self.queue_box.setPlaceholderText(counted(len(queue.ids), "chosen probe"))
            return
        self.queue_box.setCurrentIndex([kind for kind, _ in _QUEUES].index(queue.kind))
        self.search.show_text(queue.contains)
        self.category.choose(queue.categories)
        self.kind.choose(queue.kinds)
        self.retained.choose(queue.retained)
        self.lint.choose(queue.lint)
        self.assigned.choose([_MINE] if queue.assigned_to else [])
        self.order.choose([_SAMPLE] if queue.order is QueueOrder.SAMPLE else [])

    def start_search(self) -> None:
        """Put the cursor into the words to find."""
        self.search.setFocus()
        self.search.selectAll()

    def offer_models(self, models: Sequence[str]) -> None:
        """Offer these models to filter by, once there are any."""
        by_all = [Choice(BY_ANY, "By any model"), Choice(BY_NONE, "By no model")]
        self.retained.set_choices([*by_all, *(Choice(model, model) for model in models)])
        self.retained.setVisible(bool(models))

    def _kept(self) -> dict[str, object]:
        """The present queue to be saved: “assigned to me” means whoever uses it."""
        queue = self.queue()
        return replace(queue, assigned_to=_MINE if queue.assigned_to else "").as_json()

    def _choose_saved(self, content: dict[str, object]) -> None:
        queue = queue_from_json(content)
        self.show_queue(replace(queue, assigned_to=self._reviewer() if queue.assigned_to else ""))
        self._tell()

    def _tell(self, _: object = None) -> None:
        if self.queue_box.currentIndex() < 0:
            self.queue_box.setCurrentIndex([kind for kind, _ in _QUEUES].index(QueueKind.ALL))
        self.chosen.emit()
