"""Peers that mean harm, or do not know better: nobody else is hurt, and the server says what is wrong where it can."""

import asyncio
import socket
import struct
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from commands.serve import listen
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tests.server.uhp_clients import (
    Open,
    Peer,
    TcpPeer,
    WebPeer,
    new_game,
    opened,
    raw_tcp,
    small_buffer,
    tcp,
    web,
)

LONG = "x" * 20_000
both = pytest.mark.parametrize("open_peer", [tcp, web])


@both
async def test_a_line_that_is_too_long_is_refused_and_costs_nothing(
    uhp_server: Served, open_peer: Open
) -> None:
    _, tokens = await new_game(uhp_server)
    async with opened(open_peer, uhp_server, f"role=seat token={tokens[0]}") as white:
        await white.lines(2)
        for _ in range(6):
            await white.send(LONG)
            assert await white.line() == "err line too long"
        await white.send("wA1")
        assert await white.line() == "Base+MLP;InProgress;Black[1];wA1"


@both
async def test_a_viewer_gets_ok_behind_every_answer(uhp_server: Served, open_peer: Open) -> None:
    async with opened(open_peer, uhp_server, "role=viewer") as viewer:
        await viewer.answer()
        await viewer.send(LONG)
        assert await viewer.answer() == ["err line too long"]
        await viewer.send("what")
        assert (await viewer.answer())[0].startswith("err ")


async def test_binary_frames_are_refused(uhp_server: Served) -> None:
    async with opened(web, uhp_server, "role=seat") as seat:
        assert isinstance(seat, WebPeer)
        await seat.connection.send(b"wA1")
        assert await seat.line() == "err text only"
        for _ in range(99):
            await seat.connection.send(b"wA1")
        assert len(await seat.end()) == 98
        assert seat.connection.close_code == 1008


async def test_a_message_may_hold_several_lines(uhp_server: Served) -> None:
    async with opened(web, uhp_server, "role=viewer") as viewer:
        await viewer.answer()
        await viewer.send("newgame Base\r\n\r\nplay wA1\nundo\n")
        assert [await viewer.answer() for _ in range(3)] == [
            ["Base;NotStarted;White[1]"],
            ["Base;InProgress;Black[1];wA1"],
            ["Base;NotStarted;White[1]"],
        ]


async def test_half_lines_are_put_together(uhp_server: Served) -> None:
    async with raw_tcp(uhp_server) as peer:
        for part in (b"plyhou", b"se/1 role=vi", b"ewer\r", b"\nnewga", b"me Base\nin", b"fo"):
            peer.writer.write(part)
            await asyncio.sleep(0.02)
        assert await peer.line() == "ok"
        await peer.answer()
        assert await peer.answer() == ["Base;NotStarted;White[1]"]
        peer.writer.write(b"\n")
        assert len(await peer.answer()) == 2


async def test_too_many_commands_at_once_end_the_connection(uhp_server: Served) -> None:
    async with opened(tcp, uhp_server, "role=viewer") as viewer:
        await viewer.answer()
        await viewer.send("newgame remote tc=11+11")
        await viewer.send("\n".join(["validmoves"] * 17))
        assert await viewer.end() == ["err too many commands are waiting", "ok"]


@both
async def test_a_flood_hurts_nobody_else(uhp_server: Served, open_peer: Open) -> None:
    async with AsyncExitStack() as stack:
        floods = [
            await stack.enter_async_context(opened(open_peer, uhp_server, "role=seat")) for _ in range(3)
        ]
        pouring = [asyncio.ensure_future(_pour(peer)) for peer in floods]
        await asyncio.sleep(0.1)
        async with opened(open_peer, uhp_server, "role=viewer") as viewer:
            await viewer.answer()
            for _ in range(10):
                await viewer.send("newgame Base")
                await viewer.answer()
        for task in pouring:
            task.cancel()
        await asyncio.gather(*pouring, return_exceptions=True)
        for peer in floods:
            if isinstance(peer, WebPeer):
                peer.connection.transport.abort()  # The server would read all before it answered a farewell.


async def _pour(peer: Peer) -> None:
    """Sends without end, and reads what comes."""

    async def read() -> None:
        while True:
            await peer.line()

    reading = asyncio.ensure_future(read())
    try:
        while True:
            await peer.send("nonsense")
            await asyncio.sleep(0)
    finally:
        reading.cancel()


async def _pour_out(peer: TcpPeer) -> None:
    """Asks for long answers without end, and reads nothing."""
    while True:
        peer.writer.write(b"licenses\n" * 1000)
        await peer.writer.drain()


async def test_who_never_reads_is_cut(tmp_path: Path) -> None:
    with Served(tmp_path, "--uhp-port", "0", PLYHOUSE_MESSAGES_PER_SECOND="0") as services:
        async with raw_tcp(services) as peer:
            small_buffer(peer)
            await peer.send("plyhouse/1 role=viewer")
            peer.writer.transport.pause_reading()  # type: ignore[attr-defined]  # asyncio's own transports have it
            async with asyncio.timeout(60):
                with pytest.raises(ConnectionError):
                    await _pour_out(peer)
        async with opened(tcp, services, "role=viewer") as viewer:
            assert len(await viewer.answer()) == 2


async def test_who_goes_in_mid_sentence_leaves_nothing_in_the_log(uhp_server: Served) -> None:
    for _ in range(5):
        async with raw_tcp(uhp_server) as peer:
            small_buffer(peer)
            await peer.send("plyhouse/1 role=viewer")
            peer.writer.transport.pause_reading()  # type: ignore[attr-defined]  # asyncio's own transports have it
            peer.writer.write(b"licenses\n" * 3000)
            await asyncio.sleep(0.05)
            _reset(peer)
    async with opened(tcp, uhp_server, "role=viewer") as viewer:
        assert len(await viewer.answer()) == 2
    assert "Traceback" not in uhp_server.log


def _reset(peer: TcpPeer) -> None:
    """Cuts the connection without a farewell, whatever is still on its way."""
    connection = peer.writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.writer.transport.abort()


async def test_who_says_nothing_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.services.uhp.acceptor.HANDSHAKE_SECONDS", 0.05)
    listener = listen("127.0.0.1", 0)
    app = app_with(settings(tmp_path), uhp_listener=listener)
    async with app.router.lifespan_context(app):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        async with asyncio.timeout(60):
            assert await reader.read() == b"err no handshake came\n"
        writer.close()


async def test_a_page_of_another_site_may_not_connect(uhp_server: Served) -> None:
    with pytest.raises(InvalidStatus):
        async with connect(f"{uhp_server.socket_url}/uhp?role=viewer", origin="https://evil.example"):  # type: ignore[arg-type]  # a str is an Origin
            pass


async def test_a_bad_handshake_of_a_socket_closes_it(uhp_server: Served) -> None:
    async with web(uhp_server, "role=king") as peer:
        assert (await peer.line()).startswith("err role must be one of")
        with pytest.raises(ConnectionClosed):
            await peer.connection.recv()
        assert peer.connection.close_code == 1008
