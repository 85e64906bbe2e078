"""Connections that break: players come back to their seats, or lose them; what was acknowledged outlives a kill."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.server.serving import Served
from tests.server.uhp_clients import move_both, new_game, opened, shown, tcp, web

CONTROL = {"initialSeconds": 60, "incrementSeconds": 0}


async def until_over(services: Served, game: str) -> dict[str, object]:
    for _ in range(200):
        position = await shown(services, game)
        if position["status"] != "playing":
            return position
        await asyncio.sleep(0.05)
    raise AssertionError(position)


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


async def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    with Served(tmp_path, "--uhp-port", "0") as services:
        game, tokens = await new_game(services, timeControl=CONTROL)
        async with (
            opened(tcp, services, f"role=seat token={tokens[0]}") as white,
            opened(tcp, services, f"role=seat token={tokens[1]}") as black,
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
            opened(tcp, services, f"role=seat resume={game}:{tokens[0]}") as white,
            opened(tcp, services, f"role=viewer resume={game}:{tokens[1]}") as black,
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
