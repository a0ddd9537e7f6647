"""Bans that services have spoken, kept beyond the life of the program: asking before their end prolongs them."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

from btc_gui import paths
from btc_gui.errors import SettingsError
from btc_gui.outside_data import json_from
from btc_gui.settings import write_whole

_FILE = "service_bans.json"


def _read() -> dict[str, datetime]:
    try:
        table = json_from((paths.state() / _FILE).read_text(encoding="utf-8"))
        found = {str(host): datetime.fromisoformat(str(until)) for host, until in table.items()}
        return {host: until for host, until in found.items() if until.tzinfo is not None}
    except (OSError, ValueError, AttributeError):
        return {}


def banned_until(host: str) -> datetime | None:
    """When the ban by this host ends, or None when there is none (any more)."""
    until = _read().get(host)
    return until if until is not None and until > datetime.now(UTC) else None


def remember_ban(host: str, until: datetime) -> None:
    """Ask this host nothing before `until`. Where it can't be written, it holds as long as nobody tries."""
    bans = {each: at for each, at in _read().items() if at > datetime.now(UTC)} | {host: until}
    text = json.dumps({each: at.isoformat() for each, at in sorted(bans.items())}, indent=1)
    with suppress(SettingsError):
        write_whole(paths.state() / _FILE, text)
