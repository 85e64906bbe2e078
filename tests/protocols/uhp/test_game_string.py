"""GameStrings: liberal reading, canonical writing, comparison by moves."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engines import BadConfig, Position
from protocols.uhp.game_string import (
    TYPES,
    BadGameString,
    GameString,
    parse,
    play,
    read_type,
    replay,
    same,
    write,
)

BARE = {"drawByRepetition": False, "plyLimit": 0}


def random_game(kind: str, seed: int, plies: int) -> Position:
    """A game of at most ``plies`` random moves."""
    position, choose = Position("hive", kind, BARE), random.Random(seed)
    while position.ply < plies and position.outcome is None:
        position.play(choose.choice(position.legal_moves()))
    return position


GAMES = st.builds(random_game, st.sampled_from(TYPES), st.integers(0, 10**6), st.integers(0, 50))


@given(GAMES)
def test_a_game_written_and_read_is_the_same_game(position: Position) -> None:
    text = write(position)
    again = replay(parse(text), BARE)
    assert write(again) == text
    assert same(again, position)
    assert again.key == position.key


@given(GAMES, st.randoms(use_true_random=False))
def test_blanks_case_state_and_turn_do_not_count(position: Position, chance: random.Random) -> None:
    kind, _, _, *moves = write(position).split(";")
    spelt = [chance.choice([move, f" {move} ", move.upper(), move.replace(" ", "   ")]) for move in moves]
    before = chance.choice([["BlackWins", "white[5]"], ["", ""], ["?", "White[1]"], []])
    assert same(replay(parse(";".join([kind, *before, *spelt])), BARE), position)


@given(GAMES, GAMES)
def test_games_with_different_moves_differ(one: Position, other: Position) -> None:
    assert same(one, other) == (write(one) == write(other))


@pytest.mark.parametrize("kind", TYPES)
def test_types_are_the_variants_of_the_game(kind: str) -> None:
    assert write(Position("hive", kind)) == f"{kind};NotStarted;White[1]"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Base", "Base"), ("Base+LM", "Base+ML"), ("Base+PLM", "Base+MLP"), ("Base+PL", "Base+LP")],
)
def test_expansions_in_any_order(text: str, kind: str) -> None:
    assert parse(text) == GameString(kind)


@pytest.mark.parametrize(
    "text", ["", "base", "Base+", "Base+MM", "Base+X", "Base+MLPM", "Mzinga", "BaseM", " "]
)
def test_other_types_are_refused(text: str) -> None:
    with pytest.raises(BadGameString, match="is not a game type"):
        read_type(text)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Base;NotStarted;White[1]", ()),
        ("Base;NotStarted;Black[1]", ()),
        ("Base;InProgress;White[2];wS1;bS1 wS1-;", ("wS1", "bS1 wS1-")),
        (" Base ; BlackWins ; ; wS1", ("wS1",)),
        ("Base;wS1;bS1 wS1-", ("wS1", "bS1 wS1-")),
        ("Base;InProgress;wS1", ("wS1",)),
        ("Base;InProgress;Black[1];nonsense", ("nonsense",)),
        ("Base;InProgress;Black[1];;wS1", ("", "wS1")),
    ],
)
def test_only_type_and_moves_are_read(text: str, moves: tuple[str, ...]) -> None:
    assert parse(text) == GameString("Base", moves)


def test_errors_name_the_move_and_the_ply() -> None:
    with pytest.raises(BadGameString, match=r'Unable to play "bQ wS1-" at ply 1: .*[Qq]ueen'):
        replay(parse("Base;InProgress;White[2];wS1;bQ wS1-"))


@pytest.mark.parametrize("move", ["!0", "!1", ""])
def test_history_entries_are_not_moves(move: str) -> None:
    with pytest.raises(BadGameString):
        replay(GameString("Base", (move,)))


def test_the_rules_of_the_configuration_apply() -> None:
    shuttle = ("wQ -wS1", "bQ bB1-", r"wQ \wS1", r"bQ bB1\ ".strip())
    opening = ("wS1", "bB1 wS1-", r"wQ \wS1", r"bQ bB1\ ".strip())
    game = GameString("Base", opening + shuttle + shuttle)
    assert write(replay(game)).startswith("Base;Draw;White[7];")
    assert write(replay(game, BARE)).startswith("Base;InProgress;White[7];")


def test_an_invalid_configuration_is_refused() -> None:
    with pytest.raises(BadGameString):
        replay(GameString("Base"), {"plyLimit": "many"})


def test_a_forfeit_and_a_forced_state_are_shown() -> None:
    position = replay(parse("Base;wS1;bS1 wS1-"))
    assert write(position, "Draw") == "Base;Draw;White[2];wS1;bS1 wS1-"
    position.forfeit(0)
    assert write(position) == "Base;BlackWins;White[2];wS1;bS1 wS1-"


def test_a_start_in_mid_game_counts() -> None:
    start = "Base;InProgress;White[2];wS1;bS1 wS1-"
    position = Position("hive", "Base", {"gameString": start})
    assert write(position) == start
    play(position, "wQ -wS1")
    assert same(position, replay(parse(f"{start};wQ -wS1")))


FIELDS = st.sampled_from(
    [
        "InProgress",
        "White[1]",
        "BlackWins",
        "Black[9]",
        "?",
        "",
        "wS1",
        "wS9",
        "wZ",
        "w[1]",
        "bS1 wS1-",
        "wA12",
        "PASS",
    ]
)


@given(st.lists(FIELDS, max_size=4).map(lambda fields: ";".join(["Base", *fields])))
@example("Base;InProgress;White[1];;")
def test_starts_and_games_are_parsed_alike(text: str) -> None:
    """The core parses starts by itself; both parsers must recognise the same moves."""
    try:
        there = replay(parse(text))
    except BadGameString:
        with pytest.raises(BadConfig):
            Position("hive", "Base", {"gameString": text})
    else:
        assert same(Position("hive", "Base", {"gameString": text}), there)
