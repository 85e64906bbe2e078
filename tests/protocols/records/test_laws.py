"""Records: writing then reading is the identity, and no text crashes a reader."""

from dataclasses import fields, replace

from hypothesis import example, given
from hypothesis import strategies as st

from engines import Position
from protocols.records import formats
from protocols.records.formats import FORMATS
from protocols.records.record import Reading, RecordError
from protocols.records.replay import replay, result_of
from protocols.values import Record
from tests.protocols.records import boardspace
from tests.protocols.records.boardspace import Dialect
from tests.protocols.records.games import forced_passes, hive_games, records

NAMES = [one.name for one in FORMATS]
UHP_LOSES = {"seats", "result", "time_control", "created_at", "times", "clocks"}
WALLWARS_LOSES = {"seats", "result", "time_control", "created_at", "times", "clocks"}
PRF_LOSES = {"seats", "result", "time_control", "created_at", "times", "clocks", "part_times"}


def winners(record: Record) -> tuple[int, ...] | None:
    return None if record.result is None else record.result.winners


@given(records())
def test_json_keeps_everything(record: Record) -> None:
    assert formats.read(formats.write(record, "json")).record == record
    assert formats.lost(record, "json") == ()


@given(records().filter(lambda record: record.game == "wallwars"))
def test_wallwars_keeps_the_game(record: Record) -> None:
    text = formats.write(record, "wallwars")
    back = formats.read(text).record
    changed = {
        field.name for field in fields(Record) if getattr(back, field.name) != getattr(record, field.name)
    }
    assert changed == set(formats.lost(record, "wallwars"))
    assert changed <= WALLWARS_LOSES
    assert winners(back) == winners(record)
    assert formats.write(back, "wallwars") == text
    assert formats.lost(back, "wallwars") == ()


@given(records().filter(lambda record: record.game == "pyrat"))
def test_prf_keeps_the_game(record: Record) -> None:
    text = formats.write(record, "prf")
    assert formats.read(text) == formats.read(text, "prf")
    back = formats.read(text).record
    assert set(formats.lost(record, "prf")) <= PRF_LOSES
    assert (back.variant, back.config) == (record.variant, record.config)
    assert (back.moves, back.late) == (record.moves, record.late)
    assert winners(back) == winners(record)
    assert formats.write(back, "prf") == text
    assert formats.lost(back, "prf") == ()


@given(records().filter(lambda record: record.game == "hive"))
def test_a_game_string_keeps_the_moves(record: Record) -> None:
    text = formats.write(record, "uhp")
    back = formats.read(text).record
    assert (back.variant, back.config, back.moves) == (record.variant, record.config, record.moves)
    assert set(formats.lost(record, "uhp")) <= UHP_LOSES
    assert winners(back) == winners(record)
    assert formats.write(back, "uhp") == text


dialects = st.builds(Dialect, st.integers(0, 25), st.integers(0, 25), st.booleans(), st.booleans())


@given(hive_games | forced_passes, dialects)
def test_boardspace_files_are_read(game: Position, dialect: Dialect) -> None:
    record = formats.read(boardspace.write(game, dialect)).record
    moves = [*game.history]
    while not dialect.has_passes and moves[-1:] == ["pass"]:
        moves.pop()
    assert (record.variant, list(record.moves)) == (game.variant, moves)


@given(records())
def test_played_games_are_accepted(record: Record) -> None:
    position = replay(Reading(record))
    assert tuple(position.history) == record.moves
    assert result_of(record, position) == record.result
    told_less = replace(record, result=None)
    assert result_of(told_less, position) == (None if position.outcome is None else record.result)


# ---- fuzz ----------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *(
            "1.",
            "2.",
            "1...",
            "Cb8",
            "Cb7.>d4",
            "---",
            ">d4",
            "1-0",
            "*",
            "{",
            "}",
            ";",
            "(",
            ")",
            "$1",
            "!?",
        ),
        *(
            "a1",
            "a1>",
            "c3v",
            ",",
            "\n",
            "\r\n",
            "\ufeff",
            '[Board "8x8"]\n',
            '[Result "*"]\n',
            "[",
            "]",
            '"',
        ),
        *(
            '[Variant "classic"]\n',
            '[Config "{}"]\n',
            '[Date "2026.02.31"]\n',
            '[Board "999x1"]\n',
            "\\",
            "\x00",
        ),
        *(
            '{"game":"wallwars"',
            '"moves":["Cb8"]',
            '"config":{"boardWidth":',
            "}",
            ":",
            "[[[[",
            "1e999",
            "-1",
        ),
        *("Base", "+MLP", ";", "wS1", "bQ wS1-", "/bA1", "pass", "WhiteWins", '[GameType "Base"]\n', "!0"),
        *("(;", ")", "SU[hive]", "; P0[1 Pick W 4 wS1]", "; P0[Dropb wS1 N 13 .]", "; P1[2 Done]", "RE[Ada]"),
        *("; P1[Move B bQ O 13 .]", "; P0[3 Resign]", "; P0[PassDone]", 'P0[id "Ada"]', "; P1[Pickb N 13 Q]"),
        *(
            '[MazeWidth "3"]\n[MazeHeight "3"]\n',
            "W:(0,0)-(0,1)\n",
            "M:(0,0)-(1,0):3\n",
            "C:(1,1)\n",
            "R:(0,0)\n",
        ),
        *("P:(2,2)\n", "1. U/*\n", "(1ms/2ms)", '[FinalScore "1-0"]\n', '[MaxTurns "2"]\n', "#", '"UP/LEFT"'),
        *('"result":{"winners":[0],"reason":"timeout"}', '"times":[1]', "null", "99999999999999999999999"),
    ]
)
ALMOST = st.lists(WORDS, max_size=30).map(" ".join) | st.lists(WORDS, max_size=30).map("".join)


def check_sentence(text: str) -> None:
    assert text
    assert "\n" not in text


def opened(text: str, name: str) -> None:
    """Reads, replays, checks and writes; raises nothing but RecordError."""
    try:
        reading = formats.read(text, name)
        position = replay(reading)
        result_of(reading.record, position)
    except RecordError as refusal:
        check_sentence(str(refusal))
        return
    for one in FORMATS:
        if one.write is not None and one.refusal(reading.record) is None:
            formats.read(formats.write(reading.record, one.name), one.name)


@given(ALMOST | st.text(), st.sampled_from([*NAMES, "auto"]))
@example("[" * 60_000, "json")
@example('{"game":"wallwars","config":' + '{"a":' * 5000 + "1" + "}" * 5001, "json")
@example('{"game":"wallwars","config":{"boardWidth":' + "9" * 5000 + "}}", "json")
@example('{"game":"wallwars","config":{"boardWidth":1e999}}', "json")
@example('{"game":"wallwars","config":{"\\ud800":1}}', "json")
@example('{"game":"toy-draw","config":{"seats":1000000000}}', "json")
@example("a1" + " " * 60_000 + "!", "auto")
@example("[a " + '"' * 60_000, "auto")
@example('[Board "' + " " * 60_000, "auto")
@example("1" * 60_000, "wallwars")
@example("{" * 60_000, "wallwars")
@example("\n" * 60_000, "auto")
@example("\ud800", "wallwars")
@example('[MazeWidth "3"]\n' + "{" * 60_000, "auto")
@example('[MazeWidth "3"]\n' + "1. U/L (" * 8_000, "prf")
@example('[MazeWidth "3"]\nC:' + "(1,1) " * 9_000, "prf")
@example('[MazeWidth "3"]\nW:' + "(" + " " * 60_000, "prf")
@example("Base;" * 12_000, "auto")
@example('[GameType "Base"]\n' + "1. " * 20_000, "uhp")
@example("Base;" + "wS1" + " " * 60_000, "uhp")
@example("(;" + "[" * 60_000, "sgf")
@example("(;A[" + "\\" * 60_000, "sgf")
@example("(;SU[hive]" + "P0[Done]" * 8000 + ")", "sgf")
@example("(;SU[hive]P0[id " + " " * 60_000 + "x])", "sgf")
def test_no_text_crashes_a_reader(text: str, name: str) -> None:
    opened(text, name)


@given(records(), st.data())
def test_no_damaged_record_crashes_a_reader(record: Record, data: st.DataObject) -> None:
    fit = [one.name for one in FORMATS if one.write is not None and one.refusal(record) is None]
    name = data.draw(st.sampled_from(fit))
    text = formats.write(record, name)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    opened(text[:start] + data.draw(ALMOST) + text[end:], data.draw(st.sampled_from([name, "auto"])))
