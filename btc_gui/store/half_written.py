"""Files that are being written: their names say by whom, so that what a killed process has left can be removed."""

from __future__ import annotations

from pathlib import Path

from btc_gui.store.lease import is_gone, this_process

#: How the names of files begin that are being written.
_HALF = ".btc-"


def half_name() -> str:
    """How the name of a file begins that this process is writing.

    It goes on with what has no hyphen, and ends in `.part`.
    """
    return f"{_HALF}{this_process().replace(':', '-')}-"


def sweep(folder: Path) -> None:
    """Remove what processes of this machine that are gone have left half written."""
    for half in folder.glob(f"{_HALF}*-*-*.part"):
        host, number, _ = half.name.removeprefix(_HALF).rsplit("-", 2)
        if is_gone(f"{host}:{number}"):
            half.unlink(missing_ok=True)
