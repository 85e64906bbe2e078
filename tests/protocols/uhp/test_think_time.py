"""How long an engine in a seat may think about a move."""

import pytest

from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClockReading


@pytest.mark.parametrize(
    ("clock", "criteria", "expected"),
    [
        (None, None, MoveTime(5)),
        (None, MoveTime(9), MoveTime(9)),
        (None, Depth(4), Depth(4)),
        (ClockReading(60_000, 1000), None, MoveTime(3)),
        (ClockReading(60_000, 1000), MoveTime(5), MoveTime(3)),
        (ClockReading(60_000, 1000), MoveTime(2), MoveTime(2)),
        (ClockReading(60_000, 1000, 10_000), None, MoveTime(2)),
        (ClockReading(300_000, 5000), None, MoveTime(18)),
        (ClockReading(6_000, 10_000), None, MoveTime(2)),
        (ClockReading(10_000, 0), None, MoveTime(1)),
        (ClockReading(1_500, 0), None, MoveTime(1)),
        (ClockReading(1_499, 0), None, Depth(2)),
        (ClockReading(1_000, 0), Depth(1), Depth(1)),
        (ClockReading(1_000, 0), Depth(7), Depth(2)),
        (ClockReading(100_000, 0), Depth(7), Depth(7)),
    ],
)
def test_budget(
    clock: ClockReading | None, criteria: MoveTime | Depth | None, expected: MoveTime | Depth
) -> None:
    assert think_time(clock, criteria) == expected
