"""The servers that are started by hand say which faults they know."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from tests.fakes import mediawiki, wdqs
from tests.fakes.service_faults import FAULTS


@pytest.mark.parametrize("main", [wdqs.main, mediawiki.main])
def test_help_lists_the_faults(
    main: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them; another is refused with the list."""
    monkeypatch.setattr(sys, "argv", ["fake", "--help"])
    with pytest.raises(SystemExit):
        main()
    told = capsys.readouterr().out
    # argparse breaks long names at their hyphens.
    assert all(name in told.replace("-\n", "-") for name in FAULTS)
    monkeypatch.setattr(sys, "argv", ["fake", "--fault", "nonsense"])
    with pytest.raises(SystemExit):
        main()
    assert "nonsense" in capsys.readouterr().err
