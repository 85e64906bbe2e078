"""Model A at a running server: what transcripts of engines cannot say, and scripted engines for other tests."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.server.serving import Served
from tests.server.uhp_clients import Open, Peer, new_game, opened, shown, tcp
from tests.server.uhp_results import ended, result

BANNER = ("id {}", "Mosquito;Ladybug;Pillbug", "ok")
EMPTY = "Base+MLP;NotStarted;White[1]"
ONE = "Base+MLP;InProgress;Black[1];wA1"
TWO = "Base+MLP;InProgress;White[2];wA1;bB1 -wA1"


async def say(peer: Peer, *lines: str) -> None:
    for line in lines:
        await peer.send(line)


async def greet(peer: Peer, name: str = "Scripted 1") -> None:
    """Who the engine is."""
    await say(peer, *(line.format(name) for line in BANNER))


@asynccontextmanager
async def engines(
    services: Served, open_peer: Open, kind: str = "Base+MLP", more: str = "", **game: Any
) -> AsyncIterator[tuple[str, Peer, Peer]]:
    """A game between two engines that stand at its start."""
    game_id, tokens = await new_game(services, kind, **game)
    async with (
        opened(open_peer, services, f"role=engine token={tokens[0]} {more}".strip()) as white,
        opened(open_peer, services, f"role=engine token={tokens[1]} {more}".strip()) as black,
    ):
        for peer in (white, black):
            await greet(peer)
            assert await peer.line() == f"newgame {kind};NotStarted;White[1]"
            await say(peer, f"{kind};NotStarted;White[1]", "ok")
        yield game_id, white, black


async def play(pair: Sequence[Peer], moves: Sequence[str], kind: str, before: Sequence[str] = ()) -> None:
    """Plays moves in turn, each as the answer to a ``bestmove``."""
    played = list(before)
    for move in moves:
        mover = pair[len(played) % 2]
        assert (await mover.line()).startswith("bestmove ")
        await say(mover, move, "ok")
        played.append(move)
        for peer in pair:
            assert await peer.line() == ("pass" if move == "pass" else f"play {move}")
            await say(peer, ";".join((kind, "InProgress", "White[1]", *played)), "ok")


async def marks(client: httpx.AsyncClient, game_id: str) -> list[list[str | None]]:
    """How the seats of a game are marked: in the game, and in both lists of live games."""
    game = (await client.get(f"/api/games/{game_id}")).json()
    rows = (await client.get("/api/games?status=live")).json()["games"]
    live = (await client.get("/api/games/live?ext=1")).json()["games"]
    lists = [game["seats"]] + [row["seats"] for row in rows if row["gameId"] == game_id]
    lists += [row["seats"] for row in live if row["id"] == game_id]
    return [[seat.get("via") for seat in seats] for seats in lists]


async def test_seats_played_by_engines_are_marked_everywhere(uhp_server: Served) -> None:
    async with (
        engines(uhp_server, tcp) as (game_id, white, _),
        httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client,
        asyncio.timeout(60),
    ):
        await white.line()
        while await marks(client, game_id) != [["uhp", "uhp"]] * 3:  # noqa: ASYNC110 - soon after they connect
            await asyncio.sleep(0.02)


async def test_a_seat_that_does_not_come_back_loses(impatient_uhp_server: Served) -> None:
    async with engines(impatient_uhp_server, tcp) as (game_id, white, black):
        await play((white, black), ("wA1", "bB1 -wA1"), "Base+MLP")
        black.writer.transport.abort()  # type: ignore[attr-defined]  # A TcpPeer.
        assert result(await ended(impatient_uhp_server, game_id)) == ([0], "disconnect")


async def set_up(viewer: Peer, white: Peer, black: Peer) -> None:
    """The engines say who they are, and stand at the start of the game."""
    await viewer.answer()
    await greet(white)
    await greet(black)
    await viewer.send("newgame Base+MLP")
    for peer in (white, black):
        assert await peer.line() == f"newgame {EMPTY}"
        await say(peer, EMPTY, "ok")
    assert await viewer.answer() == [EMPTY]


async def test_a_main_viewer_leaves_while_its_engine_thinks(uhp_server: Served) -> None:
    """The move counts, and the engines go on by themselves."""
    game_id, tokens = await new_game(uhp_server)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        async with opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer:
            await set_up(viewer, white, black)
            await viewer.send("bestmove time 00:00:05")
            assert (await white.line()).startswith("bestmove")
            await viewer.send("exit")
            assert await viewer.end() == []
        await say(white, "wA1", "ok")
        line = await white.line()
        # The move may have come while the viewer, who had asked for it, was leaving.
        if line.startswith("bestmove"):
            await say(white, "wA1", "ok")
            line = await white.line()
        assert line == await black.line() == "play wA1"
        for peer in (white, black):
            await say(peer, ONE, "ok")
        assert (await black.line()).startswith("bestmove")
        await say(black, "bB1 -wA1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play bB1 -wA1"
            await say(peer, TWO, "ok")
        assert (await white.line()).startswith("bestmove")
        assert (await shown(uhp_server, game_id))["ply"] == 2
