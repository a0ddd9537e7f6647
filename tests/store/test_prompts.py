"""A project's own prompts: used from then on, checked before, and kept for those who used them."""

from __future__ import annotations

import pytest

from btc_gui.domain.hashing import sha256
from btc_gui.errors import InputError, SettingsError
from btc_gui.evals.harness import system_prompt
from btc_gui.store.database import Database
from btc_gui.store.prompts import NAMES, SHARED_SYSTEM, PromptStore, builtin_text, prompt_names


def test_a_project_has_the_apps_prompts_until_it_has_its_own(database: Database) -> None:
    store = PromptStore(database)
    assert all(store.text(name) == builtin_text(name) and not store.is_own(name) for name in NAMES)
    digest = store.set(SHARED_SYSTEM, "  It is {current_date}. Answer in JSON: {}.\n")
    text = store.text(SHARED_SYSTEM)
    assert (text, sha256(text)) == ("It is {current_date}. Answer in JSON: {}.", digest)
    assert system_prompt("2026-07-15", "2025-08-31", text) == "It is 2026-07-15. Answer in JSON: {}."
    store.reset(SHARED_SYSTEM)
    assert store.text(SHARED_SYSTEM) == builtin_text(SHARED_SYSTEM)
    # A run that was planned with it can still be carried out.
    assert store.by_hash(digest) == text


def test_a_judges_prompt_must_have_its_two_parts_and_ask_for_what_there_is(database: Database) -> None:
    store = PromptStore(database)
    before = store.prompt("judge")
    body = "$entity: $after $criteria Asked: $probe The answer: $answer"
    store.set("judge", f"You judge.\n---\n{body}")
    assert store.prompt("judge").system == "You judge."
    for text, words in [
        ("", "can't be empty"),
        (f"You judge. {body}", "no line “---”"),
        (f"You judge.\n---\n{body} of $colour", r"\$colour"),
        (f"You judge.\n---\n{body} for 5 $ each", "begins no name"),
    ]:
        with pytest.raises(SettingsError, match=words):
            store.set("judge", text)
    assert store.prompt("judge").template == body
    assert before != store.prompt("judge")
    with pytest.raises(InputError, match="no prompt “poem”"):
        store.set("poem", "x")


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("judge", ("entity", "after", "criteria", "probe", "answer")),
        ("classify", ("entity", "after", "evidence_rule", "classes", "probe", "search", "answer")),
    ],
)
def test_a_prompt_that_drops_what_it_needs_is_refused_by_name(
    database: Database, name: str, places: tuple[str, ...]
) -> None:
    store = PromptStore(database)
    for place in places:
        with pytest.raises(SettingsError, match=rf"does not say \${place}\b") as refused:
            store.set(name, builtin_text(name).replace(f"${place}", "…"))
        assert refused.value.remedy == f"Write ${place} after the line “---”, where it is to stand."
    assert not store.is_own(name)


def test_a_categorys_template_must_say_what_a_probe_needs(database: Database) -> None:
    """Without the event's facts, the article or the curator's note a reply would be about something else."""
    store, name = PromptStore(database), "demise/generate_indirect"
    text = store.text(name)
    assert text == builtin_text(name)
    for place in ("entity", "before", "after", "context", "count", "others", "note"):
        with pytest.raises(SettingsError, match=rf"does not say \${place}"):
            store.set(name, text.replace(f"${place}", "…"))
    with pytest.raises(SettingsError, match=r"\$answer"):
        store.set(name, f"{text} $answer")
    store.set(name, f"{text}\nThe country is $country.")
    assert "The country is $country" in store.prompt(name).template
    with pytest.raises(SettingsError, match=r"does not say \$template"):
        store.set("tenure/generate_direct", "Write.\n---\nAbout $entity. $note")
    with pytest.raises(InputError, match="no prompt"):
        store.text("nothing/generate_indirect")


def test_the_templates_of_a_category_are_found_by_its_folder() -> None:
    """A category that is added brings its own; nobody has to list them."""
    assert {"demise/generate_indirect", "demise/generate_direct", "tenure/generate_indirect"} < set(prompt_names())
