"""What classifier and annotators of failure modes are told alike: what evidence is, and the classes of queries."""

from __future__ import annotations

from string import Template

from btc_gui import paths
from btc_gui.domain.category import Category
from btc_gui.errors import SettingsError


def evidence_rule() -> str:
    """What counts as evidence of the change. Raises `SettingsError` when the text can't be read."""
    return _page("evidence.md")


def mode_codebook(category: Category) -> str:
    """The codebook for failure modes of a category: the ordered rule, evidence, classes with their boundaries.

    The evidence rule and the classes are the very texts that the classifier is given.
    """
    try:
        return Template(_page("codebook.md")).substitute(evidence=evidence_rule(), query_classes=category.query_classes)
    except (KeyError, ValueError) as error:
        raise SettingsError(f"The codebook for failure modes can't be filled: {error}.") from error


def _page(name: str) -> str:
    path = paths.resources() / "failure_modes" / name
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The file {path} can't be read: {error}.") from error
