"""Connections that break: players come back to their seats, or lose them; what was acknowledged outlives a kill."""

import asyncio
import signal
from pathlib import Path

import httpx
import pytest

from tests.server.serving import Served
from tests.server.uhp_clients import Open, move_both, new_game, opened, shown, tcp, web

over_tcp = pytest.mark.parametrize("open_peer", [tcp])
CONTROL = {"initialSeconds": 60, "incrementSeconds": 0}


async def until_over(services: Served, game: str) -> dict[str, object]:
    for _ in range(200):
        position = await shown(services, game)
        if position["status"] != "playing":
            return position
        await asyncio.sleep(0.05)
    raise AssertionError(position)


@over_tcp
async def test_a_seat_comes_back_to_where_the_game_is(uhp_server: Served, open_peer: Open) -> None:
    async with opened(open_peer, uhp_server, "role=seat tc=90+1 color=black secret=1") as black:
        async with opened(open_peer, uhp_server, "role=seat tc=90+1 color=white secret=1") as white:
            seat, _ = await white.lines(2)
            *_, resume = seat.split()
            await white.send("wA1")
            await white.line()
        assert (await black.lines(3))[2] == "Base+MLP;InProgress;Black[1];wA1"
        await black.send("bA1 -wA1")
        await black.line()
        async with opened(open_peer, uhp_server, f"role=seat {resume} secret=1") as white:
            assert await white.lines(2) == [seat, "Base+MLP;InProgress;White[2];wA1;bA1 -wA1"]
            await white.send("wB1 wA1-")
            assert await white.line() == "Base+MLP;InProgress;Black[2];wA1;bA1 -wA1;wB1 wA1-"


async def test_a_viewer_comes_back_when_it_is_its_turn(uhp_server: Served) -> None:
    async with opened(tcp, uhp_server, "role=seat tc=91+1 color=black") as black:
        async with opened(tcp, uhp_server, "role=viewer") as viewer:
            await viewer.answer()
            await viewer.send("newgame remote tc=91+1 color=white")
            await viewer.answer()
            await viewer.send("options get RemoteResume")
            secret = (await viewer.answer())[0].split(";")[2]
            await viewer.send("play wA1")
            await viewer.line()
        game = secret.partition(":")[0]
        async with opened(tcp, uhp_server, f"role=viewer resume={secret}") as viewer:
            await viewer.answer()
            await viewer.send(f"newgame remote resume={game}")
            await black.lines(3)
            await black.send("bA1 -wA1")
            assert await viewer.answer() == ["Base+MLP;InProgress;White[2];wA1;bA1 -wA1"]
        async with opened(tcp, uhp_server, "role=viewer") as viewer:
            await viewer.answer()
            await viewer.send(f"newgame remote resume={game}")
            assert await viewer.answer() == ["err name the secret of the game: resume=<id>:<secret>"]
            await viewer.send(f"newgame remote resume={game}:wrong")
            assert await viewer.answer() == ["err the token opens no seat"]
            await viewer.send(f"newgame remote resume={secret}")
            assert await viewer.answer() == ["Base+MLP;InProgress;White[2];wA1;bA1 -wA1"]


async def test_the_newest_connection_has_the_seat(uhp_server: Served) -> None:
    game, tokens = await new_game(uhp_server)
    async with opened(tcp, uhp_server, f"role=seat token={tokens[0]}") as one:
        await one.lines(2)
        async with opened(web, uhp_server, f"role=seat token={tokens[0]}") as other:
            assert await one.end() == ["err another connection has taken this seat"]
            assert await other.line() == f"seat White game={game} tc=-"
            await other.send("wA1")
            assert (await other.lines(2))[1] == "Base+MLP;InProgress;Black[1];wA1"


async def test_who_does_not_come_back_to_an_untimed_game_has_lost_it(impatient_uhp_server: Served) -> None:
    game, tokens = await new_game(impatient_uhp_server)
    async with opened(tcp, impatient_uhp_server, f"role=seat token={tokens[1]}") as black:
        async with opened(tcp, impatient_uhp_server, f"role=seat token={tokens[0]}") as white:
            await move_both(white, black)
        assert (await black.end())[-1] == "end BlackWins disconnect"
    position = await shown(impatient_uhp_server, game)
    assert position["result"] == {"winners": [1], "reason": "disconnect"}


async def test_who_comes_back_in_time_has_lost_nothing(uhp_server: Served) -> None:
    _, tokens = await new_game(uhp_server)
    async with opened(tcp, uhp_server, f"role=seat token={tokens[1]}") as black:
        for ply in range(2):
            async with opened(tcp, uhp_server, f"role=seat token={tokens[0]}") as white:
                await white.lines(2)
                await white.send(("wA1", "wB1 wA1-")[ply])
                await white.line()
            await black.lines(3 if ply == 0 else 1)
            await black.send(("bA1 -wA1", "bB1 -bA1")[ply])
            await black.line()
        async with opened(tcp, uhp_server, f"role=seat token={tokens[0]}"):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1.5):
                    await black.line()


async def test_a_game_that_is_left_before_both_have_moved_is_called_off(uhp_server: Served) -> None:
    game, tokens = await new_game(
        uhp_server, timeControl={**CONTROL, "initialSeconds": 1, "startsAtOnce": True}
    )
    async with opened(tcp, uhp_server, f"role=seat token={tokens[1]}") as black:
        async with opened(tcp, uhp_server, f"role=seat token={tokens[0]}") as white:
            await white.line()
        assert (await black.end())[-1] == "end NotStarted abort"
    assert (await until_over(uhp_server, game))["status"] == "aborted"


@over_tcp
async def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path, open_peer: Open) -> None:
    with Served(tmp_path, "--uhp-port", "0") as services:
        game, tokens = await new_game(services, timeControl=CONTROL)
        async with (
            opened(open_peer, services, f"role=seat token={tokens[0]}") as white,
            opened(open_peer, services, f"role=seat token={tokens[1]}") as black,
        ):
            await white.lines(2)
            await white.send("wA1")
            assert await white.line() == "Base+MLP;InProgress;Black[1];wA1"
            await black.lines(3)
            await black.send("bA1 -wA1")
            assert await black.line() == "Base+MLP;InProgress;White[2];wA1;bA1 -wA1"
            services.stop(signal.SIGKILL)
            assert await black.end() == []
        services.start()
        async with (
            opened(open_peer, services, f"role=seat resume={game}:{tokens[0]}") as white,
            opened(open_peer, services, f"role=viewer resume={game}:{tokens[1]}") as black,
        ):
            assert (await white.lines(2))[1] == "Base+MLP;InProgress;White[2];wA1;bA1 -wA1"
            await black.answer()
            await black.send("newgame remote")
            await white.send("wB1 wA1-")
            assert await black.answer() == ["Base+MLP;InProgress;Black[2];wA1;bA1 -wA1;wB1 wA1-"]


async def test_nobody_loses_by_a_stop(tmp_path: Path) -> None:
    with Served(tmp_path, "--uhp-port", "0", PLYHOUSE_UHP_GRACE_SECONDS="0") as services:
        game, tokens = await new_game(services)
        async with (
            opened(tcp, services, f"role=seat token={tokens[0]}") as white,
            opened(web, services, f"role=seat token={tokens[1]}") as black,
        ):
            await move_both(white, black)
            services.stop(signal.SIGTERM)
            assert "end" not in " ".join((*await white.end(), *await black.end()))
    with Served(tmp_path, "--uhp-port", "0") as services:
        assert (await shown(services, game))["status"] == "playing"


async def test_what_happens_in_an_earlier_game_is_not_told_in_the_present_one(uhp_server: Served) -> None:
    """Also when the earlier one was over before the connection came to it."""
    old, tokens = await new_game(uhp_server, "Base")
    async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
        as_black = {"Authorization": f"Bearer {tokens[1]}"}
        await client.post(f"/api/games/{old}/resign", headers=as_black)
        async with (
            opened(tcp, uhp_server, "role=viewer") as viewer,
            opened(tcp, uhp_server, "role=seat type=Base tc=93+1 color=black") as black,
        ):
            await viewer.answer()
            for _ in range(2):
                await viewer.send(f"newgame remote resume={old}:{tokens[0]}")
                assert await viewer.answer() == ["Base;WhiteWins;White[1]"]
            await viewer.send("newgame remote Base tc=93+1 color=white")
            await viewer.answer()
            await viewer.send("play wA1")
            assert await viewer.line() == "Base;InProgress;Black[1];wA1"
            assert (await client.post(f"/api/games/{old}/rematch", headers=as_black)).status_code == 202
            await black.lines(3)
            await black.send("bA1 -wA1")
            assert await viewer.answer() == ["bA1 -wA1", "Base;InProgress;White[2];wA1;bA1 -wA1"]
