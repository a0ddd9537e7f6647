"""What the benchmark's words mean, for tooltips: the same page that help shows as “Words”."""

from __future__ import annotations

import re
from functools import lru_cache

from btc_gui import paths

_ENTRY = re.compile(r"^\*\*(.+?)\*\*: (.+)$", re.MULTILINE)


def meaning(word: str) -> str:
    """What a word means, as a sentence; empty for a word that needs no explaining.

    What stands in brackets behind it, or after a comma, belongs to the place where it is read: “PPV (judge says
    correct)” is PPV.
    """
    return _meanings().get(re.split(r"[(,…]", word)[0].strip().casefold(), "")


@lru_cache(maxsize=1)
def _meanings() -> dict[str, str]:
    text = (paths.resources() / "help" / "glossary.md").read_text(encoding="utf-8")
    return {
        name.strip().casefold(): f"{said[:1].upper()}{said[1:]}".replace("*", "").replace("`", "")
        for names, said in _ENTRY.findall(text)
        for name in names.split(",")
    }
