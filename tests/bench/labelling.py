"""From the key to the next item painted, with the label durable; and a packet labelled by a process that is killed.

    python -m tests.bench.labelling [--items 400]
    python -m tests.bench.labelling --killed [--forms] [--items 400] [--every 5]

The first: each label is a real key press in the real window (offscreen); the clock stops when the window has been
painted with the next item on it. In the same run, one after the other with the labels, stand bare durable commits:
one row into a database of its own on the same disk, with the rollback journal and synchronous=EXTRA as a packet has
it, which is what no label can be faster than.

The second: the whole packet through the window, held keys, double presses and all, at the pace that the window
allows; every few decisions the process is killed in the middle of its work. What the window had acknowledged is
compared with what the packet holds. With `--forms` the items are failures, and the forms of failure modes are filled
in: what was half done a second before the process died has to be there, too.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest

from btc_gui.domain.packet import PacketItem, Search, written
from btc_gui.domain.received import write_results
from btc_gui.domain.trajectory import SearchResult
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.verdict_form import VerdictForm
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from tests.bench.measure import percentile
from tests.bench.review import Painted, line
from tests.scripted_annotator import Annotator, Habits, Kill, label_with_kills
from tests.scripted_form import FormAnnotator
from tests.study_builders import item_id, make_manifest

_PARAGRAPH = (
    "Reaching out to somebody who has led such an institution for years is a good beginning. Ask for a date two months "
    "ahead, say what the evening is about, and offer to send the questions before. "
)


def write_long_packet(path: Path, items: int) -> None:
    """A packet with answers of the length that models give: one to nine paragraphs."""
    manifest = make_manifest(items)
    length = random.Random(7)

    def each() -> Iterator[PacketItem]:
        for number in range(1, items + 1):
            values = {field.name: f"{field.title} of item {number}" for field in manifest.fields}
            values["answer"] = f"Answer {number}. " + "\n\n".join([_PARAGRAPH * 3] * length.randint(1, 9))
            yield PacketItem(item_id(number), number, "demise/indirect", values)

    PacketFile.create(path, manifest, {"demise/indirect": "# Criteria\n\n" + _PARAGRAPH * 8}, each())


def _timed(function: Callable[..., object], into: list[float]) -> Callable[..., object]:
    def call(*arguments: object, **named: object) -> object:
        began = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            into.append(time.perf_counter() - began)

    return call


def measure(folder: Path, items: int) -> None:
    """Label a packet with the keyboard and print how long it took."""
    packet = folder / "packet.btcp"
    write_long_packet(packet, items)
    labelling_window.SETTLE_MILLISECONDS = 0
    application()
    durable = list[float]()
    PacketFile.add_label = _timed(PacketFile.add_label, durable)  # type: ignore[method-assign, assignment]
    began = time.perf_counter()
    window = LabellingWindow(LabellingSession(packet), Theme("light", 1.0))
    window.show()
    assert isinstance(window.form, VerdictForm)
    painted = Painted()
    painted.watch(window.form.answer.body.viewport())
    while not painted.count:
        QCoreApplication.processEvents()
    print(
        f"packet of {items} items, {packet.stat().st_size / 1e6:.1f} MB; first item painted after "
        f"{time.perf_counter() - began:.2f} s"
    )
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA synchronous = EXTRA")
    bare.execute("PRAGMA locking_mode = EXCLUSIVE")
    bare.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, note TEXT)")
    waits, work, floor = list[float](), list[float](), list[float]()
    for number in range(items - 1):
        began = time.perf_counter()
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO bare (note) VALUES (?)", ("x" * 200,))
        bare.execute("COMMIT")
        floor.append(time.perf_counter() - began)
        QCoreApplication.processEvents()
        before, count = window.form.answer.body.toPlainText(), painted.count
        began, began_work = time.perf_counter(), time.thread_time()
        QTest.keyClick(window.focusWidget() or window, (Qt.Key.Key_1, Qt.Key.Key_0)[number % 2])
        while painted.count == count:
            QCoreApplication.processEvents()
        waits.append(time.perf_counter() - began)
        work.append(time.thread_time() - began_work)
        assert window.form.answer.body.toPlainText() != before
    bare.close()
    window.close()
    print(f"{len(waits)} labels; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; milliseconds")
    print(f"{'':<34} {'best':>8} {'p50':>8} {'p99':>8} {'worst':>8}")
    print(line("key to next item painted", waits))
    print(line("  of that the window's own work", work))
    print(line("  of that the label, durable", durable))
    print(line("bare durable commit", floor))
    for name, share in (("p50", 0.5), ("p99", 0.99), ("worst", 1.0)):
        bare_commit = percentile(floor, share)
        print(
            f"{name}: whole {percentile(waits, share) / bare_commit:.1f} × bare, "
            f"label {percentile(durable, share) / bare_commit:.2f} × bare"
        )


def write_forms_packet(path: Path, items: int) -> None:
    """A packet of failures with one to six queries, each with five results."""
    manifest = replace(make_manifest(items, "failure_mode"), relations=("states", "entails"))
    length = random.Random(7)

    def each() -> Iterator[PacketItem]:
        for number in range(1, items + 1):
            results = [
                SearchResult(f"Result {n}", f"https://example.org/{n}", "2026-03-09", (f"{_PARAGRAPH}Ada Holm died.",))
                for n in range(1, 6)
            ]
            searches = [Search(f"query {n} of {number}", write_results(results)) for n in range(length.randint(1, 6))]
            values = {field.name: f"{field.title} of item {number}" for field in manifest.fields}
            values |= {"entity": "Ada Holm", "searches": written(searches), "answer": _PARAGRAPH * length.randint(1, 9)}
            yield PacketItem(item_id(number), number, "p", values)

    PacketFile.create(path, manifest, {"p": "# Codebook\n\n" + _PARAGRAPH * 8}, each())


def measure_killed(folder: Path, items: int, every: int, *, has_forms: bool) -> bool:
    """Label a packet in a process that is killed again and again; whether nothing was lost."""
    packet = folder / "packet.btcp"
    (write_forms_packet if has_forms else write_long_packet)(packet, items)
    hand = random.Random("kills")

    def kills() -> Iterator[Kill]:
        while True:
            yield Kill(keystrokes=hand.randint(1, 35)) if hand.random() < 0.2 else Kill(hand.randint(1, 2 * every - 1))

    began = time.perf_counter()
    annotator = FormAnnotator if has_forms else Annotator
    found = label_with_kills(packet, kills(), Habits(is_hasty=True), annotator=annotator)
    print(
        f"{items} items in {time.perf_counter() - began:.0f} s: {found.sessions - 1} kills, {found.acknowledged} "
        f"acknowledged decisions, {found.unacknowledged} on the disk that could not be said any more, "
        f"{found.typed} keystrokes of notes and {found.due} states of forms checked after a second"
    )
    for problem in found.problems:
        print(f"  {problem}")
    print(f"lost, doubled or changed: {len(found.problems)}")
    return not found.problems


def main() -> None:
    """Measure in a folder that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=400)
    parser.add_argument("--killed", action="store_true")
    parser.add_argument("--forms", action="store_true", help="with --killed: failures instead of verdicts")
    parser.add_argument("--every", type=int, default=5, help="kill after so many decisions on average")
    parser.add_argument("--folder", type=Path, help="where the packet is written (default: the temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if not options.killed:
            measure(Path(folder), options.items)
        elif not measure_killed(Path(folder), options.items, options.every, has_forms=options.forms):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
