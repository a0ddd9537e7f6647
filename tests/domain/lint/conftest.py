"""The linter with the app's own words, loaded once."""

from __future__ import annotations

import pytest

from btc_gui import paths
from btc_gui.domain.lint.linter import Linter, load_linter


@pytest.fixture(scope="session")
def linter() -> Linter:
    """The linter."""
    return load_linter(paths.resources())
