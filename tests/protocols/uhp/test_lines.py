"""Splitting bytes into lines and parsing commands, independent of chunks and spelling."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.uhp.lines import (
    MAX_LINE_BYTES,
    Command,
    LineSplitter,
    LineTooLong,
    is_error,
    iterate_lines,
    read_command,
    shown,
)


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_lines_do_not_depend_on_how_the_stream_is_cut(stream: bytes, cuts: list[int]) -> None:
    whole, piecewise = LineSplitter(), LineSplitter()
    ends = [0, *sorted(cuts), len(stream)]
    lines = [line for start, end in pairwise(ends) for line in piecewise.feed(stream[start:end])]
    assert lines == whole.feed(stream)
    assert piecewise.end() == whole.end()


def test_both_line_ends_and_a_last_line_without_one() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"info\r\n\nplay wA1\nun") == ["info", "", "play wA1"]
    assert splitter.feed(b"do\r") == []
    assert splitter.end() == ["undo"]
    assert splitter.end() == []


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_the_same_however_they_arrive(size: int) -> None:
    data = b"one\n\ntwo\r\n" + b"y" * 20 + b"\nlast"
    splitter = LineSplitter(10)
    lines = [line for at in range(0, len(data), size) for line in splitter.feed(data[at : at + size])]
    assert [str(line) for line in lines] == ["one", "", "two", "a line has at most 10 bytes"]
    assert splitter.end() == ["last"]


def test_the_end_of_a_message_ends_a_line() -> None:
    assert [*iterate_lines("wA1\nok")] == ["wA1", "ok"]
    assert [*iterate_lines("wA1\nok\n")] == ["wA1", "ok"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_length_of_a_line_is_limited(end: bytes) -> None:
    splitter = LineSplitter()
    longest = "x" * MAX_LINE_BYTES
    assert splitter.feed(longest.encode() + end) == [longest]
    lines = splitter.feed(b"y" + longest.encode() + end + b"info\n")
    assert [type(line) for line in lines] == [LineTooLong, str]
    assert str(lines[0]) == "a line has at most 16384 bytes"


def test_the_buffer_is_limited_to_one_line() -> None:
    splitter = LineSplitter()
    for _ in range(100):
        assert splitter.feed(b"x" * 10_000) == []
        assert len(splitter._partial) <= MAX_LINE_BYTES + 1
    assert [type(line) for line in splitter.feed(b"\nok\n")] == [LineTooLong, str]
    assert splitter.feed(b"x" * 20_000) == []
    assert [type(line) for line in splitter.end()] == [LineTooLong]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("info", Command("info")),
        ("  PLAY \t wA1   bB1-  ", Command("play", ("wA1", "bB1-"))),
        ("", None),
        (" \t\r", None),
    ],
)
def test_commands_are_read_liberally(line: str, command: Command | None) -> None:
    assert read_command(line) == command


def test_the_rest_of_a_command_has_single_blanks() -> None:
    assert Command("play", ("wA1", "bB1-")).rest == "wA1 bB1-"


@pytest.mark.parametrize(
    ("line", "refused"), [("err x", True), ("invalidmove", True), ("ok", False), ("wA1", False)]
)
def test_refusals_are_recognised_by_their_first_word(line: str, refused: bool) -> None:  # noqa: FBT001  parametrized
    assert is_error(line) is refused


@given(st.text(max_size=200))
def test_shown_text_is_short_and_printable(text: str) -> None:
    assert len(shown(text)) <= 61
    assert shown(text).isprintable()
