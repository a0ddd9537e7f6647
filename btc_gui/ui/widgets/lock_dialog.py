"""Locking a study: what is frozen, the practice items, and afterwards the hash for the preregistration."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.study import Study
from btc_gui.domain.study_draw import LockedStudy
from btc_gui.jobs.lock_study import lock_study
from btc_gui.progress import Progress
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_open
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import line, scrolling, size_window
from btc_gui.ui.widgets.plain_text import PlainView, copy_to_clipboard, label, one_line, set_role
from btc_gui.ui.words import counted

_WARNING = (
    "The sample is drawn and frozen, with the criteria, the practice items, the seeds and the whole frame. Nothing of "
    "it can be changed after that."
)
_PRACTICE = "Practice items (*.jsonl);;All files (*)"


class LockDialog(QDialog):
    """Locks one study. It stays open afterwards and tells the SHA-256 of the manifest."""

    def __init__(
        self, context: Context, session: ValidatingSession, study: Study, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._session, self._study = context, session, study
        self._practice_file: Path | None = None
        self.locked: LockedStudy | None = None
        self.setWindowTitle("Lock study")
        size_window(self, 680, 520)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self._title = label(f"Lock “{one_line(study.name, 80)}”?", "title")
        column.addWidget(self._title)
        self._stack = QStackedWidget()
        self._stack.addWidget(scrolling(self._before(), "What is locked"))
        column.addWidget(self._stack, 1)
        column.addWidget(line())
        self._problem = label("", "danger")
        self._problem.hide()
        column.addWidget(self._problem)
        row = QHBoxLayout()
        row.addStretch(1)
        self._cancel = button("Cancel")
        self._cancel.clicked.connect(self.reject)
        self.lock_button = button("Lock study", role="primary")
        self.lock_button.setDefault(True)
        self.lock_button.clicked.connect(self._lock)
        # Nothing is taken back here: Enter, pressed once too often, must not lock.
        self._cancel.setFocus()
        row.addWidget(self._cancel)
        row.addWidget(self.lock_button)
        column.addLayout(row)

    # -- before ----------------------------------------------------------------------------------------------

    def _before(self) -> QWidget:
        design = self._study.design
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(16)
        column.addWidget(label(_WARNING))
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        primary, *others = design.annotators
        who = (
            primary if not others else f"{primary}; {', '.join(others)} ({design.overlap * 100:.0f} % of each stratum)"
        )
        wanted = sum(stratum.size for stratum in design.strata)
        rows = [
            ("Mode", design.mode.text.capitalize()),
            ("Annotators", one_line(who, 200)),
            ("Wanted", counted(wanted, "answer")),
            ("Repeats", f"{design.repeats:,}" if design.repeats else "none"),
        ]
        for name, words in rows:
            form.addRow(label(name, "secondary", wraps=False), label(words))
        if design.practice:
            form.addRow(label("Practice", "secondary", wraps=False), self._practice())
        column.addLayout(form)
        column.addStretch(1)
        return body

    def _practice(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._practice_told = label("")
        column.addWidget(self._practice_told)
        buttons = QWidget()
        flow = FlowLayout(buttons, 8)
        own = button("A file of your own…")
        own.setToolTip("JSON lines: kind, category, probe, values, label, why")
        own.clicked.connect(self._ask_practice)
        flow.addWidget(own)
        column.addWidget(buttons)
        self._tell_practice()
        return holder

    def _tell_practice(self) -> None:
        wanted = self._study.design.practice
        if self._practice_file is not None:
            words = f"up to {wanted:,} from {one_line(self._practice_file.name, 80)}"
        else:
            there = self._session.practice_items(self._study.design)
            words = f"{min(wanted, there):,} of the categories' {counted(there, 'item')} for this study"
            set_role(self._practice_told, "" if there else "warning")
        self._practice_told.setText(words)

    def _ask_practice(self) -> None:
        path = ask_open(self, "Practice items", _PRACTICE)
        if path is not None:
            self.practise_on(path)

    def practise_on(self, path: Path) -> None:
        """Take the practice items from a file instead of the categories."""
        self._practice_file = path
        self._tell_practice()

    # -- locking ---------------------------------------------------------------------------------------------

    def _lock(self) -> None:
        if self.locked is not None:
            self.accept()
            return
        context, study_id, file = self._context, self._study.id, self._practice_file
        database, categories, actor = context.database, context.categories, context.settings.reviewer

        def work(progress: Progress) -> LockedStudy:
            return lock_study(database, study_id, categories, actor, progress, practice_file=file)

        self.lock_button.setEnabled(False)
        self._problem.hide()
        context.job_runner.start(
            "Lock study", work, lane="studies", succeeded=self._show_locked, failed=self._show_problem
        )

    def _show_problem(self, error: object) -> None:
        self.lock_button.setEnabled(True)
        self._problem.setText(str(error))
        self._problem.show()
        self._context.changes.tell(Subject.STUDIES)

    def _show_locked(self, locked: object) -> None:
        assert isinstance(locked, LockedStudy)
        self.locked = locked
        self._title.setText(f"“{one_line(self._study.name, 80)}” is locked")
        self._stack.addWidget(scrolling(self._after(locked), "What was locked"))
        self._stack.setCurrentIndex(1)
        self._cancel.hide()
        self.lock_button.setText("Done")
        self.lock_button.setEnabled(True)
        self.lock_button.setFocus()
        self._context.changes.tell(Subject.STUDIES)

    def _after(self, locked: LockedStudy) -> QWidget:
        drawn = sum(not item.repeats for item in locked.items)
        repeats, practice = len(locked.items) - drawn, len(locked.manifest["practice"])
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        parts = [counted(drawn, "item"), counted(repeats, "repeat"), counted(practice, "practice item")]
        column.addWidget(label(f"{', '.join(parts)}."))
        short = [f"{name}: {count:,} fewer than wanted" for name, count in locked.shortfall.items()]
        if short:
            column.addWidget(label(f"{'; '.join(short)}. The frame has no more.", "warning"))
        column.addWidget(label("SHA-256 of the manifest, for your preregistration", "section"))
        column.addWidget(_broken(locked.manifest_sha256, "SHA-256 of the manifest"))
        self.copy_button = button("Copy", "copy")
        self.copy_button.clicked.connect(lambda: self._copy(locked.manifest_sha256, "SHA-256 of the manifest"))
        column.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(label("Anybody can check it with", "section"))
        recipe = check_recipe(self._study.name, self._context.database.path)
        column.addWidget(_broken(recipe, "Command that checks it"))
        copy_recipe = button("Copy the command", "copy")
        copy_recipe.clicked.connect(lambda: self._copy(recipe, "The command"))
        column.addWidget(copy_recipe, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(label("The manifest tells the machine's labels: keep it from whoever labels.", "secondary"))
        column.addStretch(1)
        return body

    def _copy(self, text: str, what: str) -> None:
        copy_to_clipboard(text)
        self._context.shell.say(f"Copied: {what}")


def check_recipe(name: str, project: Path) -> str:
    """The command that prints the SHA-256 of a study's manifest."""
    return f"btc-gui study manifest {shlex.quote(name)} -p {shlex.quote(project.name)} | sha256sum"


def _broken(text: str, name: str) -> PlainView:
    """Monospaced text that wraps anywhere, as high as two lines."""
    view = PlainView(text, "mono")
    view.setAccessibleName(name)
    view.ensurePolished()
    view.setFixedHeight(view.fontMetrics().lineSpacing() * 2 + 28)
    return view
