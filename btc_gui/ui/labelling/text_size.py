"""How large the text of the labelling window is, as its annotator likes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from btc_gui.ui.theme import Theme

_SIZES: Final = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class TextSize(QObject):
    """Keeps `window` so large that its buttons fit; `keep` is told when the annotator wants another size."""

    def __init__(self, window: QWidget, theme: Theme, keep: Callable[[float], None] | None) -> None:
        super().__init__(window)
        self._window, self._theme, self._keep = window, theme, keep
        self._size = min(_SIZES, key=lambda size: abs(size - theme.text_scale))
        theme.changed.connect(self.limit)

    def larger(self) -> None:
        """The next larger size, if there is one."""
        self._step(1)

    def smaller(self) -> None:
        """The next smaller size, if there is one."""
        self._step(-1)

    def limit(self) -> None:
        """Let the window never be so small that buttons would not fit: large text needs more room."""
        scale = self._theme.text_scale
        self._window.setMinimumSize(round(720 * max(1.0, scale * 0.7)), round(520 * max(1.0, scale * 0.67)))

    def _step(self, step: int) -> None:
        place = min(max(_SIZES.index(self._size) + step, 0), len(_SIZES) - 1)
        self._size = _SIZES[place]
        self._theme.set_text_scale(self._size)
        if self._keep is not None:
            self._keep(self._size)
