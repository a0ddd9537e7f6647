"""Settings: what is written comes back, and a wrong file is named with its key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from btc_gui.errors import SettingsError
from btc_gui.settings import Settings, load_settings, save_settings


def test_missing_file_gives_defaults(tmp_path: Path) -> None:
    """A first start needs no file."""
    assert load_settings(tmp_path / "settings.toml").theme == "system"


@given(
    reviewer=st.text(st.characters(exclude_categories=["Cs"])),
    name=st.text(st.characters(exclude_categories=["Cs"])),
    recent=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3),
)
@hypothesis_settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_what_is_saved_comes_back(tmp_path: Path, reviewer: str, name: str, recent: list[str]) -> None:
    """Names in any script, quotes, backslashes and control characters survive."""
    path = tmp_path / "settings.toml"
    settings = Settings(
        reviewer=reviewer,
        text_scale=1.5,
        use_keyring=True,
        keeps_logs=True,
        keys={name: "Ctrl+K"},
        recent=tuple(recent),
        query_service="qlever",
        services={"wdqs": "https://example.org/sparql"},
        model_servers={"openai": "http://127.0.0.1:8890"},
    )
    save_settings(settings, path)
    assert load_settings(path) == settings


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ('them = "dark"', "them"),
        ('theme = "pink"', "theme"),
        ("text_scale = 40", "text_scale"),
        ("reviewer = 3", "reviewer"),
        ("use_keyring = 1", "use_keyring"),
        ('keeps_logs = "no"', "keeps_logs"),
        ("keys = [1]", "keys"),
        ("recent = 1", "recent"),
        ('query_service = "google"', "query_service"),
        ('[services]\nwdqs = "ftp://example.org"', "services"),
        ('[services]\nbing = "https://example.org"', "bing"),
        ("reviewer = ", "settings.toml"),
    ],
)
def test_wrong_file_is_named(tmp_path: Path, content: str, named: str) -> None:
    """The sentence names the file and the key."""
    path = tmp_path / "settings.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match=named) as refused:
        load_settings(path)
    assert "settings.toml" in str(refused.value)


def test_recent_projects_keep_their_order() -> None:
    """The newest first, no project twice, ten at most."""
    settings = Settings(recent=())
    for number in [*range(12), 3]:
        settings = settings.with_recent(Path(f"/p{number}.btc"))
    assert settings.recent[0] == "/p3.btc"
    assert len(settings.recent) == len(set(settings.recent)) == 10
