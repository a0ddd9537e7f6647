"""`btc-gui packet FILE` as people start it: a process of its own, one for each packet, that dies without a trace."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from btc_gui.errors import PacketError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from tests.study_builders import item_id, write_packet

_PATIENCE_SECONDS = 240.0
_COMMAND = [sys.executable, "-c", "from btc_gui.app import main; main()", "packet"]


@contextmanager
def opened(packet: Path) -> Iterator[subprocess.Popen[str]]:
    """A labelling process that has the packet open."""
    with subprocess.Popen([*_COMMAND, packet], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + _PATIENCE_SECONDS
        while not _is_taken(packet):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "the window did not open"
            time.sleep(0.1)
        yield process
        process.kill()


def _is_taken(packet: Path) -> bool:
    try:
        PacketFile.open(packet, to_label=False).close()
    except PacketError as error:
        if "open in another window" not in str(error):
            raise
        return True
    return False


def test_a_packet_that_is_opened_twice_and_one_whose_process_died(tmp_path: Path) -> None:
    """A16: the second one is told plainly and the first keeps the packet; after a kill it opens again at once."""
    packet = write_packet(tmp_path / "p.btcp", 2)
    with opened(packet) as first:
        second = subprocess.run(
            [*_COMMAND, packet], capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False
        )
        assert second.returncode == 2
        assert "p.btcp is open in another window" in second.stderr
        assert "Traceback" not in second.stderr
        assert first.poll() is None
    assert not _is_taken(packet)
    with LabellingSession(packet) as session:
        assert session.label(item_id(1), "correct")
    # Nothing is left beside it: no lock file, no journal, no copy.
    assert [file.name for file in tmp_path.iterdir()] == ["p.btcp"]
