"""Where resources, projects, exports, settings and logs are."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_APP = "btc_gui"
_SYSTEM = sys.platform


@cache
def resources() -> Path:
    """The folder of categories, prompts, icons and the demo.

    Inside the package when installed from a wheel, beside it in a checkout.
    """
    inside = _PACKAGE / "resources"
    return inside if inside.is_dir() else _PACKAGE.parent / "resources"


def documents() -> Path:
    """The folder of the documents: inside the package when installed from a wheel, beside it in a checkout."""
    inside = _PACKAGE / "docs"
    return inside if inside.is_dir() else _PACKAGE.parent / "docs"


def _checkout() -> Path | None:
    root = _PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and (root / "resources").is_dir() else None


def projects() -> Path:
    """Where new projects go by default: `db/` in a checkout, else the user's documents."""
    root = _checkout()
    if root:
        return root / "db"
    import platformdirs

    return Path(platformdirs.user_documents_dir()) / "BlindToChange"


def exports() -> Path:
    """Where exports go by default: `exports/` in a checkout, else below the projects' folder."""
    root = _checkout()
    return root / "exports" if root else projects() / "exports"


def config() -> Path:
    """The user's settings folder (settings.toml)."""
    return _own("user_config_dir", "XDG_CONFIG_HOME", ".config")


def own_categories() -> Path:
    """Where a person's own categories are, each a folder; there may be none."""
    return config() / "categories"


def category_folder(name: str) -> Path:
    """The folder of a category: a person's own one before the app's of the same name. It may not be there."""
    own = own_categories() / name
    return own if (own / "category.toml").is_file() else resources() / "categories" / name


def state() -> Path:
    """The user's state folder: logs, recent projects, the packets' working copies."""
    return _own("user_state_dir", "XDG_STATE_HOME", ".local/state")


def _own(kind: str, variable: str, usual: str) -> Path:
    """The app's folder among a person's of that kind."""
    if _SYSTEM == "linux":
        # As platformdirs has it, which brings so much that the first page would wait for it.
        named = os.environ.get(variable, "").strip()
        return (Path(named) if os.path.isabs(named) else Path.home() / usual) / _APP
    import platformdirs

    return Path(getattr(platformdirs, kind)(_APP, appauthor=False))
