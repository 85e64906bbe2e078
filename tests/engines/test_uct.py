"""The UCT search as the pool drives it: phases, memory and time."""

from engines import Position, Search
from engines.pool import Limits
from engines.pool.job import Job, Priority
from engines.pool.lanes import run_alone

OPTIONS = {"search": "uct"}


def job(limits: Limits, max_bytes: int = 1 << 30, **options: object) -> Job:
    position = Position("carcassonne", config={"seats": 3, "seed": 5})
    search = Search(position, options={**OPTIONS, **options}, seed=1)
    return Job(search, limits, Priority.BATCH, "native", max_bytes=max_bytes)


def test_both_actions_of_a_move_get_all_samples() -> None:
    evaluated = job(Limits(300))
    run_alone(evaluated)
    assert evaluated.search.visits == 600
    again = job(Limits(300))
    assert run_alone(again).best_move == run_alone(job(Limits(300))).best_move


def test_a_search_ends_when_its_memory_is_used() -> None:
    cut = job(Limits(1_000_000), max_bytes=400_000)
    assert run_alone(cut).is_cut
    assert cut.search.bytes < 20_000_000, "a slice more, and much less than all samples need"


def test_time_ends_a_search_of_any_preset() -> None:
    for preset in ("default", "seed"):
        timed = job(Limits(None, 20), preset=preset)
        assert run_alone(timed).best_move


def test_a_second_evaluation_continues_the_trees() -> None:
    first = job(Limits(200))
    run_alone(first)
    second = Job(first.search, Limits(200), Priority.BATCH, "native")
    assert run_alone(second).inherited == 400
