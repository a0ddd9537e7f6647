"""Answers left out by hand: as a file lists them, and what becomes of them in the frame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.left_out import read_left_out
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import LeftOut, StudyDesign
from btc_gui.domain.study_draw import build_frame
from btc_gui.errors import InputError
from tests.domain.test_study import make_row
from tests.study_builders import make_design


def test_a_csv_file_gives_keys_and_reasons() -> None:
    text = '\ufeffreason,key\r\nused for the prompt,p1/1/A/1\r\n\r\n,p2\r\n"odd, cut off",p3\r\n'
    assert read_left_out(text, "out.csv", "developed on it") == (
        LeftOut("p1/1/A/1", "used for the prompt"),
        LeftOut("p2", "developed on it"),
        LeftOut("p3", "odd, cut off"),
    )
    assert read_left_out("probe,reason\np1,r\n", "out.csv") == (LeftOut("p1", "r"),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no column key"),
        ("a,b\n1,2\n", "no column key"),
        ("key,reason\np1,\n", "line 2, lacks a reason"),
        ("key,reason\n,why\n", "line 2, lacks a key"),
    ],
)
def test_a_file_that_can_not_be_used_says_where(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_left_out(text, "out.csv")


def test_what_is_left_out_is_counted_by_its_reason_and_never_drawn() -> None:
    """A key leaves out one answer, the beginning of one all answers below it; a key that fits nothing is told."""
    rows = [make_row(number, model=model) for number in range(1, 6) for model in ("A", "B")]
    design = make_design(
        strata=(Stratum("all", 3, {"label": "correct"}),),
        left_out=(
            LeftOut("probe-1", "developed on it"),
            LeftOut("probe-2/A", "cut off"),
            LeftOut("probe", "no whole part of a key"),
            LeftOut("probe-77", "not here"),
        ),
    )
    frame = build_frame(design, rows)
    assert frame.excluded == {"left out: cut off": 1, "left out: developed on it": 2}
    assert frame.unmatched == ("probe", "probe-77")
    assert frame.items[0].row.key == "probe-2/B"
    assert frame.considered == len(frame.items) + sum(frame.excluded.values())
    assert StudyDesign.from_json(design.as_json()) == design


def test_strata_of_the_other_machine_and_of_queries() -> None:
    rows = [make_row(number, queries=number - 1) for number in range(1, 5)]
    strata = tuple(Stratum(count, 1, {"queries": count, "mode": "none"}) for count in ("0", "1", "2+"))
    frame = build_frame(make_design(strata=strata), rows)
    assert frame.strata == {"0": 1, "1": 1, "2+": 2}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"floor": 3, "cap": 2}, "at least 3 and at most 2"),
        ({"repeats": -1}, "negative"),
        ({"overlap": 0.0}, "between 0 and 1"),
        ({"left_out": (LeftOut("k", " "),)}, "a key and a reason"),
        ({"relations": ()}, "relation"),
    ],
)
def test_amounts_that_make_no_sense_are_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        replace(make_design(), **change).check()  # type: ignore[arg-type]
