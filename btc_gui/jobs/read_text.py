"""Text files of unknown making, line by line: other encodings refused, every line's length bounded."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.store.open_files import beginning, is_in_use

#: A row may have this many characters. A row is held in memory whole, and no real one comes near.
MAX_ROW = 1_000_000
_CHUNK = 1 << 20
_ESCAPED = re.compile("[\udc80-\udcff]")
_NOT_ASCII = re.compile("[^\x00-\x7f]")
_SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook", "Export the sheet as “CSV UTF-8” and load that."),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document", "Export the sheet as “CSV UTF-8” and load that."),
    (b"\x1f\x8b", "compressed with gzip", "Unpack it and load what is inside."),
    (b"BZh", "compressed with bzip2", "Unpack it and load what is inside."),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it and load what is inside."),
    (b"SQLite format 3\x00", "a SQLite database", "Export the table as CSV and load that."),
    (b"%PDF-", "a PDF", "Load a CSV, JSON or JSON lines file."),
    (b"PAR1", "a Parquet file", "Export it as CSV and load that."),
)
_BOMS = (
    (codecs.BOM_UTF32_LE, "UTF-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16", "UTF-16"),
)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that was looked through: it is UTF-8, except perhaps for single lines."""

    path: Path
    size: int
    sha256: str

    def open(self) -> TextIO:
        """Open it for reading: a mark at the start is left out, line ends stay, bytes that are no UTF-8 are escaped."""
        try:
            return self.path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")
        except OSError as error:
            raise _unreadable(self.path, error) from error


def look_through(path: Path, progress: Progress) -> TextFile:
    """Read a file once, for its hash and its encoding, in bounded memory.

    Raises `InputError` for what can't be read, is empty, is no text, or is in another encoding than UTF-8, as its name
    may be, too.
    """
    if readable(str(path)) != str(path):
        raise InputError(f"The name {str(path)!a} is not UTF-8.", "Rename the file.")
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    size = good = bad = lines = first_bad = 0
    has_nuls = False
    bad_bytes: set[int] = set()
    try:
        # The file is read twice, and the report names its lines: a pipe or a terminal can't give that.
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError(f"{path} is a pipe or a device, not a file.", "Save its text in a file and load that.")
        if is_in_use(path):
            # The project itself: opened and closed here, SQLite would lose its locks on it.
            _refuse_what_is_no_text(path, beginning(path, 16))
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                progress.check()
                if not size:
                    _refuse_what_is_no_text(path, chunk)
                size += len(chunk)
                digest.update(chunk)
                if not chunk.isascii() or decoder.getstate()[0]:
                    text = decoder.decode(chunk)
                    escaped = _ESCAPED.findall(text)
                    good += len(_NOT_ASCII.findall(text)) - len(escaped)
                    if escaped and not bad:
                        first_bad = lines + 1 + text[: text.index(escaped[0])].count("\n")
                    bad += len(escaped)
                    bad_bytes.update(ord(character) - 0xDC00 for character in set(escaped))
                lines += chunk.count(b"\n")
                has_nuls = has_nuls or 0 in chunk
    except OSError as error:
        raise _unreadable(path, error) from error
    if not size:
        raise InputError(f"{path.name} is empty.", "Choose a file that holds rows.")
    # One damaged line in a file that is UTF-8 elsewhere is a bad line; otherwise the whole file is something else.
    if bad > good:
        if has_nuls:
            raise InputError(f"{path.name} is not a table of text.", _TABLES)
        guess = "Windows-1252" if any(byte < 0xA0 for byte in bad_bytes) else "Latin-1"
        raise _other_encoding(path, guess, guess.upper(), f" (line {first_bad} holds the byte 0x{min(bad_bytes):02X})")
    return TextFile(path, size, digest.hexdigest())


#: What to do with a file that is something else altogether.
_TABLES = "Choose CSV, TSV, JSON or JSON lines; a table in another program is exported as CSV."


def _unreadable(path: Path, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"There is no file {path}.", "Check the name.")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path} is a folder.", "Choose a file in it.")
    return InputError(f"{path} can't be read: {error.strerror or error}.", "Check its permissions, or copy it.")


def _other_encoding(path: Path, guess: str, name: str, where: str = "") -> InputError:
    return InputError(
        f"{path.name} is not UTF-8{where}; it looks like {guess}.",
        f"Save it as UTF-8 (in Excel “CSV UTF-8”), or convert it: iconv -f {name} -t UTF-8 “{path.name}” > new-file.",
    )


def _refuse_what_is_no_text(path: Path, start: bytes) -> None:
    for mark, guess, name in _BOMS:
        if start.startswith(mark):
            raise _other_encoding(path, guess, name)
    for signature, what, remedy in _SIGNATURES:
        if start.startswith(signature):
            raise InputError(f"{path.name} is {what}, not a table of text.", remedy)
    sample = start[:4096]
    nuls = sample.count(0)
    if nuls > len(sample) // 5:
        low_first = sample[1::2].count(0) >= sample[0::2].count(0)
        raise _other_encoding(path, "UTF-16 without its mark", "UTF-16LE" if low_first else "UTF-16BE")


@dataclass(frozen=True, slots=True)
class Line:
    """A physical line with its end, numbered as an editor does. `problem` says why it can't be used."""

    number: int
    text: str
    problem: str = ""


def read_lines(file: TextIO, longest: int = MAX_ROW) -> Iterator[Line]:
    """The lines of a file opened by `TextFile.open`; ends may be LF, CRLF or CR.

    Of a line with more than `longest` characters only the beginning is given, with the problem: no more of it is kept.
    """
    number = 0
    while text := file.readline(longest):
        number += 1
        if len(text) == longest and text[-1] not in "\r\n":
            length = len(text)
            while (more := file.readline(_CHUNK)) and more[-1] not in "\r\n":
                length += len(more)
            length += len(more)
            yield Line(number, text[:500], f"the line has {length:,} characters: a row may have {longest:,}")
        elif not text.isascii() and (escaped := _ESCAPED.search(text)):
            byte = ord(escaped.group()) - 0xDC00
            yield Line(number, readable(text), f"the line holds the byte 0x{byte:02X}, which is not UTF-8")
        elif "\x00" in text:
            yield Line(number, text, "the line holds a NUL byte: it is damaged")
        else:
            yield Line(number, text)


def readable(text: str) -> str:
    """The text with whatever can't be stored as UTF-8 replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unusable(values: dict[str, str]) -> str:
    """Why these cells can't be stored (a NUL, half of a surrogate pair), or nothing."""
    text = "".join(values.values())
    if "\x00" in text:
        return "a cell holds a NUL character"
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return "a cell holds half of a surrogate pair (\\ud800 to \\udfff), which is no character"
    return ""
