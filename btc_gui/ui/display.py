"""Whether a window can open on this machine, and what is missing when it can't. Importing this needs no Qt."""

from __future__ import annotations

import builtins
import os
import re
import sys
from pathlib import Path

from btc_gui.errors import BtcError

#: Debian's and Ubuntu's packages for the libraries that Qt looks for and a bare machine lacks.
_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libGLX.so.0": "libglx0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
_ALL_AT_ONCE = "libegl1 libgl1 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libxcb-cursor0 libxcb-icccm4 \
libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1"


class DisplayError(BtcError):
    """A window can't open here."""


def has_display() -> bool:
    """Whether there is a screen to open a window on (an explicit Qt platform counts)."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def missing_library(message: str) -> DisplayError:
    """The sentence about a library that the loader did not find, with the package that brings it."""
    match = re.search(r"(lib[\w.+-]+\.so(?:\.\d+)*)", message)
    library = match.group(1) if match else ""
    package = _PACKAGES.get(library, "")
    if not library:
        return DisplayError(f"Qt can't start: {message}.")
    remedy = f"Install it with: sudo apt-get install {package}" if package else ""
    return DisplayError(
        f"Qt can't start: the system library {library} is missing.",
        f"{remedy}\nAll that a window may need: sudo apt-get install {_ALL_AT_ONCE}".strip(),
    )


def check_qt() -> None:
    """Make sure that Qt and the plugin for this screen can be loaded. Raises `DisplayError`.

    Qt itself would abort the process when the plugin's libraries are missing.
    """
    try:
        import PySide6.QtWidgets
    except ImportError as error:
        raise missing_library(str(error)) from error
    _import_plainly()
    wanted = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    if sys.platform == "linux" and wanted in ("", "xcb") and os.environ.get("DISPLAY"):
        plugin = Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.exists():
            import ctypes

            try:
                ctypes.CDLL(str(plugin))
            except OSError as error:
                raise missing_library(str(error)) from error


def _import_plainly() -> None:
    """Let modules be imported as without PySide, which looks for its `__feature__`s in each of them; none asks for any.

    It reads the source of every module for it: a tenth of the time until the first page is there, and 30 MB of lines
    that Python keeps. Where a later PySide does it otherwise, this changes nothing.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
