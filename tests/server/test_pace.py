"""How fast a client may send: the arithmetic, without a clock."""

from hypothesis import given
from hypothesis import strategies as st

from server.domain.pace import PaceLimits, Throttle

LIMITS = PaceLimits(per_second=10.0, burst=5, patience=3.0)


def test_a_burst_is_taken_at_once_and_the_rest_waits_its_turn() -> None:
    throttle = Throttle(LIMITS, 0.0)
    assert [throttle.take(0.0) for _ in range(8)] == [0, 0, 0, 0, 0, 0.1, 0.2, 0.3]
    assert throttle.wait(0.2) == 0.1 - 0.2 + 0.2  # of what was counted, a tenth of a second is left
    assert throttle.take(10.0) == 0


def test_what_is_given_back_does_not_count() -> None:
    throttle = Throttle(LIMITS, 0.0)
    for _ in range(100):
        assert throttle.take(0.0) == 0
        throttle.give_back()


def test_only_being_held_back_on_end_exhausts_the_patience() -> None:
    throttle = Throttle(LIMITS, 0.0)
    for _ in range(5):
        throttle.take(0.0)
    now = 0.0
    while now < 2.9:
        now += throttle.take(now)
        assert not throttle.is_exhausted(now)
    now += throttle.take(now) + throttle.take(now)
    assert throttle.is_exhausted(now)
    assert throttle.take(now + 0.2) == 0
    assert not throttle.is_exhausted(now + 0.2)


def test_nobody_is_exhausted_by_being_slowed_down_without_end() -> None:
    throttle = Throttle(LIMITS.without_end(), 0.0)
    now = 0.0
    for _ in range(1000):
        now += throttle.take(now)
    assert now > 90
    assert not throttle.is_exhausted(now)


def test_without_a_rate_nothing_waits() -> None:
    throttle = Throttle(PaceLimits(per_second=0), 0.0)
    assert [throttle.take(0.0) for _ in range(10_000)] == [0.0] * 10_000


@given(st.lists(st.floats(0, 5), max_size=50))
def test_no_more_is_taken_in_any_time_than_rate_and_burst_allow(pauses: list[float]) -> None:
    throttle, now, taken_at = Throttle(LIMITS, 0.0), 0.0, []
    for pause in pauses:
        now += pause
        now += throttle.take(now)
        taken_at.append(now)
    for first, start in enumerate(taken_at):
        for count, end in enumerate(taken_at[first:], 1):
            assert count <= LIMITS.burst + LIMITS.per_second * (end - start) + 1.001
