"""A release as files: pairs as JSON lines and as a table, datasheet, manifest."""

from __future__ import annotations

from pathlib import Path

from btc_gui.domain.release import (
    DATASHEET_FILE,
    MANIFEST_FILE,
    PAIRS_FILE,
    TABLE_FILE,
    manifest_file,
    pairs_file,
    pairs_table,
)
from btc_gui.exports.files import write_whole
from btc_gui.store.database import Database
from btc_gui.store.releases import ReleaseStore


def write_release(database: Database, name: str, folder: Path) -> list[Path]:
    """Write the files of a release into `folder`; the same bytes every time, from whatever copy of the project.

    The manifest comes last: a folder without one is not complete. Raises `InputError` when there is no such release or
    the folder can't be written.
    """
    store = ReleaseStore(database)
    release = store.get(name)
    pairs = list(store.pairs(release.id))
    files = {
        PAIRS_FILE: pairs_file(pairs),
        TABLE_FILE: pairs_table(pairs),
        DATASHEET_FILE: store.datasheet(release.id),
    }
    manifest = manifest_file(release, files)
    written = [write_whole(folder / file, text.encode("utf-8")) for file, text in files.items()]
    return [*written, write_whole(folder / MANIFEST_FILE, manifest.encode("utf-8"))]
