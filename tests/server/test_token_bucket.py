"""The arithmetic of rate limits, without a clock."""

from hypothesis import given
from hypothesis import strategies as st

from server.domain.token_bucket import MessageLimits, TokenBucket

LIMITS = MessageLimits(per_second=10.0, burst=5, patience=3.0)


def test_a_burst_is_handled_immediately_and_the_rest_waits() -> None:
    throttle = TokenBucket(LIMITS, 0.0)
    assert [throttle.take(0.0) for _ in range(8)] == [0, 0, 0, 0, 0, 0.1, 0.2, 0.3]
    assert throttle.wait(0.2) == 0.1 - 0.2 + 0.2  # of what was counted, a tenth of a second is left
    assert throttle.take(10.0) == 0


def test_messages_given_back_do_not_count() -> None:
    throttle = TokenBucket(LIMITS, 0.0)
    for _ in range(100):
        assert throttle.take(0.0) == 0
        throttle.give_back()


def test_delay_adds_up_until_the_patience_is_exhausted() -> None:
    throttle, now = emptied(), 0.0
    while now < 2.9:
        assert not throttle.is_exhausted(now)
        now += throttle.take(now)
    now += throttle.take(now) + throttle.take(now)
    assert throttle.is_exhausted(now)


def test_a_long_break_restores_the_patience() -> None:
    throttle, now = emptied(), 0.0
    while now < 2.5:
        now += throttle.take(now)
    now += 2.5
    assert throttle.take(now) == 0
    assert not throttle.is_exhausted(now)
    for _ in range(25):
        now += throttle.take(now)
    assert not throttle.is_exhausted(now)


@given(st.lists(st.floats(0, 0.04), min_size=200, max_size=200))
def test_a_busy_server_only_postpones_the_end(lags: list[float]) -> None:
    """Every message is handled a little late, which earns its sender a part of the next token."""
    throttle, now = emptied(), 0.0
    for lag in lags:
        now += throttle.take(now) + lag
    assert throttle.is_exhausted(now)


def emptied() -> TokenBucket:
    """A bucket whose burst is used up at time 0."""
    throttle = TokenBucket(LIMITS, 0.0)
    for _ in range(LIMITS.burst):
        throttle.take(0.0)
    return throttle


def test_infinite_patience_is_never_exhausted() -> None:
    throttle = TokenBucket(LIMITS.without_end(), 0.0)
    now = 0.0
    for _ in range(1000):
        now += throttle.take(now)
    assert now > 90
    assert not throttle.is_exhausted(now)


def test_without_a_rate_nothing_waits() -> None:
    throttle = TokenBucket(MessageLimits(per_second=0), 0.0)
    assert [throttle.take(0.0) for _ in range(10_000)] == [0.0] * 10_000


@given(st.lists(st.floats(0, 5), max_size=50))
def test_rate_and_burst_are_never_exceeded(pauses: list[float]) -> None:
    throttle, now, taken_at = TokenBucket(LIMITS, 0.0), 0.0, []
    for pause in pauses:
        now += pause
        now += throttle.take(now)
        taken_at.append(now)
    for first, start in enumerate(taken_at):
        for count, end in enumerate(taken_at[first:], 1):
            assert count <= LIMITS.burst + LIMITS.per_second * (end - start) + 1.001
