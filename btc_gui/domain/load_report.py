"""What came of reading a file: how many rows, and which ones were not taken and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from btc_gui.errors import InputError


@dataclass(frozen=True, slots=True)
class Rejection:
    """A row that was not taken. `line` is the physical line of the file where the row starts, from 1."""

    line: int
    reason: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What came of one file: `read` = `new` + `known` + the number of rejections."""

    file: str
    read: int
    new: int
    known: int
    rejected: tuple[Rejection, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The report as commands print it."""
        return {
            "file": self.file,
            "read": self.read,
            "new": self.new,
            "known": self.known,
            "rejected": [{"line": rejection.line, "reason": rejection.reason} for rejection in self.rejected],
        }

    @property
    def text(self) -> str:
        """One line for a person."""
        counts = f"{self.read:,} read, {self.new:,} new, {self.known:,} known, {len(self.rejected):,} rejected"
        return f"{self.file}: {counts}"

    def kinds_of_rejection(self) -> list[tuple[str, int]]:
        """The reasons by their words before the first colon, with how often each occurs, the most frequent first."""
        return Counter(rejection.reason.partition(":")[0] for rejection in self.rejected).most_common()


class NothingLoaded(InputError):  # noqa: N818 (named for what a person is told)
    """A file of which not one row can be taken. `report` lists every row with its reason."""

    def __init__(self, report: LoadReport) -> None:
        first = report.rejected[0]
        which = "its only row can't" if report.read == 1 else f"none of its {report.read:,} rows can"
        super().__init__(
            f"{report.file}: {which} be taken. Line {first.line}: {first.reason}.",
            "Nothing was loaded. Correct the rows, or say which column is what with --map fact=column.",
        )
        self.report = report
