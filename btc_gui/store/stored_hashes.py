"""What is stored with its hash and has another one now: damage that SQLite itself can't see."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from btc_gui.domain.probe import ProbeText
from btc_gui.errors import ProjectError
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.facts_json import facts_from_json


def damaged(database: Database) -> Iterator[str]:
    """A sentence for each kind of thing of which some are not what was stored. Reads and unpacks all of them."""
    kinds: list[tuple[str, str, Callable[..., str]]] = [
        ("texts (answers, results, replies)", "SELECT sha256, encoding, content FROM body", _text_hash),
        (
            "facts of events",
            "SELECT facts_hash, facts FROM event_revision",
            lambda facts: facts_from_json(facts).facts_hash,
        ),
        ("wordings of probes", "SELECT text_hash, text FROM probe_revision", lambda text: ProbeText(text).text_hash),
    ]
    for name, query, hashed in kinds:
        count = sum(_is_damaged(row[0], row[1:], hashed) for row in database.read().execute(query))
        if count:
            yield f"{count:,} stored {name} are not what was stored. Go back to a copy."


def _is_damaged(stored: str, values: tuple[object, ...], hashed: Callable[..., str]) -> bool:
    try:
        return hashed(*values) != stored
    except ProjectError:
        return True


def _text_hash(encoding: str, content: bytes) -> str:
    return hashlib.sha256(bodies.decode(encoding, content).encode("utf-8", "surrogatepass")).hexdigest()
