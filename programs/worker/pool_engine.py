"""The engine pool of this process as an engine of a ``BotProgram``."""

import asyncio

from engines.pool import EnginePool
from programs.bot.client import OnLine
from programs.engine.pool_searches import Finished, PoolSearches, engine_sessions
from protocols.session import Effect, Log, Send


class PoolEngine:
    """The sessions of one bot at one server, in a pool that has those of others as well.

    ``prefix``: how the names of its sessions begin in the pool.
    """

    def __init__(self, bot_id: str, pool: EnginePool, prefix: str, on_line: OnLine) -> None:
        self._bot_id = bot_id
        self._on_line = on_line
        self._sessions = engine_sessions(pool, pool.statistics().capacity)
        self._searches = PoolSearches(pool, None, self._post, prefix)
        self._loop = asyncio.get_running_loop()

    def write(self, line: str) -> None:
        """Handles a line."""
        self._carry_out(self._sessions.receive(line))

    def _post(self, finished: Finished) -> None:
        self._loop.call_soon_threadsafe(self._finish, finished)

    def _finish(self, finished: Finished) -> None:
        self._carry_out(self._sessions.notify(finished))

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._on_line(self._bot_id, text)
                case Log():
                    pass
                case _:
                    self._searches.carry_out(effect)
