"""From a figure of results to its cases, without telling a label of a study that isn't unblinded."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from btc_gui.domain.trajectory import AnswerId
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.shell import Shell
from btc_gui.ui.words import counted


def told_cases(
    shell: Shell, title: str, answers: Sequence[AnswerId], blinded: Collection[AnswerId] = ()
) -> CaseSet | None:
    """The cases behind a figure without those of `blinded`, whose labels it would tell; None, and why, without any."""
    ids = tuple(answer for answer in answers if answer not in blinded)
    hidden = len(answers) - len(ids)
    if ids:
        return CaseSet(f"{title} ({counted(hidden, 'more')} in an open study)" if hidden else title, ids)
    shell.say(
        "All of these cases are in a study that isn't unblinded" if hidden else "There is no case behind this figure"
    )
    return None
