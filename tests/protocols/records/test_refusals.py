"""Invalid records are refused with a sentence that says where and why."""

import json

import pytest

from protocols.records import formats
from protocols.records.record import MAX_BYTES, BadMove, BadStart, RecordError
from protocols.records.replay import replay, result_of
from protocols.values import Result
from tests.protocols.transcripts import lines_of

HEAD = '[Board "3x3"]\n[Result "*"]\n'


def refused(text: str, name: str = "auto") -> RecordError:
    with pytest.raises(RecordError) as refusal:
        _ending(text, name)
    return refusal.value


def _ending(text: str, name: str) -> Result | None:
    reading = formats.read(text, name)
    return result_of(reading.record, replay(reading))


@pytest.mark.parametrize("line", lines_of("refused/records.txt"))
def test_refused_records(line: str) -> None:
    text, why = line.split(" -> ")
    error = refused(json.loads(text))
    if not why.startswith("ply "):
        assert why in str(error)
        assert "\n" not in str(error)
        return
    ply, _, why = why.partition(": ")
    assert isinstance(error, BadMove)
    assert (f"ply {error.ply}", str(error)[: len(why)]) == (ply, why)


def test_a_long_illegal_move_is_cut() -> None:
    error = refused("Base;Draw;White[1];" + "x" * 20_000)
    assert str(error).startswith("move 1 (xxx")
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    ("members", "is_game"),
    [
        ({"game": "draughts"}, True),
        ({"game": "wallwars", "variant": "atomic"}, False),
        ({"game": "wallwars", "config": {"boardWidth": 2}}, False),
        ({"game": "wallwars", "seats": [{}]}, False),
    ],
)
def test_invalid_starts(members: dict[str, object], is_game: bool) -> None:  # noqa: FBT001 - a column
    error = refused(json.dumps(members))
    assert isinstance(error, BadStart)
    assert error.is_game is is_game


def test_a_truncated_wall() -> None:
    error = refused('[Board "3x3"]\n[Result "*"]\n[Config "{\\"initialState\\":{\\"walls\\":[{}]}}"]')
    assert isinstance(error, BadStart)
    assert str(error).startswith("line 3: ")


# an undecided game of three plies; a game that player 2 has won on the board
OPEN, WON = "1. --- --- 2. ---", "1. --- Cb2 2. --- Ca1"


@pytest.mark.parametrize(
    ("result", "termination", "moves", "winners"),
    [
        ("1-0", "Resignation", OPEN, (0,)),
        ("1-0", "Timeout", OPEN, (0,)),
        ("0-1", "Unknown", OPEN, (1,)),
        ("0-1", None, OPEN, (1,)),
        ("1/2-1/2", "DrawAgreement", OPEN, ()),
        ("1/2-1/2", None, OPEN, ()),
        ("0-1", "MouseCapture", WON, (1,)),
        ("0-1", None, WON, (1,)),
        ("*", None, WON, (1,)),
        ("1-0", "MouseCapture", OPEN, None),
        ("1-0", "DrawAgreement", OPEN, None),
        ("1/2-1/2", "OneMoveRuleDraw", OPEN, None),
        ("1/2-1/2", "Resignation", OPEN, None),
        ("1-0", None, WON, None),
        ("0-1", "Resignation", WON, None),
        ("1/2-1/2", "DrawAgreement", WON, None),
    ],
)
def test_a_result_must_fit_the_moves(
    result: str, termination: str | None, moves: str, winners: tuple[int, ...] | None
) -> None:
    ending = "" if termination is None else f'[Termination "{termination}"]\n'
    text = f'[Board "3x3"]\n[Result "{result}"]\n{ending}\n{moves}'
    if winners is None:
        assert str(refused(text)).startswith("the record says ")
        return
    reading = formats.read(text)
    found = result_of(reading.record, replay(reading))
    assert found is not None
    assert found.winners == winners


@pytest.mark.parametrize(
    ("winners", "why"),
    [
        ([2], "the seats are 0 to 1"),
        ([0, 0], "the seats are 0 to 1"),
        ([0, 1], "not every seat can win"),
    ],
)
def test_winners_must_be_some_of_the_seats(winners: list[int], why: str) -> None:
    record = {"game": "wallwars", "result": {"winners": winners, "reason": "unknown"}}
    assert f", but {why}" in str(refused(json.dumps(record)))


@pytest.mark.parametrize("clocks", [[], [1000], [1000, 1000, 1000]])
def test_each_seat_must_have_a_clock(clocks: list[int]) -> None:
    record = {"game": "wallwars", "moves": ["Cb2", "---"], "clocks": [[1000, 1000], clocks]}
    assert str(refused(json.dumps(record))) == (f"move 2 has {len(clocks)} clocks, but the game has 2 seats")


@pytest.mark.parametrize("number", ["-2.", "9999999999.", f"{'9' * 5000}.", "0."])
def test_a_wrong_number_is_refused_at_its_place(number: str) -> None:
    text = f'[Board "8x8"]\n[Result "*"]\n\n1. Cb8 Cg8\n{number} Cc8'
    assert str(refused(text)) == f"line 5: {number[:40]} found where 2. was expected"


def test_errors_name_limits() -> None:
    assert refused("x" * (MAX_BYTES + 1)).limit == MAX_BYTES
    assert refused("ü" * (MAX_BYTES // 2 + 1)).limit == MAX_BYTES
    assert refused(HEAD + "\n" + "--- " * 10_001).limit == 10_000
    assert len(replay(formats.read(HEAD + "\n" + "--- " * 10_000)).history) == 10_000
    too_long = "Base" + ";wS1" * 10_001
    assert refused(too_long).limit == 10_000, "before any move is checked"


def test_reading_takes_linear_time() -> None:
    """Each of these took seconds when every character was compared with all later ones."""
    assert formats.read(HEAD + "\n" + "!" * 60_000 + "x").record.moves == ("!" * 60_000 + "x",)
    assert "is not closed" in str(refused(HEAD + "\n" + "{" * 60_000))
    assert "is not closed" in str(refused('[GameType "Base"]\n' + "{" * 500_000))


def test_unknown_formats() -> None:
    with pytest.raises(formats.UnknownFormat, match="json, uhp, sgf, prf, puzzle, wallwars"):
        formats.read("{}", "pgn")
    record = formats.read('{"game": "toy-goofspiel", "moves": []}').record
    with pytest.raises(formats.UnknownFormat, match="for wallwars, not for toy-goofspiel"):
        formats.write(record, "wallwars")
    with pytest.raises(formats.UnknownFormat, match="read, not written"):
        formats.write(record, "puzzle")
