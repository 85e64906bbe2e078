"""Searches as driven from Python: depth, interruption, and the time for moves of one action."""

import signal
import threading

import pytest

from engines import BadConfig, Position, Search
from engines.pool import Job, Limits, Priority
from engines.pool.lanes import simulations_wanted

UNLIMITED = 1 << 30


def test_a_depth_ends_the_search() -> None:
    search = Search(Position("hive"), options={"maxDepth": 3})
    assert 0 < search.run(UNLIMITED) < UNLIMITED
    report = search.report()
    assert report.depth == 3
    assert report.best_move in Position("hive").legal_moves()
    assert search.run(1) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_time_and_interruption_end_a_search_soon(threads: int) -> None:
    search = Search(Position("hive"), options={"threads": threads, "hashMB": 4})
    search.run(UNLIMITED, milliseconds=100)
    timer = threading.Timer(0.1, search.interrupt)
    timer.start()
    search.run(UNLIMITED)
    timer.join()
    assert search.report().best_move


def test_hive_is_searched_by_alpha_beta_unless_asked_otherwise() -> None:
    for options, deepens in [({}, True), ({"search": "puct"}, False), ({"search": "greedy"}, False)]:
        search = Search(Position("hive"), options=options)
        search.run(5000)
        assert (search.report().depth > 0) == deepens
    with pytest.raises(BadConfig, match="threads"):
        Search(Position("hive"), options={"puct": 1.5})


def test_a_search_of_fifty_thousand_nodes_is_small() -> None:
    search = Search(Position("hive"))
    search.run(50_000)
    assert search.bytes < 1 << 20


@pytest.mark.parametrize("search", ["puct", "alphabeta"])
def test_a_move_of_one_action_uses_all_the_time(search: str) -> None:
    job = Job(
        Search(Position("hive"), options={"search": search}), Limits(None, 100), Priority.BATCH, "native"
    )
    job.begin(0)
    job.search.run(100)
    assert simulations_wanted(job, 70) > 0
    assert simulations_wanted(job, 101) == 0
    job.finish()
    assert job.future.result().best_move


def test_the_first_of_two_actions_leaves_time_for_the_second() -> None:
    job = Job(Search(Position("wallwars")), Limits(None, 100), Priority.BATCH, "native")
    job.begin(0)
    job.search.run(100)
    assert simulations_wanted(job, 70) > 0
    assert job.search.focus_visits < job.search.visits, "the second action is searched"
    assert simulations_wanted(job, 101) == 0


def test_a_late_job_still_finds_a_move() -> None:
    job = Job(Search(Position("wallwars")), Limits(None, 1), Priority.BATCH, "native")
    job.begin(0)
    assert simulations_wanted(job, 1000) > 0
    job.count(job.search.run(16))
    assert simulations_wanted(job, 1000) == 0


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("wallwars", "standard"),
        ("wallwars", "classic"),
        ("hive", None),
        ("carcassonne", None),
        ("pyrat", None),
    ],
)
@pytest.mark.parametrize("samples", [1, 2])
def test_a_search_that_hardly_began_knows_a_move(game: str, variant: str | None, samples: int) -> None:
    position = Position(game, variant)
    search = Search(position)
    search.run(samples)
    move = search.report().best_move
    assert move is not None
    position.play(move)


def test_a_signal_is_noticed_while_a_search_runs() -> None:
    search = Search(Position("wallwars", None, {"boardWidth": 4, "boardHeight": 4}), search="puct")
    seen: list[int] = []

    def handler(*_: object) -> None:
        seen.append(search.report().visits)
        raise KeyboardInterrupt

    main = threading.main_thread().ident
    assert main is not None

    def run() -> None:
        threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGUSR1)).start()
        search.run(2_000_000)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [search.visits]
    assert search.visits < 2_000_000
    assert search.run(10) == 10
