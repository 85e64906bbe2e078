"""Bots that vary: the errors of their evaluations follow from a seed, and analyses have none."""

import statistics

import pytest

from engines import BadConfig, Position, Report, Search, Variation, known_members
from engines.pool import EnginePool, Limits
from engines.variation import SLIGHT
from tests.engines.pools import Patterned, board, result

GAMES = [
    ("wallwars", "standard", {"boardWidth": 5, "boardHeight": 5}, "puct"),
    ("wallwars", "classic", {"boardWidth": 5, "boardHeight": 5}, "uct"),
    ("wallwars", "standard", {"boardWidth": 5, "boardHeight": 5}, "greedy"),
    ("hive", "Base", {}, "alphabeta"),
    ("carcassonne", "standard", {"seed": 4}, "uct"),
    ("carcassonne", "standard", {"seed": 4, "seats": 4}, "uct"),
    ("pyrat", "tiny", {"seed": 4}, "mcgs"),
]


def report(position: Position, search: str, samples: int, noise: float, seed: int) -> Report:
    opened = Search(position, "native", {"search": search, "evaluation_noise": noise}, seed)
    opened.run(samples)
    return opened.report(3)


@pytest.mark.parametrize(("game", "variant", "config", "search"), GAMES)
def test_errors_follow_from_the_seed_and_leave_the_sum_of_the_values(
    game: str, variant: str, config: dict[str, int], search: str
) -> None:
    position = Position(game, variant, config)
    for noise in (0.02, 0.3, 1.0):
        one, again, other = (report(position, search, 30, noise, seed) for seed in (5, 5, 6))
        assert (one.values, one.best_move) == (again.values, again.best_move)
        assert noise == 1.0 or one.values != other.values
        for found in (one, other):
            assert all(-1.0 < value < 1.0 for value in found.values)
            assert noise > 0.1 or sum(found.values) == pytest.approx(2 - position.seats, abs=1e-4)
            assert (
                not position.lists_moves
                or len(position.to_act) > 1
                or found.best_move in position.legal_moves()
            )


@pytest.mark.parametrize(("game", "variant", "config", "search"), GAMES)
def test_without_noise_a_search_is_as_ever(
    game: str, variant: str, config: dict[str, int], search: str
) -> None:
    position = Position(game, variant, config)
    plain = Search(position, "native", {"search": search}, 5)
    plain.run(30)
    none = report(position, search, 30, 0.0, 5)
    assert (plain.report(3).values, plain.report(3).best_move) == (none.values, none.best_move)


def test_errors_have_the_deviation_that_is_asked_for() -> None:
    position = Position("wallwars", "standard", {"boardWidth": 8, "boardHeight": 8})
    (true, _) = Search(position, "native").report().values
    errors = []
    for seed in range(400):
        search = Search(position, "native", {"evaluation_noise": 0.2}, seed)
        errors.append(search.report().values[0] - true)
    assert statistics.fmean(errors) == pytest.approx(0.0, abs=0.03)
    assert statistics.stdev(errors) == pytest.approx(0.2, rel=0.15)


@pytest.mark.parametrize("noise", [-0.1, 1.1, "much", None, True])
def test_a_deviation_that_is_none_is_refused(noise: object) -> None:
    with pytest.raises(BadConfig, match=r"search option evaluation_noise must be a number in 0\.\.1"):
        Search(Position("wallwars"), "native", {"evaluation_noise": noise})


def test_a_win_in_one_is_seen_through_any_noise() -> None:
    position = Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})
    position.play("Cb2", "---")
    for seed in range(20):
        search = Search(position, "native", {"evaluation_noise": 1.0}, seed)
        search.run(2)
        after = position.copy()
        after.play(search.report().best_move or "")
        assert after.outcome is not None, seed
        assert after.outcome.winners == [0]


def test_what_is_drawn_costs_little_on_a_large_board() -> None:
    """A turn lost at the start costs most of a point there, a fiftieth of what remains."""
    waiting = 0
    for seed in range(40):
        position = Position("pyrat", "medium", known_members("pyrat", {"seed": seed}))
        search = Search(position, "native", {"evaluation_noise": SLIGHT}, seed)
        search.run(500)
        waiting += (search.report().best_move or "").split("/").count("STAY")
    assert waiting <= 3  # The errors alone make two players wait, draws without a limit six.


@pytest.mark.parametrize("variant", ["standard", "classic"])
def test_bots_that_err_do_not_wait_for_ever(variant: str) -> None:
    """An error that stays with a position makes both bots pass in it again and again."""
    for seed in range(40):
        position = Position("wallwars", variant, {"boardWidth": 5, "boardHeight": 5})
        searches = [Search(position, "native", {"evaluation_noise": 0.5}, 2 * seed + seat) for seat in (0, 1)]
        while position.outcome is None:
            assert position.ply < 400, position.history[-10:]
            search = searches[position.to_act[0]]
            search.run(4)
            position.play(search.report().best_move or "")
            if position.outcome is None:
                for each in searches:
                    each.advance(position.history[-1])


def test_sessions_of_a_pool_vary_and_analyses_do_not() -> None:
    pool = EnginePool(threads=1)
    position = Position("wallwars", "standard", {"boardWidth": 8, "boardHeight": 8})
    variations = {f"v{seed}": Variation(0.05, seed) for seed in range(12)}
    try:
        for name, variation in variations.items():
            pool.open(name, position.copy(), variation)
        for name in ("a", "b"):
            pool.open(name, position.copy())
        pool.open("again", position.copy(), Variation(0.05, 3))
        found = {
            name: pool.evaluate(name, limits=Limits(100)).future.result(60)
            for name in (*variations, "a", "b", "again")
        }
    finally:
        pool.stop()
    assert found["a"] == found["b"]
    assert found["again"] == found["v3"]
    assert len({found[name].best_move for name in variations}) > 1


def test_a_network_may_have_other_errors_than_the_native_evaluators() -> None:
    pool = EnginePool(models=[Patterned()], threads=1)
    variations = {f"{noise} {seed}": Variation(0, seed, noise) for noise in (None, 0.3) for seed in range(2)}
    try:
        values = {}
        for size in (5, 6):  # The network is for 5x5 cells only.
            for name, variation in variations.items():
                pool.open(name, board(size), variation)
                values[size, name] = result(pool, name).values
                pool.close(name)
    finally:
        pool.stop()
    assert values[5, "None 0"] == values[5, "None 1"]
    assert values[5, "0.3 0"] != values[5, "0.3 1"]
    assert len({values[6, name] for name in variations}) == 1
