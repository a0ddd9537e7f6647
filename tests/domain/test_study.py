"""Frames, draws, manifests and logs of studies, without a project."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import replace

import pytest

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.hashing import canonical_json, hash_of
from btc_gui.domain.packet import GivenLabel, ItemId, Mode, PracticeItem, summarise
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import STUDY_KINDS, study_kind
from btc_gui.domain.studies.kind import FrameRow, Stratum
from btc_gui.domain.study import LogEntry, StudyDesign, StudyState, StudyStep, log_problems, next_entry, state_after
from btc_gui.domain.study_draw import (
    ItemRole,
    StudyItem,
    annotator_items,
    build_frame,
    choose_practice,
    freeze,
    packet_order,
)
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError, StudyError
from tests.study_builders import make_design


def make_row(number: int, label: Label | None = Label.CORRECT, model: str = "A", **more: object) -> FrameRow:
    values: dict[str, object] = {
        "answer_id": AnswerId(number),
        "key": f"probe-{number}/{model}",
        "event": str(number),
        "category": "demise",
        "probe_kind": ProbeKind.INDIRECT,
        "model": model,
        "harness": "shared",
        "effort": "low",
        "configuration": f"{model} · low · shared",
        "ending": Ending.ANSWERED,
        "judged": True,
        "label": label,
        "names_entity": True,
    }
    return FrameRow(**{**values, **more})  # type: ignore[arg-type]


def make_failure(number: int, mode: FailureMode | None, **more: object) -> FrameRow:
    values: dict[str, object] = {"mode": mode, "classified": True, "queries": 2}
    return make_row(number, Label.INCORRECT, "A", **{**values, **more})


PAGES = {"demise/indirect": "Criteria.", "demise/direct": "Others."}


def test_every_answer_is_in_one_stratum_or_excluded_for_a_reason() -> None:
    rows = [
        make_row(1),
        make_row(2, Label.INCORRECT),
        make_row(3, None),
        make_row(4, judged=False, label=None),
        make_row(5, ending=Ending.REFUSED),
        make_row(6, is_stale=True),
        make_row(7, key="probe-1/A"),
        make_row(8, ending=Ending.FAILED, key="probe-1/A"),
    ]
    design = make_design(strata=(Stratum("accepted", 1, {"label": "correct"}),))
    frame = build_frame(design, rows)
    assert frame.considered == 8
    assert [item.row.answer_id for item in frame.items] == [7]
    assert frame.excluded == {
        "facts changed since the answer": 1,
        "failed": 1,
        "in no stratum of the design": 1,
        "not judged": 1,
        "older answer to the same probe by the same configuration": 1,
        "refused": 1,
        "unscored": 1,
    }
    assert frame.considered == len(frame.items) + sum(frame.excluded.values())


def test_failure_modes_leave_out_failures_without_a_query() -> None:
    """Their mode is given by construction; other answers are not even considered."""
    rows = [
        make_failure(1, FailureMode.INDIRECT),
        make_failure(2, FailureMode.NONE, by_construction=True, queries=0),
        make_failure(3, None),
        make_failure(4, None, classified=False),
        make_row(5),
        make_failure(6, FailureMode.NONE, probe_kind=ProbeKind.DIRECT),
    ]
    kind = study_kind("failure_mode")
    frame = build_frame(make_design(kind="failure_mode", strata=kind.strata(4), mode=Mode.ASSISTED), rows)
    assert frame.considered == 4
    assert frame.labels == {"indirect": 1}
    assert frame.excluded == {"no query: mode by construction": 1, "not classified": 1, "unscored": 1}


def test_the_quota_of_the_paper_gives_three_strata() -> None:
    """85 accepted answers that name the entity, 15 that do not, 100 rejected ones."""
    rows = [
        make_row(number, Label.CORRECT if number % 2 else Label.INCORRECT, names_entity=number % 3 > 0)
        for number in range(1, 601)
    ]
    preset = study_kind("judge_verdict").presets[0]
    design = make_design(strata=preset.strata)
    locked = freeze(design, build_frame(design, rows), PAGES, "J", "0.1")
    drawn = [item.stratum for item in locked.items]
    assert [drawn.count(stratum.name) for stratum in design.strata] == [85, 15, 100]
    names = {item.answer_id: item.stratum for item in locked.items}
    assert all(
        (answer_id % 3 > 0) == (name == "accepted, names the entity")
        for answer_id, name in names.items()
        if answer_id % 2
    )


def test_the_draw_can_be_repeated_with_sha256sum() -> None:
    """A pooled stratum takes the smallest SHA-256(seed, 0x1F, key), computed here by coreutils."""
    rows = [make_row(number) for number in range(1, 13)]
    stratum = (Stratum("all", 5, {"label": "correct"}),)
    design = make_design(strata=stratum, rule=AllocationRule.POOLED, seed="seed-9")
    locked = freeze(design, build_frame(design, rows), PAGES, "J", "0.1")

    def digest(key: str) -> str:
        return subprocess.run(
            ["sha256sum"], input=f"seed-9\x1f{key}".encode(), capture_output=True, check=True
        ).stdout.decode()

    expected = sorted((row.key for row in rows), key=digest)[:5]
    assert {item.key for item in locked.items} == set(expected)
    assert {(item.frame_count, item.drawn_count, item.cell) for item in locked.items} == {(12, 5, "all")}
    assert {item.weight for item in locked.items} == {12 / 5}


def test_the_manifest_holds_all_that_was_decided_under_its_hash() -> None:
    rows = [make_row(number, model=model) for number in range(1, 9) for model in ("A", "B")]
    design = make_design(strata=(Stratum("all", 6, {"label": "correct"}),))
    ids = iter(ItemId(f"{number:016x}") for number in range(100))
    locked = freeze(design, build_frame(design, rows), PAGES, "Judge J", "0.1", lambda: next(ids))
    assert locked.manifest_sha256 == hash_of(locked.manifest)
    manifest = json.loads(canonical_json(locked.manifest))
    assert hash_of(manifest) == locked.manifest_sha256
    assert StudyDesign.from_json(manifest["design"]) == design
    assert (manifest["machine"], manifest["algorithm"], manifest["pages"]) == (
        "Judge J",
        "sha256-rank-1",
        {"demise/indirect": "Criteria."},
    )
    assert [(c["configuration"], c["frame"], c["drawn"]) for c in manifest["cells"]] == [
        ("A · low · shared", 8, 3),
        ("B · low · shared", 8, 3),
    ]
    assert len(manifest["items"]) == 6


def test_nothing_to_draw_is_refused() -> None:
    design = make_design(accept_shortfall=True)
    with pytest.raises(StudyError, match="the frame is empty"):
        freeze(design, build_frame(design, []), PAGES, "J", "0.1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"strata": ()}, "draws nothing"),
        ({"strata": (Stratum("a", 1, {}), Stratum("a", 1, {}))}, "name of its own"),
        ({"annotators": ()}, "needs an annotator"),
        ({"annotators": ("PK", "pk")}, "name of their own"),
        ({"seed": ""}, "seed"),
        ({"kind": "taste"}, "no kind of study"),
    ],
)
def test_a_design_that_can_not_be_carried_out_is_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make_design(4, 4, **{"annotators": ("PK",), **change}).check()  # type: ignore[arg-type]


def test_each_annotator_has_an_order_of_their_own_and_it_is_always_the_same() -> None:
    items = [StudyItem(ItemId(str(n)), AnswerId(n), f"k{n}", "p", "s", "c", 9, 9, "correct") for n in range(9)]
    first, again = (packet_order(order, "seed", "PK") for order in (items, items[::-1]))
    assert first == again
    assert first != packet_order(items, "seed", "DG")
    assert sorted(first, key=lambda item: item.key) == items


def make_items(number: int, repeats: int = 0) -> list[StudyItem]:
    """Items of two strata, the first so many of them shown twice."""
    items = [
        StudyItem(ItemId(f"i{n}"), AnswerId(n), f"k{n}", "p", "ab"[n % 2], "c", 9, 3, "correct") for n in range(number)
    ]
    again = [replace(i, item=ItemId(f"r{i.item}"), role=ItemRole.REPEAT, repeats=i.item) for i in items[:repeats]]
    return items + again


@pytest.mark.parametrize(
    ("number", "repeats"), [(200, 20), (160, 40), (51, 1), (60, 6), (20, 5), (8, 2), (3, 3), (1, 1)]
)
def test_repeats_come_fifty_items_later_or_as_late_as_a_short_packet_allows(number: int, repeats: int) -> None:
    items = make_items(number, repeats)
    wanted = max(1, min(50, number - repeats))
    places = []
    for annotator in ("PK", "DG", "ET"):
        order = packet_order(items, "seed", annotator)
        assert sorted(item.item for item in order) == sorted(item.item for item in items)
        assert order == packet_order(items[::-1], "seed", annotator)
        place = {item.item: number for number, item in enumerate(order)}
        gaps = [place[item.item] - place[ItemId(item.repeats)] for item in order if item.repeats]
        assert min(gaps) >= wanted
        places.append([place[item.item] for item in order if item.repeats])
    if number >= 160:
        # They are spread, not all at the end, and lie elsewhere for each annotator.
        assert places[0] != places[1]
        assert min(places[0]) < number - repeats


def test_repeats_are_drawn_by_hash_and_frozen_with_ids_of_their_own() -> None:
    rows = [make_row(number) for number in range(1, 31)]
    design = make_design(strata=(Stratum("all", 20, {"label": "correct"}),), repeats=4)
    locked = freeze(design, build_frame(design, rows), PAGES, "J", "0.1")
    again = [item for item in locked.items if item.role is ItemRole.REPEAT]
    first = {item.item: item for item in locked.items if item.role is ItemRole.SAMPLE}
    assert (len(first), len(again), len({item.item for item in locked.items})) == (20, 4, 24)
    expected = sorted(
        (item.key for item in first.values()),
        key=lambda key: hashlib.sha256(f"s1:repeats\x1f{key}".encode()).hexdigest(),
    )
    assert [item.key for item in again] == expected[:4]
    assert all(first[ItemId(item.repeats)].answer_id == item.answer_id for item in again)
    entries = {entry["item"]: entry for entry in locked.manifest["items"]}
    assert {key: entry.get("repeats", "") for key, entry in entries.items()} == {
        i.item: i.repeats for i in locked.items
    }
    assert {entry["probability"] for entry in entries.values()} == {20 / 30}
    assert [cell["probability"] for cell in locked.manifest["cells"]] == [20 / 30]


def test_further_annotators_label_a_share_of_each_stratum_and_its_repeats() -> None:
    items = make_items(40, 10)
    design = make_design(annotators=("PK", "DG", "ET"), overlap=0.3)
    assert annotator_items(items, design, "PK") == items
    theirs = annotator_items(items, design, "DG")
    assert theirs == annotator_items(items, design, "ET")
    sample = [item for item in theirs if item.role is ItemRole.SAMPLE]
    assert [sum(item.stratum == name for item in sample) for name in "ab"] == [6, 6]
    shown = {item.item for item in sample}
    assert [i.item for i in theirs if i.repeats] == [i.item for i in items if i.repeats and i.repeats in shown]
    assert annotator_items(items, replace(design, overlap=1.0), "DG") == items
    with pytest.raises(InputError, match="not an annotator"):
        annotator_items(items, design, "XY")


def test_practice_is_chosen_by_hash_from_what_fits_the_study() -> None:
    rows = [make_row(number) for number in range(1, 9)]
    practice = [
        PracticeItem(ItemId(f"{n:016x}"), page, {"answer": f"answer {n}"}, "correct", "Because.")
        for n, page in enumerate(["demise/indirect"] * 5 + ["demise/direct"] * 5)
    ]
    design = make_design(strata=(Stratum("all", 6, {"label": "correct"}),), practice=3)
    frame = build_frame(design, rows)
    locked = freeze(design, frame, PAGES, "J", "0.1", practice=practice)
    chosen = locked.manifest["practice"]
    assert len(chosen) == 3
    assert {entry["page"] for entry in chosen} == {"demise/indirect"}
    assert [PracticeItem(**entry) for entry in chosen] == choose_practice(
        practice[::-1], design, PAGES.keys() - {"demise/direct"}
    )
    assert (
        len(freeze(replace(design, practice=9), frame, PAGES, "J", "0.1", practice=practice).manifest["practice"]) == 5
    )
    assert freeze(replace(design, practice=0), frame, PAGES, "J", "0.1", practice=practice).manifest["practice"] == []
    with pytest.raises(StudyError, match="nothing to practise on"):
        freeze(design, frame, PAGES, "J", "0.1", practice=practice[5:])


def test_kinds_keep_the_promises_of_their_protocol() -> None:
    """Fields, choices and classes of every kind fit together; keys differ; only unsure and broken are no classes."""
    for kind in STUDY_KINDS.values():
        values = [choice.value for choice in kind.choices]
        assert set(values) == {*kind.classes, "unsure", "broken"}
        assert len({choice.key for choice in kind.choices}) == len(values)
        assert kind.choices[-1].needs_reason
        for layer in {layer for mode in kind.modes for layer in mode.layers}:
            names = [field.name for field in kind.fields(layer)]
            assert len(set(names)) == len(names)
            assert not {"label", "model", "configuration", "run", "judge", "mode"} & set(names)
        assert sum(stratum.size for stratum in kind.strata(37)) == 37
        if kind.merged:
            assert sorted(n for group in kind.merged.values() for n in group) == sorted(kind.classes.values())


# -- states and log ------------------------------------------------------------------------------------------


def test_states_only_go_forward() -> None:
    allowed = {
        (StudyState.DRAFT, StudyStep.LOCK): StudyState.LOCKED,
        (StudyState.LOCKED, StudyStep.ISSUE): StudyState.LABELLING,
        (StudyState.LABELLING, StudyStep.ISSUE): StudyState.LABELLING,
        (StudyState.LABELLING, StudyStep.RETURN): StudyState.LABELLING,
        (StudyState.LABELLING, StudyStep.CLOSE): StudyState.CLOSED,
        (StudyState.PRACTICE, StudyStep.ISSUE): StudyState.PRACTICE,
        (StudyState.PRACTICE, StudyStep.RETURN): StudyState.LABELLING,
        (StudyState.PRACTICE, StudyStep.CLOSE): StudyState.CLOSED,
        (StudyState.CLOSED, StudyStep.RETURN): StudyState.CLOSED,
        (StudyState.CLOSED, StudyStep.ADJUDICATE): StudyState.CLOSED,
        (StudyState.CLOSED, StudyStep.UNBLIND): StudyState.UNBLINDED,
        (StudyState.UNBLINDED, StudyStep.ANALYSE): StudyState.ANALYSED,
        (StudyState.ANALYSED, StudyStep.ANALYSE): StudyState.ANALYSED,
        (StudyState.AMENDED, StudyStep.ANALYSE): StudyState.AMENDED,
        (StudyState.UNBLINDED, StudyStep.AMEND): StudyState.AMENDED,
        (StudyState.ANALYSED, StudyStep.AMEND): StudyState.AMENDED,
        (StudyState.AMENDED, StudyStep.AMEND): StudyState.AMENDED,
    }
    assert state_after(StudyState.LOCKED, StudyStep.ISSUE, has_practice=True) is StudyState.PRACTICE
    for state in StudyState:
        for step in StudyStep:
            if (state, step) in allowed:
                assert state_after(state, step) is allowed[state, step]
            else:
                with pytest.raises(StudyError):
                    state_after(state, step)


def make_log(*steps: StudyStep) -> list[LogEntry]:
    log: list[LogEntry] = []
    for step in steps:
        detail = {"manifest_sha256": "m"} if step is StudyStep.LOCK else {}
        log.append(next_entry(log[-1] if log else None, "2026-07-01", "PK", step, detail))
    return log


def test_a_log_that_was_tampered_with_is_found() -> None:
    log = make_log(StudyStep.CREATE, StudyStep.LOCK, StudyStep.ISSUE, StudyStep.RETURN)
    assert log_problems(log, StudyState.LABELLING, "m") == []
    forged = replace(log[1], actor="DG")
    for altered in (
        log[:2] + log[3:],
        log[1:],
        [log[0], log[2], log[1], log[3]],
        [*log[:1], forged, *log[2:]],
        [*log[:1], replace(forged, hash=forged.computed_hash), *log[2:]],
        [],
    ):
        assert log_problems(altered, StudyState.LABELLING, "m")
    assert log_problems(log[:2], StudyState.LABELLING, "m") == [
        "the log ends with the study locked, but it is labelling"
    ]
    assert log_problems(log, StudyState.LABELLING, "other") == ["the manifest is not the one that was locked"]


def test_the_first_label_that_was_not_withdrawn_is_analysed() -> None:
    one, two = ItemId("1"), ItemId("2")
    rows = [
        GivenLabel(1, one, "correct"),
        GivenLabel(2, two, "correct"),
        GivenLabel(3, two, "", undoes=2),
        GivenLabel(4, two, "incorrect"),
        GivenLabel(5, one, "incorrect"),
    ]
    summary = summarise(rows)
    assert {item: row.label for item, row in summary.analysed.items()} == {one: "correct", two: "incorrect"}
    assert (summary.changed, summary.withdrawn) == (1, 1)
