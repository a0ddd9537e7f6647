"""What may be given as a label: one of the packet's, with the reason and the parts that it needs."""

from __future__ import annotations

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import Choice, PacketItem, PacketManifest
from btc_gui.domain.studies import study_kind
from btc_gui.errors import InputError


def checked_choice(manifest: PacketManifest, item: PacketItem, state: ItemState) -> Choice:
    """The chosen label. Raises `InputError` for an unknown one, and when its reason or its parts can't be right."""
    choice = manifest.choice(state.choice)
    if choice is None:
        raise InputError(f"“{state.choice}” is not a label of this packet.")
    if choice.needs_reason and not state.reason.strip():
        raise InputError(f"“{choice.text}” needs a reason.", "Say in a few words what makes it unclear.")
    study_kind(manifest.kind).check_answers(choice.value, state.answers, item, manifest.relations)
    return choice
