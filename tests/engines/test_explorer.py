"""Places, tallies and opening trees: laws over random games, and files that cannot be used."""

import random
from pathlib import Path

import pytest

from engines import Position, games
from engines.explorer.opening_tree import FOLDER, BadTree, read_tree, write_tree
from engines.explorer.places import Places, moves_by_name, name_of, passages, seen_from_one_side
from engines.explorer.self_play import OpeningGames, play_openings
from engines.explorer.tally import GameEnd, OpeningTally

GAMES = [row.name for row in games() if row.listed]


def random_game(start: Position, plies: int, rng: random.Random) -> Position:
    """The position after some random moves."""
    position = start.copy()
    while position.to_act and position.ply < plies:
        parts = []
        for seat in position.to_act:
            move = ""
            while not (move and position.can_finish(seat, move)) and position.legal_actions(seat, move):
                move = (
                    rng.choice(position.legal_moves(seat))
                    if position.lists_moves
                    else _longer(position, seat, move, rng)
                )
            parts.append(move)
        position = position.after(parts[0]) if len(parts) == 1 else _played(position, "/".join(parts))
    return position


def _longer(position: Position, seat: int, move: str, rng: random.Random) -> str:
    action = rng.choice(position.legal_actions(seat, move))
    return f"{move}.{action}" if move else action


def _played(position: Position, move: str) -> Position:
    position = position.copy()
    position.play(move)
    return position


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_in_the_place_that_its_game_passes(game: str) -> None:
    """Each move is the one that the place names, whether or not the hidden order is known."""
    for seed in range(3):
        dealt = random_game(
            Position(game, None, {"seed": seed} if game != "hive" else {}), 12, random.Random(seed)
        )
        public = Position(game, None, dealt.config)
        passed = passages(dealt.at_ply(0), dealt.history)
        assert passages(public, dealt.history) == passed
        places = Places(public)
        for move in dealt.history:
            assert places.of(public) in passed
            name = name_of(public, move)
            shown = moves_by_name(public, [name])[name]
            assert name_of(public, shown) == name
            public.play(move)


@pytest.mark.parametrize("variant", ["Base+MLP", "Base"])
def test_images_of_a_game_are_the_same_game(variant: str) -> None:
    """A game played as it looks from another side passes the same places, with moves of the same names."""
    start = Position("hive", variant)
    for seed in range(4):
        game = random_game(start, 40, random.Random(seed))
        sides = [start.copy() for _ in start.image_keys]
        position = start.copy()
        for move in game.history:
            images = position.images(move)
            assert images[0] == move
            position.play(move)
            for side, image in zip(sides, images, strict=True):
                side.play(image)
                assert side.last_move == image
            assert [side.image_keys[0] for side in sides] == position.image_keys
        passed = passages(start, game.history)
        assert all(passages(start, side.history) == passed for side in sides)
        first = seen_from_one_side(start, game.history)
        assert {seen_from_one_side(start, side.history) for side in sides} == {first}
        assert passages(start, first) == passed


def test_the_first_reply_of_hive_has_one_direction() -> None:
    position = Position("hive", "Base")
    position.play("wS1")
    names = {name_of(position, move) for move in position.legal_moves()}
    assert len(names) == len(position.legal_moves()) / 6
    assert set(moves_by_name(position, names)) == names


def test_the_order_of_moves_does_not_matter() -> None:
    start = Position("hive", "Base")
    lines = [
        ("wS1", "bS1 wS1-", "wA1 -wS1", "bQ bS1-", "wA2 \\wA1", "bG1 bQ-", "wQ /wA1"),
        ("wS1", "bS1 wS1-", "wA1 -wS1", "bQ bS1-", "wQ /wA1", "bG1 bQ-", "wA2 \\wA1"),
    ]
    ends = []
    for line in lines:
        position = start.copy()
        position.play(*line)
        ends.append(Places(start).of(position))
    assert ends[0] == ends[1]


def test_a_tree_has_the_games_that_were_played(tmp_path: Path) -> None:
    plan = OpeningGames("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3}, "beginner", 30, 4)
    watched: list[int] = []
    root = play_openings(plan, watched.append)
    path = tmp_path / "tree.txt"
    write_tree(path, plan.head(), root, 1)
    tree = read_tree(path)
    assert watched == list(range(1, 31))
    assert (tree.made["level"], tree.made["games"]) == ("beginner", 30)
    start = tree.crossroads[Places(plan.start).of(plan.start)]
    assert start.total.games == 30
    assert sum(move.games for move in start.moves.values()) == 30
    assert start.total.draws + sum(start.total.won) == 30
    assert play_openings(plan).next.keys() == root.next.keys()


def test_points_are_added_up_in_games_that_end_with_points() -> None:
    start = Position("pyrat", "tiny")
    tally = OpeningTally.of(GameEnd((0,), (6.0, 4.5)), start) + OpeningTally.of(GameEnd((1,)), start)
    assert (tally.games, tally.won, tally.scored, tally.mean_points) == (2, (1, 1), 1, (6.0, 4.5))
    assert OpeningTally.of(GameEnd(()), Position("hive")).mean_points is None


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_each_tree_that_comes_with_plyhouse_can_be_read(path: Path) -> None:
    tree = read_tree(path)
    assert path.stem == f"{tree.game}-{tree.variant}"
    start = Position(tree.game, tree.variant)
    assert tree.crossroads[Places(start).of(start)].total.games == tree.made["games"]
    assert all(
        sum(move.games for move in one.moves.values()) <= one.total.games for one in tree.crossroads.values()
    )


HEAD = '{"format": "plyhouse opening tree 1", "game": "wallwars", "variant": "standard"}'


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([""], "cannot be read"),
        (["[]"], "cannot be read"),
        (['{"format": "other", "game": "hive", "variant": "Base"}'], "its format is not"),
        ([HEAD, "0 3 0 2"], "line 2"),
        ([HEAD, "0 3 0 2 1", "0 2 0 1 1 Zz9"], "line 3"),
        ([HEAD, "0 3 0 2 1", "x 2 0 1 1 Cb8"], "line 3"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, lines: list[str], why: str) -> None:
    path = tmp_path / "tree.txt"
    path.write_text("\n".join(lines))
    with pytest.raises(BadTree, match=why) as raised:
        read_tree(path)
    assert str(path) in str(raised.value)
