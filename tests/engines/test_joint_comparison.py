"""What a part of a joint move loses against the seat's best one, where seats move together."""

from collections.abc import Sequence

import pytest

from engines import Candidate, Comparison, Evaluation, Position, Search, known_members
from engines.inference import Model, exact_signature
from engines.joint_comparison import ComparingParts, compared_parts
from engines.pool import EnginePool, Limits, Priority
from engines.pool.job import AskedMove, Job
from engines.pool.lanes import run_alone
from tests.engines.uniform_model import UniformModel


def line(move: str, visits: int, lead: float, chance: float | None = None) -> Candidate:
    return Candidate(move, visits, lead / 10, (move,), chance, (5.0 + lead, 5.0))


def test_parts_are_compared_against_the_other_seats_policy() -> None:
    lines = [line("U/L", 60, 1.0), line("U/R", 20, -1.0), line("D/L", 15, -1.0), line("D/R", 5, 3.0)]
    # L is met in 75 of 100 visits: U wins .75·1 - .25·1 = .5, and D loses .75·1 - .25·3 = 0.
    first, second = compared_parts(lines, ("U", "L"), ("D", "R")) or ()
    assert (first.move, first.points, first.error) == ("D", 0.5, None)
    assert first.chance == pytest.approx(0.025)
    # U is met in 80 of 100: L loses .8·1 - .2·1 = .6, and R wins .8·1 - .2·3 = .2.
    assert (second.move, second.points) == ("R", -0.8)
    assert compared_parts(lines, ("U", "L"), ("U", "L")) == (Comparison("U", 0, 0), Comparison("L", 0, 0))
    assert compared_parts(lines, ("U", "L"), ("STAY", "L")) is None


def test_standing_still_loses_points_whatever_the_other_seat_does() -> None:
    """The rat is two steps from the only cheese, and the python three: each turn of idling gives the cheese away."""
    config = {
        "width": 5, "height": 5, "cheese": [[2, 2]], "starts": [[2, 0], [2, 4]], "walls": [], "mud": [], "maxTurns": 30,
    }  # fmt: skip
    position = Position("pyrat", "open", config)
    evaluation = evaluated(position, Limits(2000), "STAY/STAY")
    assert evaluation.best_move != "STAY/STAY"
    assert [one.points is not None and one.points > 0.1 for one in evaluation.comparisons or ()] == [
        True,
        True,
    ]


def evaluated(position: Position, limits: Limits, move: str, *models: Model) -> Evaluation:
    pool = EnginePool(threads=1, models=models)
    pool.open("g", position.copy())
    try:
        return pool.evaluate("g", limits=limits, following=[move]).future.result(60)
    finally:
        pool.stop()


def looked_again(position: Position, best: str, losses: Sequence[float], played: str) -> ComparingParts:
    """The comparison of a move that seems to lose so many points, after all of its searches."""
    parts = played.split("/")
    seen = [Comparison(part, 0.0, points) for part, points in zip(parts, losses, strict=True)]
    comparing = ComparingParts(position, best.split("/"), seen, None, 400)
    while (search := comparing.next_search()) is not None:
        search.run(comparing.samples)
    return comparing


RACE = {
    "width": 5, "height": 2, "cheese": [[0, 0], [2, 0], [4, 0]], "starts": [[1, 0], [3, 0]],
    "walls": [], "mud": [], "maxTurns": 30,
}  # fmt: skip
"""Both players stand between two pieces of cheese, of which they share the middle one."""


def test_a_part_that_seems_worse_is_looked_at_again() -> None:
    position = Position("pyrat", "open", RACE)
    found = looked_again(position, "RIGHT/LEFT", (5.0, 0.01), "LEFT/RIGHT").results
    assert [part.move for part in found] == ["LEFT", "RIGHT"]
    # The python takes the middle piece and is nearer to the last one, so the rat wins one of three, not one and a half.
    assert found[0].points == pytest.approx(1.0, abs=0.1)
    assert found[0].error == pytest.approx(0.0, abs=0.1)
    assert found[1] == Comparison("RIGHT", 0.0, 0.01)


def test_what_ends_the_game_is_known_without_a_search() -> None:
    config = {**RACE, "cheese": [[2, 0]]}
    comparing = looked_again(Position("pyrat", "open", config), "RIGHT/LEFT", (5.0, 0.0), "STAY/LEFT")
    # Together they share the piece; the python alone has all of it, with which the game ends as well.
    assert comparing.results[0] == Comparison("STAY", 0.5, 1.0, 0.0)


def test_few_visits_do_not_make_a_blunder() -> None:
    """By 45 of 2,000 visits, going right loses 11 of 41 points in this race, and by 50,000 it is the best step."""
    position = Position("pyrat", "medium", known_members("pyrat", {"seed": 104}))
    position.play("RIGHT/LEFT")
    (right, down) = evaluated(position, Limits(2000), "RIGHT/DOWN").comparisons or ()
    assert right.points is not None
    assert right.error is not None
    assert right.points < right.error < 5
    assert (down.points, down.error) == (0, None)


@pytest.mark.parametrize(("samples", "looks"), [(300, 1200), (3000, 8000), (9000, 9000)])
def test_looks_are_deeper_than_the_search(samples: int, looks: int) -> None:
    position = Position("pyrat", "open", {**RACE, "cheese": [[2, 0]], "starts": [[0, 0], [4, 0]]})
    ran: list[int] = []

    def run(search: Search, wanted: int) -> int:
        ran.append(wanted)
        return search.run(wanted)

    asked = AskedMove(position, "STAY/STAY")
    run_alone(Job(Search(position), Limits(samples), Priority.BATCH, "native", asked=asked), run)
    assert ran == [samples] + 8 * [looks // 2]


def test_parts_are_looked_at_again_after_searches_by_time() -> None:
    limits = Limits(2000, time_ms=60_000)  # By the samples that it has had.
    (left, _) = evaluated(Position("pyrat", "open", RACE), limits, "LEFT/LEFT").comparisons or ()
    assert left.points == pytest.approx(1.0, abs=0.2)
    assert left.error is not None


def test_parts_are_looked_at_again_by_networks() -> None:
    """Who waits for a turn leaves the only piece to the other: a network that knows nothing sees it at the end."""
    config = {**RACE, "cheese": [[2, 0]], "starts": [[0, 0], [4, 0]], "maxTurns": 2}
    position = Position("pyrat", "open", config)
    signature = exact_signature(position)
    assert signature is not None
    (stay, _) = evaluated(position, Limits(300), "STAY/LEFT", UniformModel(signature)).comparisons or ()
    assert stay.points == pytest.approx(1.0, abs=0.1)
    assert stay.error == pytest.approx(0.0, abs=0.1)
