"""Pictures of every page, and no trace of having taken them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from btc_gui.settings import settings_path
from btc_gui.store.database import Database
from btc_gui.ui.pictures import save_pictures
from btc_gui.ui.theme import Theme
from tests.study_builders import add_judged, add_locked_study, issue


@pytest.mark.slow
def test_every_page_and_the_labelling_window_are_drawn(theme: Theme, filled: Database, tmp_path: Path) -> None:
    add_judged(filled)
    packet = issue(filled, add_locked_study(filled), tmp_path / "packets")
    before = packet.read_bytes()
    path = filled.path
    filled.close()
    written = save_pictures(path, tmp_path / "out")
    assert {each.stem for each in written} >= {"review", "runs", "cases", "validation", "results", "labelling"}
    for each in written:
        image = QImage(str(each))
        assert image.width() >= 1_000
        assert len({image.pixel(x, y) for x in range(0, 1_000, 7) for y in range(0, 700, 7)}) > 20
    assert not settings_path().exists()
    assert packet.read_bytes() == before
