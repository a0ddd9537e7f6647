"""The texts of the shipped categories: what judge, classifier and annotators go by."""

from __future__ import annotations

import re

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories

CATEGORIES = load_categories(paths.resources() / "categories")
each = pytest.mark.parametrize("category", CATEGORIES.values(), ids=list(CATEGORIES))


@each
def test_every_class_has_examples_and_counter_examples(category: Category) -> None:
    """Explicit, indirect and unrelated queries come with at least three of each, and with rules for ties."""
    parts = re.split(r"^\*\*(explicit|indirect|unrelated)\*\*:", category.query_classes, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert list(sections) == ["explicit", "indirect", "unrelated"]
    for name, text in sections.items():
        positive = [line for line in text.splitlines() if line.startswith("* Is:")]
        negative = [line for line in text.splitlines() if line.startswith("* Is not:")]
        assert sum(line.count("“") for line in positive) >= 3, name
        assert len(negative) >= 2, name
        assert len(negative) + sum(line.count("“") for line in negative) >= 5, name
    assert "\nTies:\n" in category.query_classes


@each
def test_criteria_say_both_labels(category: Category) -> None:
    """Both kinds of probe have criteria for both labels, and rules for close cases."""
    for kind in ("indirect", "direct"):
        text = category.criteria[kind]
        assert "`correct`" in text
        assert "`incorrect`" in text
        assert "Rules for close cases" in text


@each
def test_codebooks_have_a_version(category: Category) -> None:
    """Labels are made by one version of a codebook, which its heading names."""
    assert re.match(r"# Codebook: \w+, version \d+\n", category.codebook)
    assert "**Incorrect**" in category.codebook
    assert "**Correct**" in category.codebook
