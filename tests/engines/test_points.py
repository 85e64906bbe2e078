"""Expected points: in games with points, searches say what each seat will have in the end."""

import math

import pytest

from engines import Position, Search

WITH_POINTS = [
    *(("carcassonne", {"seats": seats, "tileCount": 9}) for seats in range(2, 6)),
    ("pyrat", {"width": 5, "height": 5, "cheeseCount": 5}),
]


def searches(game: str) -> list[str]:
    """The searches whose evaluators estimate points."""
    return ["montecarlo", "mcgs"] if game == "pyrat" else ["montecarlo", "greedy", "uct"]


@pytest.mark.parametrize(("game", "config"), WITH_POINTS)
def test_every_search_expects_points_and_knows_those_of_a_finished_game(
    game: str, config: dict[str, int]
) -> None:
    for name in searches(game):
        position = Position(game, config={**config, "seed": 3})
        search = Search(position, options={"search": name}, seed=1)
        won: list[float] | None = None
        while position.outcome is None:
            search.run(30)
            while search.focus():
                search.run(10)
            search.unfocus()
            report = search.report(3)
            for points in (report.points, *(line.points for line in report.lines)):
                assert points is not None, name
                assert len(points) == position.seats
                assert all(math.isfinite(one) for one in points)
            won = report.points if 1.0 in report.values and len(position.to_act) == 1 else None
            position.play(report.best_move or "")
            search.advance(position.history[-1])
        assert search.report().points == position.outcome.scores, name
        assert won in (None, position.outcome.scores), name


@pytest.mark.parametrize(("game", "config"), WITH_POINTS)
def test_points_are_in_the_unit_of_the_game(game: str, config: dict[str, int]) -> None:
    """With one turn to come, nobody expects more or less than that turn can bring."""
    position = Position(game, config={**config, "seed": 5})
    search = Search(position, seed=2)
    before: list[float] = []
    while position.outcome is None:
        search.run(200)
        while search.focus():
            search.run(50)
        search.unfocus()
        report = search.report()
        assert report.points is not None
        before = report.points
        position.play(report.best_move or "")
        search.advance(position.history[-1])
    assert position.outcome.scores is not None
    assert before == pytest.approx(position.outcome.scores, abs=3.0 if game == "carcassonne" else 1.0)


@pytest.mark.parametrize("game", ["wallwars", "hive"])
def test_games_without_points_have_none(game: str) -> None:
    search = Search(Position(game))
    search.run(50)
    report = search.report()
    assert report.points is None
    assert all(line.points is None for line in report.lines)
