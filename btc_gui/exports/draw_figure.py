"""Figures of results drawn for print: points with intervals, stacked bars, accuracy by number of queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from btc_gui.domain.figures.figure import (
    BarFigure,
    Figure,
    Piece,
    Point,
    PointFigure,
    QueryFigure,
    QueryLine,
    QueryPanel,
    Scale,
    Series,
    nice_ticks,
)
from btc_gui.domain.figures.series import ALL_TOGETHER
from btc_gui.domain.number_words import counted
from btc_gui.domain.query_table import SMALLEST_DRAWN
from btc_gui.exports.drawing import COLOURS, SECONDARY, cut, font, ink_on, text_width, wrapped
from btc_gui.exports.figure_parts import (
    BODY,
    DASHES,
    MARGIN,
    PITCH,
    SMALL,
    Frame,
    Rows,
    Sheet,
    bare,
    colour_of,
    draw_marks,
    draw_piece,
    draw_scale,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

#: Room for an axis below, and for the name of a panel above.
_AXIS, _NAME = 0.16, 0.17
_GAP = 0.24
_NARROWEST = 0.9


def draw_figure(figure: Figure, width: float, note: str = "", *, with_title: bool = True) -> Drawing:
    """The figure in a width (inches), as high as it needs. `note` is the footnote (such as "Illustrative data")."""
    title = figure.title if with_title else ""
    if isinstance(figure, PointFigure):
        return _draw_points(figure, width, title, note)
    if isinstance(figure, BarFigure):
        return _draw_bars(figure, width, title, note)
    return _draw_queries(figure, width, title, note)


# -- points ------------------------------------------------------------------------------------------------------


def _draw_points(figure: PointFigure, width: float, title: str, note: str) -> Drawing:
    frame = Frame.of(title, figure.told_apart, note, width)
    most = max((len(points) for row in figure.rows for points in row.points), default=0)
    rows = Rows(
        [(row.group, row.label, row.beside) for row in figure.rows],
        figure.beside,
        width,
        PITCH if most <= 2 else PITCH + 0.05,
    )
    room = width - 2 * MARGIN - rows.left - rows.right
    count = len(figure.panels)
    across = max(1, min(count, int((room + _GAP) / (_NARROWEST + _GAP))))
    blocks = [range(first, min(first + across, count)) for first in range(0, count, across)]
    across = max(len(block) for block in blocks)
    panel = (room - _GAP * (across - 1)) / across
    names = [_panel_name(figure, number, panel + _GAP - 0.05) for number in range(count)]
    name_height = _NAME + 0.11 * (max(map(len, names), default=1) - 1)
    block_height = name_height + rows.height + _AXIS
    height = frame.head + len(blocks) * block_height + 0.08 * (len(blocks) - 1) + frame.below
    sheet = Sheet(width, height)
    frame.draw(sheet)
    for block in blocks:
        top = sheet.top + name_height
        rows.draw(sheet, top, MARGIN, width - MARGIN)
        if rows.right and figure.beside:
            sheet.text(width - MARGIN, top - 0.08, figure.beside, size=SMALL, colour=SECONDARY, align="right")
        for place, number in enumerate(block):
            left = MARGIN + rows.left + place * (panel + _GAP)
            axes = sheet.axes(left, top, panel, rows.height)
            _draw_panel(axes, figure, number, rows, panel)
            for line, words in enumerate(reversed(names[number])):
                sheet.text(left, top - 0.08 - 0.11 * line, words)
        sheet.top += block_height + 0.08
    return sheet.figure


def _panel_name(figure: PointFigure, number: int, room: float) -> list[str]:
    panel = figure.panels[number]
    return wrapped(f"{panel.title} ({panel.scale.unit})" if panel.scale.unit else panel.title, BODY, room)


def _draw_panel(axes: Axes, figure: PointFigure, number: int, rows: Rows, width: float) -> None:
    panel = figure.panels[number]
    axes.set_ylim(rows.height, 0)
    draw_scale(axes, figure.ticks(number), panel.scale, width, zero=panel.has_zero)
    shares = figure.spread(number)
    found: dict[Series, list[tuple[Point, float]]] = {}
    for place, line in enumerate(rows.lines):
        if line.is_heading:
            continue
        row = figure.rows[line.row]
        for point in row.points[number]:
            y = rows.middle(place) + shares[point.series.key] * rows.pitch
            found.setdefault(point.series, []).append((point, y))
        if number == 0 and not any(row.points):
            axes.text(
                *(figure.ticks(number)[0], rows.middle(place), " no scored answer"),
                va="center_baseline",
                color=SECONDARY,
                font=font(SMALL),
            )
    for series, placed in found.items():
        limits = [(point.interval, y) for point, y in placed if point.interval is not None]
        if limits:
            axes.hlines(
                [y for _, y in limits],
                [low for (low, _), _ in limits],
                [high for (_, high), _ in limits],
                colors=colour_of(series),
                linewidth=0.9,
                zorder=3,
            )
        draw_marks(axes, series, [point.value for point, _ in placed], [y for _, y in placed])


# -- bars --------------------------------------------------------------------------------------------------------


def _draw_bars(figure: BarFigure, width: float, title: str, note: str) -> Drawing:
    frame = Frame.of(title, figure.series, note, width)
    totals = [f"{bar.total:,}" for bar in figure.bars]
    listed = zip(figure.bars, totals, strict=True)
    rows = Rows([(bar.group, bar.label, total) for bar, total in listed], figure.unit, width, PITCH + 0.02)
    room = width - 2 * MARGIN - rows.left - rows.right
    sheet = Sheet(width, frame.head + _NAME + rows.height + _AXIS + frame.below)
    frame.draw(sheet, hatched=True)
    top, left = sheet.top + _NAME, MARGIN + rows.left
    sheet.text(left, top - 0.08, f"Share of the {figure.unit} (%)")
    sheet.text(width - MARGIN, top - 0.08, figure.unit, size=SMALL, colour=SECONDARY, align="right")
    rows.draw(sheet, top, MARGIN, width - MARGIN)
    axes = sheet.axes(left, top, room, rows.height)
    axes.set_ylim(rows.height, 0)
    draw_scale(axes, (0.0, 0.25, 0.5, 0.75, 1.0), Scale.SHARE, room)
    for place, line in enumerate(rows.lines):
        if not line.is_heading and figure.bars[line.row].total:
            bar = figure.bars[line.row]
            _draw_bar(axes, bar.pieces, bar.total, rows.middle(place), rows.pitch * 0.8, room)
    return sheet.figure


def _draw_bar(axes: Axes, pieces: Sequence[Piece], total: int, middle: float, height: float, room: float) -> None:
    start = 0.0
    for piece in pieces:
        share = piece.count / total
        draw_piece(axes, start, middle - height / 2, share, height, piece.series)
        words = f"{piece.count:,}"
        if share * room > text_width(words, SMALL) + 0.06:
            colour = colour_of(piece.series)
            axes.text(
                start + share / 2,
                middle,
                words,
                ha="center",
                va="center_baseline",
                color=ink_on(colour),
                font=font(SMALL),
                bbox={"facecolor": colour, "edgecolor": "none", "boxstyle": "square,pad=0.12"},
            )
        start += share


# -- accuracy by number of queries ---------------------------------------------------------------------------------

_ACCURACY, _SHARES, _BETWEEN = 1.0, 0.4, 0.12
_SIDE = 0.3
_ACROSS = 3


def _draw_queries(figure: QueryFigure, width: float, title: str, note: str) -> Drawing:
    frame = Frame.of(title, (*figure.series, ALL_TOGETHER), note, width)
    across = max(1, min(len(figure.panels), _ACROSS, int(width / 1.6)))
    down = -(-len(figure.panels) // across)
    panel = (width - 2 * MARGIN) / across - _SIDE - 0.1
    block = _NAME + 0.05 + _ACCURACY + _BETWEEN + _SHARES + 0.3
    sheet = Sheet(width, frame.head + down * block + frame.below)
    frame.draw(sheet)
    for place, each in enumerate(figure.panels):
        row, column = divmod(place, across)
        left = MARGIN + _SIDE + column * (panel + _SIDE + 0.1)
        _draw_query_panel(sheet, each, left, sheet.top + row * block, panel, is_first=column == 0)
    return sheet.figure


def _draw_query_panel(
    sheet: Sheet, panel: QueryPanel, left: float, top: float, width: float, *, is_first: bool
) -> None:
    sheet.text(left - _SIDE * 0.8, top + 0.07, cut(panel.title, BODY, width + _SIDE * 0.8, bold=True), bold=True)
    top += _NAME + 0.05
    accuracy = sheet.axes(left, top, width, _ACCURACY)
    shares = sheet.axes(left, top + _ACCURACY + _BETWEEN, width, _SHARES)
    last = panel.last
    step = max(1, round(nice_ticks(0, last, 1)[1]))
    for axes in (accuracy, shares):
        bare(axes)
        axes.set_xlim(-0.7, last + 0.7)
        axes.grid(visible=True, axis="y", color=COLOURS["border"], linewidth=0.5)
        axes.set_axisbelow(True)
        axes.tick_params(length=0, pad=2)
    accuracy.set_xticks([])
    if not any(point.is_drawn for line in panel.lines for point in line.points):
        accuracy.text(
            *(last / 2, 0.75, f"no group of {SMALLEST_DRAWN} probes"),
            ha="center",
            color=SECONDARY,
            font=font(SMALL),
        )
    _vertical(accuracy, (0.0, 0.5, 1.0))
    most = max((p.share.value or 0.0 for line in panel.lines for p in line.points), default=0.0)
    _vertical(shares, nice_ticks(0, most, 0.2)[:: len(nice_ticks(0, most, 0.2)) - 1])
    ticks = list(range(0, last + 1, step))
    shares.set_xticks(ticks)
    shares.set_xticklabels([str(tick) for tick in ticks], font=font(SMALL), color=SECONDARY)
    for number, line in enumerate(panel.lines):
        offset = (number - (len(panel.lines) - 1) / 2) * min(0.3, 0.8 / len(panel.lines))
        _draw_query_line(accuracy, line, offset)
        _draw_shares(shares, line, offset, 0.8 / len(panel.lines), last)
    if is_first:
        for middle, words in (
            (top + _ACCURACY / 2, "Accuracy (%)"),
            (top + _ACCURACY + _BETWEEN + _SHARES / 2, "Share (%)"),
        ):
            sheet.figure.text(
                (MARGIN + 0.04) / sheet.width,
                1 - middle / sheet.height,
                words,
                rotation=90,
                ha="center",
                va="center",
                color=SECONDARY,
                font=font(SMALL),
            )
    beyond = panel.beyond
    words = "Queries" + (f" ({counted(beyond, 'probe')} beyond {last})" if beyond else "")
    sheet.text(left + width / 2, top + _ACCURACY + _BETWEEN + _SHARES + 0.19, words, size=SMALL, align="center")


def _vertical(axes: Axes, ticks: Sequence[float]) -> None:
    axes.set_ylim(ticks[0], ticks[-1])
    axes.set_yticks(list(ticks))
    axes.set_yticklabels([Scale.SHARE.tick(tick) for tick in ticks], font=font(SMALL), color=SECONDARY)


def _draw_query_line(axes: Axes, line: QueryLine, offset: float) -> None:
    colour = colour_of(line.series)
    if line.overall.value is not None:
        axes.axhline(line.overall.value, color=colour, linewidth=0.7, dashes=DASHES, zorder=1)
    drawn = [point for point in line.points if point.is_drawn and point.accuracy.value is not None]
    places = [point.queries + offset for point in drawn]
    values = [point.accuracy.value or 0.0 for point in drawn]
    axes.plot(places, values, color=colour, linewidth=0.7, alpha=0.6, zorder=2)
    for point, x in zip(drawn, places, strict=True):
        if point.interval is not None:
            axes.plot((x, x), point.interval, color=colour, linewidth=0.8, zorder=3)
    draw_marks(axes, line.series, places, values)


def _draw_shares(axes: Axes, line: QueryLine, offset: float, width: float, last: int) -> None:
    # Beside each other where there are two; as far apart as they are wide.
    place = 0.0 if offset == 0 else (width / 2 if offset > 0 else -width / 2)
    for point in line.points:
        if point.queries <= last and point.share.value:
            draw_piece(axes, point.queries + place - width / 2, 0, width, point.share.value, line.series)
