"""Work whose next task depends on the last result: begun early, on several threads, it gives the same result."""

from collections import Counter
from dataclasses import replace

import pytest

from engines import Position
from engines.book_writer import analyser, book_rows
from engines.executors.executor import LocalExecutor
from engines.explorer.self_play import OpeningGames, play_openings
from engines.opening_writer import OpeningPlan, openings
from engines.puzzles.checks import Standard
from engines.puzzles.miner import MiningCount
from engines.puzzles.mining import MinedGame, NumberedGame, mine
from engines.puzzles.self_play import GamePlan
from engines.training.features import FeatureGames, play_games
from engines.training.fit_weights import WeightedGames, play

BOARD = {"boardWidth": 5, "boardHeight": 5}
EASY = Standard(gap=1, effort=1)


def test_a_book_has_the_same_rows() -> None:
    start = Position("wallwars", None, BOARD)
    with LocalExecutor(4) as executor:
        ahead = book_rows(start, "5x5", 25, analyser([], 60), executor=executor)
    assert ahead == book_rows(start, "5x5", 25, analyser([], 60))


def test_openings_are_the_same() -> None:
    plan = OpeningPlan("wallwars", "standard", BOARD, plies=1, limit=0.3, samples=20)
    with LocalExecutor(4) as executor:
        assert list(openings(plan, 8, executor)) == list(openings(plan, 8))


def test_games_of_the_explorer_are_the_same() -> None:
    plan = OpeningGames("wallwars", "standard", BOARD, games=12, depth=4)
    done: list[int] = []
    with LocalExecutor(4) as executor:
        ahead = play_openings(plan, done.append, executor)
    assert ahead == play_openings(plan)
    assert done == list(range(1, 13))


def mined(slots: int) -> tuple[list[MinedGame], MiningCount]:
    count = MiningCount(most_easy=0.5)
    plan = GamePlan("wallwars", None, {"boardWidth": 4, "boardHeight": 4})
    games = (NumberedGame(number, None) for number in range(40))
    with LocalExecutor(slots) as executor:
        return list(mine(games, plan, EASY, count, executor)), count


@pytest.mark.slow
def test_puzzles_are_the_same() -> None:
    """Although earlier games decide whether easy puzzles are taken in later ones."""
    (one, alone), (other, together) = mined(1), mined(4)
    assert [game.puzzles for game in other] == [game.puzzles for game in one]
    assert replace(together, asked=[]) == replace(alone, asked=[])
    assert sum(len(game.puzzles) for game in one) > 2
    assert {answer for game in one for _, answer in game.count.asked} == {True, False}


def test_a_mined_game_holds_while_the_same_decisions_follow() -> None:
    count = MiningCount(0.5, kept=Counter(hard=1))
    before = count.kept.copy()
    assert count.takes_easy()
    count.kept["easy"] += 1
    assert count.takes_easy()
    game = MinedGame(NumberedGame(0, None), [], count, before)
    assert game.holds(before)
    assert game.holds(Counter(hard=5))
    assert not game.holds(Counter(easy=1)), "the first answer would be another one"
    assert not game.holds(Counter(easy=1, hard=1)), "and here the second one"


def test_examples_of_native_evaluators_are_the_same() -> None:
    settings = FeatureGames("hive", {"Base": 1.0}, samples=10, most_plies=10)
    weighted = WeightedGames("carcassonne", samples=2, positions=3)
    with LocalExecutor(3) as executor:
        one, other = (next(play_games(settings, 1, 600, each)) for each in (executor, None))
        assert (one.features == other.features).all()
        several, alone = (play(weighted, 1, 0, each) for each in (executor, None))
    values = [[[each.searched for each in game] for game in games] for games in (several, alone)]
    assert values[0] == values[1]
    assert len(alone) >= 10
