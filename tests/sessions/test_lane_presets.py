"""What a case is usually compared with."""

from __future__ import annotations

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId
from btc_gui.sessions.lane_presets import LanePreset, lane_presets
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_answers, make_configuration, make_trajectory


def _presets(database: Database, answer_id: AnswerId) -> dict[str, LanePreset]:
    store = CaseStore(database)
    rows = store.fetch(store.relatives(answer_id))
    others = [rows[other] for other in store.relatives(answer_id)]
    return {preset.name: preset for preset in lane_presets(store.get(answer_id), others)}


def test_each_comparison_changes_one_thing(database: Database) -> None:
    event = add_event(database)
    probe = add_probe(database, event)
    own, again = add_answers(database, probe, [make_trajectory(), make_trajectory()])[1]
    low = add_answer(database, probe, configuration=make_configuration(effort=Effort.LOW))
    native = add_answer(database, probe, configuration=make_configuration(harness=Harness.NATIVE))
    other = add_answer(database, probe, configuration=make_configuration("Model B"))
    add_answer(database, probe, configuration=make_configuration("Model B", Effort.LOW))
    direct_probe = add_probe(database, event, "Is she alive?", ProbeKind.DIRECT)
    direct = add_answer(database, direct_probe)
    add_answer(database, direct_probe, configuration=make_configuration("Model B"))
    found = _presets(database, own)
    assert {name: preset.ids for name, preset in found.items()} == {
        "efforts": (low,),
        "direct": (direct,),
        "harnesses": (native,),
        "models": (other,),
        "repetitions": (again,),
    }
    assert found["direct"].text == "Direct answer"
    back = _presets(database, direct)["direct"]
    assert back.text == "Indirect answers"
    assert back.ids == (own,)


def test_there_is_room_for_three_and_the_rest_is_counted(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    ids = add_answers(database, probe, [make_trajectory() for _ in range(6)])[1]
    preset = _presets(database, ids[0])["repetitions"]
    assert preset.ids == tuple(ids[1:4])
    assert preset.left_out == 2
    assert set(_presets(database, ids[0])) == {"repetitions"}
