"""Bars cut into shares, one a line, the total beside: the composition of failure modes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from btc_gui.domain.figures.arranging import lines_of, names_of
from btc_gui.domain.figures.figure import Bar, BarFigure, Piece, Scale
from btc_gui.ui.plots.figure_canvas import Spot
from btc_gui.ui.plots.ink import ink_on
from btc_gui.ui.plots.row_canvas import RowCanvas
from btc_gui.ui.theme import Theme

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


class BarPlot(RowCanvas):
    """The plot of a `BarFigure`. Which answers a piece has tells their label."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Figure", parent)
        self._figure: BarFigure | None = None

    def show_figure(self, figure: BarFigure) -> None:
        """Show another figure."""
        self._figure = figure
        self.setAccessibleName(figure.title)
        lines = lines_of(names_of(figure))
        bars = [figure.bars[line.row] for line in lines if not line.is_heading]
        spots = [[Spot(bar.title, bar.words(piece), piece.answers, True) for piece in bar.pieces] for bar in bars]
        self.show_rows(lines, [f"{bar.total:,}" for bar in bars], figure.unit, figure.series, spots)

    def place_spots(self) -> list[list[QRectF]]:
        """The pieces of every bar."""
        return [pieces for place in range(len(self._rows)) if (pieces := self._pieces(place))]

    def _bar(self, place: int) -> Bar | None:
        line = self._rows[place]
        return None if self._figure is None or line.is_heading else self._figure.bars[line.row]

    def _room(self) -> float:
        return max(self.width() - self.left() - self.right(), 20)

    def _pieces(self, place: int) -> list[QRectF]:
        bar = self._bar(place)
        x, found = float(self.left()), []
        for piece in bar.pieces if bar else ():
            width = self._room() * piece.count / (bar.total if bar else 1)
            found.append(QRectF(x, self.middle(place) - self.pitch() / 2 + 2, width, self.pitch() - 4))
            x += width
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the figure."""
        figure = self._figure
        if figure is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        name = f"Share of the {figure.unit} (%)"
        self.paint_axis(painter, self.left(), self._room(), name, _QUARTERS, Scale.SHARE)
        self.paint_rows(painter)
        for place in range(len(self._rows)):
            bar = self._bar(place)
            if bar is not None:
                for piece, rect in zip(bar.pieces, self._pieces(place), strict=True):
                    self._paint_piece(painter, piece, rect)
        self.paint_current(painter)
        painter.end()

    def _paint_piece(self, painter: QPainter, piece: Piece, rect: QRectF) -> None:
        colour = self.theme.color(piece.series.colour)
        painter.setPen(QPen(self.theme.color("surface"), 1.5))
        painter.setBrush(colour)
        painter.drawRect(rect)
        words = f"{piece.count:,}"
        if rect.width() > self.fontMetrics().horizontalAdvance(words) + 8:
            painter.setPen(ink_on(colour))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)
