"""Releases in the window: what stands against one, freezing, exporting, comparing, restoring."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.probe import Probe, ProbeKind, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.exports.release import write_release
from btc_gui.jobs.freeze_release import freeze_release
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.releases import ReleaseStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.probes_page import ProbesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.releases_dialog import ReleasesDialog
from tests.builders import add_event, add_probe


def accept(database: Database, probe: Probe) -> None:
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "Kim")


def open_dialog(window: MainWindow) -> ReleasesDialog:
    window.go("probes")
    settle(window.job_runner)
    window.commands.action("probes.releases").trigger()
    settle(window.job_runner)
    (dialog,) = (each for each in window.findChildren(ReleasesDialog) if each.isVisible())
    return dialog


def activate(dialog: ReleasesDialog) -> None:
    """Come back to the dialog, which reads anew what has changed meanwhile."""
    dialog.activateWindow()


def words(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


def link(dialog: ReleasesDialog, text: str) -> QPushButton:
    return next(each for each in dialog.findChildren(QPushButton) if text in each.text())


def test_a_release_is_frozen_once_nothing_stands_against_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    assert window.context is not None
    database = window.context.database
    event_id = add_event(database, entity="Zoë Example")
    accept(database, add_probe(database, event_id, "Whom shall we invite?", key="z1"))
    dialog = open_dialog(window)
    assert "1 accepted probe can't" in words(dialog)
    dialog.name.setText("spring")
    assert not dialog.freeze_button.isEnabled()
    dialog.pair_button.click()
    qtbot.waitUntil(lambda: not dialog.pair_button.isVisible())
    (direct_id,) = ProbeStore(database).ids(ProbeQuery(kinds=(ProbeKind.DIRECT,), event_ids=(event_id,)))
    direct = ProbeStore(database).get(direct_id)
    link(dialog, f"its direct probe {direct.key} is unreviewed").click()
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, ProbesPage)
    assert page.view.current_id == direct.id

    accept(database, direct)
    window.context.changes.tell(Subject.REVIEWS)
    activate(dialog)
    qtbot.waitUntil(lambda: dialog.freeze_button.isEnabled())
    dialog.licence.setText("CC BY 4.0")
    dialog.freeze_button.click()
    qtbot.waitUntil(lambda: bool(ReleaseStore(database).all()))
    settle(window.job_runner)
    assert "spring" in words(dialog)
    dialog.name.setText("spring")
    assert "There is a release of this name" in words(dialog)
    dialog.export("spring", tmp_path / "out")
    settle(window.job_runner)
    assert (tmp_path / "out" / "spring" / "manifest.json").is_file()

    accept(database, add_probe(database, event_id, "Who could speak to us?", key="z2"))
    window.context.changes.tell(Subject.REVIEWS)
    activate(dialog)
    dialog.name.setText("summer")
    qtbot.waitUntil(lambda: "2 pairs can be released" in words(dialog))
    dialog.freeze_button.click()
    qtbot.waitUntil(lambda: len(ReleaseStore(database).all()) == 2)
    settle(window.job_runner)
    qtbot.waitUntil(lambda: "1 added, 0 removed, 0 changed, 1 the same\nAdded: z2" in dialog.difference.text())


def test_a_release_is_restored_in_an_empty_project(bare_window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    with Database.create(tmp_path / "old.btc") as old:
        event_id = add_event(old, entity="Zoë Example")
        accept(old, add_probe(old, event_id, "Is she alive?", ProbeKind.DIRECT))
        accept(old, add_probe(old, event_id, "Whom shall we invite?"))
        freeze_release(old, load_categories(paths.resources() / "categories"), "spring", "Kim", Progress())
        write_release(old, "spring", tmp_path / "spring")
    Database.create(tmp_path / "new.btc").close()
    bare_window.open_project(tmp_path / "new.btc")
    qtbot.waitUntil(lambda: bare_window.context is not None)
    dialog = open_dialog(bare_window)
    assert dialog.restore_button.isEnabled()
    dialog.restore(tmp_path / "spring")
    qtbot.waitUntil(lambda: not bare_window.job_runner.jobs() and not dialog.restore_button.isEnabled())
    assert bare_window.context is not None
    database = bare_window.context.database
    assert ProjectStore(database).counts().accepted == 2
    assert len(ProbeStore(database).ids(ProbeQuery(statuses=(ReviewStatus.ACCEPTED,)))) == 2
    settle(bare_window.job_runner)
    assert "spring" in words(dialog)
