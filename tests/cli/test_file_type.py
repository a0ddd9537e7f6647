"""`btc-gui open|packet --register`: the menu, icons and double clicks, for this user only; can be taken back."""

from __future__ import annotations

import configparser
import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from btc_gui import app

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="desktop entries are for Linux")


def _say(option: str, capsys: pytest.CaptureFixture[str], command: str = "packet") -> str:
    with pytest.raises(SystemExit) as ended:
        app.main([command, option])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_packets_are_registered_once_and_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(os.environ["XDG_DATA_HOME"])
    entry = data / "applications" / "btc-packet.desktop"
    package = data / "mime" / "packages" / "btc-packet.xml"
    icon = data / "icons" / "hicolor" / "scalable" / "mimetypes" / "application-x-btc-packet.svg"
    assert f"{entry} was written." in _say("--register", capsys)
    read = configparser.RawConfigParser()
    read.read(entry, encoding="utf-8")
    assert read["Desktop Entry"]["mimetype"] == "application/x-btc-packet;"
    assert read["Desktop Entry"]["exec"] == f'"{sys.executable}" -m btc_gui packet %f'
    assert ElementTree.parse(package).find(".//{*}glob").attrib["pattern"] == "*.btcp"  # type: ignore[union-attr]
    assert "currentColor" not in icon.read_text(encoding="utf-8")
    before = entry.read_bytes()

    assert "was written" not in _say("--register", capsys)
    assert entry.read_bytes() == before

    assert f"{entry} was removed." in _say("--unregister", capsys)
    assert not any(path.exists() for path in (entry, package, icon))
    assert "was not there" in _say("--unregister", capsys)


def test_the_workbench_stands_in_the_menu_and_opens_projects(capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(os.environ["XDG_DATA_HOME"])
    _say("--register", capsys, "open")
    read = configparser.RawConfigParser()
    read.read(data / "applications" / "btc_gui.desktop", encoding="utf-8")
    entry = read["Desktop Entry"]
    assert entry["exec"] == f'"{sys.executable}" -m btc_gui open %f'
    assert entry["mimetype"] == "application/x-btc-project;"
    assert (data / "icons" / "hicolor" / "scalable" / "apps" / f"{entry['icon']}.svg").is_file()
    assert "nodisplay" not in entry
    pattern = ElementTree.parse(data / "mime" / "packages" / "btc-project.xml").find(".//{*}glob")
    assert pattern is not None
    assert pattern.attrib["pattern"] == "*.btc"

    _say("--unregister", capsys, "open")
    assert not [path for path in data.rglob("*") if path.is_file() and "btc" in path.name]


def test_a_program_in_an_odd_folder_is_quoted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the desktop entry specification: quoted as an argument, then escaped as a string; a percent sign is two."""
    monkeypatch.setattr(sys, "executable", "/opt/a b$c/100%/python")
    _say("--register", capsys)
    entry = Path(os.environ["XDG_DATA_HOME"]) / "applications" / "btc-packet.desktop"
    assert r'Exec="/opt/a b\\$c/100%%/python" -m btc_gui packet %f' in entry.read_text(encoding="utf-8").splitlines()
