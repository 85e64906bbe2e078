"""A main viewer and its engines at a served house, where things happen that it has not led to."""

import httpx
import pytest

from tests.server.serving import Served
from tests.server.test_uhp_engines import EMPTY, ONE, TWO, greet, say
from tests.server.uhp_clients import Peer, new_game, opened, shown, tcp


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


async def test_a_main_viewer_leaves_while_its_engine_thinks(uhp_house: Served) -> None:
    """The move counts, and the engines go on by themselves."""
    game_id, tokens = await new_game(uhp_house)
    async with (
        opened(tcp, uhp_house, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_house, f"role=engine token={tokens[1]}") as black,
    ):
        async with opened(tcp, uhp_house, f"role=main token={tokens[0]}") as viewer:
            await set_up(viewer, white, black)
            await viewer.send("bestmove time 00:00:05")
            assert (await white.line()).startswith("bestmove")
            await viewer.send("exit")
            assert await viewer.end() == []
        await say(white, "wA1", "ok")
        line = await white.line()
        if line.startswith(
            "bestmove"
        ):  # The move has come while the viewer was leaving, who had asked for it.
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
        assert (await shown(uhp_house, game_id))["ply"] == 2


async def test_a_main_viewer_leaves_without_having_played_what_was_named(uhp_house: Served) -> None:
    """The engine is asked again, for a move that counts."""
    _, tokens = await new_game(uhp_house)
    async with (
        opened(tcp, uhp_house, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_house, f"role=engine token={tokens[1]}") as black,
    ):
        async with opened(tcp, uhp_house, f"role=main token={tokens[0]}") as viewer:
            await set_up(viewer, white, black)
            await viewer.send("bestmove time 00:00:05")
            assert (await white.line()).startswith("bestmove")
            await say(white, "wA1", "ok")
            assert await viewer.answer() == ["wA1"]
        assert (await white.line()).startswith("bestmove")
        await say(white, "wG1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play wG1"


async def test_somebody_moves_for_the_engine_that_thinks(uhp_house: Served) -> None:
    """The holder of a seat may move on a page: the viewer hears that its request is void, and can go on."""
    game_id, tokens = await new_game(uhp_house)
    async with (
        opened(tcp, uhp_house, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_house, f"role=engine token={tokens[1]}") as black,
        opened(tcp, uhp_house, f"role=main token={tokens[0]}") as viewer,
    ):
        await set_up(viewer, white, black)
        await viewer.send("bestmove time 00:00:05")
        assert (await white.line()).startswith("bestmove")
        async with httpx.AsyncClient(base_url=uhp_house.url) as client:
            headers = {"Authorization": f"Bearer {tokens[0]}"}
            answer = await client.post(f"/api/games/{game_id}/moves", json={"move": "wA1"}, headers=headers)
            assert answer.status_code == 200
        assert await viewer.answer() == [f"err the game has gone on: {ONE}"]
        await say(white, "wG1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play wA1"
            await say(peer, ONE, "ok")
        await viewer.send("bestmove time 00:00:05")
        assert (await black.line()).startswith("bestmove")
        await say(black, "bB1 -wA1", "ok")
        assert await viewer.answer() == ["bB1 -wA1"]


@pytest.mark.parametrize("line", ["validmoves", "bestmove depth 1"])
async def test_a_main_viewer_that_does_not_wait_is_sent_away(uhp_house: Served, line: str) -> None:
    async with opened(tcp, uhp_house, "role=main type=Base+MLP tc=-") as viewer:
        await viewer.answer()
        await viewer.send("newgame Base+MLP")
        for _ in range(17):
            await viewer.send(line)
        assert await viewer.end() == ["err too many commands are waiting", "ok"]
