"""Bad days of a project file: full disks, moved and mixed-up files, flipped bits end in a sentence, and no worse."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from btc_gui.errors import BtcError, ProjectError
from btc_gui.jobs.check_project import check_project
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.project_file import copy_project
from btc_gui.store.projects import ProjectStore
from tests.builders import add_event, add_probe
from tests.run_builders import add_answer, add_run, make_trajectory


def make_project(path: Path, events: int = 20) -> Path:
    """A closed project with events, a probe and two answers."""
    with Database.create(path) as database:
        for number in range(events):
            add_event(database, entity=f"Person {number}", description="x" * 200)
        run = add_run(database, [add_probe(database, EventStore(database).ids()[0])], repetitions=2)
        for number in range(2):
            add_answer(database, run, make_trajectory(f"Ask number {number}. " + "A long answer. " * 80))
    return path


def leave_in_use(path: Path, sql: str) -> None:
    """Change a project and die, so that what was saved last is only in the log beside it."""
    script = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('PRAGMA journal_mode = WAL')\n"
        "connection.execute(sys.argv[2])\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path), sql], check=False)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


_MARK = "INSERT INTO project (key, value) VALUES ('mark', 'saved')"


# -- files that were moved, mixed up, or copied by hand -------------------------------------------------------


def test_a_log_left_behind_is_taken_up(tmp_path: Path) -> None:
    """After a crash the file and the log beside it are the project; a later close makes one plain file of them."""
    path = make_project(tmp_path / "a.btc")
    leave_in_use(path, _MARK)
    with Database.open(path) as database:
        assert ProjectStore(database).value("mark") == "saved"
        assert database.integrity_problems() == []
        assert not database.lacks_last_changes
        ProjectStore(database).set_value("more", "x")
    assert [each.name for each in tmp_path.iterdir()] == ["a.btc"]


def test_a_copy_put_beside_the_log_of_another_state_is_not_mixed_with_it(tmp_path: Path) -> None:
    """SQLite would write the log's pages into the copy. Refused, unchanged; without the log the copy opens."""
    path = make_project(tmp_path / "a.btc")
    backup = Path(shutil.copy(path, tmp_path / "backup.btc"))
    leave_in_use(path, _MARK)
    shutil.copy(backup, path)
    log = path.with_name("a.btc-wal")
    before = path.read_bytes(), log.read_bytes()
    for attempt in (lambda: Database.open(path), lambda: copy_project(path, tmp_path / "other.btc")):
        with pytest.raises(ProjectError, match="belongs to another state of this project") as refused:
            attempt()
        assert "move a.btc-wal away" in refused.value.remedy
    assert (path.read_bytes(), log.read_bytes()) == before
    log.rename(tmp_path / "kept-wal")
    path.with_name("a.btc-shm").unlink(missing_ok=True)
    with Database.open(path) as database:
        assert ProjectStore(database).value("mark") == ""
        assert database.integrity_problems() == []


def test_a_copy_without_its_log_is_whole_as_far_as_it_goes_and_says_what_it_lacks(tmp_path: Path) -> None:
    path = make_project(tmp_path / "a.btc")
    leave_in_use(path, _MARK)
    bare = Path(shutil.copy(path, tmp_path / "bare.btc"))
    with Database.open(bare) as database:
        assert database.lacks_last_changes
        assert ProjectStore(database).counts().events == 20
        (first, *_) = check_project(database, Progress())
        assert (first.severity, first.check) == ("note", "integrity")
        assert "may lack what was saved last" in first.text
    # The way that is recommended takes the log's content along.
    with Database.open(copy_project(path, tmp_path / "whole.btc")) as database:
        assert not database.lacks_last_changes
        assert ProjectStore(database).value("mark") == "saved"


@pytest.mark.parametrize("fate", ["renamed", "deleted", "replaced"])
def test_a_file_that_is_gone_while_open_is_not_written_to_and_can_be_copied(tmp_path: Path, fate: str) -> None:
    """SQLite would go on and nobody would find it: refused, told, and what was saved can still be brought away."""
    path = make_project(tmp_path / "a.btc")
    other = make_project(tmp_path / "other.btc", events=3)
    untouched = other.read_bytes()
    database = Database.open(path)
    ProjectStore(database).set_value("mark", "saved")
    if fate == "renamed":
        path.rename(tmp_path / "moved.btc")
    elif fate == "deleted":
        path.unlink()
    else:
        os.replace(other, path)
    with pytest.raises(ProjectError, match=r"a\.btc is no longer at its place"):
        ProjectStore(database).set_value("lost", "x")
    told: list[BaseException] = []

    def elsewhere() -> None:
        """Another thread would open what is there now."""
        try:
            ProjectStore(database).value("mark")
        except ProjectError as error:
            told.append(error)
        database.copy(tmp_path / "saved.btc")

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert len(told) == 1
    if fate == "renamed":
        # Back at its place the project goes on as if nothing had been.
        (tmp_path / "moved.btc").rename(path)
        ProjectStore(database).set_value("more", "x")
    database.close()
    with Database.open(tmp_path / "saved.btc") as saved:
        assert ProjectStore(saved).value("mark") == "saved"
        assert ProjectStore(saved).value("lost") == ""
        assert saved.integrity_problems() == []
    if fate == "replaced":
        assert path.read_bytes() == untouched
    if fate == "renamed":
        with Database.open(path) as again:
            assert (ProjectStore(again).value("mark"), ProjectStore(again).value("more")) == ("saved", "x")


def test_two_processes_on_one_project_lose_and_double_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.btc"
    Database.create(path).close()
    script = (
        "import sys\nfrom pathlib import Path\nfrom btc_gui.store.database import Database\n"
        "from tests.builders import add_event\n"
        "with Database.open(Path(sys.argv[1])) as database:\n"
        "    for number in range(60):\n        add_event(database, entity=f'{sys.argv[2]} {number}')\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in ("Ada", "Bea")]
    assert [each.wait() for each in writers] == [0, 0]
    with Database.open(path) as database:
        events = EventStore(database)
        found = events.fetch(events.ids()).values()
        assert sorted(each.facts.entity for each in found) == sorted(
            f"{n} {k}" for n in ("Ada", "Bea") for k in range(60)
        )
    assert [each.name for each in tmp_path.iterdir()] == ["a.btc"]


# -- disks ----------------------------------------------------------------------------------------------------

_FILL = """
import json, sys
from pathlib import Path
from btc_gui.errors import BtcError
from btc_gui.exports.files import write_whole
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore

said = []
def attempt(work):
    try:
        work()
        return True
    except BtcError as error:
        said.append(str(error))
        return False

folder = Path(sys.argv[1])
database = Database.open(folder / "a.btc")
store = ProjectStore(database)
done = 0
while done < 5_000 and attempt(lambda: store.set_value(f"key{done}", "x" * 3_000)):
    done += 1
attempt(lambda: write_whole(folder / "table.csv", b"new " * 1_000_000))
attempt(lambda: database.copy(folder / "copy.btc"))
attempt(lambda: Database.create(folder / "new.btc"))
attempt(database.close)
print(json.dumps({"done": done, "said": said}))
"""


def _fill(folder: Path, *command: str) -> dict[str, object]:
    done = subprocess.run(
        [*command, sys.executable, "-c", _FILL, str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def _is_as_told(folder: Path, told: dict[str, object]) -> None:
    """All that was said to be saved is, and nothing is half there."""
    assert (folder / "table.csv").read_text() == "old"
    assert not [each.name for each in folder.iterdir() if each.name.startswith(".")]
    with Database.open(folder / "a.btc") as database:
        store = ProjectStore(database)
        done = told["done"]
        assert isinstance(done, int)
        assert done > 10
        assert all(store.value(f"key{number}") == "x" * 3_000 for number in range(done))
        assert store.value(f"key{done}") == ""
        assert database.integrity_problems() == []
        store.set_value("again", "x")


def test_a_full_disk_ends_in_sentences_and_nothing_is_lost(tmp_path: Path) -> None:
    """On a real disk of a few megabytes; where none can be made the next test stands for it."""
    small = tmp_path / "small"
    small.mkdir()
    mount = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=3m tmpfs "$0" && exec "$@"', str(small)]
    inside = tmp_path / "inside.sh"
    project = make_project(tmp_path / "a.btc")
    (tmp_path / "kept").mkdir()
    inside.write_text(
        f'cp "{project}" "{small}/a.btc"; printf old > "{small}/table.csv"; "$@"; code=$?\n'
        f'cp "{small}"/* "{tmp_path}/kept/"; ls -A "{small}" > "{tmp_path}/left"; exit $code\n'
    )
    if shutil.which("unshare") is None or subprocess.run([*mount, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody but root make a small disk")
    told = _fill(small, *mount, "sh", str(inside))
    said = told["said"]
    assert isinstance(said, list)
    assert said[0] == "There is no space left for a.btc. Free some space and try again."
    assert "table.csv can't be written: No space left on device. Choose another folder or free some" in said[1]
    assert said[2].startswith("There is not enough space in ")
    assert "no space left" in said[3]
    _is_as_told(tmp_path / "kept", told)
    left = [name for name in (tmp_path / "left").read_text().split() if not name.endswith(("-wal", "-shm"))]
    assert left == ["a.btc", "table.csv"]


def test_a_disk_that_fails_in_the_middle_ends_in_sentences_and_nothing_is_lost(tmp_path: Path) -> None:
    """No file may grow beyond a limit: to SQLite that is a disk that reports an error."""
    make_project(tmp_path / "a.btc")
    (tmp_path / "table.csv").write_text("old")
    limit = (tmp_path / "a.btc").stat().st_size + 300_000
    command = ["prlimit", f"--fsize={limit}"]
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit is not installed")
    told = _fill(tmp_path, *command)
    said = told["said"]
    assert isinstance(said, list)
    assert said[0].startswith("The disk of a.btc reports an error. What was saved before is kept.")
    assert "table.csv can't be written: File too large" in said[1]
    _is_as_told(tmp_path, told)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != limit


def test_a_read_only_folder_is_told_on_opening_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    path = make_project(folder / "a.btc")
    before = path.read_bytes()
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("for root no folder is read-only")
        with pytest.raises(ProjectError, match="read-only"):
            Database.open(path)
        with pytest.raises(ProjectError, match="read-only"):
            Database.create(folder / "b.btc")
        copy_project(path, tmp_path / "copy.btc")
    finally:
        folder.chmod(0o755)
    assert path.read_bytes() == before
    assert [each.name for each in folder.iterdir()] == ["a.btc"]


def test_a_read_only_disk_is_told_on_opening_also_to_root(tmp_path: Path) -> None:
    """A disk that nobody may write to, mounted as a stick or a backup is."""
    folder, work = tmp_path / "stick", tmp_path / "work"
    folder.mkdir()
    path = make_project(folder / "a.btc")
    before = path.read_bytes()
    script = (
        "import sys; from pathlib import Path\n"
        "from btc_gui.errors import ProjectError; from btc_gui.store.database import Database\n"
        "from btc_gui.store.project_file import copy_project\n"
        "try: Database.open(Path(sys.argv[1]))\n"
        "except ProjectError as error: print(error)\n"
        "copy_project(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    only_read = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    mount = ["unshare", "-rm", "sh", "-c", only_read, str(folder)]
    if shutil.which("unshare") is None or subprocess.run([*mount, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a folder")
    done = subprocess.run(
        [*mount, sys.executable, "-c", script, str(path), str(work / "copy.btc")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"{path} is read-only. Copy it to a folder where you can write" in done.stdout
    assert path.read_bytes() == before
    assert list(folder.iterdir()) == [path]
    with Database.open(work / "copy.btc") as database:
        assert database.integrity_problems() == []


# -- another program holds the file ---------------------------------------------------------------------------


def test_a_program_that_stands_still_in_the_middle_of_writing_holds_a_window_up_for_a_second_only(
    tmp_path: Path,
) -> None:
    """Then there is a sentence; reading goes on; and once the other is dead so does writing, without what it began."""
    path = make_project(tmp_path / "a.btc")
    script = (
        "import sqlite3, sys, time\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('BEGIN IMMEDIATE'); connection.execute(sys.argv[2])\n"
        "print('begun', flush=True); time.sleep(600)\n"
    )
    with Database.open(path) as database:
        store = ProjectStore(database)
        store.set_value("first", "x")
        database.wait_briefly()
        other = subprocess.Popen([sys.executable, "-c", script, str(path), _MARK], stdout=subprocess.PIPE, text=True)
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "begun\n"
            other.send_signal(signal.SIGSTOP)
            with pytest.raises(ProjectError, match=r"a\.btc is locked by another program\. Nothing was changed"):
                store.set_value("second", "x")
            assert store.value("first") == "x"
            assert (store.value("second"), store.value("mark")) == ("", "")
        finally:
            other.kill()
            other.communicate()
        store.set_value("second", "y")
        assert (store.value("second"), store.value("mark")) == ("y", "")


def test_a_thread_that_met_a_lock_goes_on_afterwards(tmp_path: Path) -> None:
    """D2: it reads meanwhile, and writes as soon as the other program is done; no thread has to be made anew."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database, Database.open(path) as other, ThreadPoolExecutor(1) as one:
        store = ProjectStore(database)
        one.submit(database.wait_briefly).result()
        one.submit(store.set_value, "text", "before").result()
        for number in range(2):
            with other.write() as connection:
                connection.execute("UPDATE project SET value = 'theirs' WHERE key = 'text'")
                with pytest.raises(ProjectError, match="locked by another program"):
                    one.submit(store.set_value, "text", "refused").result()
                assert one.submit(store.value, "text").result() == ["before", "mine 0"][number]
            assert one.submit(store.value, "text").result() == "theirs"
            one.submit(store.set_value, "text", f"mine {number}").result()
        assert ProjectStore(other).value("text") == "mine 1"


def test_only_who_paints_a_window_waits_briefly(database: Database) -> None:
    """Jobs wait five seconds, as long as another window's bulk load may need on a slow disk."""
    waits: list[int] = []

    def look() -> None:
        waits.append(database.read().execute("PRAGMA busy_timeout").fetchone()[0])

    database.wait_briefly()
    job = threading.Thread(target=look)
    job.start()
    job.join()
    look()
    assert waits == [5_000, 1_000]


def test_no_write_of_a_window_waits_for_the_log_to_be_brought_into_the_file(database: Database) -> None:
    """SQLite does it at a thousand pages within the write that is one too many: a decision would wait for it."""
    database.wait_briefly()
    store = ProjectStore(database)
    store.set_value("first", "x")
    log, before = database.path.with_name(f"{database.path.name}-wal"), database.path.stat().st_mtime_ns
    for number in range(198):
        store.set_value("text", str(number % 10) * 30_000)
    assert (log.stat().st_size > 1_000 * 4_096, database.path.stat().st_mtime_ns) == (True, before)
    # But the log does not grow for ever, and who brings it into the file leaves no connection behind.
    store.set_value("text", "y")
    until = time.monotonic() + 60
    while database.path.stat().st_mtime_ns == before or any(each.name == "log" for each in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.005)
    size = log.stat().st_size
    for number in range(100):
        store.set_value("text", str(number % 10) * 30_000)
    assert (log.stat().st_size, len(database._connections._all)) == (size, 1)


def test_large_writes_of_a_window_do_not_let_the_log_grow(database: Database) -> None:
    """A bulk action is one write of many: long before the number of writes is reached, the log would fill a disk."""
    database.wait_briefly()
    log, largest = database.path.with_name(f"{database.path.name}-wal"), 0
    for number in range(10):
        ProjectStore(database).set_value("text", str(number) * 10_000_000)
        largest = max(largest, log.stat().st_size)
        while any(each.name == "log" for each in threading.enumerate()):
            time.sleep(0.005)
    assert 30_000_000 < largest < 50_000_000
    assert log.stat().st_size < 50_000_000


def test_a_log_that_somebody_reads_begins_anew_as_soon_as_nobody_does(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emptied while somebody reads an earlier state, it would go on from where it was."""
    monkeypatch.setattr("btc_gui.store.database._TRIES", 10_000)
    database.wait_briefly()
    store, log = ProjectStore(database), database.path.with_name(f"{database.path.name}-wal")
    store.set_value("text", "first")
    with Database.open(database.path) as other:
        other.read().execute("BEGIN")
        assert ProjectStore(other).value("text") == "first"
        for number in range(6):
            store.set_value("text", str(number) * 10_000_000)
        assert log.stat().st_size > 50_000_000
        other.read().execute("COMMIT")
        while any(each.name == "log" for each in threading.enumerate()):
            time.sleep(0.005)
        store.set_value("text", "short")
        assert log.stat().st_size < 40_000_000


def test_a_disk_that_does_not_answer_ends_in_a_sentence(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stick that was pulled, a share that is gone: asking for the file gives an error instead of saying no."""

    def gone(path: Path, **options: object) -> os.stat_result:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    ProjectStore(database).set_value("first", "x")
    with monkeypatch.context() as broken:
        broken.setattr(os, "stat", gone)
        with pytest.raises(ProjectError, match="no longer at its place"):
            ProjectStore(database).set_value("second", "x")
    assert ProjectStore(database).value("second") == ""
    ProjectStore(database).set_value("second", "x")


# -- flipped bits ---------------------------------------------------------------------------------------------


def _read_all(database: Database) -> None:
    """What pages read: all events, probes, runs and answers."""
    EventStore(database).all_facts()
    probes = ProbeStore(database)
    probes.fetch(probes.ids())
    answers = AnswerStore(database)
    for answer in answers.fetch(answers.ids()).values():
        answers.trajectory(answer.id)


def test_a_flipped_bit_ends_in_a_sentence_or_changes_one_value(tmp_path: Path) -> None:
    """Bits at two dozen seeded places: opening, reading and checking crash nowhere, and make nothing worse."""
    sound = make_project(tmp_path / "sound.btc", events=150)
    raw = sound.read_bytes()
    used = [place for place, byte in enumerate(raw) if byte]
    hand = random.Random("bits")
    path = tmp_path / "a.btc"
    told = 0
    for _ in range(24):
        # Most of the file's bytes are empty space.
        place, bit = hand.choice(used), hand.randrange(8)
        flipped = bytearray(raw)
        flipped[place] ^= 1 << bit
        path.write_bytes(flipped)
        try:
            with Database.open(path) as database:
                told += any(each.severity == "error" for each in check_project(database, Progress()))
                _read_all(database)
        except BtcError:
            told += 1
        assert path.read_bytes() == flipped
        for each in tmp_path.glob("a.*"):
            each.unlink()
    assert told


def test_a_changed_text_of_an_answer_is_found_by_check_and_named_on_reading(tmp_path: Path) -> None:
    """Texts are found by their hash: also a change that SQLite can't see is told."""
    path = make_project(tmp_path / "a.btc")
    with closing(sqlite3.connect(path, isolation_level=None)) as behind:
        (packed,) = behind.execute("SELECT content FROM body WHERE encoding = 'zlib' LIMIT 1").fetchone()
        broken = bytes([*packed[:-1], packed[-1] ^ 1])
        assert behind.execute("UPDATE body SET content = ? WHERE content = ?", (broken, packed)).rowcount == 1
    with Database.open(path) as database:
        answers = AnswerStore(database)
        with pytest.raises(ProjectError, match="text of this project is damaged"):
            answers.fetch(answers.ids())
        found = [each.text for each in check_project(database, Progress()) if each.severity == "error"]
        assert found == ["1 stored texts (answers, results, replies) are not what was stored. Go back to a copy."]
