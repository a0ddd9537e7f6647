"""The kinds of study: one module each. Code elsewhere asks the kind and never names one."""

from __future__ import annotations

from btc_gui.domain.studies.failure_mode import FailureModeKind
from btc_gui.domain.studies.judge_verdict import JudgeVerdict
from btc_gui.domain.studies.kind import StudyKind
from btc_gui.errors import InputError

__all__ = ["STUDY_KINDS", "StudyKind", "study_kind"]

_KINDS: tuple[StudyKind, ...] = (JudgeVerdict(), FailureModeKind())

STUDY_KINDS: dict[str, StudyKind] = {kind.name: kind for kind in _KINDS}


def study_kind(name: str) -> StudyKind:
    """The kind of that name. Raises `InputError` naming those that exist."""
    if name not in STUDY_KINDS:
        raise InputError(f"There is no kind of study “{name}”.", f"Kinds: {', '.join(STUDY_KINDS)}.")
    return STUDY_KINDS[name]
