"""The steps of a study as commands of the Validation page: what its state allows, and what each does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from btc_gui import paths
from btc_gui.domain.packet import PacketId
from btc_gui.domain.study import Study, StudyState, StudyStep
from btc_gui.errors import BtcError
from btc_gui.exports.study import write_study
from btc_gui.jobs.conclude_study import amend_study, note_report
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.validating import StudyLine
from btc_gui.store.packet_file import SUFFIX, PacketFile
from btc_gui.store.projects import ProjectStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.processes import start_labelling
from btc_gui.ui.study_reading import StudyReading
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.plain_text import one_line
from btc_gui.ui.words import counted

_PACKETS = f"Packets (*{SUFFIX})"
_ILLUSTRATIVE = "Illustrative data."


class StudySteps(QObject):
    """Runs the commands of one study, the one given to `show`. `page` is the parent of what is asked."""

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page
        self._line: StudyLine | None = None
        self._reading: StudyReading | None = None
        self._folder = Path.home()
        self._dialog: NoteDialog | None = None
        #: The files of the packets that were written since the window was opened.
        self.written: dict[PacketId, Path] = {}
        for name, method in (
            ("lock", self._lock),
            ("packets", self._write_packets),
            ("label", self._label),
            ("return", self._return),
            ("close", self._close),
            ("unblind", self._unblind),
            ("export", self._export),
            ("amend", self._amend),
        ):
            context.commands.bind(f"validation.{name}", method, page)
        self.show(None, None)

    # -- what can be done ------------------------------------------------------------------------------------

    def show(self, line: StudyLine | None, reading: StudyReading | None) -> None:
        """Enable what the state of a study allows, and say of the rest why not; `reading` once it is read."""
        self._line, self._reading = line, reading
        for name, reason in self._reasons(line, reading).items():
            self._allow(f"validation.{name}", "Choose a study first." if line is None else reason)

    def _reasons(self, line: StudyLine | None, reading: StudyReading | None) -> dict[str, str]:
        """Why each step can't be taken now; empty for one that can."""
        state = line.study.state if line else None
        steps = line.steps if line else ()
        unread = f"A study that is {state} has no report yet."
        return {
            "lock": "" if StudyStep.LOCK in steps else f"The study is {state} already.",
            "packets": (
                f"A study that is {state} gives out no packets."
                if StudyStep.ISSUE not in steps
                else ""
                if line and _without_packet(line)
                else "Every annotator has a packet."
            ),
            "return": self._no_return(state, steps, reading),
            "close": "" if StudyStep.CLOSE in steps else f"A study that is {state} can't be closed.",
            "unblind": "" if StudyStep.UNBLIND in steps else f"Only a closed study is unblinded; this one is {state}.",
            "export": "" if StudyStep.ANALYSE in steps else unread,
            "amend": "" if StudyStep.AMEND in steps else "Before unblinding nothing deviates: the plan is in the lock.",
        }

    @staticmethod
    def _no_return(state: StudyState | None, steps: Sequence[StudyStep], reading: StudyReading | None) -> str:
        if StudyStep.RETURN not in steps:
            return f"No packet of a study that is {state} can come back."
        if state is StudyState.CLOSED and not (reading and reading.adjudication_is_out):
            return "The labels are sealed; only an adjudicator's packet could come back, and none is out."
        return ""

    def _allow(self, name: str, reason: str) -> None:
        action, keys = self._context.commands.action(name), self._context.commands.keys
        action.setEnabled(not reason)
        key, text = keys.key(name), action.text().rstrip("…")
        action.setToolTip(reason or (f"{text} ({key})" if key else text))

    # -- doing it --------------------------------------------------------------------------------------------

    def _start(
        self, title: str, work: Callable[[Progress], object], succeeded: Callable[[object], object] | None = None
    ) -> None:
        self._context.job_runner.start(
            title, work, lane="studies", succeeded=succeeded or self._done, failed=self._failed
        )

    def _failed(self, error: object) -> None:
        if isinstance(error, BaseException):
            self._context.shell.show_error(error)
        self._context.changes.tell(Subject.STUDIES)

    def _done(self, result: object) -> None:
        self._context.changes.tell(Subject.STUDIES)

    def _study(self) -> Study | None:
        return self._line.study if self._line is not None else None

    def _ask_folder(self, title: str, folder: Path) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self._page, title, str(folder if folder.is_dir() else Path.home()))
        return Path(chosen) if chosen else None

    def _lock(self) -> None:
        study = self._study()
        if study is None or not confirm(
            self._page,
            f"Lock “{one_line(study.name, 80)}”?",
            "The sample is drawn and frozen with criteria and seeds. Nothing about it can be changed after that.",
            "Lock study",
        ):
            return
        database, categories = self._context.database, self._context.categories
        actor, study_id = self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            return lock_study(database, study_id, categories, actor, progress)

        self._start("Lock study", work)

    # -- packets ---------------------------------------------------------------------------------------------

    def _write_packets(self) -> None:
        folder = self._ask_folder("Folder for the packets", self._folder)
        if folder is not None:
            self.write_packets(folder)

    def write_packets(self, folder: Path) -> None:
        """Write the packets of the annotators that have none into `folder`, under names that say nothing."""
        line = self._line
        if line is None:
            return
        self._folder = folder
        database, categories = self._context.database, self._context.categories
        actor, study_id, waiting = self._context.settings.reviewer, line.study.id, _without_packet(line)

        def work(progress: Progress) -> object:
            files = [issue_packet(database, study_id, name, folder, categories, actor, progress) for name in waiting]
            return {packet_id_of(file): file for file in files}

        self._start("Write packets", work, self._packets_written)

    def _packets_written(self, files: object) -> None:
        if isinstance(files, dict):
            self.written.update(files)
            self._context.shell.say(f"{counted(len(files), 'packet')} written to {self._folder}")
        self._context.changes.tell(Subject.STUDIES)

    def _label(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._page, "Open a packet for labelling", str(self._folder), _PACKETS)
        if chosen:
            path = Path(chosen)
            self._folder = path.parent

            def look(progress: Progress) -> Path:
                # A foreign, altered or open one is refused here, where the reason can be shown.
                packet_id_of(path)
                return path

            self._start("Open packet", look, self._open_packet)

    def _open_packet(self, path: object) -> None:
        if isinstance(path, Path):
            try:
                start_labelling(path)
            except BtcError as error:
                self._context.shell.show_error(error)

    def _return(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self._page, "Packets that came back", str(self._folder), _PACKETS)
        if chosen:
            self.return_packets([Path(each) for each in chosen])

    def return_packets(self, packets: Sequence[Path]) -> None:
        """Take labelled packets back into their studies."""
        self._folder = packets[0].parent
        database, actor = self._context.database, self._context.settings.reviewer

        def work(progress: Progress) -> object:
            return [return_packet(database, path, actor, progress).text for path in packets]

        self._start("Take packets back", work, self._returned)

    def _returned(self, texts: object) -> None:
        if isinstance(texts, list):
            self._context.shell.say(" · ".join(texts))
        self._context.changes.tell(Subject.STUDIES)

    # -- the end ---------------------------------------------------------------------------------------------

    def _close(self) -> None:
        line = self._line
        if line is None:
            return
        name = one_line(line.study.name, 80)
        missing = missing_labels(line)
        if missing:
            who = "\n".join(f"{one_line(person, 60)}: {count:,}" for person, count in missing.items())
            text = f"These labels did not come back:\n{who}\nWhy will they never be given? The report tells it."
            self._ask("Close labelling without all labels", text, "Close labelling", self._close_with)
        elif confirm(
            self._page,
            f"Close the labelling of “{name}”?",
            "All labels are sealed by their hash; none can be changed after that.",
            "Close labelling",
        ):
            self.close_labelling("")

    def _close_with(self) -> None:
        if self._dialog is not None:
            self.close_labelling(self._dialog.note)

    def close_labelling(self, reason: str) -> None:
        """Seal the labels; `reason` says why some are missing."""
        study = self._study()
        if study is None:
            return
        database, actor, study_id = self._context.database, self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            return close_study(database, study_id, actor, abandon_reason=reason)

        self._start("Close labelling", work)

    def _unblind(self) -> None:
        study = self._study()
        if study is None or not confirm(
            self._page,
            f"Unblind “{one_line(study.name, 80)}”?",
            "The key is opened: the labels are compared with the judge's or classifier's, and no label is taken "
            "any more. This can't be undone.",
            "Unblind",
        ):
            return
        database, actor, study_id = self._context.database, self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            unblind_study(database, study_id, actor)
            return study_id

        self._start("Unblind study", work)

    def _export(self) -> None:
        folder = self._ask_folder("Folder for the report", paths.exports())
        if folder is not None:
            self.export(folder)

    def export(self, folder: Path) -> None:
        """Write the report with all that it rests on into `folder`; its hashes become a line of the log."""
        study = self._study()
        if study is None:
            return
        database, categories = self._context.database, self._context.categories
        actor, study_id = self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            report = study_report(database, study_id, progress, categories)
            note = _ILLUSTRATIVE if ProjectStore(database).is_illustrative else ""
            progress.report(0, 1, "Writing the report")
            files = write_study(report, folder, note)
            note_report(database, study_id, files, actor)
            return f"{counted(len(files), 'file')} written to {folder}"

        self._start("Export report", work, self._told)

    def _told(self, words: object) -> None:
        self._context.shell.say(str(words))
        self._context.changes.tell(Subject.STUDIES)

    def _amend(self) -> None:
        text = "What was done otherwise than planned, and why? It stands in the log and in every later report."
        self._ask("Note a deviation from the plan", text, "Add to the log", self._amend_with)

    def _amend_with(self) -> None:
        if self._dialog is not None:
            self.amend(self._dialog.note)

    def amend(self, reason: str) -> None:
        """Note a deviation from the plan."""
        study = self._study()
        if study is None:
            return
        database, actor, study_id = self._context.database, self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            amend_study(database, study_id, reason, actor)
            return study_id

        self._start("Note a deviation", work)

    def _ask(self, title: str, text: str, verb: str, then: Callable[[], None]) -> None:
        self._dialog = NoteDialog(title, text, verb, parent=self._page)
        self._dialog.accepted.connect(then)
        self._dialog.open()


def packet_id_of(path: Path) -> PacketId:
    """The id of the packet in a file. Raises `PacketError` for what is no packet."""
    with PacketFile.open(path, to_label=False) as packet:
        return packet.outline().manifest.packet_id


def labels_expected(line: StudyLine) -> tuple[int, int]:
    """How many labels came back of how many that are expected, in the first layer of every annotator."""
    first = line.study.design.mode.layers[0]
    return sum(packet.back for packet in line.packets if packet.layer is first), line.expected


def missing_labels(line: StudyLine) -> dict[str, int]:
    """How many labels of the first layer each annotator still owes; of one without a packet, those of nobody known."""
    first = line.study.design.mode.layers[0]
    found = {packet.annotator: packet.missing for packet in line.packets if packet.layer is first and packet.missing}
    without = _without_packet(line)
    back, expected = labels_expected(line)
    rest = expected - back - sum(found.values())
    if without and rest > 0:
        found[", ".join(without)] = rest
    return found


def _without_packet(line: StudyLine) -> list[str]:
    """The annotators who have no packet of the first layer yet."""
    first = line.study.design.mode.layers[0]
    issued = {packet.annotator for packet in line.packets if packet.layer is first}
    return [name for name in line.study.design.annotators if name not in issued]
