"""The words on the buttons that put another answer beside this one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from btc_gui.domain.case import CaseRow
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.probe import ProbeKind
from btc_gui.ui.widgets.compare_bar import other_words


def _row(run_id: int, repetition: int = 1) -> CaseRow:
    configuration = SimpleNamespace(model="M", effort=Effort.LOW, harness=Harness.SHARED)
    row = SimpleNamespace(
        configuration=configuration, kind=ProbeKind.INDIRECT, run_id=run_id, repetition=repetition, probe_id=1
    )
    return cast(CaseRow, row)


def test_answers_of_two_runs_and_of_two_repetitions_can_be_told_apart() -> None:
    here = _row(1)
    words = [other_words(other, here) for other in (_row(1, 2), _row(2), _row(3), _row(2, 2))]
    assert words == ["M · low · 2", "M · low · run 2", "M · low · run 3", "M · low · 2 · run 2"]
