"""How everything looks: colours, sizes and shapes in one place, light and dark, following the system or forced."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from btc_gui.paths import resources
from btc_gui.records import dataclass
from btc_gui.ui.stylesheet import STYLESHEET

#: Font sizes in points at text size 1, by role.
SIZES: Final = {"small": 9.0, "body": 10.5, "reading": 12.0, "heading": 15.0, "display": 20.0}
#: Space in pixels: inside a group, between groups, around a page.
INSIDE: Final = 8
BETWEEN: Final = 16
AROUND: Final = 24
ROW_HEIGHT: Final = 28
#: The widest line of reading text, in characters.
READING_COLUMNS: Final = 80


class Tokens(NamedTuple):
    """The colours of one scheme, as `#RRGGBB`.

    `outline` is what a field or a box to tick is known by (3 : 1 on its ground); the borders only part things.
    """

    window: str
    surface: str
    sunken: str
    border: str
    border_strong: str
    outline: str
    text: str
    secondary: str
    disabled: str
    accent: str
    accent_hover: str
    on_accent: str
    selection: str
    hover: str
    danger: str
    success: str
    warning: str
    reasoning: str
    explicit: str
    indirect: str
    none: str
    correct: str
    evidence: str
    added: str
    removed: str


LIGHT: Final = Tokens(
    window="#F6F6F4",
    surface="#FFFFFF",
    sunken="#EFEFEC",
    border="#E2E2DD",
    border_strong="#C9C9C2",
    outline="#80878F",
    text="#1F2328",
    secondary="#59636E",
    disabled="#80878F",
    accent="#1F5FBF",
    accent_hover="#184E9F",
    on_accent="#FFFFFF",
    selection="#DDE8F8",
    hover="#F2F3F1",
    danger="#B42318",
    success="#187533",
    warning="#8A5A00",
    reasoning="#C4500A",
    explicit="#0B6FB3",
    indirect="#B37600",
    none="#6E7781",
    correct="#0B7F5F",
    evidence="#FFF3C4",
    added="#DDF3E4",
    removed="#FBE3E0",
)
DARK: Final = Tokens(
    window="#15171B",
    surface="#1D2025",
    sunken="#111317",
    border="#2E333B",
    border_strong="#464D58",
    outline="#747D89",
    text="#E6E8EB",
    secondary="#A3ABB5",
    disabled="#747D89",
    accent="#7FB2FF",
    accent_hover="#A3C8FF",
    on_accent="#10141A",
    selection="#25385A",
    hover="#262A31",
    danger="#FF8F86",
    success="#63D297",
    warning="#E3B341",
    reasoning="#FF8A4C",
    explicit="#5CB3F0",
    indirect="#F2B134",
    none="#9AA4AF",
    correct="#3CCFA4",
    evidence="#4A3B08",
    added="#173D2A",
    removed="#4A2320",
)


class MarkSpec(NamedTuple):
    """A shape and the token of its colour; `symbol` is its nearest character."""

    text: str
    shape: str
    token: str
    symbol: str


#: Failure modes, query classes, labels and review states: shape and colour together, the same everywhere.
MARKS: Final[dict[str, MarkSpec]] = {
    "reasoning": MarkSpec("Reasoning", "diamond", "reasoning", "◆"),
    "explicit": MarkSpec("Explicit", "circle", "explicit", "●"),
    "indirect": MarkSpec("Indirect", "triangle", "indirect", "▲"),
    "none": MarkSpec("No/unrelated", "square", "none", "■"),
    "unrelated": MarkSpec("Unrelated", "square", "none", "■"),
    "correct": MarkSpec("Correct", "check", "correct", "✓"),
    "incorrect": MarkSpec("Incorrect", "cross", "danger", "✗"),
    "accepted": MarkSpec("Accepted", "check", "success", "✓"),
    "rejected": MarkSpec("Rejected", "cross", "danger", "✗"),
    "deferred": MarkSpec("Deferred", "pause", "warning", "‖"),
    "unreviewed": MarkSpec("Unreviewed", "ring", "none", "○"),
    "stale": MarkSpec("Stale", "warning", "warning", "!"),
    "flagged": MarkSpec("Flagged", "flag", "warning", "⚑"),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark in the colours of the present theme."""

    name: str
    text: str
    shape: str
    symbol: str
    color: QColor


class Theme(QObject):
    """Applies a scheme and text size to the application and tells when they changed.

    Everything that paints itself takes its colours from `tokens` or `mark` at paint time and updates on
    `changed`; nothing holds a literal colour.
    """

    changed = Signal()

    def __init__(self, choice: str = "system", text_scale: float = 1.0, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        self._scale = text_scale
        self._tokens = LIGHT
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self._app = app
        app.setStyle("Fusion")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply()

    # -- what is shown now ------------------------------------------------------------------------------------

    @property
    def tokens(self) -> Tokens:
        """The colours of the present scheme."""
        return self._tokens

    @property
    def is_dark(self) -> bool:
        """Whether the present scheme is the dark one."""
        return self._tokens is DARK

    @property
    def text_scale(self) -> float:
        """The text size, 1 for normal."""
        return self._scale

    def color(self, token: str) -> QColor:
        """The present colour of a token, by its name."""
        return QColor(getattr(self._tokens, token))

    def mark(self, name: str) -> Mark:
        """The mark of a failure mode, query class, label or review state. Raises KeyError for others."""
        spec = MARKS[name]
        return Mark(name, spec.text, spec.shape, spec.symbol, self.color(spec.token))

    def points(self, size: str) -> float:
        """The size in points of a role in `SIZES`, at the present text size."""
        return round(SIZES[size] * self._scale * 4) / 4

    def font(self, size: str = "body", *, bold: bool = False, mono: bool = False, tabular: bool = False) -> QFont:
        """A font for things that paint themselves; `tabular` gives figures of one width."""
        kind = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
        font = QFontDatabase.systemFont(kind)
        font.setPointSizeF(self.points(size))
        font.setBold(bold)
        if tabular:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    # -- choosing ---------------------------------------------------------------------------------------------

    def choose(self, choice: str, text_scale: float) -> None:
        """Follow the system or force `light` or `dark`, at a text size (1 is normal)."""
        if (choice, text_scale) != (self._choice, self._scale):
            self._choice, self._scale = choice, text_scale
            self._apply()

    def set_text_scale(self, text_scale: float) -> None:
        """Take another text size (1 is normal); the colours stay."""
        self.choose(self._choice, text_scale)

    def _follow_system(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        system_is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        is_dark = self._choice == "dark" or (self._choice == "system" and system_is_dark)
        self._tokens = DARK if is_dark else LIGHT
        font = self.font()
        self._app.setFont(font)
        self._app.setPalette(_palette(self._tokens))
        self._app.setStyleSheet(self._stylesheet())
        self.changed.emit()

    def _stylesheet(self) -> str:
        values: dict[str, str] = self._tokens._asdict()
        values |= {f"{name}_pt": f"{self.points(name)}pt" for name in SIZES}
        values |= {
            "chevron": _tinted("chevron-down", self._tokens.secondary),
            "up": _tinted("chevron-up", self._tokens.secondary),
            "tick": _tinted("check", self._tokens.on_accent),
            "mono": QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family(),
        }
        # What is ticked or points somewhere grows with the words beside it.
        scale = max(1.0, self._scale)
        tick, ring = round(14 * scale), round(5 * scale)
        sizes = {"tick": tick, "ring": ring, "dot": tick + 2 - 2 * ring, "round": tick // 2 + 1}
        sizes |= {"arrow": round(12 * scale), "drop": round(22 * scale)}
        values |= {f"{name}_px": f"{size}px" for name, size in sizes.items()}
        return Template(STYLESHEET).substitute(values)


@cache
def _pictures_folder() -> Path:
    """Of the process, not of a theme: the application's style sheet names its pictures by their paths, also once the
    theme that set it is gone."""
    folder = tempfile.mkdtemp(prefix="btc_gui-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _tinted(icon: str, color: str) -> str:
    # Style sheets load images by path and don't know currentColor: a tinted copy lies in a temporary folder.
    path = _pictures_folder() / f"{icon}-{color[1:]}.svg"
    if not path.exists():
        source = (resources() / "icons" / f"{icon}.svg").read_text(encoding="utf-8")
        path.write_text(source.replace("currentColor", color), encoding="utf-8")
    return path.as_posix()


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    roles = QPalette.ColorRole
    for role, token in (
        (roles.Window, tokens.window),
        (roles.WindowText, tokens.text),
        (roles.Base, tokens.surface),
        (roles.AlternateBase, tokens.sunken),
        (roles.Text, tokens.text),
        (roles.PlaceholderText, tokens.secondary),
        (roles.Button, tokens.surface),
        (roles.ButtonText, tokens.text),
        (roles.BrightText, tokens.danger),
        (roles.Link, tokens.accent),
        (roles.Highlight, tokens.accent),
        (roles.HighlightedText, tokens.on_accent),
        (roles.Accent, tokens.accent),
        (roles.ToolTipBase, tokens.surface),
        (roles.ToolTipText, tokens.text),
        (roles.Light, tokens.surface),
        (roles.Midlight, tokens.border),
        (roles.Mid, tokens.border_strong),
        (roles.Dark, tokens.border_strong),
        (roles.Shadow, tokens.border_strong),
    ):
        palette.setColor(role, QColor(token))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.disabled))
    return palette
