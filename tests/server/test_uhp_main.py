"""A main viewer and its engines at a running server, where things happen that it has not led to."""

from collections.abc import Sequence

import httpx
import pytest

from tests.server.serving import Served
from tests.server.test_uhp_engines import EMPTY, ONE, TWO, greet, say
from tests.server.test_uhp_matchmaking import until_open
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


async def lead(viewer: Peer, mover: Peer, move: str, told: Sequence[Peer]) -> None:
    """The main viewer asks for a move and plays it; the engines that are told have not answered yet."""
    await viewer.send("bestmove depth 1")
    assert await mover.line() == "bestmove depth 1"
    await say(mover, move, "ok")
    assert await viewer.answer() == [move]
    await viewer.send(f"play {move}")
    for peer in told:
        assert await peer.line() == f"play {move}"


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


async def test_a_main_viewer_leaves_without_having_played_what_was_named(uhp_server: Served) -> None:
    """The engine is asked again, for a move that counts."""
    _, tokens = await new_game(uhp_server)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        async with opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer:
            await set_up(viewer, white, black)
            await viewer.send("bestmove time 00:00:05")
            assert (await white.line()).startswith("bestmove")
            await say(white, "wA1", "ok")
            assert await viewer.answer() == ["wA1"]
        assert (await white.line()).startswith("bestmove")
        await say(white, "wG1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play wG1"


async def test_somebody_moves_for_the_engine_that_thinks(uhp_server: Served) -> None:
    """The holder of a seat may move on a page: the viewer hears that its request is void, and can go on."""
    game_id, tokens = await new_game(uhp_server)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
        opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer,
    ):
        await set_up(viewer, white, black)
        await viewer.send("bestmove time 00:00:05")
        assert (await white.line()).startswith("bestmove")
        async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
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


async def test_nobody_waits_for_an_engine_that_has_left(uhp_server: Served) -> None:
    """It leaves before it has taken a move, and is missed when it should make one: then its clock runs."""
    control = {"initialSeconds": 6, "incrementSeconds": 0, "startsAtOnce": True}
    _, tokens = await new_game(uhp_server, timeControl=control)
    async with (
        opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer,
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
    ):
        async with opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black:
            await set_up(viewer, white, black)
            await lead(viewer, white, "wA1", (white, black))
            for peer in (white, black):
                await say(peer, ONE, "ok")
            assert await viewer.answer() == [ONE]
            await lead(viewer, black, "bB1 -wA1", (white, black))
            await say(white, TWO, "ok")
        assert await viewer.answer() == [TWO]
        await lead(viewer, white, "wQ wA1-", (white,))
        three = f"{TWO.replace('White[2]', 'Black[2]')};wQ wA1-"
        await say(white, three, "ok")
        assert await viewer.answer() == [three]
        await viewer.send("bestmove depth 1")
        assert await viewer.answer() == ["err game over: WhiteWins (timeout)"]


ONE_SEAT = ["err this token plays one seat: to lead both, open a game with role=main"]


async def test_a_seat_found_by_matchmaking_leads_nobody(uhp_server: Served) -> None:
    """The opponent has come to play, not to be led."""
    criteria = "role=engine type=Base+MLP tc=60+1"
    async with (
        opened(tcp, uhp_server, f"{criteria} color=white secret=1") as white,
        opened(tcp, uhp_server, f"{criteria} color=black") as black,
    ):
        await greet(white)
        await until_open(uhp_server, 1)
        await greet(black)
        token = (await white.line()).rpartition("resume=")[2].partition(":")[2]
        for words in (f"token={token}", f"token={token} analysis=1"):
            async with tcp(uhp_server, f"role=main {words}") as viewer:
                assert await viewer.end() == ONE_SEAT
        assert await black.line() == f"newgame {EMPTY}"


async def test_an_engine_that_is_led_does_not_lead(uhp_server: Served) -> None:
    """Not even when its main viewer is gone."""
    async with opened(tcp, uhp_server, "role=main type=Base+MLP tc=60+1") as viewer:
        game_id = (await viewer.answer())[0].rpartition("game=")[2]
        async with opened(tcp, uhp_server, f"role=engine game={game_id} color=white secret=1") as white:
            await greet(white)
            token = (await white.line()).rpartition("resume=")[2].partition(":")[2]
            async with tcp(uhp_server, f"role=main token={token}") as thief:
                assert await thief.end() == ONE_SEAT


async def test_the_host_of_a_game_with_an_open_seat_leads_nobody(uhp_server: Served) -> None:
    _, (token, *_) = await new_game(uhp_server, seats=[{"kind": "human"}, {"kind": "open"}])
    async with tcp(uhp_server, f"role=main token={token}") as viewer:
        assert await viewer.end() == ONE_SEAT


@pytest.mark.parametrize("line", ["validmoves", "bestmove depth 1"])
async def test_a_main_viewer_that_does_not_wait_is_sent_away(uhp_server: Served, line: str) -> None:
    async with opened(tcp, uhp_server, "role=main type=Base+MLP tc=-") as viewer:
        await viewer.answer()
        await viewer.send("newgame Base+MLP")
        for _ in range(17):
            await viewer.send(line)
        assert await viewer.end() == ["err too many commands are waiting", "ok"]
