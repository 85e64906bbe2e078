"""No level waits while there is something to be won from a player who never moves."""

import pytest

from benchmarks.idleness import GREEDY, walk
from benchmarks.levels import LADDER


@pytest.mark.parametrize("variant", ["tiny", "small"])
@pytest.mark.parametrize("level", LADDER[1:-1])
def test_no_level_waits(level: str, variant: str) -> None:
    walked = walk(level, variant, 3)
    assert walked.idle <= 5
    if level not in ("beginner", "novice"):  # They err too often to walk straight.
        assert walked.turns <= 1.5 * walk(GREEDY, variant, 3).turns
