"""Golden records: how each is read, and that those in our form are written back unchanged."""

import re
from pathlib import Path

import pytest

from protocols.records import formats
from protocols.records.formats import FORMATS, find
from protocols.records.record import UNKNOWN
from protocols.records.replay import DRAW_AGREEMENT, replay, result_of
from protocols.values import LeaveReason, Result, Seat, SeatKind, TimeControl

DOCS = Path(__file__).parents[3] / "docs"
FOLDER = Path(__file__).parents[2] / "golden" / "records"

# file, format, moves, result, notes
CASES = [
    ("standard.txt", "wallwars", "Cb5.>d4 Cd5 Cb4 ^c3.^d3 ---", Result((1,), "resignation"), 0),
    ("classic-custom-start.txt", "wallwars", "Cf4.>c2 ^a2 Cg3 Ce2 Cg1", Result((0,), "capture"), 0),
    ("survival.txt", "wallwars", "Cb3 --- Cb2", Result((1,), "survival"), 0),
    ("one-move-rule.txt", "wallwars", "Cb2 Cb2 Cc1", Result((), "one-move-rule"), 0),
    ("unfinished.txt", "wallwars", "Cc10 Ck10 Ma2.^c4 >d10.>d9", None, 0),
    ("pasted.txt", "wallwars", "Cb4 Cc4 Ca4.>c2 ---", None, 1),
    ("puzzle.txt", "puzzle", "Cb9 Ck10.^d9 Cc9.>a7 Cj9", None, 2),
    ("puzzle-with-start.txt", "puzzle", "Cd7 Ci10.^c8 Ce7.>a11", None, 1),
    ("hive.txt", "uhp", r"wB1 bMwB1/ wQ-wB1 bQ\bM wP\wQ bQ-bM wB1bM", Result((1,), "unknown"), 1),
    (
        "hive-board.txt",
        "uhp",
        r"wS1 bS1wS1- wQ-wS1 bQbS1/ wG1-wQ bG1\bQ wG1bQ\ bG2bQ/ wA1wQ\ bA1bG2/ wA1bG2\ bA1/bG1",
        Result((0,), "board"),
        0,
    ),
    ("hive-pasted.txt", "uhp", r"wS1 bS1-wS1 wQwS1/ bQ\bS1 wQwS1-", Result((0,), "unknown"), 1),
    ("hive-tagged.txt", "uhp", r"wS1 bS1wS1- wQ\wS1 bQbS1/", Result((1,), "unknown"), 1),
    ("hive-historic.txt", "uhp", "wQ bB1wQ-", Result((), "unknown"), 2),
    (
        "hive-site.txt",
        "uhp",
        r"wB1 bA1wB1\ wM-wB1 bA2bA1- wS1\wM bMbA2\ wQ\wB1 bQbM/ wMwB1",
        Result((), "unknown"),
        1,
    ),
    (
        "hive-boardspace.sgf",
        "sgf",
        r"wB1 bMwB1/ wQ-wB1 bQ\bM wP\wQ bQ-bM wB1bM pass wB1bM- bL\bM",
        Result((1,), "resignation"),
        0,
    ),
    ("hive-boardspace-old.sgf", "sgf", "wS1 bS1wS1- wQ-wS1 bQbS1/ wA1-wQ bA1bQ- wA1wS1\\", None, 0),
    (
        "maze.pyrat",
        "prf",
        "UP/LEFT RIGHT/DOWN UP/STAY STAY/STAY STAY/LEFT",
        Result((1,), "majority", (1.0, 2.0)),
        0,
    ),
    (
        "replay.pyrat",
        "prf",
        "RIGHT/STAY RIGHT/LEFT STAY/STAY UP/STAY UP/LEFT",
        Result((), "cheese", (1.5, 1.5)),
        1,
    ),
    ("maze.json", "json", "UP/LEFT RIGHT/DOWN !1", Result((0,), "resignation"), 0),
    ("everything.json", "json", "Cb2 Cb2 --- Ca1", Result((1,), "capture"), 0),
    ("hidden-order.json", "json", "take+9 take+5 !2 take+7 take+3 take+6", Result((0,), "timeout"), 0),
]
PASTED = {
    *("pasted.txt", "puzzle.txt", "puzzle-with-start.txt"),
    *("hive-pasted.txt", "hive-tagged.txt", "hive-historic.txt", "hive-site.txt"),
    *("hive-boardspace.sgf", "hive-boardspace-old.sgf", "replay.pyrat"),
}
"""Records that are not in the form that we write."""


def text_of(name: str) -> str:
    return (FOLDER / name).read_text()


def test_every_file_is_read() -> None:
    assert {case[0] for case in CASES} == {path.name for path in FOLDER.iterdir()} - {"README.md"}


@pytest.mark.parametrize(("name", "written_in", "moves", "result", "notes"), CASES)
def test_reading(name: str, written_in: str, moves: str, result: Result | None, notes: int) -> None:
    reading = formats.read(text_of(name))
    assert reading == formats.read(text_of(name), written_in)
    position = replay(reading)
    assert [move.replace(" ", "") for move in position.history] == moves.split()
    assert result_of(reading.record, position) == result
    assert len(reading.notes) == notes, reading.notes


@pytest.mark.parametrize(("name", "written_in"), [case[:2] for case in CASES if case[0] not in PASTED])
def test_writing(name: str, written_in: str) -> None:
    record = formats.read(text_of(name)).record
    assert formats.write(record, written_in) == text_of(name)
    assert formats.lost(record, written_in) == ()


@pytest.mark.parametrize("name", [case[0] for case in CASES])
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_byte_order_marks_and_blanks_do_not_matter(name: str, line_end: str) -> None:
    text = text_of(name)
    changed = "\ufeff" + text.replace("\n", line_end) + line_end * 2
    assert formats.read(changed).record == formats.read(text).record


def test_the_head_of_a_record() -> None:
    record = formats.read(text_of("standard.txt")).record
    assert record.seats == (
        Seat(SeatKind.HUMAN, "Ada", elo=1420),
        Seat(SeatKind.HUMAN, 'Bo "the wall" Lund', elo=1385),
    )
    assert record.time_control == TimeControl(180, 2)
    assert record.created_at == 1_795_219_200_000


def test_the_head_of_a_boardspace_record() -> None:
    record = formats.read(text_of("hive-boardspace.sgf")).record
    assert (record.variant, record.created_at) == ("Base+MLP", 1_795_219_200_000)
    assert record.seats == (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN, "Bo"))


def test_the_head_of_a_hive_record() -> None:
    record = formats.read(text_of("hive-tagged.txt")).record
    assert (record.variant, record.created_at) == ("Base+MLP", 1_795_219_200_000)
    assert record.seats == (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN))
    assert formats.lost(record, "uhp") == ("seats", "created_at")


def test_the_head_of_a_replay() -> None:
    record = formats.read(text_of("replay.pyrat")).record
    assert record.seats == (Seat(SeatKind.HUMAN, "Greedy v1.0"), Seat(SeatKind.HUMAN))
    assert (record.variant, record.config["maxTurns"], record.config["mudModel"]) == ("medium", 300, "rust")
    assert record.config["walls"] == [[[0, 0], [0, 1]]]
    assert (record.created_at, record.times) == (None, None)
    assert record.time_control == TimeControl(0, 0, move_ms=100, preprocessing_ms=3000)


def test_times_of_turns() -> None:
    record = formats.read(text_of("maze.pyrat")).record
    assert record.created_at is not None
    assert record.times is not None
    assert [at - record.created_at for at in record.times] == [812, 852, 852, 1852, 2851]
    assert record.part_times is not None
    assert [max(both) for both in record.part_times] == [*record.times]


def test_violated_rules_are_switched_off() -> None:
    assert formats.read(text_of("hive-historic.txt")).record.config["queenFirst"] is True
    shuffle = ("wQ -wS1", "bQ bB1-", "wQ \\wS1", "bQ bB1\\")
    opening = ("wS1", "bB1 wS1-", "wQ \\wS1", "bQ bB1\\")
    drawn = ";".join(["Base;InProgress;White[1]", *opening, *shuffle, *shuffle])
    reading = formats.read(drawn)
    assert result_of(reading.record, replay(reading)) == Result((), "repetition")
    longer = formats.read(f"{drawn};wQ -wS1")
    assert longer.record.config["drawByRepetition"] is False
    assert (len(longer.notes), result_of(longer.record, replay(longer))) == (1, None)
    assert formats.read(formats.write(longer.record, "uhp")).record == longer.record


def test_lost_parts_are_reported() -> None:
    record = formats.read(text_of("everything.json")).record
    assert formats.lost(record, "json") == ()
    assert formats.lost(record, "wallwars") == ("seats", "time_control", "created_at", "times", "clocks")


def test_the_docs_list_the_reasons_off_the_board() -> None:
    told = re.search(r"the record may end by(.*?)\. The server", (DOCS / "records.md").read_text(), re.DOTALL)
    assert told is not None
    assert set(re.findall("`(.*?)`", told[1])) == {*LeaveReason, DRAW_AGREEMENT, UNKNOWN}


def test_the_records_in_the_docs_are_valid() -> None:
    shown = re.findall(r"```record\n(.*?)```", (DOCS / "records.md").read_text(), re.DOTALL)
    assert len(shown) == len(FORMATS)
    for text, one in zip(shown, map(find, ("json", "wallwars", "puzzle", "uhp", "sgf", "prf")), strict=True):
        reading = one.read(text)
        result_of(reading.record, replay(reading))
    for name, text in (("wallwars", shown[1]), ("uhp", shown[3]), ("prf", shown[5])):
        assert formats.write(find(name).read(text).record, name) == text
