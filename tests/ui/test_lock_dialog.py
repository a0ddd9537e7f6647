"""Locking through the window: what is frozen is told before, its hash afterwards."""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.study import StudyId, StudyState
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.studies import StudyStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.lock_dialog import LockDialog, check_recipe
from tests.study_builders import add_judged, make_design


def open_dialog(window: MainWindow, study_id: StudyId) -> LockDialog:
    context = window.context
    assert context is not None
    study = StudyStore(context.database).get(study_id)
    dialog = LockDialog(context, ValidatingSession(context.database, context.categories), study, window)
    dialog.open()
    return dialog


def draft(window: MainWindow, **more: object) -> StudyId:
    assert window.context is not None
    add_judged(window.context.database)
    return StudyStore(window.context.database).create("July: “a”", make_design(**more), "tests")  # type: ignore[arg-type]


def words(dialog: LockDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_the_hash_that_is_copied_is_that_of_the_stored_manifest(window: MainWindow) -> None:
    assert window.context is not None
    study_id = draft(window, repeats=2, practice=3, annotators=("PK", "DG"), overlap=0.5)
    dialog = open_dialog(window, study_id)
    assert "PK; DG (50 % of each stratum)" in words(dialog)
    dialog.lock_button.click()
    settle(window.job_runner)
    study = StudyStore(window.context.database).get(study_id)
    assert study.state is StudyState.LOCKED
    assert "8 items, 2 repeats, 3 practice items." in words(dialog)
    dialog.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    assert copied == hashlib.sha256(canonical_json(study.manifest).encode()).hexdigest()
    dialog.lock_button.click()
    assert not dialog.isVisible()


def test_what_stands_in_the_way_is_told_and_can_be_put_right(window: MainWindow, tmp_path: Path) -> None:
    assert window.context is not None
    study_id = draft(window, practice=1)
    dialog = open_dialog(window, study_id)
    bad = tmp_path / "mine.jsonl"
    bad.write_text("no json", encoding="utf-8")
    dialog.practise_on(bad)
    assert "up to 1 from mine.jsonl" in words(dialog)
    dialog.lock_button.click()
    settle(window.job_runner)
    assert "mine.jsonl, line 1 is no practice item" in words(dialog)
    assert StudyStore(window.context.database).get(study_id).state is StudyState.DRAFT
    assert dialog.lock_button.isEnabled()


@pytest.mark.parametrize("name", ["a b", "it's"])
def test_the_command_to_check_it_is_safe_to_paste(name: str) -> None:
    parts = shlex.split(check_recipe(name, Path("/x/my project.btc")))
    assert parts[:6] == ["btc-gui", "study", "manifest", name, "-p", "my project.btc"]
