"""The common probes of several models, against the golden case `common_probe_set`."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.common_probes import common_probes
from btc_gui.domain.configuration import Effort, Harness
from tests.result_builders import RIGHT, WRONG, make_answer, make_groups, make_head

VALID = {"m1": (1, 2, 3, 5), "m2": (2, 3, 4, 5), "m3": (1, 2, 5, 6)}
MODELS = [make_head(name).configuration for name in VALID]


def test_the_intersection_is_listed_with_what_each_model_loses() -> None:
    answers = [
        make_answer(event, RIGHT if event == 2 else WRONG, configuration=number)
        for number, events in enumerate(VALID.values(), 1)
        for event in events
    ]
    (found,) = common_probes(make_groups(answers, *MODELS))
    assert found.probes == ("demise-2-indirect", "demise-5-indirect")
    assert found.lost == {"m1": 2, "m2": 2, "m3": 2}
    assert [(row.common.correct, row.common.scored, row.all_probes.scored) for row in found.rows] == [(1, 2, 4)] * 3
    (fewer,) = common_probes(make_groups(answers, *MODELS), ["m1", "m2"])
    assert fewer.lost == {"m1": 1, "m2": 1}


def test_both_efforts_of_a_model_are_one_set_and_other_harnesses_are_left_out() -> None:
    high, native = replace(MODELS[0], effort=Effort.HIGH), replace(MODELS[1], harness=Harness.NATIVE)
    answers = [make_answer(1), make_answer(2, configuration=2), make_answer(2, configuration=3)]
    answers.append(make_answer(9, configuration=4))
    (found,) = common_probes(make_groups(answers, MODELS[0], high, MODELS[1], native))
    assert found.probes == ("demise-2-indirect",)
    assert found.lost == {"m1": 1, "m2": 0}
    assert {row.head.title: row.common.scored for row in found.rows} == {
        "m1 · low · shared": 0,
        "m1 · high · shared": 1,
        "m2 · low · shared": 1,
    }


def test_one_model_is_no_comparison() -> None:
    assert common_probes(make_groups([make_answer(1)])) == []
