"""What a running server writes on stderr."""

import logging
import logging.config
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from commands.logs import OneLine, WithoutQueries, configuration
from tests.server.serving import Served

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
def test_a_clients_text_cannot_start_a_new_line(text: str, written: str) -> None:
    assert line("bot: %s", text) == f"INFO: bot: {written}"


def test_times_are_those_of_the_standard_library() -> None:
    record, standard = logging.LogRecord("x", logging.INFO, __file__, 1, "", (), None), logging.Formatter()
    for created, msecs in [(0.0, 0.0), (1.9999, 999.9), (1.0, 0.4), (1_900_000_000.5, 500.0), (1.25, 250.0)]:
        record.created, record.msecs = created, msecs
        assert LINE.formatTime(record) == standard.formatTime(record)
        assert LINE.formatTime(record, "%H:%M") == standard.formatTime(record, "%H:%M")


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
        ("/game/a%3Ftoken=secret", "/game/a"),
        ("/game/a%3ftoken%3Dsecret", "/game/a"),
        ("/game/a%253Ftoken%253Dsecret", "/game/a"),
        ("/" * 60_000, "/" * 60_000),
        ("/" + "%25" * 20_000, "/" + "%25" * 20_000),
    ],
)
def test_addresses_lose_their_query_whatever_their_length(address: str, written: str) -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "%s", (address,), None)
    WithoutQueries().filter(record)
    assert record.getMessage() == written


def test_addresses_among_named_values_lose_their_query_as_well() -> None:
    record = logging.LogRecord(
        "x", logging.INFO, __file__, 1, "%(path)s", ({"path": "/a?token=secret"},), None
    )
    WithoutQueries().filter(record)
    assert record.getMessage() == "/a"


@pytest.mark.parametrize(
    "text",
    [
        "a token=secret",
        "no slash?token=secret&ply=3",
        "b%0Ac&socketToken%3Dsecret",
        "/a b?token=secret",
        "token=secret\n",
    ],
)
def test_no_message_shows_a_token(text: str) -> None:
    assert "secret" not in line(text)
    assert "secret" not in line("%s", text)


def test_no_traceback_shows_a_token() -> None:
    try:
        raise ValueError("cannot open /game/a?token=secret")
    except ValueError as error:
        told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), told)
    assert "ValueError: cannot open /game/a?token=…" in LINE.format(record)


async def test_a_server_logs_no_token(tmp_path: Path) -> None:
    secret = "s3cr3t"  # noqa: S105 - what must not be logged
    with Served(tmp_path) as served:
        client = httpx.AsyncClient(base_url=served.url, timeout=60)
        for path in (
            f"/game/x?token={secret}",
            f"/game/x%3Ftoken={secret}",
            f"/game/x%3ftoken%3D{secret}",
            f"/game/x%253Ftoken%253D{secret}",
            f"/api/games/x%20y%3Ftoken={secret}",
            f"/api/games/x&token={secret}",
        ):
            await client.get(path)
            with suppress(InvalidStatus):
                async with connect(f"{served.socket_url}/ws{path}"):
                    pass
        await client.aclose()
        served.stop(signal.SIGTERM)
        assert "GET /game/x " in served.log
        assert secret not in served.log


def test_the_configuration_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logging.config.dictConfig(configuration())
        logging.getLogger("x").info("GET %s", "/ws/games/a?token=secret")
    finally:
        root.handlers[:], level = before
        root.setLevel(level)
    assert capsys.readouterr().err.endswith("INFO x: GET /ws/games/a\n")
