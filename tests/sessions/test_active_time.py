"""Time spent counts while somebody works; a break begins the time until the next one anew."""

from __future__ import annotations

import pytest

from btc_gui.sessions.active_time import BREAK_LASTS, IDLE_AFTER, ActiveTime


class Clock:
    """A clock that is set by hand."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def work(time: ActiveTime, clock: Clock, seconds: int) -> None:
    for _ in range(seconds // 10):
        clock.now += 10
        time.touch()


def test_work_adds_up_over_items(clock: Clock) -> None:
    time = ActiveTime(clock)
    work(time, clock, 300)
    time.restart()
    work(time, clock, 100)
    assert (time.seconds, time.since_break) == (100, 400)


def test_a_long_enough_pause_is_a_break_and_a_short_one_is_none(clock: Clock) -> None:
    time = ActiveTime(clock)
    work(time, clock, 300)
    time.pause()
    clock.now += BREAK_LASTS - 1
    assert (time.seconds, time.since_break) == (300, 300)
    time.resume()
    assert time.since_break == 300
    time.pause()
    clock.now += BREAK_LASTS
    time.resume()
    assert (time.seconds, time.since_break) == (300, 0)


def test_who_walks_away_has_a_break_without_a_key(clock: Clock) -> None:
    time = ActiveTime(clock)
    work(time, clock, 300)
    clock.now += 3_600
    assert time.seconds == 300 + IDLE_AFTER
    time.touch()
    work(time, clock, 50)
    assert (time.seconds, time.since_break) == (300 + IDLE_AFTER + 50, 50)


def test_signs_of_life_in_a_pause_count_for_nothing(clock: Clock) -> None:
    time = ActiveTime(clock)
    time.pause()
    work(time, clock, 500)
    time.restart()
    assert (time.seconds, time.since_break) == (0, 0)
    time.resume()
    clock.now += 5
    assert time.seconds == 5


def test_a_clock_that_jumps_back_takes_nothing_away(clock: Clock) -> None:
    time = ActiveTime(clock)
    work(time, clock, 100)
    clock.now -= 10_000
    assert time.seconds == 100
    time.touch()
    work(time, clock, 20)
    assert time.seconds == 120
