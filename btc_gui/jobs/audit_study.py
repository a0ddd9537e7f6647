"""Audit a study's blinding: search its packets, and what else an annotator could reach, for what is hidden."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryFile

from btc_gui import paths
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.leak_audit import RUNS_LIMIT, Hidden, Leak, LeakSearch, Piece, runs_deviation
from btc_gui.domain.packet import ItemId, Layer
from btc_gui.domain.study import IssuedPacket, Study, StudyId
from btc_gui.domain.study_draw import StudyItem, annotator_items, packet_order
from btc_gui.errors import PacketError
from btc_gui.known_secrets import environment_without_secrets
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.hidden_facts import HiddenFacts, hidden_facts
from btc_gui.store.packet_contents import PACKET_TABLES, PacketStructure, packet_cells, packet_structure
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore

#: A file that was written within this time of an answer or verdict was dated by it.
_SECONDS = 1.0
#: Files are read in parts of this size.
_PART_BYTES = 1 << 22
#: What the manifest says to everybody; the rest of it is searched.
_SHOWN_IN_MANIFEST = ("annotator", "kind", "title", "question", "choices", "fields", "note", "relations")
_OWN_COLUMNS = ("label", "reason", "note", "answers")
#: The searched window is drawn for nobody.
_UNSEEN = {"QT_QPA_PLATFORM": "offscreen"}
#: Where a packet names the pages to label by.
_PAGE_NAMES = {("page", "name"), ("item", "page"), ("practice", "page")}
_ORDER_SEED = {Layer.REVEALED: ":revealed", Layer.ADJUDICATION: ":adjudication"}


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Which channels were searched (and how many pieces each had), for how many hidden words, and what was found."""

    study: str
    words: int
    channels: Mapping[str, int]
    leaks: tuple[Leak, ...]

    def as_json(self) -> dict[str, object]:
        """The report as data."""
        return {
            "study": self.study,
            "words": self.words,
            "channels": dict(self.channels),
            "leaks": [asdict(leak) for leak in self.leaks],
        }


class LeakAudit:
    """Collects channels of one study and searches them. Every method adds to the report."""

    def __init__(self, database: Database, study_id: StudyId) -> None:
        self._database = database
        self._store = StudyStore(database)
        self._study = self._store.get(study_id)
        self._items = self._store.items(study_id)
        self._facts = hidden_facts(database, study_id)
        self._channels: dict[str, int] = {}
        self._leaks: list[Leak] = []
        self._searches: dict[str, LeakSearch] = {}

    @property
    def report(self) -> AuditReport:
        """What was searched so far, and found."""
        words = len({word.text for word in self.words("")})
        return AuditReport(self._study.name, words, dict(self._channels), tuple(self._leaks))

    def words(self, annotator: str) -> list[Hidden]:
        """What is hidden from an annotator (from all of them for an empty name)."""
        return hidden_words(self._study, self._items, self._facts, annotator)

    def _search_for(self, annotator: str) -> LeakSearch:
        if annotator not in self._searches:
            self._searches[annotator] = LeakSearch(self.words(annotator))
        return self._searches[annotator]

    # -- packets ---------------------------------------------------------------------------------------------

    def window(self, path: Path, progress: Progress | None = None) -> None:
        """Search the labelling window of a packet, item by item, and the process that it is in.

        A process of its own opens a copy, without a screen: nobody sees the window. Raises `PacketError` when it
        can't.
        """
        with PacketFile.open(path, to_label=False) as file:
            annotator = file.outline().manifest.annotator
        command = [sys.executable, "-m", "btc_gui", "packet", "--pieces", str(path)]
        environment = {**environment_without_secrets(), **_UNSEEN}
        # What it complains of goes to a file: a pipe that nobody reads would stop it.
        with (
            TemporaryFile("w+", encoding="utf-8") as complaints,
            Popen(
                command,
                stdout=PIPE,
                stderr=complaints,
                encoding="utf-8",
                env=environment,
            ) as process,
        ):
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    if progress is not None:
                        progress.check()
                    self.search([Piece(**json.loads(line))], annotator)
            except BaseException:
                process.kill()
                raise
            if process.wait():
                complaints.seek(0)
                last = complaints.read().strip().rpartition("\n")[2]
                raise PacketError(f"The labelling window of {path.name} could not be searched.", last)

    def packet(self, path: Path, progress: Progress | None = None) -> bool:
        """Search a packet of the study: name, times, tables, cells, pages, order, and the files beside it.

        Gives whether it opens in a window: one with tables that no packet has, which are leaks, does not. It is read
        row by row and part by part, whatever its size. Raises `PacketError` when it is none.
        """
        with PacketFile.open(path, to_label=False, to_audit=True) as file:
            outline = file.outline()
        structure = packet_structure(path)
        issued = PacketStore(self._database).find(outline.manifest.packet_id)
        if issued is None or issued.study_id != self._study.id:
            raise PacketError(f"{path.name} is not a packet of “{self._study.name}”.", "Choose another one.")
        shown = [entry.item for entry in outline.entries]
        self._structure(path, structure)
        manifest = {k: v for k, v in outline.manifest.as_json().items() if k not in _SHOWN_IN_MANIFEST}
        self.search([Piece("packet cells", "manifest", str(manifest))], issued.annotator)
        for table, column, text in packet_cells(path):
            if progress is not None:
                progress.check()
            self._cell(table, column, text, issued.annotator)
        self._count("packet pages", 1)
        self._leaks += self._search_for(issued.annotator).leaks_in_file(
            "packet pages", path.name, _parts(path), lambda: _readable(path, structure)
        )
        self.search([Piece("file name", path.name, path.name)], issued.annotator)
        self._times(path)
        self.search(_attributes(path), issued.annotator)
        self._order(path, issued, shown)
        self._ids(path, shown)
        beside = [other for other in sorted(path.parent.iterdir()) if path.stem in other.name and other != path]
        self.files("files beside the packet", beside, issued.annotator)
        return structure.columns.keys() <= PACKET_TABLES.keys()

    def _cell(self, table: str, column: str, text: str, annotator: str) -> None:
        """What is shown or written by the annotator may hold common words; what nobody is shown may not."""
        if (table, column) in _PAGE_NAMES and text in self._study.pages:
            # “demise/indirect” is a kind of probe, which the page says; a failure mode has the same name.
            self.search([Piece("packet cells", f"{table}.{column}", text)], annotator, only_telling=True)
        elif _is_shown(table, column):
            self.search([Piece("shown text", f"{table}.{column}", text)], annotator, only_telling=True)
        elif _is_written(table, column):
            self.search([Piece("labels and notes", f"{table}.{column}", text)], annotator, only_telling=True)
        elif table != "manifest":
            self.search([Piece("packet cells", f"{table}.{column}", text)], annotator)

    def _structure(self, path: Path, found: PacketStructure) -> None:
        self._count("packet tables", len(found.columns))
        for table, columns in found.columns.items():
            for column in sorted(columns - PACKET_TABLES.get(table, frozenset())):
                self._leaks.append(Leak("packet tables", "a column that no packet has", f"{table}.{column}", path.name))
        if found.free_pages:
            self._leaks.append(Leak("packet pages", "free pages", str(found.free_pages), path.name))

    def _times(self, path: Path) -> None:
        status = path.stat()
        self._count("file times", 1)
        for what, moments in self._facts.moments.items():
            for moment in moments:
                if abs(_seconds(moment) - status.st_mtime) < _SECONDS:
                    self._leaks.append(Leak("file times", what, moment, path.name))

    def _order(self, path: Path, issued: IssuedPacket, shown: Sequence[ItemId]) -> None:
        self._count("order", len(shown))
        held = [item for item in self._items if item.item in set(shown)]
        if issued.layer not in _ORDER_SEED:
            wanted = annotator_items(self._items, self._study.design, issued.annotator)
            if {item.item for item in wanted} != set(shown):
                self._leaks.append(Leak("order", "items of another annotator", "", path.name))
        seed = self._study.design.order_seed + _ORDER_SEED.get(issued.layer, "")
        if [item.item for item in packet_order(held, seed, issued.annotator)] != list(shown):
            self._leaks.append(Leak("order", "the order is not the one by hash", "", path.name))
        by_item = {item.item: item for item in held}
        facts: dict[str, Callable[[StudyItem], str]] = {
            "judge label": lambda item: item.machine_label,
            "stratum": lambda item: item.stratum,
            "configuration": lambda item: item.cell,
        }
        for what, fact in facts.items():
            deviation = runs_deviation([fact(by_item[item]) for item in shown if item in by_item])
            if deviation is not None and abs(deviation) > RUNS_LIMIT:
                self._leaks.append(Leak("order", what, f"runs test: {deviation:+.1f} standard deviations", path.name))

    def _ids(self, path: Path, shown: Sequence[str]) -> None:
        self._count("item ids", len(shown))
        for item in self._items:
            derived = {
                hash_of(part)[:16] for part in (item.key, item.answer_id, str(item.answer_id), item.machine_label)
            }
            if derived & {item.item} & set(shown):
                self._leaks.append(Leak("item ids", "an id derived from its answer", item.item, path.name))

    # -- everything else -------------------------------------------------------------------------------------

    def process(self, arguments: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> None:
        """Search the arguments of a process that labels, and its environment (default: this one's)."""
        known = os.environ if environment is None else environment
        self.search([Piece("process arguments", "", argument) for argument in arguments or sys.argv[1:]])
        self.search([Piece("environment", name, f"{name}={value}") for name, value in known.items()])

    def files(self, channel: str, paths: Sequence[Path], annotator: str = "") -> None:
        """Search the names and contents of files and folders (logs, settings, temporary files, exports)."""
        self._count(channel, 0)
        for path in _all_files(paths):
            self.search([Piece(channel, path.name, path.name)], annotator)
            try:
                self._leaks += self._search_for(annotator).leaks_in_file(channel, path.name, _parts(path))
            except OSError:
                continue
            self._count(channel, 1)

    def search(self, pieces: Sequence[Piece], annotator: str = "", *, only_telling: bool = False) -> None:
        """Search pieces of any channel, such as the texts of a window, for what is hidden from `annotator`."""
        for piece in pieces:
            self._count(piece.channel, 1)
        self._leaks += self._search_for(annotator).leaks(pieces, only_telling=only_telling)

    def _count(self, channel: str, pieces: int) -> None:
        self._channels[channel] = self._channels.get(channel, 0) + pieces


def written_by_the_app() -> dict[str, list[Path]]:
    """What the app writes outside projects and an annotator could come upon: its logs, settings and recent files.

    Not the raw logs of evaluations and the indexes of documents: they are the researcher's material, hold what any
    run holds, and would make every audit on a researcher's machine cry wolf.
    """
    folder = paths.state()
    kept = [path for path in sorted(folder.iterdir()) if path.is_file()] if folder.is_dir() else []
    return {"log files": kept, "recent files": [paths.config()]}


def audit_study(
    database: Database,
    study_id: StudyId,
    packets: Sequence[Path],
    progress: Progress,
    *,
    places: Mapping[str, Sequence[Path]] | None = None,
) -> AuditReport:
    """Search packets, all that their labelling windows say, and `places` (channel to files and folders).

    Raises `PacketError` for a file that is no packet of the study.
    """
    audit = LeakAudit(database, study_id)
    for number, path in enumerate(packets):
        progress.report(number, len(packets), path.name)
        if audit.packet(path, progress):
            progress.report(number, len(packets), f"{path.name}: its window")
            audit.window(path, progress)
    for channel, found in (places or {}).items():
        audit.files(channel, found)
    progress.report(len(packets), len(packets))
    return audit.report


def hidden_words(study: Study, items: Sequence[StudyItem], facts: HiddenFacts, annotator: str) -> list[Hidden]:
    """What is hidden from an annotator of a study, as words that a channel must not hold."""
    words = [Hidden("judge label", label) for label in {item.machine_label for item in items}]
    words += [Hidden("stratum", name) for name in {item.stratum for item in items}]
    words += [Hidden("cell", name) for name in {item.cell for item in items}]
    words += [Hidden("answer key", item.key, is_telling=True) for item in items]
    words += [Hidden("annotator", name) for name in study.design.annotators if annotator not in ("", name)]
    words += [Hidden("seed", seed) for seed in (study.design.seed, study.design.order_seed)]
    words += [Hidden("manifest", study.manifest_sha256, is_telling=True), Hidden("study", study.name)]
    words += [Hidden("judge or classifier", study.machine, is_telling=True)]
    for what, texts in facts.telling.items():
        words += [Hidden(what, text, is_telling=True) for text in texts]
    for what, texts in facts.common.items():
        words += [Hidden(what, text) for text in texts]
    for what, numbers in facts.numbers.items():
        # A bare number says nothing; named as what it is, it does.
        name = what.split()[0]
        forms = ("{0} {1}", "{0}_id={1}", "{0}_id: {1}", '{0}_id":{1}', '{0}_id": {1}', "{0}={1}", "{0}-{1}", "{0}_{1}")
        words += [Hidden(what, form.format(name, number)) for number in numbers for form in forms]
    unique: dict[str, Hidden] = {}
    for word in words:
        if word.text.strip():
            unique.setdefault(word.text, word)
    return list(unique.values())


def _is_shown(table: str, column: str) -> bool:
    return (table, column) in {("shown", "content"), ("page", "content"), ("practice", "content")}


def _readable(path: Path, structure: PacketStructure) -> Iterator[str]:
    """What SQLite reads of a packet: its pages may hold these texts and no more."""
    yield structure.schema
    for table, column, text in packet_cells(path):
        yield text
        if (table, column) == ("page", "name"):
            # The key of its table: it stands in the index once more.
            yield text


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while part := file.read(_PART_BYTES):
            yield part


def _is_written(table: str, column: str) -> bool:
    """Whether the annotator wrote it: a label is theirs to give, and their words may be anybody's."""
    return table == "draft" or (table in ("label", "practice_label") and column in _OWN_COLUMNS)


def _attributes(path: Path) -> list[Piece]:
    """The file's extended attributes, where the system has them."""
    if not hasattr(os, "listxattr"):
        return []
    try:
        return [
            Piece("file attributes", name, name.encode() + b"=" + os.getxattr(path, name))
            for name in os.listxattr(path)
        ]
    except OSError:
        return []


def _all_files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (inner for inner in sorted(path.rglob("*")) if inner.is_file())
        elif path.is_file():
            yield path


def _seconds(moment: str) -> float:
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return 0.0
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
