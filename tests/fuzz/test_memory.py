"""Files of some megabytes that would be gigabytes once they are read: refused in little memory, by every command.

A child process may take half a gigabyte more than it has at rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from btc_gui.store.database import Database
from tests.study_builders import write_packet

_MORE = 500_000_000
_CHILD = """
import contextlib, io, json, re, resource, sys
from pathlib import Path
from btc_gui import app

def run(words):
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            app.main(words)
    except SystemExit as ended:
        return ended.code, said.getvalue()
    except BaseException as error:
        return repr(error), said.getvalue()

small, project, commands = json.loads(sys.argv[1])
for kind in ("events", "answers"):
    run(["load", kind, small, "-p", project])
taken = int(re.search(r"VmData:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (taken + int(sys.argv[2]), resource.getrlimit(resource.RLIMIT_DATA)[1]))
print(json.dumps([run(words) for words in commands]))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs a limit that the system keeps")
def test_lists_of_lists_and_very_large_files_fill_no_memory(tmp_path: Path) -> None:
    nothing = "[]," * 18_000_000
    row, array = tmp_path / "row.jsonl", tmp_path / "array.json"
    row.write_text(f'{{"item": [{nothing}[]]}}\n')
    array.write_text(f'[{{"item": [{nothing}[]]}}]')
    del nothing
    (tmp_path / "release").mkdir()
    os.link(row, tmp_path / "release" / "manifest.json")
    (tmp_path / "release" / "pairs.jsonl").write_text("{}\n")
    # Sparse: it takes no room.
    with (huge := tmp_path / "huge.csv").open("wb") as file:
        file.truncate(3_000_000_000)
    (small := tmp_path / "small.csv").write_text("category,entity,date\ndemise,Ada,2026-05-09\n")
    project = tmp_path / "a.btc"
    Database.create(project).close()
    packet = write_packet(tmp_path / "p.btcp")
    on = ("-p", str(project))
    refused: dict[tuple[str, ...], str] = {
        ("load", "events", str(array), *on): "millions of others",
        ("load", "probes", str(array), *on): "millions of others",
        ("load", "decisions", str(row), *on): "a row may have 1,000,000",
        ("load", "answers", str(row), *on): "the row holds millions of values",
        ("lint", str(array)): "millions of others",
        ("label", str(packet), "--from", str(row)): "line 1: this is not a JSON object",
        ("label", str(packet), "--from", str(huge)): "larger than 64 MB",
        ("recipe", "run", str(row), *on): "more than 8 million values",
        ("recipe", "run", str(huge), *on): "larger than 64 MB",
        ("release", "diff", str(tmp_path / "release"), str(tmp_path / "release")): "more than 8 million values",
        ("agreement", str(huge)): "larger than 16 MB",
        ("prompts", "set", "judge", str(huge), *on): "larger than 64 MB",
    }
    words = json.dumps([str(small), str(project), list(refused)])
    child = [sys.executable, "-c", _CHILD, words, str(_MORE)]
    done = subprocess.run(child, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    for (command, part), (code, said) in zip(refused.items(), json.loads(done.stdout), strict=True):
        assert code in (1, 2), (command, code, said[-500:])
        assert part in said, (command, said[-500:])
