"""Drives somebody who looks on."""

from collections.abc import Sequence

from protocols.play.table import Table
from protocols.session import Effect, Event
from protocols.uhp.remote.watch import WatchSession
from protocols.uhp.remote.words import Changed
from server.domain.public import table_of
from server.ports import OverrunError
from server.services.changes import Change, game_topic
from server.services.uhp.desk import Desk
from server.services.uhp.player import TRY_AGAIN_LATER
from server.services.uhp.pump import Pump
from server.services.uhp.wire import Wire


class Watcher:
    """One connection."""

    def __init__(self, desk: Desk, wire: Wire, session: WatchSession, game_id: str) -> None:
        self._desk = desk
        self._wire = wire
        self._game_id = game_id
        self._pump = Pump(wire, session, self._do)

    async def run(self) -> None:
        """Until the connection ends."""
        async with self._desk.presence.present(self._game_id, None):
            self._pump.spawn(self._follow())
            await self._pump.run([])

    async def _do(self, effect: Effect) -> Sequence[Event]:
        raise TypeError(f"a spectator's session asks for {type(effect).__name__}")

    async def _follow(self) -> None:
        subscription = self._desk.bus.subscribe(game_topic(self._game_id))
        try:
            await self._show(await self._first_look())
            async for message in subscription:
                if isinstance(message, Change):
                    await self._show(message.picture.table)
        except OverrunError:
            self._wire.close(TRY_AGAIN_LATER, "too slow")
        finally:
            subscription.close()

    async def _first_look(self) -> Table:
        return table_of(await self._desk.games.get(self._game_id), self._desk.games.now())

    async def _show(self, table: Table) -> None:
        await self._pump.tell(Changed(table))
