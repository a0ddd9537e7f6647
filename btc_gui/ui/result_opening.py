"""From a figure of results to its cases, without telling a label of a study that isn't unblinded."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from btc_gui.domain.trajectory import AnswerId
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.shell import Shell


def told_cases(
    shell: Shell, title: str, answers: Sequence[AnswerId], kept: Collection[AnswerId] = ()
) -> CaseSet | None:
    """The cases behind a figure but for those `kept` back, since it would tell a label; None, and why, without any."""
    ids = tuple(answer for answer in answers if answer not in kept)
    hidden = len(answers) - len(ids)
    if ids:
        return CaseSet(f"{title} ({hidden:,} more kept back for an open study)" if hidden else title, ids)
    shell.say(
        "All of these cases would tell labels of a study that isn't unblinded"
        if hidden
        else "There is no case behind this figure"
    )
    return None
