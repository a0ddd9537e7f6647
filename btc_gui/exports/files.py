"""Files that are whole or absent: written beside their place, flushed to the disk, then renamed."""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
from pathlib import Path

from btc_gui.errors import InputError
from btc_gui.store.half_written import half_name, sweep

# Also what can't be seen: a mark that turns the direction makes `gpj.exe` look like `exe.jpg`.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\s\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+')
_RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))}
#: Bytes: file systems take 255, and ours have something before and behind.
_LONGEST = 160


def safe_name(name: str, default: str = "export") -> str:
    """`name` as a file name that every system takes: no separators, reserved words, trailing dots; 160 bytes."""
    # What begins with a dash is an option to most commands.
    cleaned = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name)).strip("._ ").lstrip("-._ ")
    cleaned = cleaned.encode()[:_LONGEST].decode(errors="ignore").rstrip("._ ")
    if not cleaned:
        return default
    return f"_{cleaned}" if cleaned.split(".")[0].upper() in _RESERVED else cleaned


def write_whole(path: Path, data: bytes) -> Path:
    """Write `data` to `path` so that a reader sees the old file or the new one, never a part.

    Makes missing folders. Raises InputError when the place can't be written; then nothing is left behind. What a
    process that was killed has left half written is removed by the next one that writes into the folder.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent)
        handle, name = tempfile.mkstemp(prefix=half_name(), suffix=".part", dir=path.parent)
    except OSError as error:
        raise _refusal(path, error) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp gives 0600; an export is read by others as any file of this user is.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _refusal(path, error) from error
    return path


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _refusal(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path} can't be written: {error.strerror or error}.", "Choose another folder or free some space."
    )
