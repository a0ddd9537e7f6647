"""The harness of the suite: no display, no network, no home folder, and nothing odd goes unnoticed."""

from __future__ import annotations

import gc
import os
import socket
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from shutil import copyfile

import pytest

os.environ["QT_QPA_PLATFORM"] = os.environ.get("BTC_TEST_PLATFORM", "offscreen")
os.environ["PYTHONUTF8"] = "1"
# Before Qt, which takes the locale over, and for child processes too: times and their words are the same everywhere.
os.environ.update(TZ="UTC", LC_ALL="C.UTF-8", LANG="C.UTF-8", LANGUAGE="")
# What _only_loopback forbids to this process finds no way out of a child process either (no port 9 answers).
os.environ.update(dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"))
os.environ.update(dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost,::1"))

from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis.internal.conjecture import providers

from btc_gui.evals.supervisor import Worker
from btc_gui.store.database import Database
from btc_gui.ui.garbage import collect_if_due
from tests.shared_worker import LentWorker, SharedServices, shared_services

if hasattr(time, "tzset"):
    time.tzset()

# The same examples each time, and no deadline: a busy machine is no fault.
hypothesis_settings.register_profile(
    "shared", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("shared")
# Constants of all modules that a process has loaded by then are tried, too: which ones, the order of tests would say.
providers._get_local_constants = lambda: providers._local_constants

#: The day on which the suite takes place.
TODAY = date(2026, 11, 30)
_HERE = ("127.0.0.1", "::1", "localhost")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With pytest-xdist and `--dist loadgroup`, one process has all tests of the session's worker.

    And all that share what their module makes once: else each process would make it.
    """
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            if isinstance(item, pytest.Function):
                made = [each for found in item._fixtureinfo.name2fixturedefs.values() for each in found]
                if "services" in item.fixturenames:
                    item.add_marker(pytest.mark.xdist_group("engine"))
                elif any(each.scope == "module" for each in made):
                    item.add_marker(pytest.mark.xdist_group(item.module.__name__))


def pytest_collection_finish() -> None:
    """What all modules hold stays until the end: nobody need look through it for what can be thrown away.

    And as in the app, it is done on the main thread (below): on another, Qt's objects would be deleted behind its back.
    """
    gc.freeze()
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Throw away what tests have left, once it is enough."""
    collect_if_due()


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, state and Inspect's own files go to the test's folder, never to the developer's home."""
    home = tmp_path / "home"
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    for name in service_settings():
        monkeypatch.delenv(name)


def service_settings() -> list[str]:
    """The names of the developer's keys and addresses of services in the environment."""
    return [name for name in os.environ if name.endswith(("_API_KEY", "_BASE_URL"))]


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the suite may reach further than this machine."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family != socket.AF_UNIX and host not in _HERE:
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)  # type: ignore[arg-type]

    def guarded_look_up(host: str | bytes | None, *args: object, **options: object) -> object:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in (*_HERE, None, "", "0.0.0.0", "::", socket.gethostname()):
            raise AssertionError(f"a test asked for the address of {name!r}")
        return look_up(host, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a term or a date of the tests' rows lies in the future does not depend on the day they run."""
    for module in ("load_events", "verify_events"):
        monkeypatch.setattr(f"btc_gui.jobs.{module}._today", lambda: TODAY)


@pytest.fixture(scope="session")
def _empty_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: going through all migrations takes ten times as long as opening what they made."""
    path = tmp_path_factory.mktemp("empty") / "project.btc"
    Database.create(path, "Test project").close()
    return path


@pytest.fixture
def database(_empty_project: Path, tmp_path: Path) -> Iterator[Database]:
    """A new, empty project."""
    with Database.open(Path(copyfile(_empty_project, tmp_path / _empty_project.name))) as opened:
        yield opened


@pytest.fixture
def shared_data() -> Path:
    """Real files beside the checkout; tests that use them are skipped where they are absent."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def _shared_services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedServices]:
    with shared_services(tmp_path_factory.mktemp("shared")) as services:
        yield services


@pytest.fixture
def services(_shared_services: SharedServices) -> SharedServices:
    """The worker of the session and the servers that it asks, with nothing asked yet."""
    _shared_services.worker.started.clear()
    _shared_services.worker.requests.clear()
    _shared_services.models.clear()
    return _shared_services


@pytest.fixture
def lent_worker(services: SharedServices) -> LentWorker:
    """The worker of the session, with nothing started yet."""
    return services.worker


@pytest.fixture
def start_worker(lent_worker: LentWorker) -> Callable[[Path], Worker]:
    """What a job calls to start a worker."""
    return lambda _: lent_worker


@pytest.fixture
def lent_to_all(lent_worker: LentWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs that start a worker of their own are lent that of the session, also from commands and the window."""
    from btc_gui.jobs.export_log import export_log
    from btc_gui.jobs.load_logs import load_logs
    from btc_gui.jobs.run_evaluation import run_evaluation
    from btc_gui.jobs.run_shards import run_shard
    from btc_gui.jobs.try_probe import try_probe

    for job in (export_log, load_logs, run_evaluation, run_shard, try_probe):
        assert job.__kwdefaults__ is not None
        monkeypatch.setitem(job.__kwdefaults__, "start_worker", lambda _: lent_worker)
