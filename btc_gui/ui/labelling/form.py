"""What a form of the labelling window has to do. One form shows one item and asks for its label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import GivenLabel, PacketItem, PacketManifest
from btc_gui.ui.labelling.mentions import FindMentions
from btc_gui.ui.theme import READING_COLUMNS, Theme
from btc_gui.ui.widgets.marked_text import TextBlock


@dataclass(frozen=True, slots=True)
class FormContext:
    """What a form is built from. `comes_too_soon` is asked at a press: whether it was meant for the item before."""

    manifest: PacketManifest
    theme: Theme
    find_mentions: FindMentions
    comes_too_soon: Callable[[], bool]
    asks_confidence: bool = False


def reading_width(theme: Theme) -> int:
    """The width of 80 characters of what is read."""
    return QFontMetrics(theme.font("reading")).averageCharWidth() * READING_COLUMNS


def run_from_left(block: TextBlock) -> None:
    """Set a line beside its title from the left also when the name that begins it runs from the right."""
    option = block.body.document().defaultTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    block.body.document().setDefaultTextOption(option)


class LabelForm(QWidget):
    """Shows one item of a packet and asks for its label.

    Its keys are the `QAction`s that it has added to itself (`actions()`), each with an `objectName` of its own and
    no auto-repeat; `choose:VALUE` for those that give a label. They act while the form is on screen. The window
    lists them, and takes a key away from its own actions when a form needs it.
    """

    #: An `ItemState` with the chosen label: it is to be given now. The window answers by showing the next item, or
    #: says why not.
    submitted = Signal(object)
    #: An `ItemState`: something was typed or chosen. The window puts it on the disk within a second.
    draft_changed = Signal(object)
    #: Words for the line below the form, and their role (`warning`, `small`…).
    said = Signal(str, str)

    def show_item(self, item: PacketItem, page: str, given: GivenLabel | None, draft: ItemState) -> None:
        """Show another item: `page` is what to label it by, `given` its latest label, `draft` what to fill in."""
        raise NotImplementedError

    def focus_first(self) -> None:
        """Put the focus where reading begins; letters are keys there."""
        raise NotImplementedError

    def set_open(self, is_open: bool) -> None:
        """Take answers, or (while the feedback on a practice item is on screen) only show."""
        for action in self.actions():
            action.setEnabled(is_open)
