"""Samples: one probe of each event, the same draw for the same seed, a larger sample contains the smaller one."""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.probe_sample import Candidate, SampleDesign, draw_probes, in_turns, ranked
from btc_gui.errors import StudyError

#: For each event, how many candidates it has.
frames = st.dictionaries(st.text(min_size=1, max_size=6), st.integers(1, 5), max_size=25)


def _candidates(frame: dict[str, int]) -> list[Candidate]:
    return [Candidate(f"{event}/{number}", event) for event, count in frame.items() for number in range(count)]


def _sha(seed: str, item: str) -> str:
    return hashlib.sha256(f"{seed}\x1f{item}".encode()).hexdigest()


def test_the_draw_is_what_sha256_says() -> None:
    """By hand: the events by SHA-256 of seed, 0x1F and identity; within one, its probes by that of seed:probe."""
    frame = {"demise|name:a||2026-03-01": 3, "demise|name:b||2026-04-01": 2, "demise|name:c||2026-05-01": 1}
    events = sorted(frame, key=lambda event: _sha("s", event))
    first = {
        event: min((f"{event}/{n}" for n in range(frame[event])), key=lambda probe: _sha("s:probe", probe))
        for event in frame
    }
    drawn = draw_probes(_candidates(frame), SampleDesign("s", 2))
    assert drawn.probes == tuple(first[event] for event in events[:2])
    assert (drawn.events, drawn.shortfall) == (3, 0)


@given(frame=frames, seed=st.text(max_size=5), size=st.integers(1, 40))
def test_each_event_gives_one_probe_and_what_is_missing_is_told(frame: dict[str, int], seed: str, size: int) -> None:
    drawn = draw_probes(_candidates(frame), SampleDesign(seed, size))
    event_of = {each.probe: each.event for each in _candidates(frame)}
    events = [event_of[probe] for probe in drawn.probes]
    assert len(events) == len(set(events)) == min(size, len(frame))
    assert drawn.shortfall == size - len(events)
    assert drawn.events == len(frame)


@given(frame=frames, seed=st.text(max_size=5), small=st.integers(1, 20), more=st.integers(0, 20), per=st.integers(1, 3))
def test_a_larger_sample_begins_with_the_smaller_one(
    frame: dict[str, int], seed: str, small: int, more: int, per: int
) -> None:
    candidates = _candidates(frame)
    first = draw_probes(candidates, SampleDesign(seed, small, per)).probes
    larger = SampleDesign(seed, small + more, per)
    assert draw_probes(candidates, larger).probes[: len(first)] == first
    # Extending gives the same as drawing the larger one at once, and the order of the frame doesn't matter.
    assert draw_probes(reversed(candidates), larger, first).probes == draw_probes(candidates, larger).probes


@given(frame=frames, size=st.integers(1, 20), per=st.integers(1, 4))
def test_more_of_one_event_come_only_after_all_events_gave_one(frame: dict[str, int], size: int, per: int) -> None:
    one = draw_probes(_candidates(frame), SampleDesign("s", size)).probes
    several = draw_probes(_candidates(frame), SampleDesign("s", size, per)).probes
    assert several[: len(one)] == one
    event_of = {each.probe: each.event for each in _candidates(frame)}
    counts = [sum(event_of[probe] == event for probe in several) for event in frame]
    assert max(counts, default=0) <= per
    assert len(set(several)) == len(several)


@given(frame=frames, gone=st.integers(0, 5))
def test_an_extension_keeps_what_is_still_there_and_names_what_is_lost(frame: dict[str, int], gone: int) -> None:
    candidates = _candidates(frame)
    base = draw_probes(candidates, SampleDesign("s", 5)).probes
    lost = set(base[:gone])
    left = [each for each in candidates if each.probe not in lost]
    drawn = draw_probes([*left, Candidate("a new one/1", "a new one")], SampleDesign("s", 50), base)
    assert drawn.lost == tuple(probe for probe in base if probe in lost)
    kept = tuple(probe for probe in base if probe not in lost)
    assert drawn.probes[: len(kept)] == kept
    event_of = {each.probe: each.event for each in [*left, Candidate("a new one/1", "a new one")]}
    assert len({event_of[probe] for probe in drawn.probes}) == len(drawn.probes)


@given(frame=frames, seed=st.text(max_size=5), chosen=st.randoms(use_true_random=False))
def test_any_part_of_what_was_ranked_once_stands_in_the_order_of_its_own_draw(
    frame: dict[str, int], seed: str, chosen: random.Random
) -> None:
    part = [each for each in _candidates(frame) if chosen.random() < 0.5]
    kept = ((each.probe, each.event) for each in ranked(_candidates(frame), seed) if each in part)
    drawn = draw_probes(part, SampleDesign(seed, len(part) or 1, per_event=5))
    assert in_turns(kept) == list(drawn.probes)


def test_models_that_retain_the_same_probes_get_the_same_sample() -> None:
    """The model is no part of the seed: sets common to several models stay large."""
    frame = {f"event {n}": 2 for n in range(30)}
    full = _candidates(frame)
    fewer = [each for each in full if not each.event.endswith(("1", "5"))]
    first = draw_probes(full, SampleDesign("s", 10)).probes
    second = draw_probes(fewer, SampleDesign("s", 10)).probes
    assert len(set(first) & set(second)) >= 6


def test_impossible_draws_are_refused() -> None:
    with pytest.raises(StudyError, match="at least one"):
        draw_probes([], SampleDesign("s", 0))
    with pytest.raises(StudyError, match="at least one"):
        draw_probes([], SampleDesign("s", 5, 0))
    with pytest.raises(StudyError, match="twice"):
        draw_probes([Candidate("p", "e"), Candidate("p", "f")], SampleDesign("s", 5))
