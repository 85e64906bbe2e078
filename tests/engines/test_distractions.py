"""A weak level of PyRat runs to where the other player has just won a piece of cheese, and then goes on."""

from itertools import takewhile

import pytest

from engines import Position, Search

CHEESE = [[0, 0], [0, 1], [1, 1], [12, 0]]
"""Three pieces on the left, and one that the Python wins in the first turn."""


def steps(noise: float, seed: int) -> list[str]:
    """The moves of the Rat after the Python has won its piece; from then on, the Python stays."""
    config = {"width": 13, "height": 2, "walls": [], "cheese": CHEESE, "starts": [[6, 0], [11, 0]]}
    position = Position("pyrat", "open", config)
    search = Search(position, "native", {"search": "mcgs", "evaluation_noise": noise}, seed)
    moves: list[str] = []
    position.play("STAY/RIGHT")
    while position.to_act and len(moves) < 40:
        search.advance(position.history[-1])
        search.run(200)
        moves.append((search.report().best_move or "").split("/")[0])
        position.play(f"{moves[-1]}/STAY")
    return moves


def astray(moves: list[str]) -> int:
    """For how many turns the Rat runs the wrong way at first."""
    return len(list(takewhile("RIGHT".__eq__, moves)))


@pytest.mark.parametrize("seed", range(4))
def test_a_distracted_player_runs_to_the_place_and_back(seed: int) -> None:
    moves = steps(1.0, seed)
    assert astray(moves) == 6
    assert moves[6:].count("LEFT") - moves[6:].count("RIGHT") >= 11, "and wins the pieces on the left"


def test_distractions_follow_from_the_seed_and_grow_with_the_noise() -> None:
    turns = {noise: [astray(steps(noise, seed)) for seed in range(12)] for noise in (0.1, 0.15, 1.0)}
    assert turns[0.15] == [astray(steps(0.15, seed)) for seed in range(12)]
    assert len(set(turns[0.15])) > 2
    assert sum(turns[0.1]) < sum(turns[0.15]) < sum(turns[1.0])
