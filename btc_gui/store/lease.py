"""What a lease is: something held by one process until a time, renewed while it is at work."""

from __future__ import annotations

import os
import socket
import sys
from datetime import UTC, datetime, timedelta

from btc_gui.domain.dates import now_utc


def this_process() -> str:
    """Who holds what this process takes: `host:process`."""
    return f"{socket.gethostname()}:{os.getpid()}"


def from_now(seconds: float) -> str:
    """The moment in `seconds`, as stored."""
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def is_held(holder: str, until: str, owner: str, longest: float) -> bool:
    """Whether another than `owner` holds it now. Nobody takes it for more than `longest` seconds.

    A longer lease is of a clock that has been set back since, and counts as over.
    """
    return holder not in ("", owner) and now_utc() < until <= from_now(longest)


def is_gone(holder: str) -> bool:
    """Whether the process that holds something on this machine has ended (killed, perhaps); False where not known.

    Windows can't be asked like this: what is signal 0 elsewhere is Ctrl+C there.
    """
    host, _, number = holder.rpartition(":")
    if sys.platform == "win32" or host != socket.gethostname() or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
