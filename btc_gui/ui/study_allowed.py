"""Which steps of a study can be taken now, and why the others can't."""

from __future__ import annotations

from btc_gui.domain.packet import Layer
from btc_gui.domain.study import StudyState, StudyStep
from btc_gui.sessions.validating import StudyLine
from btc_gui.ui.study_reading import StudyReading

#: The steps by the names of their commands.
STEPS = (
    *("lock", "packets", "reveal", "return", "close", "adjudicate", "unblind", "export", "amend", "audit"),
    *("extend", "discard"),
)


def why_not(line: StudyLine | None, reading: StudyReading | None) -> dict[str, str]:
    """For every step why it can't be taken now; empty for one that can. `reading` is None until it is read."""
    if line is None:
        return dict.fromkeys(STEPS, "Choose a study first.")
    state, steps = line.study.state, line.steps
    return {
        "lock": "" if StudyStep.LOCK in steps else f"The study is {state} already.",
        "packets": _no_packets(line),
        "reveal": _no_reveal(line, reading),
        "return": _no_return(line, reading),
        "close": "" if StudyStep.CLOSE in steps else f"A study that is {state} can't be closed.",
        "adjudicate": _no_adjudication(line, reading),
        "unblind": "" if StudyStep.UNBLIND in steps else f"Only a closed study is unblinded; this one is {state}.",
        "export": "" if StudyStep.ANALYSE in steps else f"A study that is {state} has no report yet.",
        "audit": "" if line.packets else "There is no packet to search yet.",
        "extend": _no_extension(line),
        "discard": "" if state is StudyState.DRAFT else "Only a draft can be thrown away: what was locked stays.",
        "amend": "" if StudyStep.AMEND in steps else "A deviation is noted once the study is unblinded.",
    }


def _no_extension(line: StudyLine) -> str:
    if not line.study.manifest:
        return "A draft is not extended: it can be made anew with other sizes."
    return "A sample is extended before its labels are compared." if line.study.state.is_unblinded else ""


def _no_packets(line: StudyLine) -> str:
    if StudyStep.ISSUE not in line.steps:
        return f"A study that is {line.study.state} gives out no packets."
    return "" if without_packet(line) else "Every annotator has a packet."


def _no_reveal(line: StudyLine, reading: StudyReading | None) -> str:
    if Layer.REVEALED not in line.study.design.mode.layers:
        return "Only a study that is “blind, then revealed” has second packets."
    if StudyStep.ISSUE not in line.steps:
        return f"A study that is {line.study.state} gives out no packets."
    return "" if reading and reading.to_reveal else "Nobody waits for a second packet: blind labels come back first."


def _no_return(line: StudyLine, reading: StudyReading | None) -> str:
    state = line.study.state
    if state in (StudyState.DRAFT, StudyState.LOCKED):
        return f"No packet of a study that is {state} can come back."
    if StudyStep.RETURN in line.steps and state is not StudyState.CLOSED:
        return ""
    # What comes now is an adjudicator's, or late: kept apart, and told.
    return "" if reading and reading.is_out else "Every packet has come back whole."


def _no_adjudication(line: StudyLine, reading: StudyReading | None) -> str:
    if StudyStep.ADJUDICATE not in line.steps:
        return f"Adjudication is between closing and unblinding; this study is {line.study.state}."
    if not reading or not reading.disputed:
        return "There is nothing to decide: no labels differ, and nobody was unsure."
    return "The adjudication packet was given out." if reading.has_adjudicator else ""


def without_packet(line: StudyLine) -> list[str]:
    """The annotators who have no packet of the first layer yet."""
    first = line.study.design.mode.layers[0]
    issued = {packet.annotator for packet in line.packets if packet.layer is first}
    return [name for name in line.study.design.annotators if name not in issued]
