"""Canonical JSON and SHA-256, as manifests, identities and seeded orders use them."""

from __future__ import annotations

import hashlib
import json


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no spaces and no ASCII escapes: equal values give equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256(text: str) -> str:
    """Lower-case hex SHA-256 of the UTF-8 text (lone surrogates kept as they are)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hash_of(value: object) -> str:
    """SHA-256 of the canonical JSON of `value`."""
    return sha256(canonical_json(value))
