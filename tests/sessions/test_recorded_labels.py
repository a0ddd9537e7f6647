"""Label files with mistakes: each row is told by its line, in words, and the others count."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.errors import InputError
from btc_gui.sessions.recorded_labels import read_labels


@pytest.mark.parametrize("row", ["not json", "[1]", "5", "{}", '{"item": "a"}', '{"label": "correct"}', "[" * 100_000])
def test_a_wrong_row_is_named_and_the_others_are_read(row: str, tmp_path: Path) -> None:
    """Words for a person, not Python's about list indices."""
    path = tmp_path / "labels.jsonl"
    path.write_text(f'{row}\n\n{{"item": "a", "label": "correct", "note": null}}', encoding="utf-8")
    rows, rejected = read_labels(path)
    assert [(bad.line, bad.reason) for bad in rejected] == [(1, "this is not a JSON object with “item” and “label”")]
    assert [(good.line, good.item, good.label, good.note) for good in rows] == [(3, "a", "correct", "")]


def test_a_file_that_is_no_text_is_refused_in_words(tmp_path: Path) -> None:
    """Another encoding, a folder and a missing file: a reason, no error number."""
    (tmp_path / "utf16.jsonl").write_text("{}", encoding="utf-16")
    for name, reason in (("utf16.jsonl", "it is not UTF-8"), ("", "is a directory"), ("no", "no such file")):
        with pytest.raises(InputError, match=reason) as raised:
            read_labels(tmp_path / name)
        assert "Errno" not in str(raised.value)
