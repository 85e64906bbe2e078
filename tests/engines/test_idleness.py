"""No level waits or walks to and fro while there is something to be won from a player who never moves."""

from statistics import mean

import pytest

from benchmarks.idleness import GREEDY, walk
from benchmarks.levels import LADDER

BOARDS = range(1, 7)


@pytest.mark.parametrize("variant", ["tiny", "small"])
@pytest.mark.parametrize("level", LADDER[1:-1])
def test_no_level_waits(level: str, variant: str) -> None:
    boards = BOARDS if level in LADDER[:4] else BOARDS[2:3]  # The others search longer.
    walked = [walk(level, variant, board) for board in boards]
    assert max(one.idle for one in walked) <= 5
    greedy = [walk(GREEDY, variant, board).turns for board in boards]
    assert mean(one.turns / least for one, least in zip(walked, greedy, strict=True)) <= 1.4
