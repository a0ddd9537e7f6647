"""What drawings of figures are put together from: marks, keys, titles, and rows with their names and axes.

All places and sizes are inches from the top left, as one measures on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from btc_gui.domain.figures.arranging import joined, lines_of
from btc_gui.domain.figures.figure import Scale, Series, Shape
from btc_gui.exports.drawing import COLOURS, SECONDARY, TEXT, cut, font, text_width, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The widths that a paper of two columns has, in inches.
COLUMN, PAGE = 3.35, 7.0
#: Sizes of type in points: no smaller than what is read in print.
TITLE, BODY, SMALL = 8.0, 7.0, 6.0
#: Around everything.
MARGIN = 0.05
#: From line to line of rows.
PITCH = 0.155

_MARKERS = {
    Shape.CIRCLE: "o",
    Shape.SQUARE: "s",
    Shape.DIAMOND: "D",
    Shape.TRIANGLE: "^",
    Shape.DOWN: "v",
    Shape.CROSS: "x",
    Shape.TICK: "|",
}
#: Fills that tell pieces of bars apart where there is no colour.
HATCHES = {
    Shape.CIRCLE: "////",
    Shape.SQUARE: "",
    Shape.DIAMOND: "xxxx",
    Shape.TRIANGLE: "....",
    Shape.DOWN: "\\\\\\\\",
    Shape.CROSS: "----",
    Shape.TICK: "",
    Shape.DASH: "",
}
#: Of lines through all of something.
DASHES = (3, 2)
_LINES = frozenset({Shape.CROSS, Shape.TICK})


def colour_of(series: Series) -> str:
    """The colour of a series on paper."""
    return COLOURS[series.colour]


class Sheet:
    """A figure that is filled from the top down; `top` is how far it is filled."""

    def __init__(self, width: float, height: float) -> None:
        from matplotlib.figure import Figure

        self.width, self.height, self.top = width, height, MARGIN
        self.figure: Figure = Figure(figsize=(width, height))

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes at a place."""
        place = (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        return self.figure.add_axes(place)

    def text(
        self,
        left: float,
        middle: float,
        text: str,
        *,
        size: float = BODY,
        colour: str = TEXT,
        align: str = "left",
        bold: bool = False,
    ) -> None:
        """A line of text, by the middle of its height."""
        self.figure.text(
            left / self.width,
            1 - middle / self.height,
            text,
            ha=align,
            va="center_baseline",
            color=colour,
            font=font(size, text, bold=bold),
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around what is drawn: title, key and footnote, each in lines."""

    title: tuple[str, ...]
    key: tuple[tuple[Series, ...], ...]
    foot: tuple[str, ...]

    @classmethod
    def of(cls, title: str, series: Sequence[Series], note: str, width: float) -> Frame:
        """Laid out in a width; the key has `series`."""
        room = width - 2 * MARGIN
        return cls(
            tuple(wrapped(title, TITLE, room, bold=True)),
            tuple(_key_lines(series, room)),
            tuple(wrapped(note, SMALL, room)),
        )

    @property
    def head(self) -> float:
        """The height of all above what is drawn."""
        return MARGIN + 0.16 * len(self.title) + 0.15 * len(self.key) + 0.04

    @property
    def below(self) -> float:
        """The height of all below."""
        return MARGIN + (0.06 + 0.12 * len(self.foot) if self.foot else 0.0)

    def draw(self, sheet: Sheet, *, hatched: bool = False) -> None:
        """Draw it; what is drawn within begins at `sheet.top`."""
        for line in self.title:
            sheet.text(MARGIN, sheet.top + 0.07, line, size=TITLE, bold=True)
            sheet.top += 0.16
        for series in self.key:
            _draw_key(sheet, series, hatched=hatched)
            sheet.top += 0.15
        sheet.top += 0.04
        for place, line in enumerate(reversed(self.foot)):
            sheet.text(MARGIN, sheet.height - MARGIN - 0.05 - 0.12 * place, line, size=SMALL, colour=SECONDARY)


def _key_lines(series: Sequence[Series], room: float) -> Iterable[tuple[Series, ...]]:
    line: list[Series] = []
    used = 0.0
    for each in series:
        wanted = _key_width(each)
        if line and used + wanted > room:
            yield tuple(line)
            line, used = [], 0.0
        line.append(each)
        used += wanted
    if line:
        yield tuple(line)


def _key_width(series: Series) -> float:
    return 0.14 + text_width(series.text, BODY) + 0.14


def _draw_key(sheet: Sheet, series: Sequence[Series], *, hatched: bool) -> None:
    left, middle = MARGIN, sheet.top + 0.07
    axes = sheet.axes(0, sheet.top, sheet.width, 0.14)
    axes.set_axis_off()
    axes.set_xlim(0, sheet.width)
    axes.set_ylim(0.14, 0)
    for each in series:
        if hatched and each.shape is not Shape.DASH:
            draw_piece(axes, left, 0.025, 0.1, 0.09, each)
        else:
            draw_marks(axes, each, (left + 0.05,), (0.07,))
        sheet.text(left + 0.14, middle, each.text)
        left += _key_width(each)


def draw_marks(axes: Axes, series: Series, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Points of a series."""
    colour = colour_of(series)
    if series.shape is Shape.DASH:
        for x, y in zip(xs, ys, strict=True):
            axes.plot((x - 0.06, x + 0.06), (y, y), color=colour, linewidth=0.8, dashes=DASHES)
        return
    is_line = series.shape in _LINES
    axes.plot(
        xs,
        ys,
        marker=_MARKERS[series.shape],
        markersize=5.5 if series.shape is Shape.TICK else 3.6 if series.shape is Shape.DIAMOND else 4.2,
        markerfacecolor="white" if series.is_hollow else colour,
        markeredgecolor=colour,
        markeredgewidth=1.0 if series.is_hollow or is_line else 0.5,
        linestyle="none",
        clip_on=False,
        zorder=4,
    )


def draw_piece(axes: Axes, x: float, y: float, width: float, height: float, series: Series) -> None:
    """A piece of a bar: colour and hatch together."""
    from matplotlib.patches import Rectangle

    colour = colour_of(series)
    axes.add_patch(
        Rectangle(
            (x, y),
            width,
            height,
            facecolor="white" if series.is_hollow else colour,
            edgecolor=colour if series.is_hollow else "white",
            hatch=HATCHES[series.shape],
            linewidth=0.5,
        )
    )


class Rows:
    """The names of rows at the left, under headings where several rows have one, and what stands at the right."""

    def __init__(self, rows: Sequence[tuple[str, str, str]], heading: str, width: float, pitch: float = PITCH) -> None:
        self.pitch = pitch
        names = [(group, label) for group, label, _ in rows]
        widest = max((text_width(joined(*name), BODY) for name in names), default=0.0)
        # One line each only where the whole names are short enough.
        self.lines = lines_of(names, always_headed=widest > 0.4 * width)
        self.indent = 0.1 if any(line.is_heading for line in self.lines) else 0.0
        widths = [text_width(line.name, BODY) for line in self.lines if not line.is_heading]
        self.left = min(max(widths, default=0.0) + self.indent, 0.42 * width) + 0.08
        self.beside = [beside for _, _, beside in rows]
        beside = max((text_width(each, SMALL) for each in [*self.beside, heading]), default=0.0)
        self.right = beside + 0.08 if beside else 0.0

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self.lines) * self.pitch

    def middle(self, place: int) -> float:
        """The middle of a line below the top of all."""
        return (place + 0.5) * self.pitch

    def draw(self, sheet: Sheet, top: float, left: float, right: float) -> None:
        """Draw names and what stands beside, for axes between `left` and `right`."""
        for place, line in enumerate(self.lines):
            middle = top + self.middle(place)
            if line.is_heading:
                sheet.text(left, middle, cut(line.name, BODY, right - left, bold=True), bold=True)
            else:
                room = self.left - self.indent - 0.06
                sheet.text(left + self.indent, middle, cut(line.name, BODY, room))
                beside = self.beside[line.row]
                if beside:
                    sheet.text(right, middle, beside, size=SMALL, colour=SECONDARY, align="right")


def draw_scale(axes: Axes, ticks: Sequence[float], scale: Scale, width: float, *, zero: bool = False) -> None:
    """The horizontal axis: light lines at the ticks, their numbers below, a darker line at zero where it divides.

    Where the numbers of all ticks don't fit in `width` inches, every second one (or third …) has its number.
    """
    axes.set_xlim(ticks[0], ticks[-1])
    axes.set_xticks(list(ticks))
    words = [scale.tick(tick) for tick in ticks]
    room = width / (len(ticks) - 1)
    every = next(
        n for n in range(1, 99) if max(text_width(each, SMALL) for each in words) + 0.04 <= room * n or n == 98
    )
    middle = min(range(len(ticks)), key=lambda place: abs(ticks[place]))
    shown = [each if (place - middle) % every == 0 else "" for place, each in enumerate(words)]
    axes.set_xticklabels(shown, font=font(SMALL), color=SECONDARY)
    bare(axes)
    axes.tick_params(axis="x", length=0, pad=2)
    axes.grid(visible=True, axis="x", color=COLOURS["border"], linewidth=0.5, zorder=0)
    axes.set_axisbelow(True)
    if zero:
        axes.axvline(0, color=SECONDARY, linewidth=0.7, zorder=1)


def bare(axes: Axes) -> None:
    """No frame and no vertical axis."""
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
