"""Where a person's folders are: as platformdirs says, which knows the desktops' rules."""

import platformdirs
import pytest

from btc_gui import paths


@pytest.mark.parametrize("named", [None, "", "  ", "/somewhere/else", "relative/folder"])
@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "XDG_STATE_HOME"])
def test_folders_are_where_the_desktop_has_them(
    monkeypatch: pytest.MonkeyPatch, variable: str, named: str | None
) -> None:
    if named is None:
        monkeypatch.delenv(variable, raising=False)
    else:
        monkeypatch.setenv(variable, named)
    assert str(paths.config()) == platformdirs.user_config_dir("btc_gui", appauthor=False)
    assert str(paths.state()) == platformdirs.user_state_dir("btc_gui", appauthor=False)
