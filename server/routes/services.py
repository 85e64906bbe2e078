"""The services of a running server, which routes get by dependency injection from ``server.app``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.types import Scope

from engines.pool import EnginePool
from server.ports.analysts import WorkerStatistics
from server.ports.explorer import ExplorerStore
from server.routes.client_origin import Clients
from server.routes.sockets.silent_players import SilentPlayers
from server.routes.sockets.socket_connection import OpenSockets
from server.routes.tournaments.written import WrittenTournaments
from server.services.bots.attached_analyst import Terms
from server.services.bots.bgs import BgsHost
from server.services.bots.bot_clients import BotClients
from server.services.bots.bot_registry import BotRegistry
from server.services.bots.bot_seats import BotSeats
from server.services.client_events.client_events import ClientEvents
from server.services.cluster.announcements import Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.out_of_service import OutOfService
from server.services.cluster.presence import Presence
from server.services.evaluation.analysis_service import Analyses
from server.services.evaluation.evaluations import Evaluations
from server.services.explorer.shipped_openings import ShippedOpenings
from server.services.games.chat_room import ChatHistory, ChatRates
from server.services.games.claims import Claims
from server.services.games.game_feeds import Spectators
from server.services.games.games import Games
from server.services.games.lags import Lags
from server.services.games.records import Records
from server.services.heavy_work import HeavyWork
from server.services.ladder.ladder import Ladder
from server.services.ladder.ladder_bots import LadderBots
from server.services.ladder.response_times import ResponseTimes
from server.services.lobby.lobby import Lobby
from server.services.lobby.lobby_quota import LobbyQuota
from server.services.pictures.pictures import Pictures
from server.services.readiness import Readiness
from server.services.recorded_metrics import Metrics
from server.services.tournaments.tournaments import Tournaments
from server.services.uhp.acceptor import Acceptor


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one running server."""

    games: Games
    bus: Bus
    out_of_service: OutOfService
    presence: Presence
    claims: Claims
    lags: Lags
    lobby: Lobby
    spectators: Spectators
    chat: ChatHistory
    chat_rates: ChatRates
    lobby_quota: LobbyQuota
    sockets: OpenSockets
    silent_players: SilentPlayers
    clients: Clients
    registry: BotRegistry
    announcements: Announcements
    bots: BotSeats
    bot_clients: BotClients
    bot_terms: Terms
    evaluations: Evaluations
    analyses: Analyses
    records: Records
    ladder: Ladder
    ladder_bots: LadderBots
    response_times: ResponseTimes
    client_events: ClientEvents
    tournaments: Tournaments
    written_tournaments: WrittenTournaments
    explorer: ExplorerStore
    shipped_openings: ShippedOpenings
    pictures: Pictures
    host: BgsHost
    pool: EnginePool
    worker_statistics: Callable[[], WorkerStatistics | None]
    metrics: Metrics
    readiness: Readiness
    uhp: Acceptor

    @property
    def work(self) -> HeavyWork:
        """The heavy work, and the accounts of those who pay for it."""
        return self.host.admission.work

    async def send_clients_away(self) -> None:
        """Closes all connections, whose clients connect to other servers; no bot loses a game by that."""
        await self.announcements.lose_all()
        await self.bot_clients.lose_all()
        self.sockets.close_all()
        self.uhp.close_all()
        self.client_events.end_all()

    async def stop_sockets(self) -> None:
        """Hands the games over and closes every socket, without letting anyone lose a game by the disconnection."""
        await self.out_of_service.stop()
        self.readiness.stop()
        self.bots.hold()
        self.uhp.stop()
        await self.games.leases.stop()
        await self.announcements.leave()
        await self.sockets.stop()
        await self.client_events.stop()


def services_of(connection: HTTPConnection) -> Services:
    """Returns the services of the application that a request or socket is for."""
    services: Services = connection.app.state.services
    return services


def work_of(scope: Scope) -> HeavyWork:
    """Returns the heavy work of the application, and the accounts of those who pay for it."""
    return services_in(scope).work


def services_in(scope: Scope) -> Services:
    """Returns the services of the application that a request in ASGI's form is for."""
    services: Services = scope["app"].state.services
    return services


async def _services(connection: HTTPConnection) -> Services:
    """Returns the services. A coroutine, because the framework runs plain functions in threads, which costs more."""
    return services_of(connection)


async def _address(connection: HTTPConnection) -> str | None:
    return services_of(connection).clients.address(connection)


TheAddress = Annotated[str | None, Depends(_address)]
"""The client's address, to which limits apply; None if no limit applies."""

TheServices = Annotated[Services, Depends(_services)]
