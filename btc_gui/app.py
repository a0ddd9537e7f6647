"""The one entry: windows, packets, the worker and pictures start here; all other words go to the command line."""

from __future__ import annotations

import gc
import logging
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from btc_gui import paths
from btc_gui.errors import BtcError, ProjectError
from btc_gui.known_secrets import without_secrets
from btc_gui.progress import Cancelled, Progress

#: Exit codes: a fault of the program, as Python tells it; wrong use or refused; stopped by Ctrl+C, as shells tell it.
_FAULT, _REFUSED, _STOPPED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `btc-gui` with `arguments` (default: those of the process) and exit with an honest code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if any(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr)):
        from btc_gui.cli.terminal import make_terminals_plain

        make_terminals_plain()
    try:
        code = _dispatch(words)
    except BtcError as error:
        print(f"btc-gui: {without_secrets(str(error))}", file=sys.stderr)
        code = _REFUSED
    except Cancelled:
        print("btc-gui: stopped. What was done before is kept.", file=sys.stderr)
        code = _STOPPED
    except KeyboardInterrupt:
        print("\nbtc-gui: stopped.", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        # Threads that wait for somebody's reply would keep the process, and a further Ctrl+C would show their stack.
        os._exit(_STOPPED)
    except BrokenPipeError:
        # The reader of a pipe went away (`btc-gui … | head`): nothing to tell anybody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception:
        # A fault of the program, told as Python would; people copy it and send it to others.
        print(without_secrets(traceback.format_exc()), end="", file=sys.stderr)
        code = _FAULT
    sys.exit(code)


#: What `--help` says of the words that open windows.
HELP = {
    "open": "Usage: btc-gui [open] [PROJECT [REFERENCE] | --demo]\n       btc-gui open REFERENCE -p PROJECT\n"
    "       btc-gui open --register | --unregister\n\n"
    "  Open the window, on a project or on the demo; with a reference (btc:17, btc:17#5) on that case or step.\n"
    "  --register: the workbench stands in the desktop's menu, and projects open by a double click, from now on\n"
    "  (Linux desktops); --unregister takes it back.",
    "packet": "Usage: btc-gui packet FILE | --register | --unregister\n\n"
    "  Open the labelling window on a packet, without any project.\n"
    "  --register: packets open by a double click from now on (Linux desktops); --unregister takes it back.",
    "pictures": "Usage: btc-gui pictures PROJECT DIR\n\n  Draw a picture of each page, without a display.",
}


def _dispatch(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in HELP and {"-h", "--help"} & set(words[1:]):
        print(HELP[first])
        return 0
    if first == "worker":
        from btc_gui.evals.worker import main as run_worker

        return run_worker()
    if first == "packet":
        return _label_packet(words[1:])
    if first == "pictures":
        return _take_pictures(words[1:])
    if first == "demo":
        return _demo(words[1:])
    if not first or first == "open" or (not first.startswith("-") and Path(first).suffix == ".btc"):
        return _open_window(words[1:] if first == "open" else words)
    return _command_line(words)


def _open_window(words: list[str]) -> int:
    """`btc-gui [open] [PROJECT [REFERENCE] | --demo]`: the window; without a display the demo runs headless instead."""
    if words in _REGISTERS:
        return _register(words[0], "workbench")
    from btc_gui.domain.case_reference import is_reference, parse_reference
    from btc_gui.ui.display import DisplayError, check_qt, has_display

    wants_demo = "--demo" in words
    references = [parse_reference(word) for word in words if is_reference(word)]
    names = [word for word in words if word not in ("--demo", "-p", "--project") and not is_reference(word)]
    if references and not names and os.environ.get("BTC_PROJECT"):
        names = [os.environ["BTC_PROJECT"]]
    if len(names) > 1 or len(references) > len(names) or any(name.startswith("-") for name in names):
        print(
            "btc-gui open takes one project (and a reference to one of its cases, such as btc:17), or --demo.",
            file=sys.stderr,
        )
        return _REFUSED
    if names and not Path(names[0]).exists():
        # Said here: a window that opens to say so would leave a script waiting.
        raise ProjectError(f"There is no project {names[0]}.", f"Make it with: btc-gui new {names[0]}")
    if not has_display():
        if wants_demo:
            print("There is no display: running the demo without a window.", file=sys.stderr)
            return _demo([])
        raise DisplayError(
            "There is no display to open a window on.",
            "All work can be done without one: see “btc-gui --help”; “btc-gui demo” runs the whole job.",
        )
    # Modules and a window are many objects that stay, and looking through them for rubbish is a tenth of the time until
    # the first page is there. It begins once the window has loaded what it needs (`ui.garbage`).
    gc.disable()
    check_qt()
    _write_log()
    from btc_gui.ui.start import run_window

    case = references[0] if references else None
    return run_window(Path(names[0]) if names else None, _build_demo, opens_demo=wants_demo, case=case)


def _build_demo(path: Path, progress: Progress) -> None:
    from btc_gui.cli.demo_project import build_demo_project

    build_demo_project(path, progress)


def _demo(words: list[str]) -> int:
    """`btc-gui demo`: the whole job, then a picture of each page where Qt can draw (it needs no display)."""
    return _command_line(["demo", *words], _pictures_if_qt_can)


def _label_packet(words: list[str]) -> int:
    """`btc-gui packet FILE`: the labelling window, in a process that never opens a project."""
    from btc_gui.ui.display import DisplayError, check_qt, has_display

    if words[:1] == ["--pieces"] and len(words) == 2:
        # For the leak audit: no screen, nothing to label.
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        check_qt()
        from btc_gui.ui.start import tell_pieces

        return tell_pieces(Path(words[1]))
    if words in _REGISTERS:
        return _register(words[0], "packets")
    if len(words) != 1 or words[0].startswith("-"):
        print("btc-gui packet takes one packet file.", file=sys.stderr)
        return _REFUSED
    if not has_display():
        raise DisplayError(
            "There is no display to open a window on.", "“btc-gui label PACKET --from FILE” works without one."
        )
    check_qt()
    from btc_gui.ui.start import run_packet

    return run_packet(Path(words[0]))


_REGISTERS = (["--register"], ["--unregister"])


def _register(option: str, what: str) -> int:
    """Tell the desktop of the workbench or of packets, or take it back."""
    from btc_gui.cli.file_type import PACKETS, WORKBENCH, register, unregister

    entry = WORKBENCH if what == "workbench" else PACKETS
    print("\n".join(register(entry) if option == "--register" else unregister(entry)))
    return 0


def _take_pictures(words: list[str]) -> int:
    """`btc-gui pictures PROJECT DIR`: a PNG of each page, drawn without a display."""
    if len(words) != 2:
        print("btc-gui pictures takes a project and a folder.", file=sys.stderr)
        return _REFUSED
    for picture in _pictures(Path(words[0]), Path(words[1])):
        print(picture)
    return 0


def _pictures(project: Path, out: Path) -> list[Path]:
    from btc_gui.ui.display import check_qt

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    check_qt()
    from btc_gui.ui.pictures import save_pictures

    return save_pictures(project, out)


class _FirstRecord(logging.Handler):
    """Opens the log with the first record, and steps aside: most sessions write none."""

    def emit(self, record: logging.LogRecord) -> None:
        """Make the file's handler and give it this record; it takes all that follow."""
        # It brings sockets and pickling.
        from logging.handlers import RotatingFileHandler

        folder = paths.state()
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / "btc_gui.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8")
        handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logger = logging.getLogger("btc_gui")
        logger.addHandler(handler)
        logger.removeHandler(self)
        handler.handle(record)


class _Formatter(logging.Formatter):
    """People send logs to others: no key of a service is in them, wherever an error got it from."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


def _write_log() -> None:
    logger = logging.getLogger("btc_gui")
    logger.addHandler(_FirstRecord())
    logger.setLevel(logging.INFO)


def _pictures_if_qt_can(project: Path, out: Path) -> list[Path]:
    from btc_gui.ui.display import DisplayError

    try:
        return _pictures(project, out)
    except DisplayError as error:
        print(f"btc-gui: no pictures were drawn. {error}", file=sys.stderr)
        return []


def _command_line(words: list[str], take_pictures: Callable[[Path, Path], list[Path]] | None = None) -> int:
    import click

    from btc_gui.cli import main as command_line

    try:
        code = command_line.main(args=words, prog_name="btc-gui", standalone_mode=False, obj=take_pictures)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return _REFUSED
    except click.ClickException as error:
        error.show()
        return _REFUSED
    except click.Abort as interrupted:
        raise KeyboardInterrupt from interrupted
    return code if isinstance(code, int) else 0
