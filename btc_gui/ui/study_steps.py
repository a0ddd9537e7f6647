"""The steps of a study as commands of the Validation page: what its state allows, and what each does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QWidget

from btc_gui import paths
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import Study
from btc_gui.errors import BtcError
from btc_gui.exports.files import safe_name
from btc_gui.jobs.audit_study import AuditReport, audit_study, written_by_the_app
from btc_gui.jobs.conclude_study import amend_study
from btc_gui.jobs.issue_adjudication import issue_adjudication
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.issue_revealed import issue_revealed
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.validating import StudyLine, ValidatingSession
from btc_gui.store.packet_file import SUFFIX
from btc_gui.store.studies import StudyStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.file_dialogs import ask_folder, ask_open_many
from btc_gui.ui.packet_opening import PacketOpening
from btc_gui.ui.result_exporting import export_report
from btc_gui.ui.study_allowed import why_not, without_packet
from btc_gui.ui.study_reading import StudyReading
from btc_gui.ui.widgets.adjudicate_dialog import AdjudicateDialog
from btc_gui.ui.widgets.audit_dialog import AuditDialog
from btc_gui.ui.widgets.extend_dialog import ExtendDialog
from btc_gui.ui.widgets.lock_dialog import LockDialog
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.plain_text import one_line
from btc_gui.ui.widgets.return_dialog import ReturnDialog, Returned
from btc_gui.ui.words import counted

_PACKETS = f"Packets (*{SUFFIX})"


class StudySteps(QObject):
    """Runs the commands of one study, the one given to `show`. `page` is the parent of what is asked."""

    def __init__(self, context: Context, session: ValidatingSession, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._session, self._page = context, session, page
        self._line: StudyLine | None = None
        self._reading: StudyReading | None = None
        self._folder = context.database.path.parent
        self._dialog: NoteDialog | None = None
        self._packets = PacketOpening(context.job_runner, context.shell, page)
        for name, method in (
            ("lock", self._lock),
            ("packets", self._write_packets),
            ("label", self._label),
            ("reveal", self._reveal),
            ("return", self._return),
            ("close", self._close),
            ("adjudicate", self._adjudicate),
            ("unblind", self._unblind),
            ("export", self._export),
            ("amend", self._amend),
            ("audit", self._audit),
            ("extend", self._extend),
            ("discard", self._discard),
        ):
            context.commands.bind(f"validation.{name}", method, page)
        self.show(None, None)

    # -- what can be done ------------------------------------------------------------------------------------

    def show(self, line: StudyLine | None, reading: StudyReading | None) -> None:
        """Enable what the state of a study allows, and say of the rest why not; `reading` once it is read."""
        self._line, self._reading = line, reading
        for name, reason in why_not(line, reading).items():
            self._allow(f"validation.{name}", reason)

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

    def _lock(self) -> None:
        study = self._study()
        if study is not None:
            self._show_dialog(LockDialog(self._context, self._session, study, self._page))

    def _discard(self) -> None:
        study = self._study()
        if study is None or not confirm(
            self._page,
            f"Throw the draft “{one_line(study.name, 80)}” away?",
            "Nothing was drawn or shown yet. Its design and its seeds are gone then.",
            "Throw away",
        ):
            return
        database, study_id = self._context.database, study.id

        def work(progress: Progress) -> object:
            StudyStore(database).discard(study_id)
            return study_id

        self._start("Throw the draft away", work)

    def _extend(self) -> None:
        study = self._study()
        if study is not None:
            taken = frozenset(line.study.name for line in self._session.studies())
            dialog = ExtendDialog(study, taken, self._page)
            dialog.accepted.connect(lambda: self.extend(dialog.name, dialog.sizes))
            self._show_dialog(dialog)

    def extend(self, name: str, sizes: Mapping[str, int]) -> None:
        """Begin a study of this name with a larger sample along the same draw, and show it."""
        study = self._study()
        if study is None:
            return
        session, actor, study_id = self._session, self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            return session.new(name, session.extension(study_id, sizes), actor)

        self._start("Extend the sample", work, self._extended)

    def _extended(self, study_id: object) -> None:
        self._context.changes.tell(Subject.STUDIES)
        self._context.shell.open("validation", study_id)

    def _show_dialog(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # -- packets ---------------------------------------------------------------------------------------------

    def _write_packets(self) -> None:
        folder = ask_folder(self._page, "Folder for the packets", self._folder)
        if folder is not None:
            self.write_packets(folder)

    def write_packets(self, folder: Path) -> None:
        """Write the packets of the annotators that have none into `folder`, under names that say nothing."""
        line = self._line
        if line is None:
            return
        self._folder = folder
        database, categories = self._context.database, self._context.categories
        actor, study_id, waiting = self._context.settings.reviewer, line.study.id, without_packet(line)

        def work(progress: Progress) -> object:
            return [issue_packet(database, study_id, name, folder, categories, actor, progress) for name in waiting]

        self._start("Write packets", work, self._packets_written)

    def _packets_written(self, files: object) -> None:
        if isinstance(files, list):
            self._context.shell.say(f"{counted(len(files), 'packet')} written to {self._folder}")
        self._context.changes.tell(Subject.STUDIES)

    def _reveal(self) -> None:
        waiting = self._reading.to_reveal if self._reading else {}
        missing = {name: count for name, count in waiting.items() if count}
        if missing:
            who = ", ".join(f"{one_line(name, 40)}: {count:,}" for name, count in missing.items())
            text = (
                f"Blind labels that did not come back: {who}. Once the findings are shown they come too late. Why "
                "will they never be given?"
            )
            self._ask("Reveal without all blind labels", text, "Write the packets…", self._reveal_with)
        else:
            self._reveal_into("")

    def _reveal_with(self) -> None:
        if self._dialog is not None:
            self._reveal_into(self._dialog.note)

    def _reveal_into(self, reason: str) -> None:
        folder = ask_folder(self._page, "Folder for the second packets", self._folder)
        if folder is not None:
            self.write_revealed(folder, reason)

    def write_revealed(self, folder: Path, reason: str = "") -> None:
        """Write the second packets of those whose blind labels are back; `reason` says why some never come."""
        study, reading = self._study(), self._reading
        if study is None or reading is None:
            return
        self._folder = folder
        database, categories = self._context.database, self._context.categories
        actor, study_id, waiting = self._context.settings.reviewer, study.id, reading.to_reveal

        def work(progress: Progress) -> object:
            made = []
            for name, missing in waiting.items():
                why = reason if missing else ""
                made.append(
                    issue_revealed(database, study_id, name, folder, categories, actor, progress, abandon_reason=why)
                )
            return made

        self._start("Write second packets", work, self._packets_written)

    def _adjudicate(self) -> None:
        study, reading = self._study(), self._reading
        if study is None or reading is None:
            return
        dialog = AdjudicateDialog(
            reading.disputed, study.design.annotators, study_kind(study.design.kind).machine, self._page
        )
        self._adjudication = dialog
        dialog.accepted.connect(self._adjudicate_by)
        self._show_dialog(dialog)

    def _adjudicate_by(self) -> None:
        folder = ask_folder(self._page, "Folder for the adjudication packet", self._folder)
        if folder is not None:
            self.write_adjudication(self._adjudication.adjudicator, folder)

    def write_adjudication(self, adjudicator: str, folder: Path) -> None:
        """Write the packet for whoever decides the disputed items."""
        study = self._study()
        if study is None:
            return
        self._folder = folder
        database, categories = self._context.database, self._context.categories
        actor, study_id = self._context.settings.reviewer, study.id

        def work(progress: Progress) -> object:
            return [issue_adjudication(database, study_id, adjudicator, folder, categories, actor, progress)]

        self._start("Write the adjudication packet", work, self._packets_written)

    def _label(self) -> None:
        path = self._packets.ask(self._folder)
        if path is not None:
            self._folder = path.parent

    def _return(self) -> None:
        chosen = ask_open_many(self._page, "Packets that came back", _PACKETS, self._folder)
        if chosen:
            self.return_packets(chosen)

    def return_packets(self, packets: Sequence[Path]) -> None:
        """Take labelled packets back into their studies."""
        self._folder = packets[0].parent
        database, actor = self._context.database, self._context.settings.reviewer

        def take(path: Path, progress: Progress) -> Returned:
            try:
                return Returned(path.name, return_packet(database, path, actor, progress))
            except BtcError as error:
                return Returned(path.name, None, str(error))

        def work(progress: Progress) -> object:
            return [take(path, progress) for path in packets]

        self._start("Take packets back", work, self._returned)

    def _returned(self, returned: object) -> None:
        if isinstance(returned, list):
            self._show_dialog(ReturnDialog(self._context.theme, returned, self._page))
        self._context.changes.tell(Subject.STUDIES)

    def _audit(self) -> None:
        chosen = ask_open_many(self._page, "Packets to search", _PACKETS, self._folder)
        if chosen:
            self.audit(chosen)

    def audit(self, packets: Sequence[Path]) -> None:
        """Search packets of the study, what lies beside them, logs and settings for what is hidden."""
        study = self._study()
        if study is None:
            return
        self._folder = packets[0].parent
        database, study_id = self._context.database, study.id

        def work(progress: Progress) -> object:
            return audit_study(database, study_id, packets, progress, places=written_by_the_app())

        self._start("Search for leaks", work, self._audited)

    def _audited(self, report: object) -> None:
        if isinstance(report, AuditReport):
            self._show_dialog(AuditDialog(self._context.theme, report, self._page))

    # -- the end ---------------------------------------------------------------------------------------------

    def _close(self) -> None:
        study, reading = self._study(), self._reading
        if study is None or reading is None:
            return
        name = one_line(study.name, 80)
        if reading.missing:
            who = "\n".join(f"{one_line(person, 80)}: {count:,}" for person, count in reading.missing.items())
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
        study = self._study()
        folder = ask_folder(self._page, "Folder for the report", paths.exports()) if study is not None else None
        if study is not None and folder is not None:
            # Thirty files: in a folder of their own, which may be the one that was chosen.
            name = safe_name(study.name, "study")
            self.export(folder if folder.name == name else folder / name)

    def export(self, folder: Path) -> None:
        """Write the report with all that it rests on into `folder`; its hashes become a line of the log."""
        study = self._study()
        if study is None:
            return
        project, study_id = self._context.database.path, study.id

        def work(progress: Progress) -> object:
            files = export_report(study_id, project, folder, progress)
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
