"""What a running server writes on stderr."""

import logging
import logging.config

import pytest

from server.logs import LOGGING, OneLine, WithoutQueries

LINE = OneLine("%(levelname)s: %(message)s")


def line(text: str, *values: object) -> str:
    return LINE.format(logging.LogRecord("x", logging.INFO, __file__, 1, text, values, None))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("no\nINFO: all is well", r"no\nINFO: all is well"),
        ("a\r\t\x1b[2Jb", r"a\r\t\x1b[2Jb"),
        ("\u2028\x85", r"\u2028\x85"),
        ("plain, ünï ♞ and %s", "plain, ünï ♞ and %s"),
    ],
)
def test_a_text_of_a_client_begins_no_line_of_its_own(text: str, written: str) -> None:
    assert line("bot: %s", text) == f"INFO: bot: {written}"


def test_a_traceback_keeps_its_lines() -> None:
    try:
        raise ValueError("here")
    except ValueError as error:
        told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), told)
    assert len(LINE.format(record).splitlines()) > 2


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("/game/a?token=secret&ply=3", "/game/a"),
        ("GET http://here/game/a?token=secret HTTP/1.1", "GET http://here/game/a HTTP/1.1"),
        ("who? /a?b", "who? /a"),
        ("/" * 60_000, "/" * 60_000),
    ],
)
def test_addresses_lose_their_query_however_long_they_are(address: str, written: str) -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "%s", (address,), None)
    WithoutQueries().filter(record)
    assert record.getMessage() == written


def test_the_configuration_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logging.config.dictConfig(LOGGING)
        logging.getLogger("x").info("GET %s", "/ws/games/a?token=secret")
    finally:
        root.handlers[:], level = before
        root.setLevel(level)
    assert capsys.readouterr().err.endswith("INFO x: GET /ws/games/a\n")
