"""What may be given as a label: one of the packet's, with the reason that it needs."""

from __future__ import annotations

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import Choice, PacketManifest
from btc_gui.errors import InputError


def checked_choice(manifest: PacketManifest, state: ItemState) -> Choice:
    """The chosen label. Raises `InputError` for an unknown one, and when the label needs a reason."""
    choice = manifest.choice(state.choice)
    if choice is None:
        raise InputError(f"“{state.choice}” is not a label of this packet.")
    if choice.needs_reason and not state.reason.strip():
        raise InputError(f"“{choice.text}” needs a reason.", "Say in a few words what makes it unclear.")
    return choice
