"""Files from outside that are read whole: recipes, labels, manifests, tables of labels. None of them is large."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

from btc_gui.errors import InputError

#: In bytes. What has more is something else, and reading it could take all memory.
LARGEST: Final = 64_000_000


def whole_text(path: Path, encoding: str = "utf-8-sig", largest: int = LARGEST) -> str:
    """The text of a file, with `\\n` at the ends of lines.

    Raises `InputError` for one of more than `largest` bytes, else as `Path.read_text` does.
    """
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise InputError(
            f"{path.name} is larger than {largest // 1_000_000} MB.", "Choose another file, or make several of it."
        )
    return io.TextIOWrapper(io.BytesIO(data), encoding).read()
