"""Releases: refused while anything is open, the same bytes each time, restored whole or not at all."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import load_categories
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText
from btc_gui.domain.release import Release, compare, read_pair
from btc_gui.domain.review import Action
from btc_gui.errors import BtcError, InputError
from btc_gui.exports.release import write_release
from btc_gui.jobs.freeze_release import ReleaseDraft, draft_release, freeze_release
from btc_gui.jobs.load_release import load_release, read_release
from btc_gui.jobs.pair_probes import pair_probes
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.releases import ReleaseStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe

CATEGORIES = load_categories(paths.resources() / "categories")


def accept(database: Database, probe: Probe, reviewer: str = "Kim") -> None:
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, reviewer)


def fill(database: Database) -> None:
    """Two events with two accepted pairs and one; a rejected and an unreviewed probe beside them."""
    for entity, keys in (("Zoë Example", ("z1", "z2")), ("Ada “Quote”, Example", ("a1",))):
        event_id = add_event(database, entity=entity, description="poet, =1+1", qid=f"Q{len(entity)}")
        accept(database, add_probe(database, event_id, f"Is {entity} alive?", ProbeKind.DIRECT, f"d-{keys[0]}"))
        for key in keys:
            accept(
                database, add_probe(database, event_id, f"Whom shall we invite, {key}?\nA list, please. 日本", key=key)
            )
        rejected = add_probe(database, event_id, "No request.", key=f"no-{keys[0]}")
        ReviewStore(database).decide(rejected.id, rejected.revision_id, Action.REJECT, "Kim", reasons=("wrong_facts",))
        add_probe(database, event_id, "Not looked at yet.", key=f"open-{keys[0]}")


def freeze(database: Database, name: str = "spring") -> Release:
    return freeze_release(database, CATEGORIES, name, "Kim", Progress(), licence="CC BY 4.0")


def problems(database: Database) -> list[tuple[str, str]]:
    return [(each.key, each.what) for each in draft_release(database, CATEGORIES, Progress()).problems]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- freezing --------------------------------------------------------------------------------------------------


def test_accepted_pairs_are_frozen_in_an_order_of_their_own(database: Database) -> None:
    fill(database)
    release = freeze(database)
    assert (release.pairs, dict(release.counts)) == (3, {"demise": 3})
    pairs = list(ReleaseStore(database).pairs(release.id))
    assert [pair.key for pair in pairs] == ["a1", "z1", "z2"]
    assert [pair.direct.key for pair in pairs] == ["d-a1", "d-z1", "d-z1"]
    assert pairs[1].provenance["indirect"]["accepted_by"] == "Kim"
    assert (pairs[1].before, pairs[1].after) != ("", "")
    with pytest.raises(InputError, match="already"):
        freeze(database)


def test_a_direct_probe_that_lacks_is_made_and_reviewed(database: Database) -> None:
    """Curators of their own material need no filter for a release: accepted probes get their partner all the same."""
    probe = add_probe(database, add_event(database, entity="Ada Example"), key="p1")
    accept(database, probe)
    add_probe(database, add_event(database, entity="Bo Other"), key="p2")

    def draft() -> ReleaseDraft:
        return draft_release(database, CATEGORIES, Progress())

    assert (draft().unpaired, draft().problems[0].remedy.count("btc-gui pair --accepted")) == (1, 1)
    assert pair_probes(database, CATEGORIES, "Kim", Progress()).created == 0
    assert pair_probes(database, CATEGORIES, "Kim", Progress(), of_accepted=True).created == 1
    assert pair_probes(database, CATEGORIES, "Kim", Progress(), of_accepted=True).known == 1
    assert "unreviewed" in draft().problems[0].what
    assert draft().unpaired == 0
    (direct,) = ProbeStore(database).ids(ProbeQuery(kinds=(ProbeKind.DIRECT,)))
    accept(database, ProbeStore(database).get(direct))
    assert [item.pair.key for item in draft().items] == ["p1"]


def test_what_is_open_stands_against_it_one_by_one(database: Database) -> None:
    event_id = add_event(database, entity="Ada Example")
    accept(database, add_probe(database, event_id, key="p1"))
    assert problems(database) == [("p1", "its event has no direct probe")]
    direct = add_probe(database, event_id, "Is Ada Example alive?", ProbeKind.DIRECT, "d1")
    assert problems(database) == [("p1", "its direct probe d1 is unreviewed")]
    accept(database, direct)
    assert problems(database) == []
    store = EventStore(database)
    store.revise(event_id, replace(store.get(event_id).facts, qid="Q7"), "Kim")
    assert problems(database) == [("p1", "accepted for other facts than the event has now")]
    with pytest.raises(InputError, match=r"1 of the accepted probes can't be released, such as p1"):
        freeze(database)
    assert ReleaseStore(database).all() == []


def test_what_changes_while_it_is_put_together_is_not_frozen(database: Database) -> None:
    fill(database)
    items = draft_release(database, CATEGORIES, Progress()).items
    direct = ProbeStore(database).get(items[1].direct_id)
    ReviewStore(database).decide(direct.id, direct.revision_id, Action.REJECT, "Lee", reasons=("wrong_facts",))
    with pytest.raises(InputError, match="2 of the pairs were decided on"):
        ReleaseStore(database).add("spring", items, "sheet", "Kim")
    assert ReleaseStore(database).all() == []


def test_without_an_accepted_probe_there_is_nothing_to_release(database: Database) -> None:
    add_probe(database, add_event(database))
    with pytest.raises(InputError, match="No probe is accepted"):
        freeze(database)


# -- files -----------------------------------------------------------------------------------------------------


def test_the_same_bytes_come_out_whatever_happens_to_the_project(database: Database, tmp_path: Path) -> None:
    fill(database)
    freeze(database)
    write_release(database, "spring", tmp_path / "one")
    ids = ProbeStore(database).ids()
    for probe in ProbeStore(database).fetch(ids).values():
        edited = ProbeText(f"Other words {probe.key}")
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.EDIT, "Kim", edited=edited)
    write_release(database, "spring", tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert ReleaseStore(database).moved(ReleaseStore(database).get("spring").id) == 3


def test_the_files_are_what_the_manifest_says(database: Database, tmp_path: Path) -> None:
    fill(database)
    freeze(database)
    write_release(database, "spring", tmp_path / "one")
    files = contents(tmp_path / "one")
    manifest = json.loads(files.pop("manifest.json"))
    assert set(files) == {"pairs.jsonl", "pairs.csv", "datasheet.md"}
    for name, content in files.items():
        assert manifest["files"][name] == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    rows = list(csv.DictReader(io.StringIO(files["pairs.csv"].decode())))
    lines = [json.loads(line) for line in files["pairs.jsonl"].decode().splitlines()]
    assert [row["key"] for row in rows] == [line["indirect"]["key"] for line in lines] == ["a1", "z1", "z2"]
    assert rows[0]["entity"] == lines[0]["update"]["entity"] == "Ada “Quote”, Example"
    assert rows[0]["indirect_text"] == lines[0]["indirect"]["text"]
    sheet = files["datasheet.md"].decode()
    assert "CC BY 4.0" in sheet
    assert "| demise | 2 | 3 |" in sheet
    assert "| Kim | 3 |" in sheet


# -- restoring -------------------------------------------------------------------------------------------------


def restored(path: Path, tmp_path: Path) -> Database:
    database = Database.create(tmp_path / "other.btc")
    load_release(database, path, Progress(), author="Lee")
    return database


def test_a_release_restores_events_probes_and_approvals(database: Database, tmp_path: Path) -> None:
    fill(database)
    freeze(database)
    write_release(database, "spring", tmp_path / "one")
    with restored(tmp_path / "one", tmp_path) as other:
        counts = ProjectStore(other).counts()
        assert (counts.events, counts.probes, counts.accepted) == (2, 5, 5)
        write_release(other, "spring", tmp_path / "two")
        assert contents(tmp_path / "one") == contents(tmp_path / "two")
        assert problems(other) == []
        freeze(other, "again")
        old, new = (list(ReleaseStore(other).pairs(each.id)) for each in reversed(ReleaseStore(other).all()))
        assert compare(old, new).is_empty
        with pytest.raises(InputError, match="empty project"):
            load_release(other, tmp_path / "one", Progress(), author="Lee")


def test_a_file_of_pairs_alone_is_enough(database: Database, tmp_path: Path) -> None:
    fill(database)
    freeze(database)
    write_release(database, "spring", tmp_path / "one")
    with restored(tmp_path / "one" / "pairs.jsonl", tmp_path) as other:
        assert [each.name for each in ReleaseStore(other).all()] == ["pairs"]
        assert ProjectStore(other).counts().accepted == 5


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        ("pairs.jsonl", lambda text: text.replace("Whom", "Who"), "not the file that the manifest names"),
        ("datasheet.md", lambda text: text + "x", "not the file that the manifest names"),
        ("pairs.csv", lambda text: text + "x", "pairs.csv is not the file that the manifest names"),
        ("manifest.json", lambda text: text.replace("release 1", "release 9"), "this version reads"),
        ("manifest.json", lambda text: "[]", "no manifest"),
        ("manifest.json", lambda text: "{" * 100_000, "can't be read"),
    ],
    ids=["pairs", "datasheet", "table", "newer", "list", "deep"],
)
def test_a_changed_release_is_refused_and_nothing_is_taken(
    database: Database, tmp_path: Path, file: str, change: object, words: str
) -> None:
    fill(database)
    freeze(database)
    write_release(database, "spring", tmp_path / "one")
    path = tmp_path / "one" / file
    assert callable(change)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", newline="")
    with Database.create(tmp_path / "other.btc") as other:
        with pytest.raises(InputError, match=words):
            load_release(other, tmp_path / "one", Progress(), author="Lee")
        assert ProjectStore(other).counts().probes == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [*lines, lines[0]], r"line 4: the key a1 stands in line 1 already"),
        (lambda lines: [lines[0].replace("Whom", "Who"), *lines[1:]], r"line 1: a text or a fact was changed"),
        (lambda lines: [lines[0], "{}", *lines[1:]], r"line 2: this is no line of a release"),
        (lambda lines: [lines[0], "[" * 50_000], r"line 2: "),
        (
            lambda lines: [lines[0].replace('"d-a1"', '"z1"'), *lines[1:]],
            r"line 2: the key z1 stands in line 1 already",
        ),
        (lambda lines: [], "is empty"),
    ],
    ids=["twice", "changed", "empty object", "deep", "key of another", "empty"],
)
def test_a_bad_line_is_named_with_its_file(database: Database, tmp_path: Path, change: object, words: str) -> None:
    fill(database)
    freeze(database)
    write_release(database, "spring", tmp_path / "one")
    lines = (tmp_path / "one" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    assert callable(change)
    (tmp_path / "pairs.jsonl").write_text("".join(f"{line}\n" for line in change(lines)), encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_release(tmp_path / "pairs.jsonl", Progress())


# -- comparing -------------------------------------------------------------------------------------------------


def test_releases_are_compared_pair_by_pair(database: Database, tmp_path: Path) -> None:
    fill(database)
    freeze(database, "first")
    store, reviews = ProbeStore(database), ReviewStore(database)
    probes = {probe.key: probe for probe in store.fetch(store.ids()).values()}
    reviews.decide(probes["z2"].id, probes["z2"].revision_id, Action.REJECT, "Kim", reasons=("wrong_facts",))
    reviews.decide(probes["z1"].id, probes["z1"].revision_id, Action.EDIT, "Kim", edited=ProbeText("Anew?"))
    accept(database, store.get(probes["z1"].id))
    accept(database, probes["open-z1"])
    freeze(database, "second")
    arguments = ["release", "diff", "first", "second", "-p", str(database.path), "--json"]
    ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 1
    assert json.loads(ended.stdout) == {
        "added": ["open-z1"],
        "removed": ["z2"],
        "changed": [{"key": "z1", "parts": ["indirect probe"]}],
        "same": 1,
    }


def test_a_pair_survives_its_line(database: Database) -> None:
    fill(database)
    for pair in ReleaseStore(database).pairs(freeze(database).id):
        assert read_pair(pair.as_line()) == pair


# -- commands --------------------------------------------------------------------------------------------------


def run(*words: object) -> tuple[int, str]:
    ended = CliRunner().invoke(main, [str(word) for word in words])
    if isinstance(ended.exception, BtcError):
        return 2, str(ended.exception)
    return ended.exit_code, ended.stdout


def test_a_release_from_check_to_restored_by_command(database: Database, tmp_path: Path) -> None:
    fill(database)
    add_event(database, entity="Nobody")
    project = ("-p", database.path)
    assert run("release", "check", *project)[0] == 0
    assert run("release", "new", "spring", *project, "--licence", "CC0")[0] == 0
    assert "3 pairs (3 demise)" in run("release", "list", *project)[1]
    code, output = run("export", "release", "spring", *project, "--out", tmp_path / "out", "--json")
    assert (code, len(json.loads(output)["files"])) == (0, 4)
    other = tmp_path / "other.btc"
    assert run("new", other)[0] == 0
    assert run("load", "release", tmp_path / "out", "-p", other)[0] == 0
    assert run("release", "diff", tmp_path / "out", "spring", "-p", other)[0] == 0
    assert run("load", "release", tmp_path / "nowhere", "-p", other)[0] == 2
    late = add_probe(database, EventStore(database).ids()[0], key="late", kind=ProbeKind.INDIRECT)
    accept(database, late)
    assert run("release", "check", *project)[0] == 0
    assert run("export", "release", "autumn", *project)[0] == 2
