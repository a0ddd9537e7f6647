"""Releases: freeze what is accepted, see what stands against it, export, compare and restore."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui import paths
from btc_gui.domain.release import Release, ReleaseDiff, compare
from btc_gui.exports.files import safe_name
from btc_gui.exports.release import write_release
from btc_gui.jobs.freeze_release import ReleaseDraft, draft_release, freeze_release
from btc_gui.jobs.load_release import load_release
from btc_gui.jobs.pair_probes import PairOutcome, pair_probes
from btc_gui.progress import Progress
from btc_gui.store.projects import ProjectStore
from btc_gui.store.releases import ReleaseStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_folder
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.buttons import button, link_button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import line, scrolling, size_window
from btc_gui.ui.widgets.plain_text import label, one_line, set_role, tooltip
from btc_gui.ui.words import counted, day, moment

#: More than these are listed by `btc-gui release check`.
_LISTED = 20
_SHOWN_KEYS = 12


@dataclass(frozen=True, slots=True)
class ReleasesReading:
    """All that the dialog shows: what could be frozen now, and each release with how many of its pairs moved on."""

    draft: ReleaseDraft
    releases: tuple[tuple[Release, int], ...]
    is_empty: bool


class ReleasesDialog(QDialog):
    """Stays open beside the window: a problem opens its probe in the review there."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._reading: ReleasesReading | None = None
        self._listing = LatestJob(context.job_runner, "Read releases", self._show_reading, self)
        self._comparing = LatestJob(context.job_runner, "Compare releases", self._show_difference, self)
        self.setWindowTitle("Releases")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size_window(self, 780, 720)
        self._build()
        self._is_outdated = False
        context.changes.changed.connect(self._changed)
        self._read()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("Releases", "title"))
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 8, 0)
        inner.setSpacing(12)
        inner.addWidget(label("A release freezes the accepted pairs under a name. It stays as it is, whatever comes."))
        inner.addWidget(self._freezing())
        inner.addWidget(line())
        inner.addWidget(label("Releases of this project", "section"))
        self._none = label("None yet.", "secondary")
        inner.addWidget(self._none)
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        inner.addWidget(holder)
        inner.addWidget(self._comparison())
        inner.addStretch(1)
        column.addWidget(scrolling(body, "Releases"), 1)
        row = QHBoxLayout()
        self.restore_button = button("Restore a release…", "folder-open")
        self.restore_button.clicked.connect(self._ask_restore)
        row.addWidget(self.restore_button)
        row.addStretch(1)
        close = button("Close")
        close.clicked.connect(self.close)
        row.addWidget(close)
        column.addLayout(row)

    def _freezing(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._standing = label("Reading what is accepted …", "heading")
        column.addWidget(self._standing)
        self._problems = QVBoxLayout()
        self._problems.setSpacing(2)
        column.addLayout(self._problems)
        self.pair_button = button("Make direct probes", "plus")
        self.pair_button.setToolTip("From the template of the category, one for each event; then they are reviewed.")
        self.pair_button.clicked.connect(self._pair)
        self.pair_button.hide()
        column.addWidget(self.pair_button, 0, Qt.AlignmentFlag.AlignLeft)
        form = QFormLayout()
        form.setContentsMargins(0, 4, 0, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        self.name, self.note, self.licence = QLineEdit(), QLineEdit(), QLineEdit()
        self.name.setPlaceholderText("such as: 2026-06 v1")
        self.note.setPlaceholderText("a sentence for the datasheet")
        self.licence.setPlaceholderText("such as: CC BY 4.0")
        self.name.textChanged.connect(self._enable)
        form.addRow("&Name", self.name)
        form.addRow("N&ote", self.note)
        form.addRow("&Licence of the wordings", self.licence)
        column.addLayout(form)
        row = QHBoxLayout()
        self._why_not = label("", "secondary")
        row.addWidget(self._why_not, 1)
        self.freeze_button = button("Freeze", "lock", "primary")
        self.freeze_button.clicked.connect(self._freeze)
        self.freeze_button.setEnabled(False)
        row.addWidget(self.freeze_button)
        column.addLayout(row)
        return part

    def _comparison(self) -> QWidget:
        self._comparison_part = QWidget()
        column = QVBoxLayout(self._comparison_part)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        row = QHBoxLayout()
        self._old, self._new = Combo("The earlier release"), Combo("The later release")
        row.addWidget(label("Compare", "secondary", wraps=False))
        row.addWidget(self._old, 1)
        row.addWidget(label("with", "secondary", wraps=False))
        row.addWidget(self._new, 1)
        column.addLayout(row)
        self.difference = label("", selectable=True)
        column.addWidget(self.difference)
        for combo in (self._old, self._new):
            combo.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(10)
            combo.currentIndexChanged.connect(self._compare)
        self._comparison_part.setVisible(False)
        return self._comparison_part

    # -- what there is ---------------------------------------------------------------------------------------

    def _changed(self, subjects: object) -> None:
        if isinstance(subjects, frozenset) and subjects & {Subject.PROBES, Subject.REVIEWS, Subject.EVENTS}:
            # Everything accepted is read: not at each decision that somebody makes in the window beside it.
            self._is_outdated = True
            if self.isActiveWindow():
                self._read()

    def changeEvent(self, event: QEvent) -> None:
        """Read anew what has changed while the person was elsewhere."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self._is_outdated:
            self._read()

    def _read(self) -> None:
        self._is_outdated = False
        database, categories = self._context.database, self._context.categories

        def read(progress: Progress) -> ReleasesReading:
            store = ReleaseStore(database)
            counts = ProjectStore(database).counts()
            return ReleasesReading(
                draft_release(database, categories, progress),
                tuple((release, store.moved(release.id)) for release in store.all()),
                not (counts.events or counts.probes),
            )

        self._listing.ask(read)

    def _show_reading(self, reading: object) -> None:
        if not isinstance(reading, ReleasesReading) or reading == self._reading:
            return
        self._reading = reading
        self._show_standing(reading.draft)
        self._show_releases(reading.releases)
        self.restore_button.setEnabled(reading.is_empty)
        self.restore_button.setToolTip("" if reading.is_empty else "A release is restored in an empty project.")
        self._enable()

    def _show_standing(self, draft: ReleaseDraft) -> None:
        pairs, problems = len(draft.items), len(draft.problems)
        text = f"{counted(pairs, 'pair')} can be released"
        if problems:
            text += f", {counted(problems, 'accepted probe')} can't"
        self._standing.setText(text)
        set_role(self._standing, "warning" if problems else "heading")
        _clear(self._problems)
        for problem in draft.problems[:_LISTED]:
            link = link_button(one_line(f"{problem.entity}: {problem.what} ({problem.key})", 110))
            link.setToolTip(tooltip(problem.remedy))
            link.clicked.connect(partial(self._context.shell.open, "probes", problem.look_at))
            self._problems.addWidget(link)
        if problems > _LISTED:
            self._problems.addWidget(label(f"… and {problems - _LISTED:,} more", "secondary"))
        self.pair_button.setVisible(draft.unpaired > 0)
        self.pair_button.setEnabled(True)

    def _show_releases(self, releases: tuple[tuple[Release, int], ...]) -> None:
        _clear(self._grid)
        self._none.setVisible(not releases)
        for row, (release, moved) in enumerate(releases):
            self._grid.addWidget(label(one_line(release.name, 120)), row, 0)
            pairs = counted(release.pairs, "pair") + (f", {moved:,} changed since" if moved else "")
            self._grid.addWidget(label(pairs, "secondary", wraps=False), row, 1)
            when = label(f"{day(release.created_at)}, {one_line(release.created_by, 20)}", "secondary", wraps=False)
            when.setToolTip(tooltip(f"{moment(release.created_at)}, {release.created_by}"))
            self._grid.addWidget(when, row, 2)
            export = button("Export…", "file-export")
            export.setAccessibleName(f"Export {release.name}")
            export.clicked.connect(partial(self._ask_export, release.name))
            self._grid.addWidget(export, row, 3)
        names = [(release.name, one_line(release.name, 40)) for release, _ in releases]
        self._comparison_part.setVisible(len(names) > 1)
        if len(names) > 1:
            self._old.set_choices(names, self._old.value or names[1][0])
            self._new.set_choices(names, self._new.value or names[0][0])
            self._compare()

    def _enable(self) -> None:
        draft = self._reading.draft if self._reading else None
        why = ""
        if draft is not None and draft.problems:
            why = "Settle these first: a release holds nothing that is stale, unreviewed or unpaired."
        elif draft is not None and not draft.items:
            why = "Nothing is accepted yet. Direct probes are reviewed too."
        elif not self.name.text().strip():
            why = "Give it a name."
        elif self._reading and any(each.name == self.name.text().strip() for each, _ in self._reading.releases):
            why = "There is a release of this name: a release stays as it is."
        self._why_not.setText(why)
        self.freeze_button.setEnabled(draft is not None and not why)

    # -- doing -----------------------------------------------------------------------------------------------

    def _freeze(self) -> None:
        context, name = self._context, self.name.text().strip()
        note, licence, author = self.note.text().strip(), self.licence.text().strip(), context.settings.reviewer

        def work(progress: Progress) -> Release:
            return freeze_release(
                context.database, context.categories, name, author, progress, note=note, licence=licence
            )

        self.freeze_button.setEnabled(False)
        context.job_runner.start(
            f"Freeze {one_line(name, 40)}", work, lane="releases", succeeded=self._frozen, failed=self._failed
        )

    def _frozen(self, _: object) -> None:
        self.name.clear()
        self._read()

    def _failed(self, error: object) -> None:
        self._why_not.setText(str(error))
        self._read()

    def _pair(self) -> None:
        context = self._context

        def work(progress: Progress) -> PairOutcome:
            return pair_probes(
                context.database, context.categories, context.settings.reviewer, progress, of_accepted=True
            )

        self.pair_button.setEnabled(False)
        context.job_runner.start(
            "Make direct probes", work, lane="releases", succeeded=self._have_paired, failed=self._failed
        )

    def _have_paired(self, outcome: object) -> None:
        if isinstance(outcome, PairOutcome):
            made = counted(outcome.created + outcome.renewed, "direct probe")
            self._context.shell.say(f"{made} made: they wait in the review")
        self._context.changes.tell(Subject.PROBES)
        self._read()

    def _ask_export(self, name: str) -> None:
        folder = ask_folder(self, "Folder for the release", paths.exports())
        if folder is not None:
            self.export(name, folder)

    def export(self, name: str, folder: Path) -> None:
        """Write a release into a folder of its own within `folder`."""
        database, target = self._context.database, folder / safe_name(name, "release")

        def work(progress: Progress) -> str:
            files = write_release(database, name, target)
            return f"{counted(len(files), 'file')} in {target}"

        self._context.job_runner.start(f"Export {one_line(name, 40)}", work, succeeded=self._exported)

    def _exported(self, words: object) -> None:
        self._context.shell.say(str(words))

    def _ask_restore(self) -> None:
        folder = ask_folder(self, "Folder of the release", paths.exports())
        if folder is not None:
            self.restore(folder)

    def restore(self, folder: Path) -> None:
        """Load a release into this (empty) project."""
        database, author = self._context.database, self._context.settings.reviewer

        def work(progress: Progress) -> Release:
            return load_release(database, folder, progress, author=author)

        self.restore_button.setEnabled(False)
        self._context.job_runner.start(
            f"Restore {one_line(folder.name, 40)}", work, lane="releases", succeeded=self._restored
        )

    def _restored(self, _: object) -> None:
        self._context.changes.tell(Subject.EVENTS, Subject.PROBES, Subject.REVIEWS)
        self._read()

    # -- comparing -------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        database, old, new = self._context.database, self._old.value, self._new.value
        if not old or not new:
            return

        def read(progress: Progress) -> tuple[str, str, ReleaseDiff]:
            store = ReleaseStore(database)
            first, second = (list(store.pairs(store.get(name).id)) for name in (old, new))
            return old, new, compare(first, second)

        self._comparing.ask(read)

    def _show_difference(self, result: object) -> None:
        if not isinstance(result, tuple) or result[:2] != (self._old.value, self._new.value):
            return
        difference = result[2]
        lines = [
            f"{len(difference.added):,} added, {len(difference.removed):,} removed, "
            f"{len(difference.changed):,} changed, {difference.same:,} the same"
        ]
        for words, keys in (
            ("Added", [pair.key for pair in difference.added]),
            ("Removed", [pair.key for pair in difference.removed]),
            ("Changed", [f"{each.key} ({', '.join(each.parts)})" for each in difference.changed]),
        ):
            if keys:
                rest = f" and {len(keys) - _SHOWN_KEYS:,} more" if len(keys) > _SHOWN_KEYS else ""
                lines.append(f"{words}: {', '.join(keys[:_SHOWN_KEYS])}{rest}")
        self.difference.setText("\n".join(lines))


def _clear(layout: QVBoxLayout | QGridLayout) -> None:
    while layout.count():
        item = layout.takeAt(0)
        widget = item.widget() if item else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()
