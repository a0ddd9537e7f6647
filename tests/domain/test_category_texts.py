"""The texts of the shipped categories: what judge, classifier and annotators go by."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.boundary import load_boundaries
from btc_gui.domain.category import Category, load_categories, load_category
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.mode_codebook import evidence_rule, mode_codebook
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.prompt import load_prompt
from btc_gui.domain.studies import study_kind
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import SettingsError
from btc_gui.jobs.classify import classify_request
from btc_gui.store.verdicts import AnswerToJudge
from tests.builders import make_facts
from tests.case_builders import make_query, make_result, make_trajectory

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


# The boundaries that the benchmark names, in its own words, and the class each one leads to.
BENCHMARK_BOUNDARIES = [
    ("demise", "another_candidate", "unrelated", "another candidate is alive is not explicit"),
    ("demise", "still_active", "indirect", "“still active” is indirect"),
    ("demise", "another_topic", "unrelated", "Naming the entity on another topic is unrelated"),
    ("demise", "current_members", "indirect", "current members"),
    ("tenure", "another_candidate", "unrelated", "another candidate is alive or in office is not explicit"),
    ("tenure", "current_holders", "explicit", "current holders of the office is explicit, also without naming"),
    ("tenure", "still_active", "indirect", "“still active” is indirect"),
    ("tenure", "another_topic", "unrelated", "Naming the entity on another topic is unrelated"),
    ("tenure", "current_members", "indirect", "committee or body that the entity would have left"),
]


def classifier_prompt(category: Category) -> str:
    """What the classifier is sent about one failure of this category."""
    answer = AnswerToJudge(
        answer_id=AnswerId(1),
        probe_key="p1",
        kind=ProbeKind.INDIRECT,
        probe_text="Whom could we ask?",
        facts=make_facts(category=category.name),
        model="Model A",
        effort=Effort.LOW,
        harness=Harness.SHARED,
        repetition=1,
        answer="Ada Example.",
    )
    trajectory = make_trajectory("Ada Example.", [make_query("Ada Example", make_result())])
    return classify_request(answer, trajectory, category, load_prompt("classify")).prompt


@pytest.mark.parametrize(("category", "key", "query_class", "words"), BENCHMARK_BOUNDARIES)
def test_boundaries_are_told_to_classifier_and_annotators(
    category: str, key: str, query_class: str, words: str
) -> None:
    """Every boundary of the benchmark stands, once and with its class, in the prompt and in the codebook."""
    found = {each.key: each for each in CATEGORIES[category].boundaries}[key]
    assert found.query_class == query_class
    assert words in found.rule
    page = study_kind("failure_mode").page(CATEGORIES[category], ProbeKind.INDIRECT)
    for text in (classifier_prompt(CATEGORIES[category]), page):
        (line,) = [line for line in text.splitlines() if found.rule in line]
        assert line.endswith(f": **{query_class}**.")
        assert all(example.partition(" [")[0] in line for example in found.examples)


@each
def test_people_and_classifier_read_the_same(category: Category) -> None:
    """What is evidence and what the classes are comes from one text; only people are told the ordered rule."""
    prompt, page = classifier_prompt(category), mode_codebook(category)
    for text in (evidence_rule(), category.query_classes):
        assert prompt.count(text) == page.count(text) == 1
    order = [page.index(f"**{mode}") for mode in ("Reasoning", "Explicit but", "Indirect search", "No or unrelated")]
    assert order == sorted(order)
    assert "The first one that applies" in page
    assert "easoning error" not in prompt
    assert "$" not in page


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no \\[\\[boundary\\]\\]"),
        ("boundary = 3", "no \\[\\[boundary\\]\\]"),
        ('[[boundary]]\nkey = "a"\nclass = "direct"\nrule = "R."\nexamples = ["q"]', "“direct” is no class"),
        ('[[boundary]]\nkey = "a"\nclass = "indirect"\nrule = "R."\nexamples = []', "boundary 1: examples"),
        ('[[boundary]]\nkey = "a"\nclass = "indirect"\nexamples = ["q"]', "exactly the keys"),
        ('[[boundary]]\nkey = "a"\nclass = "indirect"\nrule = " "\nexamples = ["q"]', "must be texts"),
        ('[[boundary]]\nkey = "a"\nclass = "indirect"\nrule = "R."\nexamples = ["q"]\n' * 2, "stands there twice"),
        ("[[boundary", "can't be read"),
    ],
)
def test_broken_boundaries_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    """The boundary that is wrong is named."""
    path = tmp_path / "boundaries.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=reason):
        load_boundaries(path)


def test_boundaries_can_not_be_left_out(tmp_path: Path) -> None:
    """A page without a place for its boundaries is refused, and so is a place without boundaries."""
    folder = tmp_path / "demise"
    shutil.copytree(paths.resources() / "categories" / "demise", folder)
    page = folder / "query_classes.md"
    whole = page.read_text(encoding="utf-8")
    page.write_text(whole.replace("$boundaries", ""), encoding="utf-8")
    with pytest.raises(SettingsError, match="go together"):
        load_category(folder)
    page.write_text(whole, encoding="utf-8")
    (folder / "boundaries.toml").unlink()
    with pytest.raises(SettingsError, match="go together"):
        load_category(folder)


def test_categories_are_offered_in_their_order(tmp_path: Path) -> None:
    """Those that name none come last, by name."""
    assert list(CATEGORIES) == ["demise", "tenure", "closure"]
    assert [each.name for each in CATEGORIES.values() if each.has_end] == ["closure"]
    shutil.copytree(paths.resources() / "categories" / "queries", tmp_path / "queries")
    for name in ("a_new", "demise"):
        shutil.copytree(paths.resources() / "categories" / "demise", tmp_path / name)
    file = tmp_path / "a_new" / "category.toml"
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace("order = 1\n", ""), encoding="utf-8")
    assert list(load_categories(tmp_path)) == ["demise", "a_new"]
    file.write_text(whole.replace("order = 1\n", 'order = "first"\n'), encoding="utf-8")
    with pytest.raises(SettingsError, match="whole number"):
        load_categories(tmp_path)


@each
def test_texts_give_no_years_away(category: Category) -> None:
    """Descriptions in sources often hold the answer in brackets; what no end is known of lasts until further notice."""
    facts = make_facts(category=category.name, description="singer (1978–2026)")
    assert "2026" not in category.direct_question(facts)
    assert "singer" in category.direct_question(facts) or category.name == "tenure"
    assert category.fill("{ends}", facts) == "further notice"
