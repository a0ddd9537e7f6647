"""`btc-gui open|packet --register`: menu entry, icon and double click (Linux desktops, for one user)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from btc_gui import paths
from btc_gui.errors import InputError

#: The accent of the light theme: the background of a menu or a file manager is not known.
_ICON_COLOR = "#1F5FBF"


@dataclass(frozen=True, slots=True)
class DesktopEntry:
    """One thing that a desktop is told: an entry and a file type of resources/desktop, an icon of resources/icons."""

    entry: str
    type: str
    type_file: str
    icon: str
    #: Where the icon goes below the icon theme, without its ending.
    icon_place: str


#: The workbench: in the menu, and a double click opens projects. The window names itself by the entry's file.
WORKBENCH: Final = DesktopEntry(
    "btc_gui.desktop", "application/x-btc-project", "btc-project.xml", "workbench", "apps/btc_gui"
)
#: The labelling window: in no menu, a double click opens packets.
PACKETS: Final = DesktopEntry(
    "btc-packet.desktop", "application/x-btc-packet", "btc-packet.xml", "package", "mimetypes/application-x-btc-packet"
)


def register(what: DesktopEntry) -> list[str]:
    """Install file type, desktop entry and icon for this user, and say what was done. Twice is the same as once.

    Raises `InputError` where there is no such thing (Windows, macOS).
    """
    _check_system()
    resources = paths.resources()
    entry = (resources / "desktop" / what.entry).read_text(encoding="utf-8")
    icon = (resources / "icons" / f"{what.icon}.svg").read_text(encoding="utf-8")
    type_file, entry_file, icon_file = _files(what)
    contents = {
        type_file: (resources / "desktop" / what.type_file).read_text(encoding="utf-8"),
        entry_file: entry.replace("@COMMAND@", _command()),
        icon_file: icon.replace("currentColor", _ICON_COLOR),
    }
    lines = []
    for path, content in contents.items():
        if path.is_file() and path.read_text(encoding="utf-8") == content:
            lines.append(f"{path} is there already.")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        lines.append(f"{path} was written.")
    return [*lines, *_update(), _run("xdg-mime", "default", what.entry, what.type)]


def unregister(what: DesktopEntry) -> list[str]:
    """Take away what `register` installed, and say what was done."""
    _check_system()
    lines = []
    for path in _files(what):
        is_there = path.is_file()
        path.unlink(missing_ok=True)
        lines.append(f"{path} was removed." if is_there else f"{path} was not there.")
    return [*lines, *_update()]


def _check_system() -> None:
    if sys.platform in ("win32", "darwin"):
        raise InputError("--register is for Linux desktops.", "docs/validating.md says how it is done here.")


def _data_home() -> Path:
    """Where desktops look; by its specification a relative path is none."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


def _files(what: DesktopEntry) -> tuple[Path, Path, Path]:
    data = _data_home()
    return (
        data / "mime" / "packages" / what.type_file,
        data / "applications" / what.entry,
        data / "icons" / "hicolor" / "scalable" / f"{what.icon_place}.svg",
    )


def _command() -> str:
    """This Python with this program, quoted for a desktop entry's Exec line: once as an argument, once as a string."""
    argument = re.sub(r'(["`$\\])', r"\\\1", sys.executable).replace("%", "%%")
    return f'"{argument}" -m btc_gui'.replace("\\", "\\\\")


def _update() -> list[str]:
    data = _data_home()
    lines = []
    # A folder that is not there has nothing to be told about.
    for program, folder in (
        ("update-mime-database", data / "mime"),
        ("update-desktop-database", data / "applications"),
    ):
        if folder.is_dir():
            lines.append(_run(program, str(folder)))
    return lines


def _run(program: str, *arguments: str) -> str:
    if shutil.which(program) is None:
        return f"{program} is not installed: skipped. The desktop may see the change after the next login."
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return f"{program}: {'done' if done.returncode == 0 else done.stderr.strip() or 'failed'}."
