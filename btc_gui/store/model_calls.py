"""Calls to language models: each one is kept, with its reply or with what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NewType

from btc_gui.domain.dates import now_utc
from btc_gui.domain.trajectory import Usage
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders

CallId = NewType("CallId", int)


@dataclass(frozen=True, slots=True)
class NewCall:
    """A call that was made. `reply` is None when it failed; `error` then says why.

    A reply with an `error` came back incomplete (cut off, withheld): it is kept, and never read as a label.
    """

    role: str
    model: str
    subject: str
    prompt_hash: str
    request_hash: str
    reply: str | None
    error: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredReply:
    """The newest reply that a model gave to a request; `error` says why it is incomplete, if it is."""

    call_id: CallId
    text: str
    error: str


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A call that brought no reply."""

    subject: str
    model: str
    error: str
    at: str


@dataclass(frozen=True, slots=True)
class CallTotals:
    """What one role's calls amount to. `cost` is None when no call said what it cost."""

    calls: int
    failed: int
    usage: Usage
    cost: float | None
    seconds: float


class ModelCallStore:
    """The project's calls to language models."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, call: NewCall) -> CallId:
        """Keep one call (within the caller's transaction, if there is one)."""
        with self._database.write() as connection:
            reply_id = None if call.reply is None else bodies.put(connection, call.reply)
            cursor = connection.execute(
                "INSERT INTO model_call (role, model, subject, prompt_hash, request_hash, reply_id, error, "
                "input_tokens, output_tokens, cost, seconds, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    call.role,
                    call.model,
                    call.subject,
                    call.prompt_hash,
                    call.request_hash,
                    reply_id,
                    bodies.storable(call.error),
                    call.usage.input,
                    call.usage.output,
                    call.cost,
                    call.seconds,
                    now_utc(),
                ),
            )
            assert cursor.lastrowid is not None
            return CallId(cursor.lastrowid)

    def typical_reply(self, role: str, model: str) -> float | None:
        """How many tokens a reply of this model in this role has on average; None when none has been counted."""
        row = self._database.read().execute(
            "SELECT avg(output_tokens) FROM model_call WHERE role = ? AND model = ? AND output_tokens > 0",
            (role, model),
        )
        value = row.fetchone()[0]
        return None if value is None else float(value)

    def replies(self, model: str, request_hashes: Sequence[str]) -> dict[str, StoredReply]:
        """The newest reply of `model` to each of these requests, by request hash (unanswered ones left out)."""
        found: dict[str, StoredReply] = {}
        for start in range(0, len(request_hashes), CHUNK):
            part = request_hashes[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT model_call.id, request_hash, error, body.encoding, body.content FROM model_call "
                "JOIN body ON body.id = model_call.reply_id "
                f"WHERE request_hash IN ({placeholders(part)}) AND model = ? ORDER BY model_call.id",
                (*part, model),
            )
            for row in rows:
                text = bodies.decode(row["encoding"], row["content"])
                found[row["request_hash"]] = StoredReply(CallId(row["id"]), text, row["error"])
        return found

    def failures(self, role: str, *, limit: int = 200) -> list[FailedCall]:
        """The newest calls of a role that brought no reply and were not answered since."""
        rows = self._database.read().execute(
            "SELECT subject, model, error, at FROM model_call AS failed WHERE role = ? AND reply_id IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM model_call AS later WHERE later.request_hash = failed.request_hash "
            "AND later.model = failed.model AND later.id > failed.id) ORDER BY id DESC LIMIT ?",
            (role, limit),
        )
        return [FailedCall(row["subject"], row["model"], row["error"], row["at"]) for row in rows]

    def count_failures(self, role: str) -> tuple[int, str]:
        """How many different requests of a role failed and were not answered since, and the newest reason."""
        newest = self.failures(role, limit=1)
        if not newest:
            return 0, ""
        row = self._database.read().execute(
            "SELECT count(DISTINCT request_hash || model) FROM model_call AS failed WHERE role = ? "
            "AND reply_id IS NULL AND NOT EXISTS (SELECT 1 FROM model_call AS later "
            "WHERE later.request_hash = failed.request_hash AND later.model = failed.model "
            "AND later.id > failed.id AND later.reply_id IS NOT NULL)",
            (role,),
        )
        return int(row.fetchone()[0]), newest[0].error

    def totals(self, role: str, about: str = "") -> CallTotals:
        """What the calls of a role used and cost so far, failed ones included; `about` is how their subjects begin."""
        row = (
            self._database.read()
            .execute(
                "SELECT count(*) AS calls, count(*) - count(reply_id) AS failed, total(input_tokens) AS input, "
                "total(output_tokens) AS output, sum(cost) AS cost, total(seconds) AS seconds "
                "FROM model_call WHERE role = ? AND substr(subject, 1, length(?)) = ?",
                (role, about, about),
            )
            .fetchone()
        )
        usage = Usage(input=int(row["input"]), output=int(row["output"]))
        return CallTotals(row["calls"], row["failed"], usage, row["cost"], row["seconds"])
