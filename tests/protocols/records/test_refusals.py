"""Invalid records are refused with a sentence that says where and why."""

import json

import pytest

from protocols.records import formats
from protocols.records.record import MAX_BYTES, BadMove, BadStart, RecordError
from protocols.records.replay import replay, result_of
from protocols.values import Result

HIVE = '[GameType "Base"]\n\n'
SGF = "(;GM[27]SU[hive]\n"
HEAD = '[Board "3x3"]\n[Result "*"]\n'


def refused(text: str, name: str = "auto") -> RecordError:
    with pytest.raises(RecordError) as refusal:
        _ending(text, name)
    return refusal.value


def _ending(text: str, name: str) -> Result | None:
    reading = formats.read(text, name)
    return result_of(reading.record, replay(reading))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[Board "3x3"]\n\n1. Cb2', 'the tag [Result "…"] is missing: 1-0, 0-1, 1/2-1/2 or *'),
        ('[Result "*"]\n\n1. Cb2', 'the tag [Board "…"] is missing: columns x rows, such as 8x8'),
        ("1. Cb2 Cb2", 'the tag [Board "…"] is missing: columns x rows, such as 8x8'),
        (
            '[Board "3 by 3"]\n[Result "*"]',
            'line 1: [Board "3 by 3"]: columns x rows are needed, such as 12x10',
        ),
        (HEAD + '[Board "4x4"]', "line 3: Board was given in line 1 already"),
        (HEAD + "[Player1 Ada]", 'line 3: a tag is written [Name "value"]'),
        (HEAD + '[Termination "Flood"]', "MouseCapture, Timeout, Resignation"),
        (HEAD + '[Termination "Timeout"]', "there is no result, says line 2"),
        (HEAD + '[TimeControl "often"]', "seconds and increment are needed, such as 180+2"),
        (HEAD + '[Player1Elo "high"]', "a whole number is needed"),
        (HEAD + '[Config "{"]', "line 3: [Config …]: not JSON"),
        (HEAD + '[Config "{\\"variant\\":\\"classic\\"}"]', "its variant is not standard"),
        (HEAD + '[Config "{\\"boardWidth\\":4}"]', "the board in [Config …] has another size"),
        ('[Board "12x10"]\n[Variant "freestyle"]\n[Result "*"]', "needs its start, which is drawn at random"),
        ('[Board "3x3"]\n[Result "2-0"]', "it must be 1-0, 0-1, 1/2-1/2 or *"),
        (HEAD + "\n1. Cb2 Cb2\n3. ---", "line 5: 3. found where 2. was expected"),
        (HEAD + "\n1. Cb2 2. Cb2", "line 4: 2. found where 1... was expected"),
        (HEAD + "\n1. Cb2 1-0", "line 4: 1-0, but line 2 says *"),
        (HEAD + "\n1. Cb2 *\n2. ---", "line 5: '2.' comes after the result *"),
        (HEAD + "\n1. Cb2 {never\nclosed", "line 4: the comment that begins with { is not closed by }"),
        (
            HEAD + "\n1. Cb2 (---) Cb2",
            "line 4: '(---)' is not a move: one game at a time, without variations",
        ),
        (HEAD + "\n1. Cb2\n\n" + HEAD, "line 6: '[Board' is not a move"),
        ("Base+X;InProgress", '"Base+X" is not a game type: Base+MLP, Base'),
        ("Base+MM;NotStarted;White[1]", '"Base+MM" is not a game type'),
        ("1. wS1\n2. bS1 wS1-", 'the tag [GameType "…"] is missing'),
        (HIVE + "1. wS1\n3. bS1 wS1-", "line 4: 3. found where 2. was expected"),
        (HIVE + "1. wS1\nDraw\n2. bS1 wS1-", "line 5: 'bS1 wS1-' comes after the result Draw"),
        ("(;GM[24]SU[yinsh]\n)", "line 1: GM[24] is not Hive, which has the number 27"),
        ("(;GM[27]\n)", "the property SU[…] is missing, such as SU[hive-plm]: the game's type"),
        (
            "(;GM[27]\nSU[hive-ultimate 2 0])",
            "line 2: SU[hive-ultimate 2 0] is not hive, or hive- and some of",
        ),
        ("(;SU[hive-ll])", '"Base+LL" is not a game type'),
        (SGF + "; P0[1 Fly W wS1])", "line 2: 'fly W wS1': unknown action"),
        (SGF + "; P0[1 dropb wX1 N 13 .])", "line 2: 'dropb wX1 N 13 .': 'wX1' is not a piece of Hive"),
        (SGF + "; P0[1 dropb wS N 13 .])", "line 2: 'dropb wS N 13 .': 'wS' is not a piece of Hive"),
        (SGF + "; P0[1 dropb wS1 13 N .])", "line 2: 'dropb wS1 13 N .': '13 N' is not a cell, such as N 13"),
        (SGF + "; P0[1 dropb wS1])", "line 2: 'dropb wS1': words are missing"),
        (SGF + "; P0[1])", "line 2: P0[1] is not an action"),
        (
            SGF + "; P0[dropb wS1 N 13 .]\n; P0[Done]\n; P1[dropb bS1 P 13 .]\n; P1[Done])",
            "line 5: 'done': bS1 touches no other piece",
        ),
        (SGF, "the game is not closed by ): the end of the text is missing"),
        (SGF + "; P0[1 Done", "line 2: the value of P0 that begins with [ is not closed by ]"),
        (SGF + "(; P0[1 Done]))", "line 2: one game at a time, without variations"),
        (SGF + ")\n(;GM[27])", "line 3: one game at a time, without variations"),
        (SGF + "; moves: wS1)", "line 2: ':' is not SGF: properties are written NAME[value]"),
        ("a1; ; b2", "turn 2 is empty"),
        ("a1 a1>>", "does not look like any of the formats json, uhp, sgf, prf, puzzle, wallwars"),
        ("a13", "turn 1: 'a13' is not on a board of 10 rows"),
        ("b2 c10v", "turn 1: 'c10v' is not on a board of 10 rows"),
        ("{", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ('{\n "game": "wallwars"\n "moves": []}', "line 3 column 2"),
        ("{}", "game is missing"),
        ('{"game": "wallwars", "version": 2}', "version must be 1"),
        ('{"game": "wallwars", "format": "pgn"}', 'format must be "plyhouse-record"'),
        ('{"game": "wallwars", "moves": "Cb8"}', "moves must be a list"),
        ('{"game": "wallwars", "moves": ["Cb8", 2]}', "moves must be a list whose entry 2 is a string"),
        ('{"game": "wallwars", "moves": ["Cb8"], "times": []}', "a list of one entry per move: 1, not 0"),
        ('{"game": "wallwars", "seats": [{"kind": "cat"}]}', "a seat of kind human, bot or open"),
        ('{"game": "wallwars", "result": {"winners": [0]}}', "result must be an object with reason"),
        (
            '{"game": "wallwars", "result": {"winners": [0], "reason": "resignation", "note": "a\\nb"}}',
            "result must be an object whose note is a text of at most 200 characters, all printable",
        ),
        (
            f'{{"game": "wallwars", "result": {{"winners": [0], "reason": "protocol", "note": "{"x" * 201}"}}}}',
            "result must be an object whose note is a text of at most 200 characters, all printable",
        ),
        ('{"game": "wallwars", "createdAt": -1}', "createdAt must be a whole number, 0 or more"),
        ("", "does not look like any of the formats json, uhp, sgf, prf, puzzle, wallwars"),
        ("Once upon a time", "does not look like any of the formats json, uhp, sgf, prf, puzzle, wallwars"),
    ],
)
def test_unreadable(text: str, why: str) -> None:
    error = refused(text)
    assert why in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("moves", "ply", "why"),
    [
        ("1. Cb2 Cb2\n2. Cb9", 2, "line 5, move 3 (Cb9): Cb9 is off the 3x3 board"),
        ("1. hello", 0, "line 4, move 1 (hello): "),
        ("1. Cb2 ---\n2. Cc1 ---", 3, "line 5, move 4 (---): the game is over"),
    ],
)
def test_illegal_moves(moves: str, ply: int, why: str) -> None:
    error = refused(f"{HEAD}\n{moves}")
    assert isinstance(error, BadMove)
    assert (error.ply, str(error)[: len(why)]) == (ply, why)


@pytest.mark.parametrize(
    ("text", "ply", "why"),
    [
        ("Base;NotStarted;White[1];wM", 0, "move 1 (wM): wM"),
        ("Base;InProgress;Black[2];wS1;wS2 wS1-", 1, "move 2 (wS2 wS1-): wS2 wS1-: it is Black's turn"),
        ("Base;InProgress;Black[2];wS1;!0", 1, 'move 2 (!0): Unable to parse move "!0".'),
        (
            HIVE + "1. wS1\n2. bS1 wS1-\n3. wB1 bS1-",
            2,
            "line 5, move 3 (wB1 bS1-): wB1 bS1-: a piece may not",
        ),
        ("Base;Draw;White[1];wS1;bS1 wS1-;pass", 2, "move 3 (pass): "),
        ("Base;Draw;White[1];" + "x" * 20_000, 0, "move 1 (xxx"),
        ("base;wM1", 0, "move 1 (wM1): wM: wM is not part of a Base game"),
        ("Base;wS1;bS1 wS1-;wQ bS1", 2, "move 3 (wQ bS1): wQ bS1: a piece is placed on an empty cell"),
        ("Base;wS1;bS1 wS1-;wQ -bS1", 2, "move 3 (wQ -bS1): wQ wS1: a piece is placed on an empty cell"),
        (
            SGF + "; P1[dropb bS1 N 13 .]\n; P1[Done]\n)",
            0,
            "line 3, move 1 (bS1): bS1: it is White's turn",
        ),
        (
            SGF + "; P0[dropb wS1 N 13 .]; P0[Done]\n; P0[Move W wQ O 13 .]; P0[Done])",
            1,
            "line 3, move 2 (pass): ",
        ),
    ],
)
def test_illegal_moves_of_hive(text: str, ply: int, why: str) -> None:
    error = refused(text)
    assert isinstance(error, BadMove)
    assert (error.ply, str(error)[: len(why)]) == (ply, why)
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
    assert str(refused('[GameType "Base"]\n' + "{" * 500_000)).startswith("line 2, move 1")


def test_unknown_formats() -> None:
    with pytest.raises(formats.UnknownFormat, match="json, uhp, sgf, prf, puzzle, wallwars"):
        formats.read("{}", "pgn")
    record = formats.read('{"game": "toy-goofspiel", "moves": []}').record
    with pytest.raises(formats.UnknownFormat, match="for wallwars, not for toy-goofspiel"):
        formats.write(record, "wallwars")
    with pytest.raises(formats.UnknownFormat, match="read, not written"):
        formats.write(record, "puzzle")
