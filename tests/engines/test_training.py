"""Self-play and its examples, which need no torch; what needs it is tested in ``tests/training``."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines import Position, RuleError, Search, games
from engines.training.boards import boards_of, layout_of
from engines.training.examples import Example, Examples, Window
from engines.training.ladder import LadderResult, rate
from engines.training.producer import Producer
from engines.training.self_play import NativeEngine, SelfPlay, SelfPlayOptions

SHORT = SelfPlayOptions(visits=40, brief_visits=10, full_share=0.5)
FLAG_OF_SEAT_0 = 7


def row_of(position: Position) -> "tuple[np.ndarray, np.ndarray]":
    layout = layout_of(position)
    planes = np.zeros((layout.planes, layout.dim2, layout.dim3), np.float32)
    policy = np.zeros(layout.policy, np.float32)
    search = Search(position, "native", {}, 1)
    search.run(50)
    assert search.example(layout.values, planes, policy) is not None
    return planes, policy


def mirrored(move: str, columns: int) -> str:
    def column(found: re.Match[str]) -> str:
        number = ord(found[2]) - ord("a")
        last = columns - 2 if found[1] == ">" else columns - 1
        return found[1] + chr(ord("a") + last - number) + found[3]

    return re.sub(r"([CM>^])([a-z])(\d+)", column, move)


@pytest.mark.parametrize("variant", ["standard", "classic"])
@pytest.mark.parametrize("size", [(8, 8), (5, 7), (12, 10)])
def test_the_mirror_image_of_a_game_is_the_game_of_the_other_seat(
    variant: str, size: tuple[int, int]
) -> None:
    config = {"boardWidth": size[0], "boardHeight": size[1]}
    position, image = Position("wallwars", variant, config), Position("wallwars", variant, config)
    (symmetry,) = layout_of(position).symmetries
    search = Search(position, "native", {"noiseFraction": 1.0}, 3)
    image.play("---")
    for _ in range(12):
        search.run(60)
        move = search.report().best_move
        assert move is not None
        search.advance(move)
        position.play(move)
        image.play(mirrored(move, size[0]))
        if position.outcome is not None:
            break
        # The one-move rule is the only thing that tells the seats apart.
        planes, _ = row_of(position)
        seen, _ = row_of(image)
        reflected = planes.reshape(-1)[symmetry[0]].reshape(planes.shape)
        kept = [plane for plane in range(len(planes)) if plane != FLAG_OF_SEAT_0]
        assert (reflected[kept] == seen[kept]).all()


def test_a_symmetry_is_a_permutation_and_its_own_inverse() -> None:
    for board in boards_of("wallwars") + boards_of("pyrat"):
        layout = board.layout
        assert len(layout.symmetries) == (7 if board.game == "pyrat" else 1)
        for symmetry in layout.symmetries:
            lengths = [layout.planes * layout.dim2 * layout.dim3, layout.policy, layout.values]
            assert [len(permutation) for permutation in symmetry] == lengths
            for permutation in symmetry:
                assert [permutation[index] for index in permutation] == list(range(len(permutation)))


def test_a_policy_reflects_as_the_moves_do() -> None:
    position = Position("wallwars")
    layout = layout_of(position)
    ((_, reflection, values),) = layout.symmetries
    assert values == [0]
    walls = 2 * layout.dim2 * layout.dim3
    # Right and left change places for both pawns, up and down stay.
    assert [reflection[walls + step] - walls for step in range(8)] == [2, 1, 0, 3, 6, 5, 4, 7]


def test_an_example_is_what_the_search_found() -> None:
    position = Position("wallwars", "standard", {"boardWidth": 5, "boardHeight": 5})
    planes, policy = row_of(position)
    assert policy.sum() == pytest.approx(1)
    assert (policy >= 0).all()
    assert planes.min() == 0
    assert planes.max() == 1


def test_a_search_without_visits_gives_no_example() -> None:
    position = Position("wallwars")
    layout = layout_of(position)
    planes = np.zeros((layout.planes, layout.dim2, layout.dim3), np.float32)
    assert Search(position).example(1, planes, np.zeros(layout.policy, np.float32)) is None
    search = Search(position)
    search.run(50)
    assert search.example(1, planes, np.zeros(7, np.float32)) is None
    assert search.example(1, np.zeros((9, 5, 5), np.float32), np.zeros(layout.policy, np.float32)) is None


def test_forced_simulations_leave_no_trace_in_the_policy() -> None:
    """With noise alone that prefers random actions, most of what was forced is not confirmed by the values."""
    position = Position("wallwars")
    layout = layout_of(position)
    counts = []
    for forced in (0, 2):
        planes = np.zeros((layout.planes, layout.dim2, layout.dim3), np.float32)
        policy = np.zeros(layout.policy, np.float32)
        options = {"noiseFraction": 0.5, "noiseAlpha": 1.0, "forcedPlayouts": forced}
        search = Search(position, "native", options, 5)
        search.run(600)
        values = search.example(1, planes, policy)
        assert values is not None
        assert policy.sum() == pytest.approx(1)
        counts.append(int((policy > 0).sum()))
    without, pruned = counts
    assert pruned < without


def test_self_play_is_repeatable_and_its_examples_are_consistent() -> None:
    board = boards_of("wallwars", "standard", [(5, 5)])[0]

    def play() -> list[list[Example]]:
        table = SelfPlay(board.start, SHORT, 7, 2)
        games: list[list[Example]] = []
        while len(games) < 6:
            games += table.step(NativeEngine())
        return games

    games, again = play(), play()
    assert [len(game) for game in games] == [len(game) for game in again]
    first = Examples.of([example for game in games for example in game])
    second = Examples.of([example for game in again for example in game])
    assert (first.planes == second.planes).all()
    assert (first.policy == second.policy).all()
    assert set(np.unique(first.result)) <= {-1.0, 0.0, 1.0}
    assert np.abs(first.searched).max() <= 1
    assert np.allclose(first.policy.sum(1, dtype=float), 1, atol=0.02)
    # The search knows something about the result.
    assert np.corrcoef(first.searched[:, 0], first.result[:, 0])[0, 1] > 0.2


def test_games_that_become_too_long_give_no_examples() -> None:
    board = boards_of("wallwars", "standard", [(5, 5)])[0]
    table = SelfPlay(
        board.start, SelfPlayOptions(visits=10, brief_visits=10, full_share=1, most_plies=2), 1, 2
    )
    ended: list[list[Example]] = []
    while len(ended) < 3:
        ended += table.step(NativeEngine())
    assert not any(ended)


def test_a_producer_goes_on_where_it_stopped() -> None:
    boards = boards_of("wallwars", "classic", [(5, 5), (6, 5)])
    producer = Producer(boards, SHORT, 3, threads=2, together=2)
    games = 0
    sizes: set[tuple[int, ...]] = set()
    while games < 10 or len(sizes) < 2:
        ended, parts = producer.produce(lambda: lambda board: NativeEngine(), 0.2)
        games += ended
        sizes |= {part.planes.shape[1:] for part in parts}
    assert sizes == {(9, 5, 5), (9, 6, 5)}


def example(number: float) -> Example:
    return Example(np.full((2, 3, 4), number), np.full(5, number), np.array([number]), np.array([-number]))


def test_examples_survive_on_disk(tmp_path: Path) -> None:
    examples = Examples.of([example(0.25), example(0.5)])
    examples.save(tmp_path / "a.npz")
    read = Examples.load(tmp_path / "a.npz")
    assert (read.planes == examples.planes).all()
    assert (read.result == [[-0.25], [-0.5]]).all()
    assert [each.name for each in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("more", [{}, {"taught_by": np.array(1)}])
def test_examples_of_an_earlier_search_are_refused(tmp_path: Path, more: dict[str, Any]) -> None:
    kept = Examples.of([example(0.25)])
    np.savez(tmp_path / "a.npz", **{each.name: getattr(kept, each.name) for each in fields(kept)}, **more)
    with pytest.raises(ValueError, match=r"a\.npz: .* earlier search; begin a new run"):
        Examples.load(tmp_path / "a.npz")


def test_a_damaged_file_of_examples_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    Examples.of([example(0.25)]).save(file)
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ValueError, match=r"a\.npz: no examples"):
        Examples.load(file)


def test_a_window_keeps_the_latest_examples() -> None:
    window = Window(5 * Examples.of([example(0)]).bytes)
    for number in range(4):
        window.add([Examples.of([example(number), example(number)])])
    assert len(window) == 4
    (joined,) = window.by_size()
    assert joined.policy[:, 0].tolist() == [2, 2, 3, 3]


def test_every_variant_of_pyrat_is_trained() -> None:
    boards = boards_of("pyrat")
    (pyrat,) = [game for game in games() if game.name == "pyrat"]
    assert {board.variant for board in boards} == set(pyrat.variants)
    assert "tiny 11x9" in {str(board) for board in boards}
    (board,) = boards_of("pyrat", "tiny", [(7, 5)])
    assert str(board) == "tiny 7x5"


def test_seats_that_act_together_play_themselves() -> None:
    """The values of both seats are shares of the points that were left, and add up to at most 1."""
    board = boards_of("pyrat", "tiny", [(7, 5)])[0]

    def play() -> list[Example]:
        table = SelfPlay(board.start, SHORT, 7, 2)
        played: list[list[Example]] = []
        while len(played) < 12:
            played += table.step(NativeEngine())
        return [example for game in played for example in game]

    examples = Examples.of(play())
    again = Examples.of(play())
    assert (examples.planes == again.planes).all()
    assert (examples.result == again.result).all()
    assert examples.policy.shape[1] == 10
    assert np.allclose(examples.policy.reshape(-1, 2, 5).sum(2, dtype=float), 1, atol=0.01)
    for values in (examples.searched, examples.result):
        assert values.shape == (len(examples), 2)
        assert (values >= 0).all()
        assert (values.sum(1) <= 1.001).all()
    assert np.corrcoef(examples.searched[:, 0], examples.result[:, 0])[0, 1] > 0.5
    pieces = np.round(examples.result[:, 0] * 2 * examples.planes[:, 2].sum((1, 2), dtype=float), 3)
    assert (pieces == pieces.astype(int)).all(), "results are half points"


def test_the_result_of_a_position_is_what_was_won_after_it() -> None:
    config = {"width": 3, "height": 3, "walls": [], "cheese": [[0, 1], [1, 1], [2, 1]], "maxTurns": 20}
    position = Position("pyrat", "open", config)
    assert (position.scores, position.points_unit) == ([0, 0], 3)
    position.play("UP/DOWN")
    assert (position.scores, position.points_unit) == ([1, 1], 1)
    position.play("RIGHT/STAY")
    assert position.outcome is not None
    assert position.outcome.scores == [2, 1]
    assert Position("wallwars").points_unit is None


def test_boards_are_checked() -> None:
    with pytest.raises(ValueError, match="no networks are trained for hive"):
        boards_of("hive")
    with pytest.raises(RuleError, match="cheese"):
        boards_of(
            "pyrat", "tiny", [(12, 9)]
        )  # an odd number of pieces has no symmetric place on an even board
    with pytest.raises(RuleError, match="unknown game"):
        boards_of("chess")
    with pytest.raises(RuleError):
        boards_of("wallwars", "standard", [(2, 2)])


def test_ratings_of_a_ladder() -> None:
    results = [LadderResult(("b", "a"), 15, 2, 3), LadderResult(("c", "b"), 12, 0, 8)]
    rated = rate(results)
    assert rated["c"].elo > rated["b"].elo > rated["a"].elo
    assert str(results[0]).startswith("b v a: 15-2-3 = 0.800 [")
