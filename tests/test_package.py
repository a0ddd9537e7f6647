"""The app installs as a package: wheel and source distribution hold all that it needs, wherever it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution that was built from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    source = Path(next(SdistBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    unpacked = folder / source.name.removesuffix(".tar.gz")
    return Path(next(WheelBuilder(str(unpacked)).build(directory=str(folder), versions=["standard"])))


def test_the_wheel_holds_every_resource_and_module(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"btc_gui/resources/{_below(path, ROOT / 'resources')}" for path in _files(ROOT / "resources")}
    wanted |= {f"btc_gui/docs/{_below(path, ROOT / 'docs')}" for path in _files(ROOT / "docs")}
    wanted |= {f"btc_gui/{_below(path, ROOT / 'btc_gui')}" for path in _files(ROOT / "btc_gui")}
    assert wanted - held == set()
    assert not [name for name in held if name.startswith(("tests/", "docs/"))]


def test_it_runs_from_another_folder_with_the_resources_inside(wheel: Path, tmp_path: Path) -> None:
    installed, away = tmp_path / "site", tmp_path / "away"
    zipfile.ZipFile(wheel).extractall(installed)
    away.mkdir()
    own = tmp_path / "config" / "btc_gui" / "categories" / "coaching"
    shutil.copytree(ROOT / "resources" / "categories" / "tenure", own)
    script = (
        "from btc_gui import paths\n"
        "from btc_gui.domain.category import installed_categories\n"
        "print(paths.resources())\n"
        "print(*installed_categories())\n"
        "print(paths.projects())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    environment["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=away, env=environment, capture_output=True, text=True, check=True
    )
    resources, categories, projects = done.stdout.splitlines()
    assert Path(resources) == installed / "btc_gui" / "resources"
    assert categories == "demise coaching tenure closure"
    # No checkout around it: projects go to the person's documents, not beside the code.
    assert not Path(projects).is_relative_to(ROOT)
    assert not Path(projects).is_relative_to(installed)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]


def _below(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
