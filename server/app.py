"""The composition root: builds all parts from the settings, connects them, and shuts them down."""

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from time import monotonic
from typing import Final

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp

from engines.inference import Model
from engines.licences import name_and_licences
from protocols.uhp.engine import Product
from server.bus.codec import write_message, write_short_message
from server.bus.shared_bus import SharedBus
from server.domain.absence import GracePeriods
from server.domain.origins import Origins
from server.engine_services import Engines, EngineServices, open_engine_services, open_engines
from server.operations import operations
from server.routes import api_docs, direct, errors, pages
from server.routes.client_origin import Clients
from server.routes.metrics import ServiceMetrics
from server.routes.middleware import origins
from server.routes.middleware.address_check import AddressCheck
from server.routes.middleware.body_limit import BodyLimit
from server.routes.middleware.compression import Compression
from server.routes.middleware.fast_path import FastPath
from server.routes.middleware.head import HeadAsGet
from server.routes.middleware.observation import Observation
from server.routes.middleware.out_of_service import OutOfServiceCheck
from server.routes.middleware.overdrawn import OverdrawnCheck
from server.routes.middleware.payer import Payer
from server.routes.middleware.security_headers import SecurityHeaders
from server.routes.services import Services
from server.routes.sockets.silent_players import SilentPlayers
from server.routes.sockets.socket_connection import OpenSockets
from server.routes.sockets.socket_routes import SocketRoutes
from server.routes.tournaments.written import WrittenTournaments
from server.services.bots.kept_room import KeptRoom
from server.services.client_events.client_events import ClientEvents
from server.services.cluster.announcements import Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.departures import Departures
from server.services.cluster.out_of_service import OutOfService
from server.services.cluster.presence import Presence
from server.services.explorer.opening_counter import OpeningCounter
from server.services.explorer.shipped_openings import ShippedOpenings
from server.services.games.chat_room import ChatHistory, ChatOfOthers, ChatRates
from server.services.games.claims import Claims
from server.services.games.game_factory import GameFactory
from server.services.games.game_feeds import Spectators
from server.services.games.games import Games
from server.services.games.lags import Lags
from server.services.games.lease_moves import LeaseMoves
from server.services.games.records import Records
from server.services.games.stored_bytes import StoredBytes, daily_bytes
from server.services.ladder.ladder import Ladder
from server.services.ladder.ladder_bots import LadderBots
from server.services.ladder.ladder_bytes import LadderBytes
from server.services.ladder.response_times import ResponseTimes
from server.services.ladder.scheduler import Scheduler
from server.services.lobby.lobby import Lobby
from server.services.lobby.lobby_quota import LobbyQuota
from server.services.loop_lag import measuring_lag
from server.services.pictures.pictures import Pictures
from server.services.readiness import Readiness
from server.services.recorded_metrics import Metrics
from server.services.retention import Retention
from server.services.tournaments.tournament_runner import RunnerLimits, TournamentRunner
from server.services.tournaments.tournaments import TournamentLimits, Tournaments
from server.services.uhp.absences import Absences
from server.services.uhp.acceptor import Acceptor
from server.services.uhp.context import UhpContext
from server.services.uhp.matchmaking import Matchmaking
from server.services.uhp.seat_connections import SeatConnections
from server.settings import Settings
from server.store.sql_engine import database_file
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore
from server.web.connection_limit import ConnectionLimit
from server.web.uhp_tcp import UhpPort

NO_TELEMETRY: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""Metrics are served at ``/metrics``; otherwise the framework looks for a collector on every request."""


class _Application(FastAPI):
    def use(self, known: Origins, clients: Clients) -> None:
        """Sets what the fast path checks and notes itself. Called before the first request."""
        self._known = known
        self._clients = clients

    def build_middleware_stack(self) -> ASGIApp:
        """Adds the outermost layers: the framework's own error responses need the security headers and ids too."""
        app = SecurityHeaders(super().build_middleware_stack())
        operations = tuple(direct.operations(self.router.routes))
        check = origins.OriginCheck(app, self._known)
        return Observation(FastPath(app, SocketRoutes(), operations, check, self._clients))


def create_app(
    settings: Settings,
    models: Sequence[Model] | None = None,
    uhp_listener: socket.socket | None = None,
    connection_limit: ConnectionLimit | None = None,
) -> FastAPI:
    """Returns the application, which opens its database on startup and closes it on shutdown.

    ``models``: the networks of the settings, if already loaded. ``uhp_listener``: the socket for UHP over TCP.
    """
    limit = connection_limit or ConnectionLimit(settings.connections_per_address, settings.trust_proxy)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            open_services(settings, models) as services,
            _open_uhp(services, uhp_listener, limit),
            agents_running,
        ):
            services.metrics.watch_connections(lambda: limit.count, limit.total)
            limit.on_refused = services.metrics.count_refused_connection
            app.state.services = services
            yield

    app = _Application(
        title="Plyhouse",
        version=version("plyhouse"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        telemetry=NO_TELEMETRY,
    )
    app.add_middleware(BodyLimit)
    app.add_middleware(OutOfServiceCheck)
    app.add_middleware(OverdrawnCheck)
    app.add_middleware(AddressCheck)
    app.add_middleware(Compression)
    app.add_middleware(HeadAsGet)
    clients = Clients(settings.trust_proxy, settings.public_url)
    known = Origins(settings.allow_origin, settings.public_url)
    app.add_middleware(Payer, clients)
    origins.install(app, known)
    app.use(known, clients)
    errors.install(app)
    app.router.routes.extend(operations())
    agents_running = _install_agents(app, settings)
    api_docs.install(app)
    pages.install(app, settings.web, settings.allow_origin)
    return app


def _install_agents(app: FastAPI, settings: Settings) -> AbstractAsyncContextManager[None]:
    """Adds ``/mcp`` if the settings ask for it; the context in which it answers. The package takes long to import."""
    if not settings.mcp:
        return nullcontext()
    from server.routes.agents.mcp_route import AgentCalls, route_of

    calls = AgentCalls(app, settings.mcp_retries, settings.mcp_calls_per_address)
    app.router.routes.append(route_of(calls))
    return calls.running()


@dataclass(frozen=True, slots=True)
class _Infrastructure:
    """The parts that all services depend on."""

    store: SqlStore
    bus: Bus
    out_of_service: OutOfService
    presence: Presence
    announcements: Announcements
    metrics: Metrics


@asynccontextmanager
async def open_services(settings: Settings, models: Sequence[Model] | None) -> AsyncIterator[Services]:
    """Starts all parts, from the database up, and stops them in reverse order."""
    migrate(settings.database)
    file = database_file(settings.database)
    limit = settings.database_max_pages
    metrics = Metrics()
    store = SqlStore(settings.database, None if limit is None else {"max_page_count": limit}, metrics)
    bus = _bus(settings)
    async with (
        measuring_lag(metrics.observe_lag),
        open_engines(settings, models) as engines,
    ):
        stored = StoredBytes(
            settings.stored_megabytes_per_day * 2**20,
            settings.reserve_megabytes * 2**20,
            None if file is None else file.parent,
        )
        factory = GameFactory(engines.registry, with_unlisted=settings.unlisted_games)
        service = Games(
            store,
            bus,
            factory,
            loaded=settings.loaded_games,
            metrics=metrics,
            opened=engines.host.admission.games,
            work=engines.work,
            stored=stored,
        )
        announcements = Announcements(
            bus, service.leases.server, service.leases.knows, service.leases.look_soon
        )
        presence = Presence(
            bus, announcements, Departures(round(settings.claim_after_seconds * 1000), service.now)
        )
        infrastructure = _Infrastructure(
            store, bus, OutOfService(bus, service.leases, service.now), presence, announcements, metrics
        )
        chat = ChatOfOthers(bus, service.leases.server)
        lease_moves = LeaseMoves(service, presence, bus)
        ladder_bytes = LadderBytes(engines.registry, daily_bytes(settings.ladder_megabytes_per_day * 2**20))
        rated = Ladder(store, service, bus, ladder_bytes)
        ladder_bots = LadderBots(rated, service, engines.registry, ladder_bytes)
        scheduler = Scheduler(rated, ladder_bots, store, service, settings.ladder_level_games)
        engines.registry.listeners.add(scheduler.due.set)
        played = Tournaments(
            store,
            service,
            engines.work,
            stored,
            bus,
            TournamentLimits(settings.tournaments, settings.tournaments_per_address),
        )
        runner = TournamentRunner(
            played,
            store,
            service,
            engines.registry,
            KeptRoom(announcements, engines.registry),
            bus,
            RunnerLimits(settings.tournament_level_games, settings.tournament_wait_seconds),
        )
        engines.registry.listeners.add(runner.due.set)
        counter = OpeningCounter(store, engines.work, service.leases.server)
        retention = Retention(store, settings.prune_days, settings.prune_bytes, service.now)
        try:
            await bus.start()
            await service.start()
            async with open_engine_services(
                settings, engines, service, bus, presence, announcements, store
            ) as engine_services:
                services = _services(
                    settings,
                    infrastructure,
                    service,
                    engines,
                    engine_services,
                    stored,
                    rated,
                    ladder_bots,
                    played,
                )
                metrics.registry.register(ServiceMetrics(services))
                metrics.watch_disk(file)
                await services.uhp.start()
                await services.lobby.start()
                await announcements.start()
                services.claims.start()
                services.silent_players.start()
                services.out_of_service.start(services.send_clients_away)
                chat.start()
                lease_moves.start()
                retention.start()
                counter.start()
                await rated.start()
                services.client_events.start()
                scheduler.start()
                runner.start()
                try:
                    yield services
                finally:
                    await services.pictures.stop()
                    await runner.stop()
                    await scheduler.stop()
                    await rated.stop()
                    await services.claims.stop()
                    await services.silent_players.stop()
                    await services.stop_sockets()
                    await services.lobby.stop()
                    await announcements.stop()
                    await counter.stop()
                    await retention.stop()
                    await lease_moves.stop()
                    await chat.stop()
        finally:
            await service.stop()
            await bus.stop()
            await store.close()


@asynccontextmanager
async def _open_uhp(
    services: Services, listener: socket.socket | None, limit: ConnectionLimit
) -> AsyncIterator[None]:
    if listener is None:
        yield
        return
    async with UhpPort(services.uhp, services.sockets.limits, limit).open(listener):
        yield


def _bus(settings: Settings) -> Bus:
    """The clients of Redis and Postgres take 0.1 s to import, and most servers do not use them."""
    if settings.redis is not None:
        from server.bus.redis_medium import RedisStream

        medium = RedisStream(settings.redis)
        return SharedBus(medium, write_message, medium.channels)
    if settings.database.startswith("postgresql"):
        from server.bus.postgres_medium import PostgresNotices

        return SharedBus(PostgresNotices(settings.database), write_short_message)
    return Bus()


def _services(
    settings: Settings,
    infrastructure: _Infrastructure,
    service: Games,
    engines: Engines,
    engine_services: EngineServices,
    stored: StoredBytes,
    rated: Ladder,
    ladder_bots: LadderBots,
    played: Tournaments,
) -> Services:
    bus, presence = infrastructure.bus, infrastructure.presence
    lobby = Lobby(service, bus, presence, settings.abandoned_seconds)
    clients = Clients(settings.trust_proxy, settings.public_url)
    claims = Claims(service, presence, settings.bots_wait_seconds)
    return Services(
        games=service,
        bus=bus,
        out_of_service=infrastructure.out_of_service,
        presence=presence,
        claims=claims,
        lags=Lags(),
        lobby=lobby,
        spectators=Spectators(bus),
        chat=ChatHistory(infrastructure.store, stored),
        chat_rates=ChatRates(),
        lobby_quota=LobbyQuota(service, lobby, presence, settings.lobby_games_per_client),
        sockets=OpenSockets(settings.pace, clients, infrastructure.out_of_service),
        silent_players=SilentPlayers(),
        clients=clients,
        registry=engines.registry,
        announcements=infrastructure.announcements,
        bots=engine_services.bots,
        bot_clients=engine_services.bot_clients,
        bot_terms=engine_services.bot_terms,
        evaluations=engine_services.evaluations,
        analyses=engine_services.analyses,
        records=Records(service, engines.host.admission.imports, engines.work, stored),
        ladder=rated,
        ladder_bots=ladder_bots,
        response_times=ResponseTimes(infrastructure.store, engines.work),
        client_events=ClientEvents(
            infrastructure.store,
            service,
            bus,
            engines.registry,
            ladder_bots,
            played.get,
            engines.work,
            monotonic,
            settings.event_streams_per_address,
        ),
        tournaments=played,
        written_tournaments=WrittenTournaments(engines.work),
        explorer=infrastructure.store,
        shipped_openings=ShippedOpenings(),
        pictures=Pictures(engines.work),
        host=engines.host,
        pool=engines.pool,
        worker_statistics=engines.worker_statistics,
        metrics=infrastructure.metrics,
        readiness=Readiness(
            infrastructure.store,
            bus,
            engines.models,
            engines.host.admission.state,
            engines.worker_statistics,
        ),
        uhp=_acceptor(settings, infrastructure, service, engines, engine_services, lobby, claims),
    )


def _acceptor(
    settings: Settings,
    infrastructure: _Infrastructure,
    service: Games,
    engines: Engines,
    engine_services: EngineServices,
    lobby: Lobby,
    claims: Claims,
) -> Acceptor:
    bus, presence = infrastructure.bus, infrastructure.presence
    grace = GracePeriods(untimed=round(settings.uhp_grace_seconds * 1000))
    absences = Absences(service, bus, presence, grace)
    return Acceptor(
        infrastructure.out_of_service,
        UhpContext(
            games=service,
            bus=bus,
            presence=presence,
            claims=claims,
            matchmaking=Matchmaking(
                service,
                bus,
                presence,
                absences,
                infrastructure.announcements,
                lobby,
                engines.registry,
                settings.uhp_patience_seconds,
            ),
            seat_connections=SeatConnections(presence, absences),
            absences=absences,
            product=Product(*name_and_licences()),
            bot_clients=engine_services.bot_clients,
            bot_terms=engine_services.bot_terms,
        ),
    )
