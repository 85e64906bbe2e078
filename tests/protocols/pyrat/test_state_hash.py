"""The state hash: published constants of its parts, and vectors of whole states."""

import pytest

from engines import Position
from protocols.pyrat.host.board import MatchBoard, MatchState, PlayerState, board_of, state_of
from protocols.pyrat.host.state_hash import (
    SEED,
    chacha12,
    changing_hash,
    expanded_key,
    maze_hash,
    packed_moves,
    siphash13,
    zobrist_keys,
)

OPEN = {
    "width": 3,
    "height": 3,
    "maxTurns": 6,
    "walls": [],
    "mud": [],
    "cheese": [[0, 2], [1, 1], [2, 0]],
    "starts": [[0, 0], [2, 2]],
}
MAZE = {
    "width": 5,
    "height": 4,
    "walls": [[[0, 0], [1, 0]], [[2, 2], [2, 3]]],
    "mud": [[[1, 1], [1, 2], 3], [[3, 1], [3, 2], 2]],
    "cheese": [[0, 3], [2, 1]],
}


def board(config: dict[str, object]) -> MatchBoard:
    return board_of(Position("pyrat", None, config))


def test_seeds_expand_to_keys() -> None:
    key = "acfc83531e2a61964abc0e99d817e57705f574eb1088c5047a7b31da257bfce4"
    assert expanded_key(SEED).hex() == key


def test_chacha12_has_the_published_stream_of_the_zero_key() -> None:
    """The test vector TC1 for 12 rounds and 256 bits of the draft by Strombergson."""
    assert chacha12(bytes(32), 1).tobytes()[:16].hex() == "9bf49a6a0755f953811fce125f2683d5"


def test_blocks_do_not_depend_on_their_number() -> None:
    few, many = chacha12(bytes(range(32)), 3), chacha12(bytes(range(32)), 10)
    assert few.tobytes() == many.tobytes()[: 3 * 64]


def test_zobrist_keys() -> None:
    """As drawn by the crate rand 0.10."""
    keys = zobrist_keys()
    assert keys.players[0].x[:2] == [0xFDE4DE31339CD2D4, 0xE80B0AC8FFD70A28]
    assert keys.turn[0] == 0xBF60D476C8CF9D94
    assert (keys.cheese[0], keys.cheese[4095]) == (0x3D9AAB29DD6668C5, 0x0F0E63A9E716F96A)


@pytest.mark.parametrize(
    ("length", "value"),
    [
        (0, 0xD1FBA762150C532C),
        (1, 0x68A914128E01E473),
        (7, 0x2F098AB0C751325A),
        (8, 0xEAD411E67EBE2EEA),
        (9, 0x75927F9D95124362),
        (63, 0x385D3E39E5F37359),
        (64, 0x75E05FD5BBC870C6),
        (65, 0x9551550C825974C6),
    ],
)
def test_siphash_is_that_of_the_standard_library_of_rust(length: int, value: int) -> None:
    """The hashes of the bytes 0, 1, 2 … by ``std::hash::DefaultHasher`` of Rust 1.95."""
    assert siphash13(bytes(range(length))) == value


def test_an_open_board() -> None:
    assert packed_moves(board(OPEN)).hex() == "b379dfe60c"
    assert maze_hash(board(OPEN)) == 0xAFDAF4349B449068


def test_walls_and_mud() -> None:
    assert packed_moves(board(MAZE)).hex() == "31bb79ffdff7fe6daece"
    assert maze_hash(board(MAZE)) == 0x80016F2A3769C8BE


def test_states_of_a_game() -> None:
    position = Position("pyrat", None, OPEN)
    maze = maze_hash(board_of(position))
    assert changing_hash(state_of(position)) == 0x4D080C9085D1E701
    assert maze ^ changing_hash(state_of(position)) == 0xE2D2F8A41E957769
    position.play("UP/LEFT")
    assert maze ^ changing_hash(state_of(position)) == 0x2F54BFC84579DB23


def test_a_state_with_mud_and_half_points() -> None:
    players = (PlayerState((1, 2), 3, 1.5), PlayerState((4, 3), 0, 2.0))
    state = MatchState(7, players, ((0, 3), (2, 1)))
    assert maze_hash(board(MAZE)) ^ changing_hash(state) == 0xCC949E044FF55946


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (OPEN | {"mudModel": "doc"}, "mudModel 'doc'"),
        ({"width": 64, "height": 64, "walls": [], "mud": [], "cheeseCount": 512}, "at most 511 pieces"),
    ],
)
def test_boards_that_the_protocol_cannot_express_are_refused(config: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        board(config)


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="plays pyrat, not hive"):
        board_of(Position("hive"))
