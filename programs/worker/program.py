"""Runs ``plyhouse worker``: attaches the engine pool of this process to servers."""

import asyncio
from collections.abc import Sequence
from importlib.metadata import version

from engines import Position, games
from engines.pool import EnginePool
from programs.bot.client import BotProgram, OnLine
from programs.bot.config import BotConfig
from programs.worker.pool_engine import PoolEngine
from protocols.bgs.boards import terms_of, whole_offer
from protocols.bgs.messages import Attach, BotEntry, ClientInfo


def attachment(pool: EnginePool, client_id: str, official_token: str) -> Attach:
    """The attachment of a worker: a bot for each game that the pool evaluates, in all its variants."""
    bots = tuple(
        BotEntry(
            game.name,
            game.name,
            None,
            {variant: whole_offer(boards) for variant, boards in terms_of(game).items()},
            game.name,
            official_token,
        )
        for game in games()
        if game.listed and pool.can_evaluate(Position(game.name))
    )
    client = ClientInfo("plyhouse worker", version("plyhouse"))
    return Attach(client_id, client, bots, is_worker=True, sessions=pool.statistics().capacity)


async def work(pool: EnginePool, urls: Sequence[str], attach: Attach) -> None:
    """Works for the servers with these sockets until cancelled. Raises GivenUpError."""
    tasks = [asyncio.ensure_future(_client(pool, url, attach).run()) for url in urls]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _client(pool: EnginePool, url: str, attach: Attach) -> BotProgram:
    def engine(bot_id: str, on_line: OnLine) -> PoolEngine:
        return PoolEngine(bot_id, pool, f"{url} {bot_id} ", on_line)

    return BotProgram(BotConfig(url, attach, {}), None, engine)
