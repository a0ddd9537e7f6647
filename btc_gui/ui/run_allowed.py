"""What can be done with a run as it stands, and why the rest can't."""

from __future__ import annotations

from btc_gui.domain.trajectory import Ending
from btc_gui.ui.run_columns import state_of
from btc_gui.ui.run_driver import RunDriver, RunSummary


def why_not(summary: RunSummary | None, driver: RunDriver | None) -> dict[str, str]:
    """Why each command of the page can't be given for the run; empty for those that can. `driver` lets it go here."""
    nothing = "" if summary else "Choose a run first."
    going = driver is not None
    elsewhere = summary is not None and not going and state_of(summary) == "running"
    stopped = "" if going else "The run is not going."
    stopping = "It is stopping already." if driver and driver.is_stopping else ""
    busy = "The run is going." if going else "The run is going in another window." if elsewhere else ""
    is_log = summary is not None and summary.run.is_log
    imported = "Samples of somebody else's log are not judged." if is_log else ""
    imports = summary is not None and summary.run.is_import
    reasons = {
        "start": busy or ("Every item has an answer." if summary and not summary.pending else ""),
        "pause": stopped or stopping,
        "cancel": stopped or stopping,
        "stop": stopped,
        "retry": busy or (_why_no_retry(summary) if summary else ""),
        "judge": imported or ("Every answer has a label." if summary and not summary.unjudged else ""),
        "classify": imported or ("Every failure has its mode." if summary and not summary.unclassified else ""),
        "cases": "It has no answer yet." if summary and not summary.done else "",
        "export": "It has no answer yet." if summary and not summary.done else "",
        "recipe": "Its answers were made elsewhere: what is planned here has a recipe." if imports else "",
        "log": "",
    }
    return {name: nothing or reason for name, reason in reasons.items()}


def _why_no_retry(summary: RunSummary) -> str:
    if summary.run.is_import and not summary.run.is_log:
        return "Answers that were loaded from files can't be asked again from here."
    if summary.run.is_import:
        return "Samples of somebody else's log can't be asked again from here."
    return "" if summary.ending(Ending.FAILED) else "No answer failed."
