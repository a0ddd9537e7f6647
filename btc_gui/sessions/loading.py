"""Looking at a file before it is loaded, and saying which column is what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from btc_gui.domain.column_mapping import LoadSubject, facts_of
from btc_gui.domain.load_preview import Preview
from btc_gui.errors import InputError

#: Shows how a file would be read, with a person's changes to the mapping and the default of rows that lack a
#: category (events) or kind (probes): `preview_events` or `preview_probes` with their project filled in.
Look = Callable[[Path, Mapping[str, str], str], Preview]


class LoadSession:
    """One file on its way into a project. Every step reads the file's beginning anew: not for the GUI thread.

    When `can_load`, hand `path`, `changes` and `default` to the job that loads.
    """

    def __init__(self, subject: LoadSubject, look: Look) -> None:
        self.subject = subject
        self._look = look
        self._path: Path | None = None
        self._preview: Preview | None = None
        self._changes: dict[str, str] = {}
        self._default = ""

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts to which a column can be mapped."""
        return facts_of(self.subject)

    @property
    def path(self) -> Path:
        """The file. Raises `InputError` before one is open."""
        if self._path is None:
            raise InputError("No file is open.", "Choose a file first.")
        return self._path

    @property
    def preview(self) -> Preview | None:
        """How the file would be read as things stand, or None before one is open."""
        return self._preview

    @property
    def changes(self) -> dict[str, str]:
        """What was changed in the mapping: column by fact, empty for none."""
        return dict(self._changes)

    @property
    def default(self) -> str:
        """The category or kind of rows that name none."""
        return self._default

    @property
    def can_load(self) -> bool:
        """Whether enough is known to load the file, and at least one of its first rows would be taken."""
        preview = self._preview
        return preview is not None and not preview.problems and any(not row.reason for row in preview.sample)

    def open(self, path: Path) -> Preview:
        """Look at a file; what was set for another one is forgotten. Raises `InputError` when it can't be read."""
        preview = self._look(path, {}, "")
        self._path, self._changes, self._default = path, {}, ""
        self._preview = preview
        return preview

    def set_mapping(self, fact: str, column: str) -> Preview:
        """Take a fact from a column, or from none. Raises `InputError` for what doesn't exist; then nothing changes."""
        changes = {**self._changes, fact: column}
        self._preview = self._look(self.path, changes, self._default)
        self._changes = changes
        return self._preview

    def set_default(self, default: str) -> Preview:
        """Set the category or kind of rows that name none."""
        self._preview = self._look(self.path, self._changes, default)
        self._default = default
        return self._preview
