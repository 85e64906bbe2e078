"""A rematch across a crash of the server."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.game_peers import SMALL, joined, new_game
from tests.server.serving import Served

Json = dict[str, Any]


async def http(served: Served, path: str, token: str, how: str = "POST", **body: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=served.url, headers=headers, timeout=60) as client:
        return await client.request(how, f"/api/games/{path}", json=body or None)


async def over(served: Served, **more: Any) -> tuple[str, list[str]]:
    """A finished game: seat 0 has resigned."""
    game, tokens = await new_game(served, config=SMALL, **more)
    await http(served, f"{game}/resign", tokens[0])
    return game, tokens


@pytest.mark.parametrize("step", ["offered", "begun"])
async def test_a_crash_leaves_either_an_offer_or_a_complete_game(tmp_path: Path, step: str) -> None:
    with Served(tmp_path) as services:
        game, (first, second) = await over(services)
        await http(services, f"{game}/rematch", first)
        if step == "begun":
            asking = asyncio.create_task(http(services, f"{game}/rematch", second))
            await asyncio.sleep(0.01)
            services.stop(signal.SIGKILL)
            await asyncio.gather(asking, return_exceptions=True)
        else:
            services.stop(signal.SIGKILL)
        services.start()
        async with joined(services, game, f"?token={second}&since=0") as two:
            state = (await two.opening())[1]
            assert (await two.until("rematch-offer"))["playerId"] == 1
            assert ("offer" in state) != ("rematch" in state)
        begun = (await http(services, f"{game}/rematch", second)).json()
        async with joined(services, begun["gameId"], f"?token={second}") as two:
            await two.opening()
            await two.send(type="submit-move", move="---")
            assert (await two.until("state"))["state"]["moveCount"] == 1
        async with httpx.AsyncClient(base_url=services.url, timeout=60) as client:
            listed = (await client.get("/api/games?status=live")).json()["games"]
        assert [one["gameId"] for one in listed] == [begun["gameId"]], "no unannounced game"
