"""Calibrations of whole games: that they blend their maps, what is refused, and that a fit finds what made the data."""

import json
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position, games
from engines.bots import random_move
from engines.calibration import BadCalibration, Calibration
from engines.game_calibration import GameCalibration
from engines.start_config import known_members

FLAT = Calibration(((0.0, 0.5), (0.6, 0.6), (1.0, 1.0)))
STEEP = Calibration(((0.0, 0.5), (0.2, 0.8), (0.5, 0.9), (1.0, 1.0)))
MANY = Calibration(((-1.0, 0.0), (0.0, 0.6), (1.0, 1.0)))
GAME = GameCalibration(((0.2, FLAT), (0.8, STEEP)))
VALUES, MOMENTS = st.floats(-1.0, 1.0), st.floats(0.0, 1.0)


@given(VALUES, VALUES, MOMENTS)
def test_a_higher_value_never_has_a_lower_score(first: float, second: float, progress: float) -> None:
    low, high = sorted((first, second))
    assert GAME.at(progress).score(low) <= GAME.at(progress).score(high)


@given(VALUES, MOMENTS, st.floats(0.0, 0.05))
def test_a_score_does_not_jump_with_time(value: float, progress: float, later: float) -> None:
    now, then = (GAME.at(moment).score(value) for moment in (progress, min(1.0, progress + later)))
    assert abs(now - then) <= later / 0.6 + 0.0002


@pytest.mark.parametrize(
    ("progress", "score"), [(0.0, 0.6), (0.2, 0.6), (0.5, 0.76), (0.8, 0.92), (1.0, 0.92)]
)
def test_between_two_moments_the_maps_are_blended(progress: float, score: float) -> None:
    assert GAME.at(progress).score(0.6) == pytest.approx(score)


@pytest.mark.parametrize("calibration", [GAME, GameCalibration.always(STEEP), GameCalibration.always(MANY)])
def test_a_calibration_is_read_as_it_was_written(calibration: GameCalibration) -> None:
    assert GameCalibration.read(json.loads(json.dumps(calibration.write()))) == calibration


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "1 to 20 maps, not 0"),
        ({"early": [[0, 0.5], [1, 1]]}, "named by the progress of the game, such as 0.5, not 'early'"),
        ({"1.5": [[0, 0.5], [1, 1]]}, "from 0 to 1, not 1.5"),
        ({"nan": [[0, 0.5], [1, 1]]}, "from 0 to 1, not nan"),
        ({"0.5": [[0, 0.5], [1, 1]], "0.2": [[0, 0.5], [1, 1]]}, "0.2 does not come after 0.5"),
        ({"0.5": [[0, 0.5], [1, 1]], "0.8": [[-1, 0], [1, 1]]}, "begin with the same point"),
        ({"0.5": [[0, 0.5]]}, "2 to 100 points"),
        ("0.5", "is a list of points"),
    ],
)
def test_other_data_is_refused(data: object, says: str) -> None:
    with pytest.raises(BadCalibration, match=says):
        GameCalibration.read(data)


def test_a_fit_finds_the_maps_that_made_the_scores() -> None:
    numbers = np.random.default_rng(1)
    progress, values = numbers.uniform(size=60_000), numbers.uniform(-1.0, 1.0, 60_000)
    chances = 1.0 / (1.0 + np.exp(-(1.0 + 6.0 * progress) * values))
    scores = (numbers.uniform(size=values.size) < chances).astype(float)
    fitted = GameCalibration.fit(progress, values, scores, seats=2)
    both = np.stack([values, -values], axis=1)
    assert np.abs(fitted.chances(progress[:5000], both[:5000])[:, 0] - chances[:5000]).mean() < 0.015


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_progress_goes_from_zero_to_one_and_never_back(game: str) -> None:
    position, rng = Position(game, config=known_members(game, {"seed": 5})), random.Random(5)
    moments = [position.progress]
    while position.to_act and len(moments) < 400:
        position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
        moments.append(position.progress)
    assert moments[0] == 0.0
    assert all(before <= after <= 1.0 for before, after in pairwise(moments))
