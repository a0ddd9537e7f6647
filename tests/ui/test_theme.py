"""Shapes are told apart without colour, icons follow the palette."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from btc_gui.paths import resources
from btc_gui.ui.icons import icon
from btc_gui.ui.marks import mark_pixmap
from btc_gui.ui.theme import MARKS, Theme


def test_failure_modes_differ_in_shape_and_colour(theme: Theme) -> None:
    modes = [theme.mark(name) for name in ("reasoning", "explicit", "indirect", "none", "correct")]
    assert len({mark.shape for mark in modes}) == 5
    assert len({mark.color.name() for mark in modes}) == 5
    for name in MARKS:
        assert not mark_pixmap(theme.mark(name), 12, 2.0).isNull()


def test_icons_take_the_colour_of_the_theme(theme: Theme, qapp: QApplication) -> None:
    def darkest() -> int:
        image = icon("check").pixmap(32, 32).toImage()
        solid = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200]
        return min(color.lightness() for color in solid)

    assert darkest() < 60
    theme.choose("dark", 1.0)
    assert darkest() > 200
    theme.choose("light", 1.0)


def test_every_shipped_icon_can_be_drawn(qapp: QApplication) -> None:
    names = [file.stem for file in (resources() / "icons").glob("*.svg")]
    assert names
    for name in names:
        assert not icon(name).pixmap(16, 16).isNull()
    assert (resources() / "icons" / "LICENSE").read_text(encoding="utf-8").count("MIT License") == 1


def test_an_unknown_icon_fails_at_once(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")


def test_the_style_sheet_s_pictures_outlive_the_theme_that_set_it(theme: Theme, qapp: QApplication) -> None:
    Theme("dark")
    gc.collect()
    pictures = re.findall(r"url\(\"?([^\")]+)", qapp.styleSheet())
    theme._apply()
    assert pictures
    assert all(Path(each).is_file() for each in pictures)
