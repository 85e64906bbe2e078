"""A fair price: where an engine plays itself, its evaluation does not fall with every move of the seat to move."""

import pytest

from benchmarks.fair_price import gains, price_of
from engines.networks import SHIPPED, load


@pytest.mark.parametrize(
    ("game", "variant", "samples", "games"),
    [("wallwars", "standard", 400, 8), ("hive", "Base+MLP", 4000, 8), ("carcassonne", "standard", 100, 4)],
)
def test_the_best_move_costs_its_player_nothing_on_average(
    game: str, variant: str, samples: int, games: int
) -> None:
    sums, counts = zip(
        *(gains(price_of(game, variant, samples, seed).by_player) for seed in range(games)), strict=True
    )
    assert sum(sums) / sum(counts) == pytest.approx(0.0, abs=0.025)


def test_the_shipped_network_asks_a_fair_price() -> None:
    (model,) = load([SHIPPED / "wallwars-small.onnx"])
    prices = [price_of("wallwars", "standard", 100, seed, model).by_player for seed in range(2)]
    sums, counts = zip(*map(gains, prices), strict=True)
    assert sum(sums) / sum(counts) == pytest.approx(0.0, abs=0.04)
