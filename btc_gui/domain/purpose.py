"""What runs are for."""

from __future__ import annotations

from enum import StrEnum


class Purpose(StrEnum):
    """What a run is for."""

    EVALUATE = "evaluate"
    FILTER = "filter"
    IMPORT = "import"
