"""How games of the tests have ended."""

import asyncio
from typing import Any

from tests.server.serving import Served
from tests.server.uhp_clients import shown


async def ended(services: Served, game_id: str) -> dict[str, Any]:
    """The position once the game is over."""
    async with asyncio.timeout(60):
        while (position := dict(await shown(services, game_id)))["status"] == "playing":  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)
    return position


def result(position: dict[str, Any]) -> tuple[list[int], str]:
    """Winners and reason."""
    return position["result"]["winners"], position["result"]["reason"]
