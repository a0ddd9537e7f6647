"""From what is filled in to a design: usual amounts, presets that fit the frame, strata by facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.study import FrameFilter, LeftOut
from btc_gui.errors import InputError, StudyError
from btc_gui.sessions.designing import StudyDraft, compose
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.database import Database
from tests.study_builders import add_judged, make_categories

DRAFT = StudyDraft(kind="judge_verdict", annotators=("PK",), seed="s", order_seed="o")


@pytest.fixture
def session(database: Database) -> ValidatingSession:
    add_judged(database)
    return ValidatingSession(database, make_categories())


def test_a_beginner_gets_repeats_and_what_practice_there_is(session: ValidatingSession, database: Database) -> None:
    """16 answers are drawn: a quarter comes again. The shipped categories have practice items for every preset."""
    composed = compose(session, DRAFT)
    assert (composed.design.repeats, composed.design.practice, composed.practice_items) == (4, 0, 0)
    assert composed.preview.plan.repeats.value == 1.0
    shipped = ValidatingSession(database, load_categories(paths.resources() / "categories"))
    for preset in ("indirect", "direct"):
        design = shipped.preset(compose(shipped, DRAFT).design, preset)
        assert shipped.practice_items(design) >= 10
    assert compose(shipped, replace(DRAFT, preset="indirect")).design.practice == 10
    assert compose(shipped, replace(DRAFT, preset="indirect", practice=0, repeats=1)).design.practice == 0


def test_what_was_changed_by_hand_stays(session: ValidatingSession) -> None:
    draft = replace(DRAFT, preset="indirect", sizes={"rejected": 3}, assumed={"rejected": 2, "elsewhere": 1}, repeats=1)
    design = compose(session, draft).design
    assert {s.name: s.size for s in design.strata}["rejected"] == 3
    assert (design.assumed_errors, design.repeats) == ({"rejected": 2}, 1)
    assert design.frame.probe_kinds == ("indirect",)


def test_strata_by_facts_share_the_sample_and_cover_the_frame(session: ValidatingSession) -> None:
    composed = compose(session, replace(DRAFT, by=("label", "model"), size=12))
    assert [(s.name, s.size) for s in composed.design.strata] == [
        ("correct, Quagga-9", 3),
        ("correct, Zyxomodel-Prime", 3),
        ("incorrect, Quagga-9", 3),
        ("incorrect, Zyxomodel-Prime", 3),
    ]
    assert sum(composed.preview.frame.strata.values()) == 16
    named = compose(session, replace(DRAFT, by=("label", "names_entity"), size=100))
    assert [(s.name, s.size) for s in named.design.strata] == [
        ("correct, names the entity: yes", 10),
        ("incorrect, names the entity: yes", 6),
    ]
    with pytest.raises(InputError, match="Strata are made of"):
        session.strata_by(composed.design, ("colour",), 4)


def test_a_kept_frame_is_read_anew_for_another_filter(session: ValidatingSession, database: Database) -> None:
    keeping = ValidatingSession(database, make_categories(), keeps_rows=True)
    whole = compose(keeping, DRAFT).preview.frame
    part = compose(keeping, replace(DRAFT, frame=FrameFilter(models=("Quagga-9",)))).preview.frame
    assert (len(whole.items), len(part.items)) == (16, 8)
    less = compose(keeping, replace(DRAFT, left_out=(LeftOut(whole.items[0].row.key, "cut off"),))).preview.frame
    assert (len(less.items), less.excluded) == (15, {"left out: cut off": 1})


def test_without_classified_failures_their_preset_says_what_to_do(session: ValidatingSession) -> None:
    with pytest.raises(StudyError, match="No classifier has labelled anything yet"):
        compose(session, replace(DRAFT, kind="failure_mode", preset="modes"))
    with pytest.raises(InputError, match="no preset"):
        compose(session, replace(DRAFT, preset="modes"))
