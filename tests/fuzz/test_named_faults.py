"""What was found by damaging files, and what is known to break readers: each by its name, with what must come of it."""

from __future__ import annotations

import json
import sys
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.entity_json import read_entities
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.label_rows import read_label_table
from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.models_file import ModelsText, models_in
from btc_gui.domain.origin import Origin
from btc_gui.domain.packet import ItemId, PacketItem, PacketManifest
from btc_gui.domain.practice_file import read_practice
from btc_gui.domain.release import read_pair
from btc_gui.domain.run_recipe_file import sealed, unsealed
from btc_gui.domain.sparql_rows import UnusableReply
from btc_gui.domain.sparql_rows import read_results as read_reply_of_service
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply
from btc_gui.domain.table_row import BadRow, Row
from btc_gui.domain.written_probes import WrittenProbes
from btc_gui.errors import InputError, PacketError, SettingsError
from btc_gui.evals.log_safety import is_much, why_unsafe
from btc_gui.jobs.load_answers import load_answers
from btc_gui.jobs.load_decisions import load_decisions
from btc_gui.jobs.load_events import load_events
from btc_gui.jobs.read_table import open_table
from btc_gui.outside_data import json_from, toml_from
from btc_gui.progress import Progress
from btc_gui.remote.http import Reply, retry_after
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from tests.builders import add_event, add_probe
from tests.fuzz.mutating import no_hang
from tests.study_builders import make_manifest, write_packet

DEEP = "[" * 100_000 + "]" * 100_000
ENDLESS = "9" * 5_000
HALF = '"\\ud800"'


def _rows(path: Path, text: str | bytes) -> tuple[list[Row], list[BadRow]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with no_hang(), open_table(path) as table:
        rows = list(table.rows())
    return [row for row in rows if isinstance(row, Row)], [row for row in rows if isinstance(row, BadRow)]


# -- JSON and TOML -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "nested too deeply"),
        (f'{{"n": {ENDLESS}}}', "thousands of digits"),
        ('{"n": 1e999}', "too large"),
        ('{"n": NaN}', "NaN is no number"),
        ('{"n": -Infinity}', "-Infinity is no number"),
        (f'{{"a": [{HALF}]}}', "half of a surrogate pair"),
        (f"{{{HALF}: 1}}", "half of a surrogate pair"),
        ('{"a": {"b": 1, "b": 2}}', "the key “b” is there twice"),
        ("{" + ", ".join(f'"k{n}": 1' for n in range(50_000)) + ', "k49999": 2}', "“k49999” is there twice"),
        ("{'a': 1}", "property name"),
    ],
)
def test_json_that_is_refused(text: str, reason: str) -> None:
    """Each with its reason, in words, and at once."""
    with no_hang(5), pytest.raises(ValueError, match=reason):
        json_from(text)


def test_json_that_is_read() -> None:
    """What is merely odd is what it says: whole pairs of surrogates, large numbers, empty keys."""
    assert json_from('{"": "\\ud83d\\ude00", "n": 1' + "0" * 400 + "}") == {"": "😀", "n": 10**400}
    assert json_from("[NaN, 1e999, -1e999, 1.5]", allows_nan=True) == [None, None, None, 1.5]


@pytest.mark.parametrize(
    ("text", "reason"),
    [(f"n = {ENDLESS}", "thousands of digits"), (f"n = {DEEP}", "nested too deeply"), ("n = ", "Invalid value")],
)
def test_toml_that_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    """By the reader, and in the same words by settings and models files."""
    with pytest.raises(ValueError, match=reason):
        toml_from(text)
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=reason):
        load_settings(path)
    with pytest.raises(SettingsError, match=reason):
        models_in([ModelsText("models.toml", text)])


@pytest.mark.parametrize("value", ["1" + "0" * 400, "0x" + "f" * 10_000, "inf", "nan", "-1"])
def test_a_price_of_models_that_is_none(value: str) -> None:
    """No number is too large to be refused in a sentence of ordinary length."""
    text = f'[models."M"]\nprovider = "google"\nmodel = "m"\nprice = {{input = {value}, output = 1}}\n'
    with pytest.raises(SettingsError, match="must be a number from 0") as caught:
        models_in([ModelsText("models.toml", text)])
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", ['"' + "x" * 70_000 + '"', "0x" + "f" * 10_000, "nan", "[1]"])
def test_a_text_scale_that_is_none(value: str, tmp_path: Path) -> None:
    """A large value does not fill the screen that tells of it."""
    path = tmp_path / "settings.toml"
    path.write_text(f"text_scale = {value}\n")
    with pytest.raises(SettingsError, match=r"“text_scale” must be a number from 0\.5 to 3") as caught:
        load_settings(path)
    assert len(str(caught.value)) < 1_000


def test_a_category_with_a_mark_at_its_start_is_read(tmp_path: Path) -> None:
    """Windows' editor writes a byte-order mark; TOML knows none."""
    import shutil

    for name in ("demise", "queries"):
        shutil.copytree(paths.resources() / "categories" / name, tmp_path / name)
    for path in (tmp_path / "demise").glob("*.toml"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    whole = load_categories(paths.resources() / "categories")["demise"]
    # Practice items name the file that they are from.
    assert replace(load_categories(tmp_path)["demise"], practice=()) == replace(whole, practice=())


# -- texts of one thing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [DEEP, f'{{"a": {ENDLESS}}}', '{"a": NaN}', f'{{"a": {HALF}}}', "[]", "null", "7"])
def test_each_reader_of_json_refuses_with_its_own_error(text: str) -> None:
    """A recipe, a form, a manifest, practice items, a line of a release, replies of services and models."""
    with pytest.raises(InputError):
        unsealed(text)
    with pytest.raises(InputError):
        ModeForm.from_text(text)
    with pytest.raises(PacketError):
        PacketManifest.from_json(text)
    with pytest.raises(InputError):
        read_practice(text, "practice.jsonl", "demise")
    with pytest.raises(ValueError, match=r"\w"):
        read_pair(text)
    with pytest.raises(UnusableReply):
        read_reply_of_service(text)
    with pytest.raises(UnreadableReplyError):
        read_reply(text, WrittenProbes)
    if text != "[]":
        with pytest.raises(ValueError, match=r"\w"):
            read_entities(text, "P570")
    assert ItemState.from_text(text) == ItemState(note=text)


def test_prompts_of_a_recipe_are_texts() -> None:
    """Whoever seals a recipe can write anything into it."""
    odd: tuple[object, ...] = ([], {"a": 1}, "x")
    for prompts in odd:
        with pytest.raises(InputError, match="prompts that are no texts"):
            unsealed(sealed({"prompts": prompts}))


@pytest.mark.parametrize(
    "change",
    [
        {"title": 5},
        {"items": "3"},
        {"items": -1},
        {"note": None},
        {"practice_mark": "x"},
        {"ask_confidence": "yes"},
        {"relations": [1]},
        {"version": "2"},
        {"version": 1e6},
        {"choices": [{"value": 1, "text": "a", "key": "a"}]},
        {"fields": [{"name": ["answer"], "title": "t", "form": "text"}]},
    ],
)
def test_a_manifest_of_a_packet_holds_what_it_declares(change: dict[str, object]) -> None:
    """The window that shows it would break down over anything else."""
    with pytest.raises(PacketError):
        PacketManifest.from_json(json.dumps({**make_manifest(3).as_json(), **change}))


@pytest.mark.parametrize("searches", [DEEP, "[1]", '[{"query": 1, "received": "x"}]', '[{"q": ""}]', "{}x", "7"])
def test_searches_of_a_packet_that_are_none(searches: str) -> None:
    """They are refused as the packet is."""
    with pytest.raises(PacketError, match="Item 1 of the packet can't be read"):
        PacketItem(ItemId("0" * 16), 1, "p", {"searches": searches}).searches()


def test_the_origin_that_a_log_names_must_be_whole() -> None:
    """A log whose configuration is not one of ours is a log of somebody else, and read as that."""
    recipe = {"current_date": "2026-11-01", "purpose": "evaluate"}
    configuration = {"model": "m", "harness": "shared", "effort": "low"}
    good = {
        "run": "r",
        "name": "n",
        "created_by": "",
        "created_at": "",
        "recipe": recipe,
        "configuration": configuration,
    }
    assert Origin.from_json(good) is not None
    others: tuple[dict[str, object], ...] = (
        {"model": 5},
        {"settings": {"effort": 1}},
        {"settings": {"engine_model": "a/b", "effort": "[["}},
    )
    for part in others:
        assert Origin.from_json({**good, "configuration": {**configuration, **part}}) is None
    odd: tuple[dict[str, object], ...] = ({"at_once": "many"}, {"max_cost": float("nan")}, {"current_date": 5})
    for part in odd:
        assert Origin.from_json({**good, "recipe": {**recipe, **part}}) is None
    assert Origin.from_json({**good, "recipe": []}) is None


@pytest.mark.parametrize("size", ["²", ENDLESS, "1" + "0" * 400, "-1", "1.5"])
def test_a_frame_size_that_is_none_costs_its_row(size: str) -> None:
    """In a table of labels."""
    table = read_label_table(f"judge,human,stratum,frame_size\n1,1,a,{size}\n1,0,a,9\n")
    assert [row.line for row in table.rows] == [3]
    assert [row.line for row in table.rejected] == [2]


@pytest.mark.parametrize("change", ["[{}]", '[{"a": {"value": 7}}]', "[[]]"])
def test_a_service_may_send_cells_that_are_none(change: str) -> None:
    """What is no result of a query is refused whole."""
    head = '["a"]' if "value" in change else "[{}]"
    with pytest.raises(UnusableReply):
        read_reply_of_service(f'{{"head": {{"vars": {head}}}, "results": {{"bindings": {change}}}}}')


def test_a_schema_with_a_turned_byte_is_damaged(tmp_path: Path) -> None:
    """SQLite names the part that it can't understand, in bytes that are no text any more."""
    path = write_packet(tmp_path / "a.btcp", 1)
    whole = path.read_bytes()
    refused = 0
    for place in range(whole.index(b"CREATE TABLE") - 60, whole.index(b"CREATE TABLE") + 60):
        path.write_bytes(whole[:place] + b"\x80" + whole[place + 1 :])
        try:
            PacketFile.open(path, to_label=False).close()
        except PacketError:
            refused += 1
    assert refused > 60


# -- tables ------------------------------------------------------------------------------------------------------


def test_a_line_separator_inside_json_ends_no_line() -> None:
    """U+2028 may stand in a JSON string as it is."""
    row = {
        "kind": "judge_verdict",
        "probe": "indirect",
        "values": {"a": "one\u2028two"},
        "label": "correct",
        "why": "x",
    }
    (read,) = read_practice(json.dumps(row, ensure_ascii=False), "practice.jsonl", "demise")
    assert read.values == {"a": "one\u2028two"}


def test_a_hundred_thousand_columns(tmp_path: Path) -> None:
    """Read as they are; nothing takes time that grows with their square."""
    names = [f"c{n}" for n in range(100_000)]
    rows, bad = _rows(tmp_path / "wide.csv", ",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    assert (len(rows[0].values), bad) == (100_000, [])
    path = tmp_path / "same.csv"
    path.write_text(",".join("c" for _ in range(20_000)) + "\n1\n")
    with no_hang(), open_table(path) as table:
        assert len(set(table.columns)) == 20_000


def test_a_cell_of_a_megabyte_and_one_with_a_million_quotes(tmp_path: Path) -> None:
    """A row may be long; one that is too long, and quotes that never end, cost themselves and no time."""
    rows, bad = _rows(tmp_path / "long.csv", 'a,b\n"' + "x" * 900_000 + '",1\n' + '"' * 999_999 + "\n2,3\n")
    assert [row.values["b"] for row in rows] == ["1", "3"]
    assert [row.line for row in bad] == [3]


def test_line_ends_of_all_kinds_and_marks_in_the_middle(tmp_path: Path) -> None:
    """LF, CRLF and CR in one file; a byte-order mark within it is part of the cell's text."""
    rows, bad = _rows(tmp_path / "mixed.csv", b"a,b\r1,2\n3,4\r\n\xef\xbb\xbf5,6\n")
    assert [list(row.values.values()) for row in rows] == [["1", "2"], ["3", "4"], ["\ufeff5", "6"]]
    assert bad == []


def test_half_characters_and_odd_numbers_in_steps_cost_their_row(database: Database, tmp_path: Path) -> None:
    """In a cell of JSON they come out of an escape, long after the file was found to be UTF-8."""
    add_probe(database, add_event(database), key="p1")
    path = tmp_path / "answers.csv"
    steps = [
        f'[{{""answer"": {HALF}}}]'.replace(HALF, '""\\ud800""'),
        '[{""answer"": ""x"", ""seconds"": NaN}]',
        f'[{{""answer"": ""y"", ""seconds"": {ENDLESS}}}]',
        '[{""answer"": ""z"", ""seconds"": 1e999}]',
        f'[{{""answer"": {DEEP}}}]',
    ]
    path.write_text("probe,model,steps\n" + "".join(f'p1,m,"{each}"\n' for each in steps))
    report = load_answers(database, path, Progress(), author="tests")
    assert (report.read, report.new) == (5, 2)
    assert [row.line for row in report.rejected] == [2, 4, 6]
    assert all("the steps are not JSON" in row.reason for row in report.rejected)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names themselves")
def test_a_file_whose_name_is_not_utf8(database: Database, tmp_path: Path) -> None:
    """A database can't hold the name; it is said before anything is read."""
    path = Path(str(tmp_path) + "/\udcff.csv")
    path.write_text("entity,category,date\nAda,demise,2026-05-09\n")
    categories = load_categories(paths.resources() / "categories")
    with pytest.raises(InputError, match="is not UTF-8"):
        load_events(database, path, categories, Progress(), author="tests")


@pytest.mark.parametrize(
    "date",
    [
        *(
            "2026-02-30",
            "0000-00-00",
            "99999-01-01",
            "-0044-03-15",
            "2026-05-09T25:00:00Z",
            "2026-05-09T00:00:00+99:99",
        ),
        *("9999-12-31T23:59:59-23:59", "²026-05-09", ENDLESS, "1e999", "2026-W19-6"),
    ],
)
def test_days_that_are_none(date: str, database: Database, tmp_path: Path) -> None:
    """Each is a rejected row with its reason."""
    path = tmp_path / "events.csv"
    path.write_text(f"entity,category,date\nAda,demise,{date}\nBea,demise,2026-05-09\n")
    categories = load_categories(paths.resources() / "categories")
    report = load_events(database, path, categories, Progress(), author="tests")
    assert [(row.line, "date" in row.reason or "year" in row.reason) for row in report.rejected] == [(2, True)]
    assert report.new == 1


def test_decisions_in_one_line_are_known_the_second_time(database: Database, tmp_path: Path) -> None:
    """Which of two decisions on a probe is the later one is told by their order, not by the lines of the file."""
    add_probe(database, add_event(database), key="p1")
    rows = [{"probe": "p1", "action": action, "note": note} for action, note in (("accept", ""), ("accept", "sure"))]
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(rows))
    first, again = (load_decisions(database, path, "PK", Progress()) for _ in range(2))
    assert [(each.new, each.known) for each in (first, again)] == [(2, 0), (0, 2)]


# -- archives ----------------------------------------------------------------------------------------------------


def _bomb(path: Path, megabytes: int, parts: int = 1) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for number in range(parts):
            with archive.open(f"samples/{number}_epoch_1.json", "w", force_zip64=True) as part:
                for _ in range(megabytes):
                    part.write(b" " * 1_000_000)
    return path


def test_an_archive_that_fills_the_memory(tmp_path: Path) -> None:
    """By one part, or by all of them together; it is refused by what it says of itself, and nothing is unpacked."""
    bomb = bytearray(_bomb(tmp_path / "large.eval", 4).read_bytes())
    # The size that stands in the directory, of four megabytes, made five hundred.
    place = bomb.rindex((4_000_000).to_bytes(4, "little"))
    bomb[place : place + 4] = (500_000_000).to_bytes(4, "little")
    (tmp_path / "large.eval").write_bytes(bomb)
    assert "a part of it has 500 MB once unpacked" in why_unsafe(tmp_path / "large.eval")
    assert is_much(tmp_path / "large.eval", [(0, 1)])
    assert not is_much(_bomb(tmp_path / "small.eval", 1), [(0, 1)])


@pytest.mark.parametrize("packing", ["deflate", "zstd"])
def test_an_archive_that_says_less_than_it_holds(packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's own logs are packed with zstd, which makes 130 KB of four bytes."""
    monkeypatch.setattr("btc_gui.evals.log_safety._WORTH_A_LOOK", 100_000)
    path, text, method = tmp_path / "log.eval", b" " * 5_000_000, 8
    if packing == "zstd":
        packed, method = zstandard.ZstdCompressor().compress(text) * 2, 93
        text *= 2
    else:
        packed = zlib.compress(text, wbits=-15)
    for says, refused in ((1_000, True), (len(text), False)):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("samples/1_epoch_1.json", packed)
        content = bytearray(path.read_bytes())
        for place in (0, content.rindex(b"PK\x01\x02") + 2):
            content[place + 8 : place + 10] = method.to_bytes(2, "little")
            content[place + 22 : place + 26] = says.to_bytes(4, "little")
        path.write_bytes(content)
        assert ("is larger than it says" in why_unsafe(path)) == refused


def test_an_archive_whose_parts_lie_over_each_other(tmp_path: Path) -> None:
    """The same bytes named a thousand times become a thousand parts."""
    path = _bomb(tmp_path / "log.eval", 2, parts=2)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        offsets = [part.header_offset for part in archive.infolist()]
    place = content.rindex(offsets[2].to_bytes(4, "little"))
    content[place : place + 4] = offsets[1].to_bytes(4, "little")
    path.write_bytes(content)
    assert why_unsafe(path) == "its parts lie over each other, as no program writes them"


def test_a_log_with_an_endless_number_is_refused_before_the_engine_reads_it(tmp_path: Path) -> None:
    """The engine's reader of JSON brings its whole process down over such a number."""
    path = tmp_path / "log.json"
    path.write_text('{"version": 2, "status": ' + ENDLESS + "}")
    assert why_unsafe(path) == "a number in it has thousands of digits"
    path.write_text(json.dumps({"version": 2, "text": ENDLESS}))
    assert why_unsafe(path) == ""


# -- services ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["9" * 400, "1e5", "-5", "Fri, 31 Dec 99999 23:59:59 GMT", "²", ""])
def test_a_wait_that_no_clock_knows_is_none(asked: str) -> None:
    """What a service asks to wait is a number of seconds or a day; anything else is as good as nothing."""
    assert retry_after(Reply(429, {"retry-after": asked}, "", 0.1)) is None
