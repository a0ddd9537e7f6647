"""What others have made of their projects, damaged: recipes of runs, releases, folders of recordings."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import Effort
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.release import DATASHEET_FILE, MANIFEST_FILE, PAIRS_FILE, TABLE_FILE
from btc_gui.domain.review import Action
from btc_gui.domain.run_recipe_file import sealed, unsealed
from btc_gui.errors import BtcError
from btc_gui.evals.harness import shared_configuration
from btc_gui.exports.release import write_release
from btc_gui.jobs.freeze_release import freeze_release
from btc_gui.jobs.load_release import load_release
from btc_gui.jobs.plan_run import plan_run
from btc_gui.jobs.run_recipe import export_recipe, plan_recipe
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from btc_gui.ui.run_composing import read_offers
from tests.builders import add_event, add_probe
from tests.fuzz.mutating import fuzz, is_sentence, mutated, no_hang
from tests.fuzz.undoing import undone
from tests.run_builders import make_recipe

CATEGORIES = load_categories(paths.resources() / "categories")


def _refused(error: BtcError | None) -> bool:
    assert error is None or is_sentence(str(error))
    return error is not None


def test_a_damaged_recipe(database: Database) -> None:
    """Its author seals it again: it is planned as it says, or nothing of it is."""
    probe = add_probe(database, add_event(database), key="p1")
    items = [(probe.id, probe.revision_id)]
    run_id = plan_run(database, "Spring", [shared_configuration("M", Effort.LOW)], items, 2, "tests", make_recipe())
    good = unsealed(export_recipe(database, run_id))
    seed = json.dumps({name: good[name] for name in ("run", "versions", "sample")}).encode()

    @fuzz(25)
    @given(text=mutated([seed], values_only=True))
    def check(text: bytes) -> None:
        refusal: BtcError | None = None
        with undone(database), no_hang():
            try:
                recipe = unsealed(sealed({**good, **json.loads(text)}))
                planned = plan_recipe(database, recipe, "tests")
                run = RunStore(database).get(planned.run_id)
                assert run.recipe.at_once > 0
                assert RunStore(database).count_pending(run.id) == planned.samples
            except BtcError as error:
                refusal = error
            except (ValueError, RecursionError, TypeError):
                # What is no JSON is refused before (see `test_texts`).
                assert not _is_json_object(text)
            assert len(RunStore(database).ids()) == 1 + (not _refused(refusal) and _is_json_object(text))

    check()


def _is_json_object(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), dict) and bool(sealed(json.loads(text)))
    except (ValueError, RecursionError):
        return False


def test_a_damaged_release(database: Database, tmp_path: Path) -> None:
    """Its author makes the manifest fit again: all of it is there, or nothing, and the project stays empty."""
    with Database.create(tmp_path / "theirs.btc") as theirs:
        event_id = add_event(theirs)
        for kind in ProbeKind:
            probe = add_probe(theirs, event_id, f"Whom to ask, {kind}?", kind, key=f"p-{kind}")
            ReviewStore(theirs).decide(probe.id, probe.revision_id, Action.ACCEPT, "Kim")
        freeze_release(theirs, CATEGORIES, "spring", "Kim", Progress(), licence="CC BY 4.0")
        folder = tmp_path / "release"
        write_release(theirs, "spring", folder)
    whole = {name: (folder / name).read_bytes() for name in (PAIRS_FILE, MANIFEST_FILE, DATASHEET_FILE, TABLE_FILE)}

    @fuzz(15)
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([PAIRS_FILE, PAIRS_FILE, MANIFEST_FILE, DATASHEET_FILE]))
        files = {**whole, name: data.draw(mutated([whole[name]], values_only=data.draw(st.booleans())))}
        if name != MANIFEST_FILE:
            old, new = (sha256(files_of[name].decode("utf-8", "replace")) for files_of in (whole, files))
            files[MANIFEST_FILE] = whole[MANIFEST_FILE].replace(old.encode(), new.encode())
        for each, content in files.items():
            (folder / each).write_bytes(content)
        refusal: BtcError | None = None
        with undone(database), no_hang():
            try:
                release = load_release(database, folder, Progress(), author="tests")
                repr(release).encode("utf-8")
            except BtcError as error:
                refusal = error
            counts = ProjectStore(database).counts()
            assert bool(counts.events) == bool(counts.probes) == (not _refused(refusal))

    check()


def test_a_damaged_description_of_recordings(database: Database, tmp_path: Path) -> None:
    """The day that agents are told is a day, whatever stands in the folder's `demo.toml`."""
    (tmp_path / "agents.jsonl").write_bytes((paths.resources() / "demo" / "agents.jsonl").read_bytes())
    seed = (paths.resources() / "demo" / "demo.toml").read_bytes()
    (tmp_path / "demo.toml").write_bytes(seed)
    assert read_offers(database, tmp_path, {}).current_date == "2026-07-15"

    @fuzz(10)
    @given(text=st.one_of(mutated([seed], values_only=True), mutated([seed])))
    def check(text: bytes) -> None:
        (tmp_path / "demo.toml").write_bytes(text)
        refusal: BtcError | None = None
        with no_hang():
            try:
                day = read_offers(database, tmp_path, {}).current_date
                assert date.fromisoformat(day).isoformat() == day
            except BtcError as error:
                refusal = error
        _refused(refusal)

    check()
