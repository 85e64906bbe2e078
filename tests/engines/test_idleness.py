"""No level waits or walks to and fro while there is something to be won from a player who never moves."""

from statistics import mean

import pytest

from benchmarks import levels
from benchmarks.idleness import GREEDY, walk
from benchmarks.levels import LADDER
from engines import Position, known_members

BOARDS = range(1, 7)


@pytest.mark.parametrize("variant", ["tiny", "small"])
@pytest.mark.parametrize("level", LADDER[1:-1])
def test_no_level_waits(level: str, variant: str) -> None:
    boards = BOARDS if level in LADDER[:4] else BOARDS[2:3]  # The others search longer.
    walked = [walk(level, variant, board) for board in boards]
    assert max(one.idle for one in walked) <= 5
    greedy = [walk(GREEDY, variant, board).turns for board in boards]
    assert mean(one.turns / least for one, least in zip(walked, greedy, strict=True)) <= 1.4


@pytest.mark.soak
def test_the_strongest_players_do_not_walk_to_and_fro() -> None:
    """Moves towards the nearest piece took back the best ones here, of both players in turn."""
    position = Position("pyrat", "medium", known_members("pyrat", {"seed": 423}))
    levels.play(position, [levels.player(LADDER[-1], position, 2 * 423 + seat) for seat in (0, 1)])
    cells = [
        [position.at_ply(ply).view()["players"][seat]["cell"] for ply in range(position.ply)]
        for seat in (0, 1)
    ]
    for walked in cells:
        returns = [
            now == earlier != between
            for earlier, between, now in zip(walked, walked[1:], walked[2:], strict=False)
        ]
        assert "111111" not in "".join("01"[turned] for turned in returns)
