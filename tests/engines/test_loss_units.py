"""The unit in which the losses of moves are judged, on boards and with seats that it was not fitted to."""

import pytest

from engines import Position
from engines.loss_units import loss_unit


@pytest.mark.parametrize("seats", range(2, 6))
def test_it_grows_with_the_root_of_the_number_of_seats(seats: int) -> None:
    two, more = (loss_unit(Position("carcassonne", config={"seats": count})) for count in (2, seats))
    assert (more.size / two.size) ** 2 == pytest.approx(seats / 2)
    assert more.in_points


@pytest.mark.parametrize("side", [12, 16, 20])
def test_it_is_smaller_in_proportion_where_a_usual_game_is_longer(side: int) -> None:
    positions = [
        Position("wallwars", config={"boardWidth": cells, "boardHeight": cells}) for cells in (10, side)
    ]
    shorter, longer = (loss_unit(position).size * (position.usual_plies or 0) for position in positions)
    assert shorter == pytest.approx(longer)


def test_it_is_the_same_on_all_boards_of_pyrat() -> None:
    units = {loss_unit(Position("pyrat", variant)) for variant in ("tiny", "medium", "huge")}
    assert len(units) == 1
