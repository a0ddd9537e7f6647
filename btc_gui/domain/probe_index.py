"""Finding the probe that a row of a file means: by its key, its number, or the very text that was asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from btc_gui.domain.event_rows import Rejected
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import ProbeId, RevisionId


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a probe of the project; `is_current` where the probe says so now."""

    probe_id: ProbeId
    key: str
    revision_id: RevisionId
    text_hash: str
    is_current: bool


class ProbeIndex:
    """The wordings of a project, those of a probe from the oldest to the newest."""

    def __init__(self, wordings: Iterable[Wording]) -> None:
        self._by_key: dict[str, dict[str, Wording]] = {}
        self._current: dict[str, Wording] = {}
        self._by_text: dict[str, dict[str, Wording]] = {}
        self._keys: dict[int, str] = {}
        for wording in wordings:
            self._keys[wording.probe_id] = wording.key
            self._by_key.setdefault(wording.key, {})[wording.text_hash] = wording
            self._by_text.setdefault(wording.text_hash, {})[wording.key] = wording
            if wording.is_current:
                self._current[wording.key] = wording

    def find(self, reference: str, text: str) -> Wording:
        """The wording that is meant. A `reference` (key or number) alone means what the probe says now; `text` is
        what was asked, in any wording that the probe ever had.

        Raises `Rejected` when there is none, or when several probes could be meant.
        """
        key = self._key(reference)
        if not key:
            return self._of_text(text or reference, is_text=bool(text), reference=reference)
        if not text:
            return self._current[key]
        found = self._by_key[key].get(sha256(text))
        if found is None:
            raise Rejected(f"another wording: the probe “{key[:60]}” never asked “{text[:60]}”")
        return found

    def _key(self, reference: str) -> str:
        if reference in self._current:
            return reference
        return self._keys.get(int(reference), "") if reference.isdecimal() and len(reference) < 16 else ""

    def _of_text(self, text: str, *, is_text: bool, reference: str) -> Wording:
        found = self._by_text.get(sha256(text), {})
        if is_text and reference:
            raise Rejected(f"no such probe: “{reference[:60]}” is no key or number in this project")
        if not found:
            what = "asks" if is_text else "is called, numbered or asks"
            raise Rejected(f"no such probe: none of this project {what} “{text[:60]}”")
        if len(found) > 1:
            keys = ", ".join(f"“{key[:40]}”" for key in list(found)[:4])
            raise Rejected(f"several probes: {keys} ask this; name one by its key")
        return next(iter(found.values()))
