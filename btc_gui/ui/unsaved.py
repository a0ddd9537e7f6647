"""Closing a project whose disk takes nothing any more: what was typed is not lost without a question."""

from __future__ import annotations

import logging

from PySide6.QtWidgets import QWidget

from btc_gui.store.drafts import DraftStore
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.shell import Page

_log = logging.getLogger(__name__)


def may_lose_typed(window: QWidget, context: Context, page: Page | None) -> bool:
    """Whether all that is being typed is kept, or the person would rather lose it than stay."""
    try:
        if page is not None:
            page.leave()
    except Exception:
        # A fault of a page must not keep the window open for ever.
        _log.exception("Keeping what is being typed failed")
    lost = DraftStore(context.database).unwritten()
    return not lost or confirm(
        window,
        "Close without what was typed last?",
        "The project can't be written, so an edit or a note that is not finished would be lost. Free some space, or "
        "put the file back to its place; what was saved before is safe.",
        "Close anyway",
        "Stay",
    )
