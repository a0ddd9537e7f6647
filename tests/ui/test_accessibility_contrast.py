"""Everything can be told from its ground (WCAG 2.2): text by 4.5 : 1, what is not text by 3 : 1, in light and dark."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from btc_gui.exports.drawing import COLOURS
from btc_gui.exports.drawing import ink_on as ink_on_paper
from btc_gui.exports.matrix import MARKS as PAPER_MARKS
from btc_gui.ui.plots.ink import ink_on
from btc_gui.ui.theme import DARK, LIGHT, MARKS, Tokens

both = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])

GROUNDS = ("window", "surface", "sunken", "hover", "selection")
WASHES = ("evidence", "added", "removed")


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.2."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return 0.2126 * _linear(red) + 0.7152 * _linear(green) + 0.0722 * _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The ratio of two colours by WCAG 2.2, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def blend(colour: str, ground: str, part: float) -> str:
    """What is seen of a colour that covers a part of its ground."""
    above, below = QColor(colour), QColor(ground)
    mixed = (
        round(part * a + (1 - part) * b)
        for a, b in zip(above.getRgb()[:3], below.getRgb()[:3], strict=True)  # type: ignore[index]
    )
    return "#" + "".join(f"{each:02X}" for each in mixed)


def test_the_formula_gives_what_is_published() -> None:
    """Black on white is 21 : 1; #777777 on white is known as just too weak for text."""
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@both
def test_text_can_be_read_on_every_ground(tokens: Tokens) -> None:
    colours = tokens._asdict()
    weak = [
        f"{text} on {ground}: {ratio:.2f}"
        for ground in (*GROUNDS, *WASHES)
        for text in ("text", "secondary", "accent", "danger", "success", "warning")
        if (ratio := contrast(colours[text], colours[ground])) < 4.5
    ]
    assert weak == []
    for ground in (tokens.window, tokens.surface, tokens.sunken):
        assert contrast(tokens.text, ground) >= 13
    for ground in (tokens.accent, tokens.accent_hover):
        assert contrast(tokens.on_accent, ground) >= 4.5


@both
def test_what_cannot_be_used_can_still_be_read_by_most(tokens: Tokens) -> None:
    """WCAG asks for nothing here; 3 : 1 is what it asks of large text."""
    for ground in (tokens.window, tokens.surface, tokens.sunken):
        assert contrast(tokens.disabled, ground) >= 3
        # And it is seen that it can't be used.
        assert contrast(tokens.disabled, tokens.text) >= 3


@both
def test_marks_fields_and_the_focus_stand_out_from_every_ground(tokens: Tokens) -> None:
    colours = tokens._asdict()
    marks = {spec.token for spec in MARKS.values()}
    for ground in (*GROUNDS, *WASHES):
        for mark in (*marks, "accent"):
            assert contrast(colours[mark], colours[ground]) >= 3, (mark, ground)
    for ground in ("window", "surface", "sunken", "hover"):
        assert contrast(tokens.outline, colours[ground]) >= 3
    # The bar at the left of a chosen row, with the focus in the table and elsewhere.
    for bar in (tokens.accent, tokens.secondary):
        assert contrast(bar, tokens.selection) >= 3
        assert contrast(bar, tokens.surface) >= 3
    # The ring within a primary button, and how far a job is.
    assert contrast(tokens.on_accent, tokens.accent) >= 3
    assert contrast(tokens.accent, tokens.border) >= 3


@both
def test_the_key_on_a_button_can_be_read(tokens: Tokens) -> None:
    """It stands on a wash of its own colour."""
    for colour, ground in ((tokens.secondary, tokens.surface), (tokens.secondary, tokens.hover)):
        assert contrast(colour, blend(colour, ground, 0.14)) >= 4.5
    for ground in (tokens.accent, tokens.accent_hover):
        assert contrast(tokens.on_accent, blend(tokens.on_accent, ground, 0.14)) >= 4.5


@both
def test_found_words_can_be_read(tokens: Tokens) -> None:
    """The present one is written as on a primary button, the others on a wash."""
    assert contrast(tokens.text, blend(tokens.accent, tokens.surface, 0.25)) >= 4.5


@both
def test_figures_in_cells_and_bars_can_be_read_at_every_shade(tokens: Tokens) -> None:
    for step in range(101):
        cell = blend(tokens.accent, tokens.surface, 0.12 + 0.88 * step / 100)
        assert contrast(ink_on(QColor(cell)).name(), cell) >= 4.5, cell
        assert contrast(ink_on_paper(cell), cell) >= 4.5, cell
    for spec in MARKS.values():
        colour = tokens._asdict()[spec.token]
        assert contrast(ink_on(QColor(colour)).name(), colour) >= 4.5


def test_on_paper_the_colours_are_those_of_the_light_window() -> None:
    """White paper is the surface, for which they are tested above."""
    light = LIGHT._asdict()
    assert {name: light[name] for name in COLOURS} == COLOURS
    marks = {spec.text.casefold(): (spec.symbol, light[spec.token]) for spec in MARKS.values()}
    assert {name: PAPER_MARKS[name] for name in PAPER_MARKS if name != "none"} == {
        name: marks[name] for name in PAPER_MARKS if name != "none"
    }
