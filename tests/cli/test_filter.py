"""`btc-gui filter` and `btc-gui pair`: what comes first is said where it is missing."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from btc_gui.cli import main
from btc_gui.errors import InputError
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe


def test_pairing_says_that_the_filter_comes_first(database: Database) -> None:
    add_probe(database, add_event(database))
    done = CliRunner().invoke(main, ["pair", "-p", str(database.path)], catch_exceptions=False)
    assert (done.exit_code, done.stdout.split(",")[0]) == (0, "No probe was filtered yet")
    assert "Filter first (btc-gui filter)" in done.stdout


def test_who_filters_is_asked_for_as_the_help_says(database: Database) -> None:
    help_text = " ".join(CliRunner().invoke(main, ["filter", "--help"]).stdout.split())
    assert "needed without --replay" in help_text
    with pytest.raises(InputError, match=r"\(--model\), or name recordings \(--replay\)"):
        CliRunner().invoke(main, ["filter", "-p", str(database.path)], catch_exceptions=False)
