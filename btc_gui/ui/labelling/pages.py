"""What the labelling window shows when no item is on screen, and the strips that come and go around one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.sessions.practising import Feedback, PracticeSession
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.plain_text import label, set_role
from btc_gui.ui.words import counted

#: Whoever puts a break off is reminded again after this time.
PUT_OFF_SECONDS = 600.0


class PlainPage(QWidget):
    """A headline, a few words and what can be done now; the first action is the one to take."""

    def __init__(self, actions: Sequence[QAction] = (), head: str = "", words: str = "", *, leads: bool = True) -> None:
        """`leads`: the first action is drawn as the one to take."""
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.setSpacing(12)
        layout.addStretch(1)
        self._head, self._words = label("", "display"), label("", "secondary", selectable=True)
        for each in (self._head, self._words):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(each)
        layout.addSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for place, action in enumerate(actions):
            row.addWidget(CommandButton(action, role="primary" if leads and place == 0 else ""))
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(2)
        self.say(head, words)

    def say(self, head: str, words: str) -> None:
        """Show other words."""
        self._head.setText(head)
        self._words.setText(words)


class FeedbackCard(QFrame):
    """What is told after a practice label."""

    def __init__(self, go_on: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 12, 10)
        row.setSpacing(16)
        column = QVBoxLayout()
        column.setSpacing(2)
        self._head = label("", "heading")
        self._why = label("", selectable=True)
        column.addWidget(self._head)
        column.addWidget(self._why)
        row.addLayout(column, 1)
        button = CommandButton(go_on, role="primary")
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setFocusProxy(button)
        self.hide()

    def tell(self, feedback: Feedback | None) -> None:
        """Show the feedback, or nothing."""
        self.setVisible(feedback is not None)
        if feedback is None:
            return
        if feedback.is_right:
            words = f"✓ Right: {feedback.known.text}" + (", but not every part" if feedback.parts else "")
        else:
            words = f"✗ You said {feedback.given.text}; the known label is {feedback.known.text}"
        self._head.setText(words)
        set_role(self._head, "success" if feedback.is_right else "danger")
        self._why.setText("\n".join([*feedback.parts, feedback.why]))


class BreakStrip(QFrame):
    """Reminds of a break, between two items, and takes nothing away."""

    def __init__(self, pause: QAction, later: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._remind_at = 0.0
        self.setProperty("role", "sunken")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 8, 6)
        row.setSpacing(8)
        self._words = label("")
        row.addWidget(self._words, 1)
        row.addWidget(CommandButton(pause, role="primary"))
        row.addWidget(CommandButton(later))
        self.hide()

    def remind(self, worked: float, minutes: int) -> None:
        """Remind of a break when so many seconds were worked without one, and `minutes` are the limit (0: none)."""
        due = minutes * 60
        if worked < due:
            self._remind_at = due
        is_due = minutes > 0 and worked >= self._remind_at
        if is_due:
            passed = counted(int(worked // 60), "minute")
            self._words.setText(f"{passed} without a break. A few minutes off keep judgements steady.")
        self.setVisible(is_due)

    def put_off(self, worked: float) -> None:
        """Remind again ten minutes later."""
        self._remind_at = worked + PUT_OFF_SECONDS
        self.hide()


def practice_words(practice: PracticeSession) -> tuple[str, str, str]:
    """Headline, words and what to do next, before the practice and after a round of it."""
    result = practice.result
    if result is None:
        before = [each for each in practice.rounds if each.is_over]
        last = f"\nThe last round: {before[-1].right:,} of {before[-1].items:,} right." if before else ""
        return (
            "Practice first",
            f"{practice.total:,} invented items with known answers. After each you are told whether you were right, "
            f"and why.\nYou need {practice.needed:,} of {practice.total:,} right to begin labelling. Practice is kept "
            f"apart from the results.{last}",
            "Go on practising" if practice.done else "Start practising",
        )
    head = f"{result.right:,} of {result.items:,} right"
    if result.is_passed:
        return head, "That is enough. From here on there is no feedback, and every label counts.", "Start labelling"
    return (
        head,
        f"You need {result.needed:,}. Read the criteria again; the same items come once more.",
        "Practise again",
    )
