"""Inspect's logs: whatever is in them, a sample is read or refused, and no other one and no other log is kept out."""

from __future__ import annotations

import io
import json
import zipfile
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.errors import RunError
from btc_gui.evals.log_messages import LoggedSample, LogOpened
from btc_gui.evals.messages import Done, Event, Exited, Fatal, decode, encode
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.fuzz.mutating import IS_LONG, fuzz, is_sentence, mutated, no_hang
from tests.fuzz.undoing import undone
from tests.run_builders import make_configuration, make_recipe, make_trajectory

# Reading logs brings the engine in, which takes seconds: one process of the suite has it anyway.
pytestmark = pytest.mark.xdist_group("engine")


class HereWorker(Worker):
    """A worker's desk for logs in this process: what it says goes through the same lines of JSON."""

    def __init__(self, folder: Path) -> None:
        self._said: deque[Event] = deque()

    def _say(self, *events: object) -> None:
        self._said.extend(decode(encode(each)) for each in (*events, Done()))  # type: ignore[arg-type]

    def open_log(self, path: str) -> None:
        from btc_gui.evals.log_reader import open_log

        self._say(open_log(path))

    def read_samples(self, log: LogOpened, samples: Sequence[LoggedSample]) -> None:
        from btc_gui.evals.log_reader import read_samples

        self._say(*read_samples(log.path, log.log_id, samples))

    def next_event(self, seconds: float) -> Event | None:
        return self._said.popleft()

    def close(self) -> None:
        """Nothing to end."""


def load(database: Database, *places: Path) -> list[LogOutcome]:
    """Load logs in this process."""
    return load_logs(database, places, Progress(), author="tests", start_worker=HereWorker)


def check_logs(database: Database, *places: Path) -> list[LogOutcome]:
    """Load logs, and look that each outcome is true."""
    before = len(AnswerStore(database).ids())
    with no_hang(60):
        outcomes = load(database, *places)
    assert len(outcomes) == len(places)
    for outcome in outcomes:
        report = outcome.report
        if outcome.refused:
            assert is_sentence(outcome.refused)
            assert report.read == 0
        assert report.read == report.new + report.known + len(report.rejected)
        assert all(is_sentence(each.reason) for each in report.rejected)
        json.dumps(outcome.as_json(), ensure_ascii=False).encode("utf-8")
    assert len(AnswerStore(database).ids()) == before + sum(each.report.new for each in outcomes)
    return outcomes


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Logs of three samples as the app writes them, in both formats; in the long run also those of others."""
    from inspect_ai.log import read_eval_log, write_eval_log

    from btc_gui.domain.origin import PROBE, REPETITION, REVISION, Origin
    from btc_gui.evals.log_messages import LogToWrite, SampleToWrite
    from btc_gui.evals.log_writer import LogWriter

    folder = tmp_path_factory.mktemp("logs")
    configuration = make_configuration("Larkspur-2")
    origin = Origin("a" * 64, "Pilot", "PK", "2026-11-01T10:00:00+00:00", make_recipe(), configuration)
    log = LogToWrite(
        str(folder / "own.eval"),
        "E1",
        "R1",
        "probes",
        "Larkspur-2",
        "low",
        "2026-11-01T10:00:00+00:00",
        {},
        origin.as_json(),
    )
    writer = LogWriter(log)
    for number in range(3):
        about = {PROBE: "p1", REVISION: "0" * 64, REPETITION: number + 1}
        trajectory = make_trajectory(f"Answer {number}", uuid=f"uuid-{number}")
        writer.add(SampleToWrite(f"p{number}", 1, "Whom?", "Be kind.", about, trajectory, {"judge": ("correct", "x")}))
    writer.finish()
    write_eval_log(read_eval_log(str(folder / "own.eval")), str(folder / "own.json"))
    found = {suffix: [(folder / f"own.{suffix}").read_bytes()] for suffix in ("eval", "json")}
    shared = Path(__file__).resolve().parents[3] / "shared" / "data" / "inspect_logs"
    if IS_LONG and shared.is_dir():
        for path in shared.iterdir():
            if path.suffix in (".eval", ".json") and path.stat().st_size < 100_000:
                found[path.suffix[1:]].append(path.read_bytes())
    return found


@pytest.fixture
def project(database: Database) -> Database:
    """A project that knows the probe of our log."""
    add_probe(database, add_event(database), key="p1")
    return database


def _members(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.startswith("_journal")}


def _archive(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_damaged_json_log(project: Database, seeds: dict[str, list[bytes]], tmp_path: Path) -> None:
    """A log in JSON, with other values in it or torn."""
    path = tmp_path / "log.json"

    @fuzz(8)
    @given(text=st.one_of(mutated(seeds["json"], values_only=True), mutated(seeds["json"])))
    def check(text: bytes) -> None:
        path.write_bytes(text)
        with undone(project):
            check_logs(project, path)

    check()


def test_damaged_archive(project: Database, seeds: dict[str, list[bytes]], tmp_path: Path) -> None:
    """An archive with turned, lost and moved bytes; a whole log beside it is loaded all the same."""
    path, whole = tmp_path / "log.eval", tmp_path / "whole.eval"
    whole.write_bytes(seeds["eval"][0])

    @fuzz(6)
    @given(archive=mutated(seeds["eval"]))
    def check(archive: bytes) -> None:
        path.write_bytes(archive)
        with undone(project):
            _, other = check_logs(project, path, whole)
            assert other.report.new + other.report.known == 3

    check()


def test_damaged_member(project: Database, seeds: dict[str, list[bytes]], tmp_path: Path) -> None:
    """A good archive of damaged parts: samples whose part is whole are read."""
    path = tmp_path / "log.eval"
    # Of those of others, what is no archive, or packed in a way that Python does not know, is left out.
    whole = []
    for seed in seeds["eval"]:
        with suppress(zipfile.BadZipFile, NotImplementedError):
            whole.append(_members(seed))

    @fuzz(8)
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        members = data.draw(st.sampled_from(whole))
        name = data.draw(st.sampled_from(sorted(members)))
        values_only = data.draw(st.booleans())
        path.write_bytes(_archive({**members, name: data.draw(mutated([members[name]], values_only=values_only))}))
        with undone(project):
            (outcome,) = check_logs(project, path)
            if name.startswith("samples/") and not outcome.refused:
                assert len(outcome.report.rejected) <= 1

    check()


class FragileWorker(HereWorker):
    """A worker that ends over some files, as one does whose reader runs into the operating system's limits."""

    def open_log(self, path: str) -> None:
        if "deadly" in path:
            self._said.append(Exited(-11))
        elif "stubborn" in path:
            self._said.append(Fatal("no room"))
        else:
            super().open_log(path)

    def last_words(self) -> str:
        return ""


def test_a_file_that_ends_the_engine_keeps_no_other_one_out(
    project: Database, seeds: dict[str, list[bytes]], tmp_path: Path
) -> None:
    """Another engine takes its place; only one that ends at every file ends the load."""
    places = [
        tmp_path / f"{number}-{name}.eval" for number, name in enumerate(["deadly", "a", "stubborn", "deadly", "b"])
    ]
    for place in places:
        place.write_bytes(seeds["eval"][0])
    outcomes = load_logs(project, places, Progress(), author="tests", start_worker=FragileWorker)
    assert [(each.refused, each.report.new, each.report.known) for each in outcomes] == [
        ("the engine broke down over it", 0, 0),
        ("", 3, 0),
        ("the engine can't read it: no room", 0, 0),
        ("the engine broke down over it", 0, 0),
        ("", 0, 3),
    ]
    others = [tmp_path / f"deadly {number}.eval" for number in range(5)]
    for other in others:
        other.write_bytes(seeds["eval"][0])
    with pytest.raises(RunError, match="again and again"):
        load_logs(project, others, Progress(), author="tests", start_worker=FragileWorker)
