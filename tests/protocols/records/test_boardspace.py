"""Reading boardspace.net's files beyond plain turns: changes of mind, wrapped cells, and endings."""

import pytest

from protocols.records import formats
from protocols.records.record import UNKNOWN, Reading
from protocols.values import Result

HEAD = '(;GM[27]SU[hive]P0[id "Ann"]P1[id "Annabel"]'
OPENING = "; P0[dropb wS1 N 13 .]; P0[Done]; P1[dropb bS1 O 13 .]; P1[Done]"


def read(actions: str, result: str = "") -> Reading:
    return formats.read(f"{HEAD}{f'RE[{result}]' if result else ''}{actions})")


@pytest.mark.parametrize(
    ("actions", "moves"),
    [
        ("; P0[dropb wQ M 13 .]; P0[Done]", ["wQ -wS1"]),
        ("; P0[dropb wQ M 13 .]; P0[pickb M 13 wQ]; P0[dropb wQ N 14 .]; P0[Done]", ["wQ \\wS1"]),
        ("; P0[dropb wQ M 13 .]; P0[dropb wQ M 12 .]; P0[Done]", ["wQ /wS1"]),
        ("; P0[dropb wQ M 13 .]; P0[drop W 0 wQ Rack]; P0[dropb wA1 M 12 .]; P0[Done]", ["wA1 /wS1"]),
        ("; P0[dropb wQ M 13 .]; P0[reset]; P0[dropb wA1 M 12 .]; P0[Done]", ["wA1 /wS1"]),
        ("; P0[dropb wQ M 13 .]", []),
        ("; P0[movedone W wQ M 13 .]", ["wQ -wS1"]),
        ("; P0[OfferDraw]; P0[Done]; P1[DeclineDraw]; P1[Done]; P0[dropb Q M 13 .]; P0[Done]", ["wQ -wS1"]),
        ("; P1[Done]; P0[dropb Q M 13 .]; P0[Done]; P0[Done]", ["wQ -wS1"]),
    ],
)
def test_a_turn_is_the_board_at_its_end(actions: str, moves: list[str]) -> None:
    assert list(read(OPENING + actions).record.moves[2:]) == moves


@pytest.mark.parametrize(
    ("west", "east"), [("Z 26", "A 26"), ("1A 5", "A 5"), ("Z -1", "1Z -1"), ("z 0", "A 26")]
)
def test_the_board_wraps_around(west: str, east: str) -> None:
    actions = f"; P0[dropb wS1 {west} .]; P0[Done]; P1[dropb bS1 {east} .]; P1[Done]"
    assert list(read(actions).record.moves) == ["wS1", "bS1 wS1-"]


def test_of_several_games_the_first_is_read() -> None:
    reading = formats.read(f"{HEAD}{OPENING})\n(;GM[27]SU[hive]; P0[Resign])\n(nonsense")
    assert list(reading.record.moves) == ["wS1", "bS1 wS1-"]
    assert reading.notes == ("Another game begins at line 2: only the first one was read.",)


@pytest.mark.parametrize(
    "text",
    [
        "Base;InProgress;White[3];wA2;bA3 wA2-;wA1 -wA2;bS2 bA3-;wQ -wA1;bQ bS2-",
        '[GameType "Base"]\n\n1. wA3\n2. bA2 wA3-\n3. wA1 -wA3\n4. bS1 bA2-\n5. wQ -wA1\n6. bQ bS1-\n',
    ],
)
def test_pieces_may_be_numbered_freely(text: str) -> None:
    reading = formats.read(text)
    moves = ["wA1", "bA1 wA1-", "wA2 -wA1", "bS1 bA1-", "wQ -wA2", "bQ bS1-"]
    assert list(reading.record.moves) == moves
    assert len(reading.notes) == 1
    assert "numbered anew" in reading.notes[0]


def test_the_first_player_to_move_is_white() -> None:
    record = read(
        "; P1[dropb wS1 N 13 .]; P1[Done]; P0[dropb bS1 O 13 .]; P0[Done]; P1[Resign]; P1[Done]"
    ).record
    assert [seat.name for seat in record.seats] == ["Annabel", "Ann"]
    assert record.result == Result((1,), "resignation")


@pytest.mark.parametrize(
    ("actions", "words", "result"),
    [
        ("; P0[Resign]; P0[Done]", "Game won by Ann", Result((1,), "resignation")),
        ("; P0[Resign]; P0[dropb wQ M 13 .]; P0[Done]", "", None),
        ("; P0[OfferDraw]; P0[Done]; P1[AcceptDraw]; P1[Done]", "", Result((), "draw-agreement")),
        ("; P0[OfferDraw]; P0[Done]; P1[AcceptDraw]; P1[DeclineDraw]; P1[Done]", "", None),
        ("", "Game won by Annabel", Result((1,), UNKNOWN)),
        ("", "Partita vinta da Ann", Result((0,), UNKNOWN)),
        ("; P1[GameOverOnTime]", "Game won by Annabel", Result((1,), "timeout")),
        ("", "The game is a draw", Result((), UNKNOWN)),
        ("", "Ничья", Result((), UNKNOWN)),
        ("", "", None),
    ],
)
def test_how_a_game_ended(actions: str, words: str, result: Result | None) -> None:
    reading = read(OPENING + actions, words)
    assert reading.record.result == result
    assert bool(reading.notes) == (result is not None and result.reason == UNKNOWN)


def test_a_result_without_a_players_name_is_ignored() -> None:
    reading = read(OPENING, "Game won by Eve")
    assert reading.record.result is None
    assert reading.notes == ("line 1: RE[Game won by Eve] names no player: it was ignored.",)
