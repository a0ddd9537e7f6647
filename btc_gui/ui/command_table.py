"""The table of commands as data: name, words, key, page, menu."""

from __future__ import annotations

from typing import Final

from btc_gui.records import dataclass

#: The page of commands that act on every page.
EVERYWHERE: Final = ""


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `key` is Qt's portable text (`A`, `Ctrl+K`; alternatives joined by `, `), `page` where it acts."""

    name: str
    text: str
    key: str = ""
    page: str = EVERYWHERE
    menu: str = ""
    icon: str = ""

    @property
    def group(self) -> str:
        """Commands of one group stand together in a menu, between lines."""
        return _GROUPS.get(self.name, self.name.split(".")[0])


_GROUPS: Final = {
    "file.packet": "file.packet",
    "file.copy": "file.this",
    "file.check": "file.this",
    "file.import_events": "file.import",
    "file.import_probes": "file.import",
    "file.import_answers": "file.import",
    "file.load_logs": "file.import",
    "file.close": "file.end",
    "file.quit": "file.end",
    "view.judges": "view.judges",
    "view.light": "view.theme",
    "view.dark": "view.theme",
    "view.system": "view.theme",
    "view.larger": "view.size",
    "view.smaller": "view.size",
    "help.log": "help.more",
    "help.about": "help.more",
}


COMMANDS: Final[tuple[Command, ...]] = (
    # -- everywhere -------------------------------------------------------------------------------------------
    Command("file.new", "New project…", "Ctrl+N", menu="File", icon="file-plus"),
    Command("file.open", "Open project…", "Ctrl+O", menu="File", icon="folder-open"),
    Command("file.demo", "Open the demo", "", menu="File", icon="eye-off"),
    Command("file.packet", "Open a packet…", "Ctrl+L", menu="File", icon="package"),
    Command("file.copy", "Copy project…", "Ctrl+Shift+S", menu="File", icon="copy"),
    Command("file.check", "Check project…", menu="File", icon="checklist"),
    Command("file.import_events", "Import events…", "Ctrl+I", menu="File", icon="download"),
    Command("file.import_probes", "Import probes…", "Ctrl+Shift+I", menu="File", icon="download"),
    Command("file.import_answers", "Import answers…", menu="File", icon="download"),
    Command("file.load_logs", "Load Inspect logs…", menu="File", icon="download"),
    Command("file.close", "Close project", "Ctrl+W", menu="File", icon="folder"),
    Command("file.quit", "Quit", "Ctrl+Q", menu="File"),
    Command("go.events", "Events", "Alt+1", menu="View", icon="calendar-event"),
    Command("go.probes", "Probes", "Alt+2", menu="View", icon="message-question"),
    Command("go.review", "Review", "Alt+3", menu="View", icon="checklist"),
    Command("go.runs", "Runs", "Alt+4", menu="View", icon="player-play"),
    Command("go.cases", "Cases", "Alt+5", menu="View", icon="layout-columns"),
    Command("go.validation", "Validation", "Alt+6", menu="View", icon="certificate"),
    Command("go.results", "Results", "Alt+7", menu="View", icon="chart-bar"),
    Command("go.settings", "Settings", "Ctrl+,", menu="View", icon="settings"),
    Command("view.filter", "Filter this page", "Ctrl+F", menu="View", icon="filter"),
    Command("view.refresh", "Refresh", "F5", menu="View", icon="refresh"),
    Command("view.judges", "Judges…", menu="View", icon="certificate"),
    Command("view.light", "Light theme", menu="View", icon="sun"),
    Command("view.dark", "Dark theme", menu="View", icon="moon"),
    Command("view.system", "Theme of the system", menu="View", icon="device-desktop"),
    Command("view.larger", "Larger text", "Ctrl++", menu="View"),
    Command("view.smaller", "Smaller text", "Ctrl+-", menu="View"),
    Command("help.page", "Help on this page", "F1", menu="Help", icon="help-circle"),
    Command("help.palette", "Command palette…", "Ctrl+K", menu="Help", icon="command"),
    Command("help.keys", "Keys…", "?", menu="Help", icon="keyboard"),
    Command("help.log", "Open the log folder", menu="Help", icon="folder"),
    Command("help.about", "About", menu="Help", icon="info-circle"),
    # -- Events -----------------------------------------------------------------------------------------------
    Command("events.import", "Import events…", page="events", icon="download"),
    Command("events.collect", "Collect…", "C", page="events", icon="database"),
    Command("events.dropped", "What became of the rows…", "D", page="events", icon="filter"),
    Command("events.articles", "Fetch articles…", "F", page="events", icon="download"),
    Command("events.verify", "Ask again what moved", "V", page="events", icon="refresh"),
    Command("events.moved", "What moved…", "M", page="events", icon="git-compare"),
    Command("events.add", "Add an event by hand…", "Shift+N", page="events", icon="plus"),
    Command("events.correct", "Correct…", "E", page="events", icon="edit"),
    Command("events.reject", "Reject…", "X", page="events", icon="x"),
    Command("events.article", "Open article", "A", page="events", icon="external-link"),
    Command("events.source", "Open source", "S", page="events", icon="external-link"),
    Command("events.generate", "Generate probes…", "G", page="events", icon="plus"),
    Command("events.failed", "Generations without probes…", page="events", icon="alert-triangle"),
    Command("events.write", "Write a probe by hand…", "N", page="events", icon="edit"),
    Command("events.probes", "Show its probes", "P", page="events", icon="message-question"),
    Command("events.review", "Review its probes", "R", page="events", icon="checklist"),
    # -- Probes -----------------------------------------------------------------------------------------------
    Command("probes.import", "Import probes…", page="probes", icon="download"),
    Command("probes.generate", "Generate probes…", "G", page="probes", icon="plus"),
    Command("probes.failed", "Generations without probes…", page="probes", icon="alert-triangle"),
    Command("probes.rewrite", "Regenerate with a note…", "W", page="probes", icon="refresh"),
    Command("probes.write", "Write a probe by hand…", "N", page="probes", icon="edit"),
    Command("probes.review", "Review these", "R", page="probes", icon="checklist"),
    Command("probes.decide", "Decide on these…", "B", page="probes", icon="checklist"),
    Command("probes.assign", "Assign these to curators…", page="probes", icon="users"),
    Command("probes.try", "Try this probe now…", "T", page="probes", icon="player-play"),
    Command("probes.event", "Show its event", "E", page="probes", icon="calendar-event"),
    Command("probes.waive", "Let a finding pass…", "L", page="probes", icon="circle-check"),
    Command("probes.releases", "Releases…", page="probes", icon="package"),
    Command("probes.lint", "Check what is unchecked", page="probes", icon="refresh"),
    # -- Review -----------------------------------------------------------------------------------------------
    Command("review.accept", "Accept", "A", page="review", icon="check"),
    Command("review.reject", "Reject…", "R", page="review", icon="x"),
    Command("review.edit", "Edit", "E", page="review", icon="edit"),
    Command("review.defer", "Defer", "D", page="review", icon="clock-pause"),
    Command("review.flag", "Flag", "F", page="review", icon="flag"),
    Command("review.note", "Note", "N", page="review", icon="note"),
    Command("review.undo", "Undo", "U", page="review", icon="arrow-back-up"),
    Command("review.redo", "Redo", "Shift+U", page="review", icon="arrow-forward-up"),
    Command("review.next", "Next probe", "J", page="review", icon="chevron-right"),
    Command("review.previous", "Previous probe", "K", page="review", icon="chevron-left"),
    Command("review.article", "Open the article", "O", page="review", icon="external-link"),
    Command("review.source", "Open the source", "S", page="review", icon="external-link"),
    Command("review.waive", "Let a finding pass…", "W", page="review", icon="circle-check"),
    Command("review.rewrite", "Regenerate with a note…", "G", page="review", icon="refresh"),
    Command("review.try", "Try this probe now…", "T", page="review", icon="player-play"),
    Command("review.search", "Find probes", "/", page="review", icon="search"),
    Command("review.assign", "Assign to curators…", page="review", icon="users"),
    Command("review.agreement", "Agreement of curators…", page="review", icon="certificate"),
    # -- Runs -------------------------------------------------------------------------------------------------
    Command("runs.new", "New run…", "N", page="runs", icon="plus"),
    Command("runs.pipeline", "Whole pipeline…", "W", page="runs", icon="timeline"),
    Command("runs.start", "Start", "S", page="runs", icon="player-play"),
    Command("runs.pause", "Pause", "P", page="runs", icon="player-pause"),
    Command("runs.cancel", "Cancel", page="runs", icon="ban"),
    Command("runs.stop", "Stop now", page="runs", icon="player-stop"),
    Command("runs.retry", "Retry failed", page="runs", icon="refresh"),
    Command("runs.judge", "Judge answers…", "J", page="runs", icon="checklist"),
    Command("runs.classify", "Classify failures…", "F", page="runs", icon="tag"),
    Command("runs.cases", "Show its cases", "C", page="runs", icon="layout-columns"),
    Command("runs.export", "Export as Inspect logs…", "X", page="runs", icon="file-export"),
    Command("runs.recipe", "Save its recipe…", page="runs", icon="file-export"),
    Command("runs.from_recipe", "Plan from a recipe…", page="runs", icon="download"),
    Command("runs.log", "Show log", "L", page="runs", icon="list-details"),
    # -- Cases ------------------------------------------------------------------------------------------------
    Command("cases.next", "Next case", "J", page="cases", icon="chevron-right"),
    Command("cases.previous", "Previous case", "K", page="cases", icon="chevron-left"),
    Command("cases.next_failure", "Next failed answer", "I", page="cases"),
    Command("cases.previous_failure", "Previous failed answer", "Shift+I", page="cases"),
    Command("cases.next_step", "Next step", "S", page="cases"),
    Command("cases.previous_step", "Previous step", "Shift+S", page="cases"),
    Command("cases.next_query", "Next query", "Q", page="cases"),
    Command("cases.previous_query", "Previous query", "Shift+Q", page="cases"),
    Command("cases.next_evidence", "Next evidence", "E", page="cases"),
    Command("cases.previous_evidence", "Previous evidence", "Shift+E", page="cases"),
    Command("cases.next_guess", "Next guess", "G", page="cases"),
    Command("cases.previous_guess", "Previous guess", "Shift+G", page="cases"),
    Command("cases.next_mention", "Next mention", "M", page="cases"),
    Command("cases.previous_mention", "Previous mention", "Shift+M", page="cases"),
    Command("cases.next_divergence", "Next difference", "D", page="cases"),
    Command("cases.previous_divergence", "Previous difference", "Shift+D", page="cases"),
    Command("cases.answer", "Answer", "A", page="cases"),
    Command("cases.compare", "Compare with the next", "C", page="cases", icon="columns-2"),
    Command("cases.results", "Open or close results", "O", page="cases"),
    Command("cases.fold", "Fold or show the step", "X", page="cases"),
    Command("cases.fold_all", "Fold or show all steps", "Shift+X", page="cases"),
    Command("cases.plain", "Answers as written or rendered", "P", page="cases"),
    Command("cases.diff", "Compare the answers word by word", "W", page="cases"),
    Command("cases.copy_reference", "Copy reference", "Y", page="cases", icon="copy"),
    Command("cases.free", "Scroll columns freely", "F", page="cases"),
    Command("cases.timeline", "Timeline", "T", page="cases", icon="timeline"),
    Command("cases.verdicts", "Verdicts", "V", page="cases", icon="certificate"),
    Command("cases.pick", "Pick cases at random…", page="cases"),
    Command("cases.save_view", "Save this view…", page="cases"),
    Command("cases.list", "List of cases", "L", page="cases", icon="list-details"),
    Command("cases.note", "Note", "N", page="cases", icon="note"),
    Command("cases.note_step", "Note on the step", "Shift+N", page="cases", icon="note"),
    Command("cases.tag", "Tag", "Shift+T", page="cases", icon="tag"),
    Command("cases.collect", "Collect this case…", "B", page="cases", icon="list-details"),
    Command("cases.collections", "Collections of cases…", page="cases", icon="list-details"),
    Command("cases.try", "Try its probe now…", "R", page="cases", icon="player-play"),
    Command("cases.card", "Save its card…", page="cases", icon="file-export"),
    Command("cases.copy_card", "Copy its card", page="cases", icon="copy"),
    # -- Validation -------------------------------------------------------------------------------------------
    Command("validation.new", "New study…", "N", page="validation", icon="plus"),
    Command("validation.lock", "Lock study…", "L", page="validation", icon="lock"),
    Command("validation.extend", "Extend the sample…", "X", page="validation", icon="file-plus"),
    Command("validation.packets", "Write packets…", "W", page="validation", icon="package"),
    Command("validation.reveal", "Write second packets…", "S", page="validation", icon="eye"),
    Command("validation.label", "Open a packet for labelling…", "O", page="validation", icon="edit"),
    Command("validation.return", "Take packets back…", "B", page="validation", icon="download"),
    Command("validation.close", "Close labelling", "C", page="validation", icon="circle-check"),
    Command("validation.adjudicate", "Adjudicate differences…", "J", page="validation", icon="users"),
    Command("validation.unblind", "Unblind", page="validation", icon="eye"),
    Command("validation.export", "Export report…", "E", page="validation", icon="file-export"),
    Command("validation.audit", "Search packets for leaks…", "K", page="validation", icon="search"),
    Command("validation.discard", "Throw the draft away…", page="validation", icon="trash"),
    Command("validation.amend", "Note a deviation…", "D", page="validation", icon="note"),
    # -- Results ----------------------------------------------------------------------------------------------
    Command("results.show_withheld", "Show what is kept back…", page="results", icon="eye"),
    Command("results.export_all", "Export all…", "E", page="results", icon="file-export"),
    Command("results.export_figures", "Export the figures…", "G", page="results", icon="photo"),
    Command("results.export_comparison", "Export the comparison…", "X", page="results", icon="file-export"),
)
