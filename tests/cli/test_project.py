"""Commands about a project: new, info, check, copy; honest exit codes and no traceback."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from btc_gui.app import main
from btc_gui.store.database import Database
from tests.builders import add_event


def run(*words: str) -> int:
    """Run `btc-gui` with these words and give its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_new_info_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A project is made, described and copied; the suffix is added when it was left out."""
    assert run("new", str(tmp_path / "spring"), "--name", "Spring") == 0
    assert run("info", str(tmp_path / "spring.btc"), "--json") == 0
    out = capsys.readouterr().out
    described = json.loads(out[out.index("{") :])
    assert (described["name"], described["events"], described["illustrative"]) == ("Spring", 0, False)
    assert run("copy", str(tmp_path / "spring.btc"), str(tmp_path / "copy.btc")) == 0
    assert run("check", str(tmp_path / "copy.btc")) == 0
    assert "is sound" in capsys.readouterr().out


def test_check_finds_orphans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that points nowhere is an error, named by its table, and the exit code says so."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database:
        add_event(database)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE event_revision SET event_id = 99")
    raw.close()
    assert run("check", str(path), "--json") == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert any("event_revision" in finding["text"] for finding in findings)


@pytest.mark.parametrize(
    "words",
    [
        ("info", "nothing.btc"),
        ("check", "nothing.btc"),
        ("copy", "nothing.btc", "x.btc"),
        ("info",),
        ("no-such-command",),
        ("new",),
        ("new", ""),
        ("new", "."),
        ("new", "x" * 300),
        ("new", "\udcff.btc"),
        ("open", "a.btc", "b.btc"),
        ("packet",),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and words on standard error; never a traceback."""
    monkeypatch.chdir(tmp_path)
    assert run(*words) == 2
    printed = capsys.readouterr()
    assert printed.err.strip()
    assert "Traceback" not in printed.err
    assert printed.out == ""


def test_a_link_to_itself_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A circle of links is no file to read and no place to write."""
    circle = tmp_path / "circle.btc"
    circle.symlink_to(circle)
    Database.create(tmp_path / "a.btc").close()
    for words in (("info", str(circle)), ("new", str(circle)), ("copy", str(tmp_path / "a.btc"), str(circle))):
        assert run(*words) == 2
        assert "leads back to itself" in capsys.readouterr().err


def test_damage_met_while_reading_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that opens but can't be read all through: refused with the file's name, without a traceback."""
    path = tmp_path / "a.btc"
    Database.create(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TABLE event")
    raw.close()
    assert run("info", str(path)) == 2
    assert "a.btc" in capsys.readouterr().err


def test_without_a_display_the_window_says_what_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No screen: a sentence that names the way without one, not Qt's abort."""
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert run() == 2
    assert "btc-gui demo" in capsys.readouterr().err


def test_missing_system_library_names_its_package() -> None:
    """The loader's message becomes the command that mends it."""
    from btc_gui.ui.display import missing_library

    error = missing_library("libEGL.so.1: cannot open shared object file: No such file or directory")
    assert "libEGL.so.1 is missing" in error.message
    assert "apt-get install libegl1" in error.remedy
