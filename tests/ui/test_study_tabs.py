"""Every figure of a packet stands below the heading that names it, and columns that hold nothing are not shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from btc_gui.domain.packet import Layer, PacketId
from btc_gui.domain.study import IssuedPacket, StudyId
from btc_gui.ui.study_reading import PacketLine
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.study_tabs import PacketTab

ISSUED = IssuedPacket(
    PacketId("0" * 32), StudyId(1), "PK", Layer.BLIND, "d", 20, "2026-07-01T10:00:00+00:00", "2026-07-09T10:00:00+00:00"
)


def shown(tab: PacketTab) -> dict[str, str]:
    """The first row by the headings of the columns that are shown."""
    table = tab._table
    model = table.model()
    return {
        str(model.headerData(place, Qt.Orientation.Horizontal)): tab.rows[0][place]
        for place in range(model.columnCount())
        if not table.isColumnHidden(place)
    }


def test_figures_of_a_packet_stand_below_their_headings(qtbot: QtBot, theme: Theme) -> None:
    tab = PacketTab(theme)
    qtbot.addWidget(tab)
    tab.show_packets([PacketLine("PK", Layer.BLIND, True, ISSUED, "p.btcp", 17, 2, 1, 4, "8 of 10 right")])
    assert shown(tab) == {
        "Annotator": "PK (primary)",
        "Packet": "blind",
        "File": "p.btcp",
        "Sent": "20",
        "Back": "17",
        "Missing": "3",
        "Changed": "2",
        "Undone": "1",
        "Late": "4",
        "Practice": "8 of 10 right",
        "Out": "1 July 2026",
        "Back on": "9 July 2026",
    }


def test_columns_without_anything_are_not_shown(qtbot: QtBot, theme: Theme) -> None:
    tab = PacketTab(theme)
    qtbot.addWidget(tab)
    tab.show_packets([PacketLine("PK", Layer.BLIND, True, ISSUED, back=20), PacketLine("DG", Layer.BLIND, False, None)])
    assert list(shown(tab)) == ["Annotator", "Packet", "Sent", "Back", "Missing", "Out", "Back on"]
    assert tab.rows[1][:2] == ("DG", "blind: none yet")
