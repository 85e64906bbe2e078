"""A fair price: where an engine plays itself, its evaluation does not fall with every move of the seat to move."""

from statistics import mean

import pytest

from benchmarks.fair_price import price_of
from engines.networks import SHIPPED, load


@pytest.mark.parametrize(
    ("game", "variant", "samples", "games"),
    [("wallwars", "standard", 400, 8), ("hive", "Base+MLP", 4000, 8), ("carcassonne", "standard", 100, 4)],
)
@pytest.mark.slow
def test_the_best_move_costs_its_player_nothing_on_average(
    game: str, variant: str, samples: int, games: int
) -> None:
    gains = [gain for seed in range(games) for gain in price_of(game, variant, samples, seed).by_player]
    assert mean(gains) == pytest.approx(0.0, abs=0.025)


@pytest.mark.slow
def test_the_shipped_network_asks_a_fair_price() -> None:
    (model,) = load([SHIPPED / "wallwars-small.onnx"])
    gains = [
        gain for seed in range(2) for gain in price_of("wallwars", "standard", 100, seed, model).by_player
    ]
    assert mean(gains) == pytest.approx(0.0, abs=0.04)
