"""Claiming what is to be generated, so that two windows or terminals at once don't pay for the same probes twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, ProbeKind
from btc_gui.errors import BtcError
from btc_gui.jobs.ask_model import FailedItem
from btc_gui.jobs.generation_plan import Asking, Target
from btc_gui.store.database import Database
from btc_gui.store.generation_claims import CLAIM_SECONDS, GenerationClaims
from btc_gui.store.generations import GenerationStore
from btc_gui.store.probes import ProbeStore

_ELSEWHERE = "Another window or terminal is having it written now."
_ASKED_SINCE = "Another window or terminal has had it written meanwhile."


class Claiming:
    """Claims the requests of one piece of work, part by part. What was asked for since it began is not asked again."""

    def __init__(self, database: Database, targets: Sequence[Target]) -> None:
        self._database = database
        self._claims = GenerationClaims(database)
        self._asked_before = self._asked(targets)

    @contextmanager
    def claimed(self, askings: Sequence[Asking]) -> Iterator[tuple[list[Asking], list[FailedItem]]]:
        """Those of `askings` that are ours to ask, and the others with the reasons; held until the context ends."""
        mine, refused = list[Asking](), list[FailedItem]()
        taken = self._claims.take({_claim(each.target) for each in askings})
        with self._renewed():
            now = self._asked([each.target for each in askings])
            for each in askings:
                if _claim(each.target) not in taken:
                    reason = _ELSEWHERE
                elif self._is_written(each) or now.get(_key(each.target)) != self._asked_before.get(_key(each.target)):
                    reason = _ASKED_SINCE
                else:
                    mine.append(each)
                    continue
                refused.append(FailedItem(each.order.facts.entity, reason))
            yield mine, refused

    @contextmanager
    def _renewed(self) -> Iterator[None]:
        """Renew the claims from a thread of their own (a reply may take minutes); give them back at the end."""
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(CLAIM_SECONDS / 4):
                # Where the project can't be written now, the next time may do.
                with suppress(BtcError):
                    self._claims.renew()

        thread = threading.Thread(target=renew, name="claims", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self._claims.release()

    def _is_written(self, asking: Asking) -> bool:
        """Whether what is to be written is there by now, or has another wording than the one to be replaced."""
        target, store = asking.target, ProbeStore(self._database)
        if asking.rewritten:
            found = store.fetch([each.id for each in asking.rewritten])
            return any(each.id not in found or found[each.id].revision != each.revision for each in asking.rewritten)
        return not target.rewrites and any(each.kind is target.kind for each in store.siblings(target.event_id))

    def _asked(self, targets: Sequence[Target]) -> dict[tuple[EventId, ProbeKind, ProbeId | None], int]:
        """How often each target was asked for."""
        store, found = GenerationStore(self._database), dict[tuple[EventId, ProbeKind, ProbeId | None], int]()
        for kind in ProbeKind:
            ids = [each.event_id for each in targets if each.kind is kind]
            for (event_id, probe_id), count in store.attempts(ids, kind).items():
                found[event_id, kind, probe_id] = count
        return found


def _claim(target: Target) -> tuple[EventId, ProbeKind]:
    return target.event_id, target.kind


def _key(target: Target) -> tuple[EventId, ProbeKind, ProbeId | None]:
    return target.event_id, target.kind, target.probe_id
