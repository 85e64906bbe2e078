"""Buses, and messages for them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from server.bus.codec import write_message
from server.bus.redis_medium import RedisStream
from server.bus.shared_bus import SharedBus
from server.domain import events as e
from server.ports.store import Listing
from server.services.cluster.bus import Bus, Subscription
from server.services.cluster.changes import GamesChanged, LogGrown


@asynccontextmanager
async def started(bus: Bus) -> AsyncIterator[Bus]:
    await bus.start()
    try:
        yield bus
    finally:
        await bus.stop()


def redis_bus(url: str) -> SharedBus:
    medium = RedisStream(url)
    return SharedBus(medium, write_message, medium.channels)


ROW = Listing("game", "wallwars", "standard", "playing", is_timed=True, has_bot=False, created_at=1, updated_at=2,
              ply=7, summary={"seats": [{"seat": 0, "kind": "human", "name": "Ádá"}], "host": 0})  # fmt: skip


def changed(number: int) -> GamesChanged:
    return GamesChanged("w", {ROW.game_id: number}, (ROW,))


def grown(number: int, game_id: str = "game") -> LogGrown:
    return LogGrown("w", game_id, number, number, (e.Recorded(number, 1000, e.Moved(0, "Cb2")),))


async def taken(subscription: Subscription, count: int) -> list[object]:
    """The next messages."""
    messages: list[object] = []
    async with asyncio.timeout(60):
        async for message in subscription:
            messages.append(message)
            if len(messages) == count:
                return messages
    return messages


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
