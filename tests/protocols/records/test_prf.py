"""Invalid records of PyRat are refused with a sentence that says where and why."""

import json
from dataclasses import replace

import pytest

from engines import Position
from protocols.records import formats
from protocols.records.record import BadMove, BadStart, RecordError
from protocols.records.replay import replay, result_of
from protocols.values import Record, Result, Seat, SeatKind

TAGS = '[Result "*"]\n[MazeWidth "3"]\n[MazeHeight "2"]\n[MaxTurns "4"]\n'
START = "C:(1,1) (2,0)\nR:(0,0)\nP:(2,1)\n"
GAME = TAGS + START


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as refusal:
        formats.read(text)
    assert "\n" not in str(refusal.value)
    return refusal.value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (GAME.replace('[Result "*"]\n', ""), 'the tag [Result "…"] is missing: 1-0, 0-1, 1/2-1/2 or *'),
        (GAME.replace('"*"', '"2-0"'), 'line 1: [Result "2-0"]: it must be 1-0, 0-1, 1/2-1/2 or *'),
        (GAME.replace('[MazeWidth "3"]\n', ""), 'the tag [MazeWidth "…"] is missing'),
        (GAME.replace('Width "3"', 'Width "wide"'), 'line 2: [MazeWidth "wide"]: a whole number is needed'),
        (GAME + "R:(0,0)", "line 8: R: was given in line 6 already"),
        (GAME + "1. U/S\nM:(0,0)-(1,0):3", "line 9: M: comes after the first turn"),
        (GAME + "W:(0,0)|(1,0)", "line 8: '(0,0)|(1,0)' in W: a wall is written (x,y)-(x,y)"),
        (GAME + "M:(0,0)-(1,0)", "line 8: '(0,0)-(1,0)' in M: mud is written (x,y)-(x,y):cost"),
        (TAGS + "R:(0,0)\nP:(2,1)", "the line C:(x,y) is missing or empty"),
        (GAME.replace("R:(0,0)", "R:(0,0) (1,0)"), "line 6: a player starts on one cell"),
        (GAME + "1. U/L\n3. U/L", "line 9: turn 3 found where 2 was expected"),
        (GAME + "1. U/X", "line 8: '1. U/X' is not a turn such as 1. U/L, with U, R, D, L, S or *"),
        (GAME + "1. U", "line 8: '1. U' is not a turn"),
        (GAME + "1. U/L (5ms)", "line 8: (5ms) is not a pair of times such as (12ms/340ms)"),
        (GAME + "1. U/L {never\nclosed", "line 8: the comment that begins with { is not closed by }"),
        (GAME.replace("\nC", '\n[TotalTurns "2"]\nC') + "1. U/L", "line 5: [TotalTurns \"2\"]: the record has 1"),
        (GAME.replace("\nC", '\n[FinalScore "3"]\nC'), "points of Rat and Python are needed, such as 3-2.5"),
        (GAME.replace("\nC", '\n[FinalScore "1-0"]\nC') + "1. U/L", "the moves lead to 0-1"),
        (GAME.replace("\nC", '\n[Termination "sleep"]\nC'), "it must be score_threshold, all_cheese, max_turns"),
        (GAME.replace("\nC", '\n[Termination "timeout"]\nC'), "there is no result, says line 1"),
        (GAME.replace("\nC", '\n[TimeControl "often"]\nC'), "move+preprocessing+postprocessing"),
    ],
)  # fmt: skip
def test_unreadable(text: str, why: str) -> None:
    assert why in str(refused(text))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (GAME.replace('Width "3"', 'Width "65"'), "line 2: width is 65, not a whole number in 2..64"),
        (GAME.replace('Height "2"', 'Height "1"'), "line 3: height is 1, not a whole number in 2..64"),
        (
            GAME.replace('Turns "4"', 'Turns "2000"'),
            "line 4: maxTurns is 2000, not a whole number in 1..1023",
        ),
        (GAME + "W:(0,0)-(2,0)", "line 8: walls[0] is between [0,0] and [2,0], which are not neighbours"),
        (GAME + "W:(0,0)-(0,9)", "line 8: walls[0] [0,9] is off the 3x2 board"),
        (GAME + "W:(0,0)-(1,0)\nM:(1,0)-(0,0):3", "line 9: mud[0] lies on a wall"),
        (
            GAME + "M:(0,0)-(1,0):3 (1,0)-(0,0):4",
            "line 8: mud[1] has cost 4, but the same mud was listed with 3",
        ),
        (GAME + "M:(0,0)-(1,0):1", "line 8: the cost of mud[0] is 1, not a whole number in 2..15"),
        (GAME.replace("(1,1)", "(2,0)"), "line 5: cheese[1] [2,0] was listed before"),
        (GAME.replace("R:(0,0)", "R:(7,0)"), "line 6: starts[0] [7,0] is off the 3x2 board"),
        (
            GAME + "W:(2,0)-(1,0) (2,0)-(2,1) (1,1)-(2,1)".replace("(1,1)-(2,1)", "(0,0)-(0,1)"),
            "line 5: no player can reach the cheese on [2,0]",
        ),
        (TAGS + '[MudModel "deep"]\n' + START, 'line 5: mudModel is "deep", neither "rust" nor "doc"'),
        (TAGS + '[Variant "giant"]\n' + START, "line 5: unknown variant 'giant' of pyrat"),
    ],
)
def test_impossible_starts(text: str, why: str) -> None:
    error = refused(text)
    assert isinstance(error, BadStart)
    assert str(error).startswith(why)


def test_turns_after_the_end() -> None:
    error = refused(GAME + "1. R/L\n2. R/S\n3. S/S")
    assert isinstance(error, BadMove)
    assert str(error) == "line 10, move 3 (STAY/STAY): the game is over"
    late = refused(GAME + "1. S/S\n2. S/S\n3. S/S\n4. S/S\n5. S/S")
    assert isinstance(late, BadMove)
    assert late.ply == 4


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ('[Result "1-0"]', "seat 0 won by unknown, the rules say a draw by cheese"),
        (
            '[Result "1/2-1/2"]\n[Termination "max_turns"]',
            "a draw by ply-limit, the rules say a draw by cheese",
        ),
    ],
)
def test_wrong_results(tags: str, why: str) -> None:
    text = GAME.replace('[Result "*"]', tags) + "1. R/L\n2. R/S"
    reading = formats.read(text)
    with pytest.raises(RecordError, match=why):
        result_of(reading.record, replay(reading))


def test_a_seat_that_left_is_the_result() -> None:
    position = Position("pyrat", "tiny", {"seed": 1})
    position.play("UP/DOWN", "!1")
    seats = (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN))
    record = Record(
        "pyrat", "tiny", position.config, seats, tuple(position.history), Result((0,), "resignation")
    )
    back = formats.read(formats.write(record, "prf")).record
    assert back == replace(record, moves=record.moves[:1])
    assert formats.lost(record, "prf") == ("moves",)


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"walls": [[[0, 0], [1, 0]]], "mud": [[[1, 0], [0, 0], 3]]}, "mud[0] lies on a wall"),
        ({"width": 6, "height": 4, "cheeseCount": 3}, "an odd number of cheese, 3, cannot be symmetric"),
        ({"width": 65}, "width is 65, not a whole number in 2..64"),
        ({"walls": [[[0, 0]]]}, "walls[0] is [[0,0]], not a pair of cells"),
    ],
)
def test_json_with_an_impossible_start(config: object, why: str) -> None:
    reading = formats.read(json.dumps({"game": "pyrat", "config": config}))
    with pytest.raises(BadStart) as refusal:
        replay(reading)
    assert str(refusal.value).startswith(why)


def test_late_moves_are_stars() -> None:
    reading = formats.read(GAME + "1. */L\n2. S/S\n3. */*")
    assert reading.record.moves == ("STAY/LEFT", "STAY/STAY", "STAY/STAY")
    assert reading.record.late == ((0,), (), (0, 1))
    assert formats.write(reading.record, "prf").endswith("1. */L\n2. S/S\n3. */*\n")
    assert formats.read(GAME + "1. S/S").record.late is None


@pytest.mark.parametrize(
    ("game", "moves", "late", "why"),
    [
        ("pyrat", ["UP/STAY"], [[0]], "move 1 (UP/STAY): seat 0 did not make a late move"),
        ("pyrat", ["UP/STAY"], [[2]], "move 1 (UP/STAY): seat 2 did not make a late move"),
        ("pyrat", ["!1"], [[1]], "move 1 (!1): seat 1 did not make a late move"),
        ("hive", ["wS1"], [[0]], "move 1 (wS1): seat 0 did not make a late move"),
    ],
)
def test_only_late_moves_are_late(game: str, moves: list[str], late: list[list[int]], why: str) -> None:
    reading = formats.read(json.dumps({"game": game, "moves": moves, "late": late}))
    with pytest.raises(RecordError) as refusal:
        replay(reading)
    assert str(refusal.value) == why


def test_late_seats_of_json_are_in_turn_order() -> None:
    text = json.dumps({"game": "pyrat", "moves": ["STAY/STAY", "UP/UP"], "late": [[1, 0, 1], []]})
    assert formats.read(text).record.late == ((0, 1), ())
    assert formats.read(text.replace("[1, 0, 1]", "[]")).record.late is None
    assert "late must be a list of one entry per move: 2, not 1" in str(refused(text.replace(", []]", "]")))


def test_each_player_has_times_of_its_own() -> None:
    text = GAME.replace("[MazeWidth", '[Date "2026.11.26"]\n[MazeWidth')
    record = formats.read(text + "1. U/L (12ms/340ms)\n2. R/S (1000ms/0ms)").record
    assert record.created_at is not None
    spent = [[at - record.created_at for at in parts] for parts in record.part_times or ()]
    assert spent == [[12, 340], [1340, 340]]
    written = formats.write(record, "prf")
    assert [line for line in written.splitlines() if "ms" in line] == [
        "1. U/L (12ms/340ms)",
        "2. R/S (1000ms/0ms)",
    ]
