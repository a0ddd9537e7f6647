"""The layers hold at run time too: nothing outside the window loads Qt, and the window's start loads no pandas."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import btc_gui

#: As on a machine without Qt; and where something asks for it all the same, the traceback names the module.
_REFUSAL = """
class Refusal(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in ("PySide6", "shiboken6", "pyqtgraph"):
            raise RuntimeError(f"{name} is not for this package")
sys.meta_path.insert(0, Refusal())
"""
QT_FREE = ("domain", "store", "remote", "evals", "jobs", "sessions", "exports", "cli")


def _modules(package: str) -> list[str]:
    prefix = f"btc_gui.{package}"
    found = pkgutil.walk_packages([f"{btc_gui.__path__[0]}/{package}"], prefix=f"{prefix}.")
    return [prefix, *(module.name for module in found)]


def _printed_by(script: str) -> list[str]:
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split()


def _loaded_after(statement: str) -> set[str]:
    return set(_printed_by(f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"))


def test_packages_load_no_qt() -> None:
    """Every module of a Qt-free package can be imported on a machine without Qt."""
    lines = ["import importlib.abc, sys", _REFUSAL]
    lines += [f"import {module}" for package in QT_FREE for module in _modules(package)]
    assert _printed_by("\n".join(lines)) == []


def test_package_itself_loads_nothing() -> None:
    """`import btc_gui` is free."""
    loaded = _loaded_after("import btc_gui")
    assert not {name for name in loaded if name.startswith("btc_gui.")}


def test_opening_a_project_loads_no_pandas() -> None:
    """sqlite-utils pulls in pandas: opening an up-to-date project must not pay for it."""
    loaded = _loaded_after("import btc_gui.store.database, btc_gui.store.events, btc_gui.store.probes")
    assert "pandas" not in loaded
    assert "sqlite_utils" not in loaded
