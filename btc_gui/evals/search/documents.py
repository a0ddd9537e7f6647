"""A folder of documents for local search: reading its files, and keeping their index up to date."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from urllib.parse import quote

from btc_gui import paths
from btc_gui.domain.document import Document
from btc_gui.domain.hashing import hash_of, sha256
from btc_gui.domain.search_settings import last_day
from btc_gui.errors import InputError
from btc_gui.evals.search.html_text import html_document
from btc_gui.outside_data import json_from
from btc_gui.progress import Progress
from btc_gui.store.local_documents import read_about, write_index

#: The kinds of files that are read, by the end of their names; all others are passed over.
SUFFIXES = (".txt", ".md", ".markdown", ".html", ".htm", ".jsonl")
#: Larger files are refused, except for JSONL, which is read line by line.
_LARGEST = 64_000_000
#: How many refusals are listed; the others are counted.
_MOST_REFUSALS = 1_000
_DATE_IN_NAME = re.compile(r"(?<!\d)((?:1[0-9]|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)")
_DATE_KEYS = ("published", "date", "publication_date", "pubdate", "publishdate", "created")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file, or a line of one, that is not in the index, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """An index: where it is, the hash of what is in it, how much that is, what was refused (the first of it) and
    how often.

    `is_new` says that it was made just now, in `seconds`.
    """

    path: Path
    digest: str
    files: int
    documents: int
    passages: int
    refused: tuple[Refusal, ...]
    refusals: int
    is_new: bool = False
    seconds: float = 0.0


@dataclass(slots=True)
class _Reading:
    """The documents of files, one after another; what is refused and the contents' hash are kept on the way."""

    folder: Path
    files: list[Path]
    progress: Progress
    refused: list[Refusal] = field(default_factory=list)
    refusals: int = 0
    contents: list[tuple[str, str]] = field(default_factory=list)

    def documents(self) -> Iterator[Document]:
        """All of them. Raises `Cancelled` when the progress is."""
        for number, file in enumerate(self.files):
            self.progress.report(number, len(self.files), f"indexing {file.name}")
            name = file.relative_to(self.folder).as_posix()
            try:
                if file.suffix.lower() == ".jsonl":
                    yield from self._of_lines(file, name)
                else:
                    yield self._of_file(file, name)
            except UnicodeDecodeError:
                self._refuse(name, "it is not UTF-8")
            except OSError as error:
                self._refuse(name, error.strerror or str(error))
            except ValueError as error:
                self._refuse(name, str(error))

    def _of_file(self, file: Path, name: str) -> Document:
        if file.stat().st_size > _LARGEST:
            raise ValueError(f"it is larger than {_LARGEST // 1_000_000} MB")
        content = file.read_bytes()
        self.contents.append((name, hashlib.sha256(content).hexdigest()))
        if file.suffix.lower() in (".html", ".htm"):
            document = html_document(content)
        else:
            document = _plain_document(content.decode("utf-8-sig"), has_header=file.suffix.lower() != ".txt")
        return _complete(document, file.stem, _address(name), _date_of_name(file.name))

    def _of_lines(self, file: Path, name: str) -> Iterator[Document]:
        contents = hashlib.sha256()
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                contents.update(line)
                place = f"{name}, line {number}"
                try:
                    if line.strip():
                        row = json_from(line.decode("utf-8-sig"), allows_halves=True)
                        yield _complete(_of_row(row), place, f"{_address(name)}#{number}", "")
                except UnicodeDecodeError:
                    self._refuse(place, "it is not UTF-8")
                except ValueError as error:
                    self._refuse(place, str(error))
        self.contents.append((name, contents.hexdigest()))

    def _refuse(self, place: str, reason: str) -> None:
        self.refusals += 1
        if self.refusals <= _MOST_REFUSALS:
            self.refused.append(Refusal(place, reason))


def index_documents(folder: Path, progress: Progress | None = None) -> IndexReport:
    """Bring the index of a folder up to date: made anew when a file was added, changed or removed, else kept.

    It lies in the user's state folder. Raises `InputError` when the folder can't be read or holds no document,
    `ProjectError` when the index can't be written.
    """
    began = perf_counter()
    folder = folder.resolve()
    path = paths.state() / "documents" / f"{sha256(str(folder))[:24]}.sqlite"
    files, fingerprint = _look(folder)
    about = read_about(path)
    if about.get("fingerprint") == fingerprint:
        return _report(path, about)
    reading = _Reading(folder, files, progress or Progress())
    about = {"folder": str(folder), "fingerprint": fingerprint, "files": str(len(files))}
    write_index(path, _with_last_words(reading, about), about)
    return _report(path, read_about(path), perf_counter() - began)


def check_folder(folder: Path, progress: Progress) -> None:
    """Look for one document in a folder, and read none. Raises `InputError` where indexing would."""
    folder = folder.resolve()
    if next(_files(folder, progress), None) is None:
        raise _no_document(folder)


def _with_last_words(reading: _Reading, about: dict[str, str]) -> Iterator[Document]:
    """All documents; when they are through, what they were is written down in `about`."""
    is_any = False
    for document in reading.documents():
        is_any = True
        yield document
    if not is_any:
        raise _no_document(reading.folder)
    about["digest"] = hash_of(reading.contents)
    about["refusals"] = str(reading.refusals)
    about["refused"] = json.dumps([[each.file, each.reason] for each in reading.refused])


def _report(path: Path, about: dict[str, str], seconds: float | None = None) -> IndexReport:
    return IndexReport(
        path=path,
        digest=about["digest"],
        files=int(about["files"]),
        documents=int(about["documents"]),
        passages=int(about["passages"]),
        refused=tuple(Refusal(*each) for each in json_from(about["refused"])),
        refusals=int(about["refusals"]),
        is_new=seconds is not None,
        seconds=seconds or 0.0,
    )


def _look(folder: Path) -> tuple[list[Path], str]:
    """The files of a folder, in order, and a hash of their names, sizes and times. Reads none of them."""
    found = list(_files(folder, Progress()))
    return [Path(file) for file in found], hash_of(
        [(os.path.relpath(file, folder), *_size_and_time(file)) for file in found]
    )


def _files(folder: Path, progress: Progress) -> Iterator[str]:
    """The documents of a folder by their names, in order. Raises `InputError` when it is none or can't be read."""
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}.", "Name the folder that holds the documents.")
    try:
        for parent, folders, names in os.walk(folder, onerror=_raise):
            progress.check()
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                    yield os.path.join(parent, name)
    except OSError as error:
        raise InputError(f"The folder {folder} can't be read: {error.strerror or error}.") from error


def _no_document(folder: Path) -> InputError:
    return InputError(
        f"There is no document in {folder}.", f"Documents are files whose names end in {', '.join(SUFFIXES)}."
    )


def _size_and_time(file: str) -> tuple[int, int]:
    try:
        about = os.stat(file)
    except OSError:
        # A link to nowhere: reading it will say why it is refused.
        return -1, 0
    return about.st_size, about.st_mtime_ns


def _raise(error: OSError) -> None:
    raise error


def _of_row(row: object) -> Document:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise ValueError("it is not an object with a text")
    title, url, published = (str(row.get(key) or "") for key in ("title", "url", "published"))
    return Document(title, url, published, row["text"])


def _complete(document: Document, title: str, address: str, published: str) -> Document:
    """The document with what it doesn't say itself. Raises ValueError when it has no text."""
    text = _storable(document.text).strip()
    if not text:
        raise ValueError("it has no text")
    found = document.published.strip().replace("/", "-").partition("T")[0].partition(" ")[0]
    return Document(
        title=" ".join(_storable(document.title).split()) or title,
        url=_storable(document.url).strip() or address,
        published=found if last_day(found) else published,
        text=text,
    )


def _storable(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _address(name: str) -> str:
    """A document without an address of its own: its place in the folder, and nothing about this computer."""
    return f"local:///{quote(name)}"


def _date_of_name(name: str) -> str:
    found = _DATE_IN_NAME.search(name)
    if found is None:
        return ""
    date = "-".join(part for part in found.groups() if part)
    return date if last_day(date) else ""


def _plain_document(text: str, *, has_header: bool) -> Document:
    """A text file; one of Markdown may begin with a header between lines of `---`, and have a first heading."""
    if not has_header:
        return Document("", "", "", text)
    header, body = _header(text)
    heading = re.search(r"^#\s+(.+?)\s*#*\s*$", body, re.MULTILINE)
    published = next((header[key] for key in _DATE_KEYS if header.get(key)), "")
    return Document(
        title=header.get("title") or (heading.group(1) if heading else ""),
        url=header.get("url") or header.get("link") or header.get("source", ""),
        published=published,
        text=body,
    )


def _header(text: str) -> tuple[dict[str, str], str]:
    found = re.match(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", text, re.DOTALL)
    if found is None:
        return {}, text
    header: dict[str, str] = {}
    for line in found.group(1).splitlines():
        key, colon, value = line.partition(":")
        if colon and not line[:1].isspace():
            header.setdefault(key.strip().lower(), value.strip().strip("\"'"))
    return header, text[found.end() :]
