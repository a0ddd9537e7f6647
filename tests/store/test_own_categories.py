"""A person's own categories: read beside the app's, kept in the projects that use them, taken from there by others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import installed_categories
from btc_gui.domain.lint.linter import load_linter
from btc_gui.errors import InputError, SettingsError
from btc_gui.jobs.check_project import check_project
from btc_gui.jobs.fetch_articles import words_of_change
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.lint_check import the_linter
from btc_gui.store.own_categories import keep_categories, restore_category, used_categories
from btc_gui.store.projects import ProjectStore
from btc_gui.store.prompts import PromptStore, prompt_names
from tests.builders import add_event


def _own(name: str, **changes: str) -> Path:
    """A category of the person's own: a copy of the app's tenure, with these keys of its file changed."""
    folder = paths.own_categories() / name
    shutil.copytree(paths.resources() / "categories" / "tenure", folder)
    text = (folder / "category.toml").read_text(encoding="utf-8")
    for key, value in changes.items():
        lines = [f"{key} = {json.dumps(value)}" if line.startswith(f"{key} =") else line for line in text.splitlines()]
        text = "\n".join(lines)
    (folder / "category.toml").write_text(text, encoding="utf-8")
    return folder


def _problems(database: Database) -> list[str]:
    return [each.text for each in check_project(database, Progress()) if each.check == "categories"]


def test_own_categories_stand_beside_the_app_s_or_in_their_place() -> None:
    """With all that a category has: queries and prompts, lint words, judge's criteria; shared queries are the app's."""
    assert list(installed_categories()) == ["demise", "tenure", "closure"]
    _own("coaching", title="Coaching")
    _own("demise", title="My demise")
    known = installed_categories()
    assert {name: each.title for name, each in known.items()} == {
        "coaching": "Coaching",
        "demise": "My demise",
        "tenure": "Tenure",
        "closure": "Closure",
    }
    assert known["coaching"].collection is not None
    assert known["coaching"].criteria == known["tenure"].criteria
    assert "coaching/generate_indirect" in prompt_names()
    load_linter.cache_clear()
    assert the_linter().version != load_linter(paths.resources()).version
    assert words_of_change("coaching")("He resigned.") == words_of_change("tenure")("He resigned.") != []


def test_a_category_without_words_makes_no_check_of_the_linter_stale() -> None:
    folder = _own("coaching")
    (folder / "lint.toml").unlink()
    assert load_linter(paths.resources(), paths.own_categories()).version == load_linter(paths.resources()).version


def test_the_prompt_of_an_own_category_can_be_changed_in_a_project(database: Database) -> None:
    folder = _own("coaching")
    text = (folder / "generate_indirect.md").read_text(encoding="utf-8").strip()
    store = PromptStore(database)
    assert store.text("coaching/generate_indirect") == text
    store.set("coaching/generate_indirect", f"{text}\nBe brief.")
    assert store.is_own("coaching/generate_indirect")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("before", "{entiy} coaches.", "place {entiy}"),
        ("before", "{entity.__class__}", "place {entity.__class__}"),
        ("after", "{entity:999999999}", "place {entity}"),
        ("direct_probe", "Does {entity coach?", "brace"),
    ],
)
def test_a_template_that_can_not_be_filled_is_told_with_its_file_and_key(key: str, value: str, said: str) -> None:
    folder = _own("coaching", **{key: value})
    with pytest.raises(SettingsError) as caught:
        installed_categories()
    assert str(folder / "category.toml") in str(caught.value)
    assert f"“{key}”" in str(caught.value)
    assert said in str(caught.value)


def test_a_folder_whose_name_is_none_is_told() -> None:
    _own("two words")
    with pytest.raises(SettingsError, match="letters, digits"):
        installed_categories()


def test_a_project_keeps_what_it_used_and_says_what_changed(database: Database) -> None:
    folder = _own("coaching")
    keep_categories(database)
    assert used_categories(database) == []
    add_event(database, category="coaching")
    add_event(database, entity="Bo", category="demise")
    assert _problems(database) == []
    keep_categories(database)
    assert [(each.name, each.is_own, each.is_kept) for each in used_categories(database)] == [
        ("coaching", True, True),
        ("demise", False, False),
    ]
    version = database.read().execute("SELECT total_changes()").fetchone()[0]
    keep_categories(database)
    assert database.read().execute("SELECT total_changes()").fetchone()[0] == version
    (folder / "codebook.md").write_text("Another codebook.", encoding="utf-8")
    assert "used here with other files" in _problems(database)[0]
    keep_categories(database)
    assert _problems(database) == []
    # In place of what was used before, which nobody could ask for.
    kept = database.read().execute("SELECT value FROM project WHERE key GLOB 'category_files:*'").fetchall()
    assert ["Another codebook." in row[0] for row in kept] == [True]


def test_somebody_else_takes_a_category_from_the_project(database: Database) -> None:
    folder = _own("coaching", title="Coaching")
    add_event(database, category="coaching")
    keep_categories(database)
    files = {path.relative_to(folder): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match="there already"):
        restore_category(database, "coaching")
    shutil.rmtree(paths.own_categories())
    assert "--restore coaching" in _problems(database)[0]
    listed = CliRunner().invoke(main, ["categories", "-p", str(database.path)])
    assert listed.exit_code == 1
    assert "--restore coaching" in listed.output
    assert restore_category(database, "coaching") == folder
    assert {path.relative_to(folder): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()} == files
    assert [each.name for each in paths.own_categories().iterdir()] == ["coaching"]
    told = CliRunner().invoke(main, ["categories", "--json", "-p", str(database.path)])
    assert told.exit_code == 0
    assert json.loads(told.output)["used"] == [{"name": "coaching", "here": True, "kept": True, "differs": False}]


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("coaching", {"../evil.md": "x"}),
        ("coaching", {"category.toml": "x", "queries/../../evil.rq": "x"}),
        ("coaching", {"/tmp/evil.md": "x"}),
        ("coaching", {"category.toml": "title = 1"}),
        ("coaching", ["category.toml"]),
        ("../coaching", {"category.toml": "x"}),
    ],
)
def test_what_a_stranger_s_project_keeps_writes_nothing_elsewhere(database: Database, name: str, files: object) -> None:
    add_event(database, category=name)
    store = ProjectStore(database)
    store.set_value(f"category:{name}", "h")
    store.set_value(f"category_files:{name}", json.dumps(files))
    assert name in _problems(database)[0]
    with pytest.raises((SettingsError, InputError)):
        restore_category(database, name)
    assert not paths.own_categories().exists() or list(paths.own_categories().iterdir()) == []
