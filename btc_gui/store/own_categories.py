"""A person's own categories in a project: kept as they were used, so that who gets the project can have them too."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.category import NAME, load_category
from btc_gui.domain.hashing import canonical_json, sha256
from btc_gui.domain.outside_text import on_one_line
from btc_gui.errors import InputError, SettingsError
from btc_gui.outside_data import json_from
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.projects import ProjectStore

#: Before a category's name: the keys of the project's values that are its files, and the hash of these.
_FILES, _USED = "category_files:", "category:"
#: What of a folder is a category's: its own files and its queries.
_FILE = re.compile(r"[\w-]+\.(toml|md|jsonl)|queries/[\w-]+\.rq")
#: All files of a category together, in characters.
_LONGEST = 2_000_000


@dataclass(frozen=True, slots=True)
class UsedCategory:
    """A category that a project has events of. `folder` is where this installation has it, None where it lacks it.

    `is_own` when it is not one of the app's. `differs` when the project used it last with other files than are here;
    `is_kept` when the project holds its files.
    """

    name: str
    folder: Path | None
    is_own: bool
    is_kept: bool
    differs: bool

    @property
    def problem(self) -> str:
        """What somebody should know who goes on with the project; empty when all is as it was."""
        if self.folder is None:
            remedy = (
                f"“btc-gui categories --restore {self.name} -p PROJECT” writes it into your folder"
                if self.is_kept
                else "ask who made the project for its folder"
            )
            return f"There are events of the category “{on_one_line(self.name, 40)}”, which is not here: {remedy}."
        if self.differs:
            return (
                f"The category “{self.name}” was used here with other files than there are now: "
                "what is asked from now on goes by these."
            )
        return ""


def used_categories(database: Database) -> list[UsedCategory]:
    """The categories of the project's events, by name."""
    store, found = ProjectStore(database), []
    for name in sorted(EventStore(database).count_by_category()):
        folder, kept = paths.category_folder(name), store.value(_USED + name)
        # In a stranger's project a category may be called anything, also a path.
        is_here = NAME.fullmatch(name) is not None and (folder / "category.toml").is_file()
        is_own = not is_here or folder.parent == paths.own_categories()
        found.append(
            UsedCategory(
                name=name,
                folder=folder if is_here else None,
                is_own=is_own,
                is_kept=bool(kept),
                differs=bool(kept) and is_here and sha256(_files_of(folder)) != kept,
            )
        )
    return found


def keep_categories(database: Database) -> None:
    """Keep the files of the person's own categories that the project has events of, as they are now.

    Called by what goes by them. Nothing is written when they are kept already, or when there are none.
    """
    own = {path.parent.name: path.parent for path in paths.own_categories().glob("*/category.toml")}
    if not own:
        return
    store = ProjectStore(database)
    for name in own.keys() & EventStore(database).count_by_category().keys():
        files = _files_of(own[name])
        digest = sha256(files)
        if store.value(_USED + name) != digest:
            with database.write():
                store.set_value(_FILES + name, files)
                store.set_value(_USED + name, digest)


def restore_category(database: Database, name: str) -> Path:
    """Write a category that the project keeps into the person's own folder; gives its place.

    Never overwrites. Raises `InputError` when the project keeps none of that name, or there is one already;
    `SettingsError` when what it keeps is no category.
    """
    store = ProjectStore(database)
    kept = store.value(_FILES + name)
    if not kept or not NAME.fullmatch(name):
        raise InputError(f"The project keeps no category “{name}”.", "See “btc-gui categories -p PROJECT”.")
    target = paths.own_categories() / name
    if target.exists():
        raise InputError(f"{target} is there already.", "Move it away first, if the project's is to take its place.")
    try:
        files = json_from(kept)
        if not isinstance(files, dict) or not all(_FILE.fullmatch(each) for each in files):
            raise ValueError("it names other files than a category has")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=target.parent) as around:
            folder = Path(around) / name
            for file, text in files.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(str(text), encoding="utf-8")
            load_category(folder)
            os.rename(folder, target)
    except (OSError, ValueError) as error:
        raise SettingsError(f"The category “{name}” can't be taken from the project: {error}.") from error
    return target


def _files_of(folder: Path) -> str:
    """All files of a category as one text, the same for the same files. Raises `SettingsError`."""
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        file = path.relative_to(folder).as_posix()
        if _FILE.fullmatch(file) and path.is_file():
            try:
                texts[file] = path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise SettingsError(f"{path} can't be read: {error}.") from error
    files = canonical_json(texts)
    if len(files) > _LONGEST:
        raise SettingsError(f"The files of the category {folder} are longer than {_LONGEST:,} characters together.")
    return files
