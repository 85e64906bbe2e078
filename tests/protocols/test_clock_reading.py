"""The share of a clock that a move may take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.values import ClockReading

TIMES = st.integers(0, 10**8)


@given(remaining=TIMES, increment=TIMES, lag=st.integers(0, 60_000))
def test_a_share_leaves_two_thirds_of_the_time(remaining: int, increment: int, lag: int) -> None:
    share = ClockReading(remaining, increment, lag).share_ms
    assert 1 <= share <= max(1, remaining // 3)
    assert share <= ClockReading(remaining + 1, increment, lag).share_ms
    assert share <= ClockReading(remaining, increment + 1, lag).share_ms


@given(remaining=TIMES, increment=TIMES)
def test_time_never_runs_out(remaining: int, increment: int) -> None:
    for _ in range(100):
        share = ClockReading(remaining, increment).share_ms
        assert share <= max(1, remaining)
        remaining += increment - min(share, remaining)


@pytest.mark.parametrize(
    ("remaining", "increment", "share"),
    [(60_000, 0, 2995), (60_000, 2000, 4595), (3000, 60_000, 1000), (50, 0, 1), (0, 0, 1)],
)
def test_shares(remaining: int, increment: int, share: int) -> None:
    assert ClockReading(remaining, increment).share_ms == share
