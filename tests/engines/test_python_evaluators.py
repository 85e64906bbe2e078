"""Evaluators in Python: what they get, what they may return, and what happens if they fail."""

import gc
import json
import threading
import traceback
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engines import BadConfig, EvaluatorError, Position, Search

Rows = npt.NDArray[np.float32]
Evaluator = Callable[[Rows], Any]

SMALL = {"boardWidth": 5, "boardHeight": 5}
GAMES = {
    ("wallwars", "puct"): Position("wallwars", "standard", SMALL),
    ("wallwars", "uct"): Position("wallwars", "standard", SMALL),
    ("pyrat", "mcgs"): Position("pyrat", "tiny", {"seed": 4}),
    ("hive", "puct"): Position("hive"),
    ("carcassonne", "uct"): Position("carcassonne", config={"seed": 3, "seats": 3}),
    ("toy-draw", "uct"): Position("toy-draw", config={"seed": 3, "seats": 3}),
    ("toy-draw", "puct"): Position("toy-draw", config={"seed": 3}),
}
EVERY_GAME = pytest.mark.parametrize(("game", "search"), GAMES)


class Recorder:
    """Answers by a function of each row alone, and keeps what it got."""

    def __init__(self, position: Position, answer: Callable[[Rows, Rows], Any] | None = None) -> None:
        assert position.layout is not None
        self.layout = position.layout
        self.wins_points = position.points_unit is not None
        self.batches: list[Rows] = []
        self.answer = answer

    def __call__(self, batch: Rows) -> Any:
        self.batches.append(batch)
        sums = (batch.reshape(len(batch), -1) * np.arange(1, batch[0].size + 1)).sum(1, keepdims=True)
        policy = np.abs(np.sin(sums + np.arange(self.layout.policy))).astype(np.float32)
        values = (np.cos(sums + np.arange(self.layout.values)) / 2).astype(np.float32)
        if self.wins_points:
            values = np.abs(values)
        return (policy, values) if self.answer is None else self.answer(policy, values)


@EVERY_GAME
def test_a_callable_gets_batches_of_planes(game: str, search: str) -> None:
    position = GAMES[game, search]
    evaluator = Recorder(position)
    layout = evaluator.layout
    opened = Search(position, evaluator, search=search, batch=8)
    assert opened.run(100) == 100
    assert opened.visits == 100
    counters = opened.counters
    rows = sum(len(batch) for batch in evaluator.batches)
    assert counters.evaluations + counters.known == 100
    assert rows + counters.cache_hits == counters.evaluations
    assert all(1 <= len(batch) <= 8 for batch in evaluator.batches)
    assert max(len(batch) for batch in evaluator.batches) > 1
    for batch in evaluator.batches:
        assert batch.dtype == np.float32
        assert batch.shape[1:] == (layout.planes, layout.dim2, layout.dim3)
    assert opened.report().best_move is not None


@EVERY_GAME
def test_batches_of_one_search_in_the_same_way_with_and_without_a_cache(game: str, search: str) -> None:
    position = GAMES[game, search]
    told = []
    for cache in (0, 5, 10_000):
        opened = Search(position, Recorder(position), search=search, batch=1, cache=cache, seed=5)
        opened.run(60)
        opened.run(60)
        told.append(opened.root.to_json(3).partition('"nodes"')[2])
    assert told[0] == told[1] == told[2]


def test_uct_takes_the_values_alone() -> None:
    position = GAMES["toy-draw", "uct"]
    pair = Search(position, Recorder(position), search="uct")
    alone = Search(position, Recorder(position, lambda policy, values: values), search="uct")
    lists = Search(position, Recorder(position, lambda policy, values: values.tolist()), search="uct")
    for search in (pair, alone, lists):
        search.run(200)
    assert pair.root.to_json(3) == alone.root.to_json(3) == lists.root.to_json(3)


def constant(values: tuple[float, ...], batch: Rows) -> Rows:
    return np.tile(np.array(values, np.float32), (len(batch), 1))


def test_values_are_those_of_the_seats() -> None:
    position = GAMES["toy-draw", "uct"]
    for expected in ((0.75, -0.5, -0.25), (-1.0, -1.0, 1.0)):
        search = Search(position, partial(constant, expected), search="uct")
        search.run(5)
        assert search.root.q == pytest.approx(expected)
    pyrat = GAMES["pyrat", "mcgs"]
    search = Search(pyrat, lambda batch: (np.full((len(batch), 10), 0.2), np.full((len(batch), 2), 0.5)))
    search.run(1)
    assert pyrat.points_unit is not None
    assert search.root.evaluation == pytest.approx([pyrat.points_unit / 2] * 2)
    wallwars = GAMES["wallwars", "puct"]
    evaluator = Recorder(wallwars, lambda policy, values: (policy, np.full_like(values, 0.5)))
    search = Search(wallwars, evaluator, search="puct", batch=1)
    search.run(1)
    assert search.root.q == [0.5, -0.5]


def test_the_range_of_values_is_that_of_results_or_of_points() -> None:
    def answer(value: float, batch: Rows) -> Any:
        layout = position.layout
        assert layout is not None
        return np.zeros((len(batch), layout.policy)), np.full((len(batch), layout.values), value)

    for game, search, least in (("wallwars", "puct", -1), ("pyrat", "mcgs", 0)):
        position = GAMES[game, search]
        for value in (least, least - 1e-6, 1, 1 + 1e-6):
            Search(position, partial(answer, value), search=search).run(1)
        for value in (least - 0.01, 1.01):
            with pytest.raises(EvaluatorError, match=f"partial returned .* not a number from {least} to 1"):
                Search(position, partial(answer, value), search=search).run(1)


def visited(search: Search) -> dict[str, object]:
    """Visits and Q of the nodes of a tree. A search may list actions before it gives a leaf back."""
    tree = json.loads(search.root.to_json(4))
    return {" ".join(node["moves"]): (node["visits"], node["q"]) for node in tree["nodes"]}


BAD: dict[str, tuple[Callable[[Rows, Rows], Any], str]] = {
    "nan": (lambda policy, values: (policy, values * np.nan), "NaN in row 0 of its values"),
    "inf": (lambda policy, values: (policy, values + np.inf), "returned inf in row 0 of its values"),
    "negative": (lambda policy, values: (policy - 2, values), "its policy, not a number from 0 to 1"),
    "logits": (lambda policy, values: (policy + 9, values), "its policy, not a number from 0 to 1"),
    "large": (
        lambda policy, values: (policy, np.full_like(values, 1.5)),
        "the evaluator Recorder returned 1.5 in row 0 of its values, not a number from ",
    ),
    "small": (lambda policy, values: (policy, values - 2), "of its values, not a number from "),
    "narrow": (lambda policy, values: (policy[:, 1:], values), "policy of shape"),
    "short": (lambda policy, values: (policy, values[1:]), "values of shape"),
    "flat": (lambda policy, values: (policy, values[:, 0]), "values of shape"),
    "nothing": (lambda policy, values: None, "NoneType, not (policy, values)"),
    "text": (
        lambda policy, values: (policy, "even"),
        "values that are no array of numbers: ValueError: could not",
    ),
    "alone": (lambda policy, values: values, "ndarray, not (policy, values)"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize(("game", "search"), [("wallwars", "puct"), ("pyrat", "mcgs")])
def test_what_is_unusable_is_refused_and_changes_nothing(game: str, search: str, case: str) -> None:
    position, (answer, message) = GAMES[game, search], BAD[case]
    evaluator = Recorder(position)
    opened = Search(position, evaluator, search=search, batch=4)
    opened.run(30)
    told = visited(opened)
    evaluator.answer = answer
    with pytest.raises(EvaluatorError) as refusal:
        opened.run(50)
    assert message in str(refusal.value)
    assert visited(opened) == told
    evaluator.answer = None
    untroubled = Search(position, Recorder(position), search=search, batch=4)
    untroubled.run(30)
    for each in (opened, untroubled):
        each.run(30)
    assert visited(opened) == visited(untroubled)


@EVERY_GAME
def test_an_exception_is_the_cause_and_only_its_search_fails(game: str, search: str) -> None:
    position = GAMES[game, search]

    def broken(batch: Rows) -> None:
        raise KeyError(f"no weights for {len(batch)} rows")

    failing = Search(position, broken, search=search)
    others = [Search(position, Recorder(position), search=search, seed=seed) for seed in range(2)]
    threads = [threading.Thread(target=other.run, args=(100,)) for other in others]
    for thread in threads:
        thread.start()
    for _ in range(3):
        with pytest.raises(EvaluatorError, match="raised KeyError: 'no weights") as failure:
            failing.run(10)
        cause = failure.value.__cause__
        assert isinstance(cause, KeyError)
        assert traceback.extract_tb(cause.__traceback__)[-1].name == "broken"
    for thread in threads:
        thread.join()
    assert [other.visits for other in others] == [100, 100]
    assert failing.visits == 0


def test_interrupts_pass_through() -> None:
    def interrupted(batch: Rows) -> None:
        raise KeyboardInterrupt

    search = Search(GAMES["wallwars", "uct"], interrupted, search="uct")
    with pytest.raises(KeyboardInterrupt):
        search.run(10)


@EVERY_GAME
def test_the_callable_may_look_at_its_search_but_not_run_it(game: str, search: str) -> None:
    position = GAMES[game, search]
    seen = []

    def curious(batch: Rows) -> object:
        seen.append((opened.root.visits, opened.visits, opened.report().visits))
        with pytest.raises(RuntimeError, match="running already"):
            opened.run(1)
        return answers(batch)

    answers = Recorder(position)
    opened = Search(position, curious, search=search, batch=4)
    opened.run(40)
    assert [visits for _, visits, _ in seen] == sorted(visits for _, visits, _ in seen)
    assert all(visits == reported for _, visits, reported in seen)


@EVERY_GAME
def test_a_copy_in_the_middle_of_a_batch_has_no_leaves_in_flight(game: str, search: str) -> None:
    position = GAMES[game, search]
    copies: list[tuple[int, Search]] = []

    def copying(batch: Rows) -> object:
        if len(copies) < 6:
            copies.append((opened.visits, opened.copy()))
        return answers(batch)

    answers = Recorder(position)
    opened = Search(position, copying, search=search, batch=6)
    opened.run(80)
    assert len(copies) == 6
    for visits, copy in copies:
        assert copy.visits == copy.root.visits == visits
        assert copy.run(30) == 30
        counters = copy.counters
        assert counters.evaluations + counters.known == copy.visits == visits + 30


def test_a_move_in_the_middle_of_a_batch_ends_nothing() -> None:
    position = GAMES["pyrat", "mcgs"]

    def moving(batch: Rows) -> object:
        if len(evaluator.batches) == 3:
            opened.advance("UP/DOWN")
        return evaluator(batch)

    evaluator = Recorder(position)
    opened = Search(position, moving, batch=4)
    assert opened.run(40) <= 40
    opened.run(40)
    assert opened.visits > 0


def test_a_run_ends_with_its_time_and_with_an_interruption() -> None:
    position = GAMES["wallwars", "puct"]
    evaluator = Recorder(position)
    search = Search(position, evaluator, search="puct", batch=2)
    assert 0 < search.run(1 << 30, milliseconds=20) < 1 << 30
    search.interrupt()
    before = len(evaluator.batches)
    search.run(1 << 30)
    assert len(evaluator.batches) <= before + 1


def test_a_finished_game_needs_no_evaluator() -> None:
    position = Position("toy-draw", config={"seed": 3})
    position.forfeit(0)
    evaluator = Recorder(position)
    search = Search(position, evaluator, search="uct")
    assert search.run(10) == 0
    assert evaluator.batches == []


def test_a_copy_asks_the_same_callable() -> None:
    position = GAMES["wallwars", "puct"]
    evaluator = Recorder(position)
    search = Search(position, evaluator, search="puct")
    search.run(50)
    copy, before = search.copy(), len(evaluator.batches)
    copy.run(50)
    search.run(50)
    assert len(evaluator.batches) > before
    assert copy.root.to_json(3) == search.root.to_json(3)


class Owner:
    """Owns a search and nodes of it, and is its evaluator."""

    def __init__(self, position: Position) -> None:
        self.answers = Recorder(position)
        self.search = Search(position, self.evaluate, search="puct")
        self.search.run(20)
        self.kept = (self.search.root, self.search.root.edges)

    def evaluate(self, batch: Rows) -> object:
        return self.answers(batch)


def test_an_evaluator_that_owns_its_search_is_collected() -> None:
    owner = weakref.ref(Owner(GAMES["wallwars", "puct"]))
    gc.collect()
    assert owner() is None


def test_refusals_name_what_is_wrong() -> None:
    wallwars, evaluator = GAMES["wallwars", "puct"], Recorder(GAMES["wallwars", "puct"])
    openings: list[tuple[Callable[[], Search], str]] = [
        (
            lambda: Search(Position("toy-goofspiel"), evaluator),
            "toy-goofspiel has no planes for evaluators in Python",
        ),
        (
            lambda: Search(wallwars, evaluator, search="alphabeta"),
            "alphabeta has evaluators of the game only",
        ),
        (lambda: Search(GAMES["pyrat", "mcgs"], evaluator, eval="native"), "eval names another one"),
        (lambda: Search(wallwars, evaluator, batch=0), "batch must be a whole number in 1..4096"),
        (lambda: Search(wallwars, evaluator, batch=1 << 20), "batch must be"),
        (lambda: Search(wallwars, evaluator, cache=1 << 40), "cache must be"),
        (lambda: Search(wallwars, batch=4), "are for evaluators in Python"),
        (lambda: Search(wallwars, 3), "a name or a callable"),  # type: ignore[arg-type]
    ]
    for open_search, message in openings:
        with pytest.raises(BadConfig) as refusal:
            open_search()
        assert message in str(refusal.value)
