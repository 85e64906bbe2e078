"""What the routes reach: the services of one running server, hung on the application by ``server.app``."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from engines.pool import EnginePool
from server.ports import Bus
from server.routes.clients import Clients
from server.routes.sockets import OpenSockets
from server.services.analyses import Analyses
from server.services.bgs import BgsHost
from server.services.bots import Bots
from server.services.evaluations import Evaluations
from server.services.game_feeds import Spectators
from server.services.games import Games
from server.services.lobby import Lobby
from server.services.lobby_quota import LobbyQuota
from server.services.meters import Meters
from server.services.presence import Presence
from server.services.readiness import Readiness
from server.services.records import Records
from server.services.remote_analyst import Terms
from server.services.roster import Roster
from server.services.uhp.reception import Reception


@dataclass(frozen=True, slots=True)
class House:
    """The parts of one running server."""

    games: Games
    bus: Bus
    presence: Presence
    lobby: Lobby
    spectators: Spectators
    lobby_quota: LobbyQuota
    sockets: OpenSockets
    clients: Clients
    roster: Roster
    bots: Bots
    bot_terms: Terms
    evaluations: Evaluations
    analyses: Analyses
    records: Records
    host: BgsHost
    pool: EnginePool
    meters: Meters
    readiness: Readiness
    uhp: Reception

    async def stop_sockets(self) -> None:
        """Closes every socket, as the server stops: nobody loses a game for losing its connection by that."""
        self.readiness.stop()
        self.bots.hold()
        self.uhp.stop()
        await self.sockets.stop()


async def _house(connection: HTTPConnection) -> House:
    """A coroutine, because the framework runs plain functions on a thread, which costs more than the call."""
    house: House = connection.app.state.house
    return house


async def _address(connection: HTTPConnection) -> str | None:
    house: House = connection.app.state.house
    return house.clients.address(connection)


TheAddress = Annotated[str | None, Depends(_address)]
"""The client's address, as limits count it; None: no limit applies to it."""

TheHouse = Annotated[House, Depends(_house)]
