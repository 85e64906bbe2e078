"""Disconnects players whose connections have died unnoticed, so that the others see soon that they are away.

The page pings every few seconds (``web/src/net/socket.ts``). Whoever does so and then falls silent is sent a ping,
which a browser answers even for a tab that it has put to sleep, and is disconnected if there is no answer. Clients that
do not ping cost nothing here: the slower pings of the web server find their dead connections.
"""

import asyncio
from collections import OrderedDict

from server.routes.sockets.socket_connection import Socket
from server.services.tasks import Tasks

CHECK_SECONDS = 1.0
"""The time between two checks."""

SILENT_SECONDS = 5.0
"""How long after a ping of a client the next one is overdue; the page pings every 4 s."""

ANSWER_SECONDS = 3.0
"""The time limit for the answer to the server's ping. With the times above, a dead connection lasts at most 9 s."""


class SilentPlayers:
    """The players' sockets whose clients have just pinged."""

    def __init__(self) -> None:
        self._heard: OrderedDict[Socket, float] = OrderedDict()
        """When each client pinged last, the first one first."""
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to check regularly."""
        self._tasks.repeat(self._check_regularly)

    async def stop(self) -> None:
        """Stops."""
        await self._tasks.stop()

    def heard(self, socket: Socket) -> None:
        """Notes a ping of a player's client."""
        self._heard[socket] = asyncio.get_running_loop().time()
        self._heard.move_to_end(socket)

    def forget(self, socket: Socket) -> None:
        """Expects no more pings of a client that has disconnected."""
        self._heard.pop(socket, None)

    async def _check_regularly(self) -> None:
        await asyncio.sleep(CHECK_SECONDS)
        overdue = asyncio.get_running_loop().time() - SILENT_SECONDS
        while self._heard and next(iter(self._heard.values())) < overdue:
            socket, _ = self._heard.popitem(last=False)
            self._tasks.start(_end_if_dead(socket))


async def _end_if_dead(socket: Socket) -> None:
    if not await socket.is_alive(ANSWER_SECONDS):
        socket.abort()
