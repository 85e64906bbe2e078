"""The composition root: builds every part from the settings, connects them, and takes them down again."""

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from engines.inference import Model
from server.adapters.connection_limit import ConnectionLimit
from server.adapters.memory_bus import MemoryBus
from server.adapters.sql_migrate import migrate
from server.adapters.sql_store import SqlStore
from server.adapters.uhp_product import product
from server.adapters.uhp_tcp import UhpPort
from server.domain.absence import Grace
from server.domain.origins import Origins
from server.ports import Bus
from server.routes import (
    analysis,
    api_docs,
    bot_socket,
    bots,
    direct,
    errors,
    eval_socket,
    game_socket,
    games,
    http,
    lists,
    live_socket,
    matches,
    operating,
    origins,
    pages,
    plain_games,
    positions,
    records,
    uhp_socket,
)
from server.routes.body_limit import BodyLimit
from server.routes.clients import Clients
from server.routes.compression import Compression
from server.routes.figures import HouseFigures
from server.routes.head import HeadAsGet
from server.routes.house import House
from server.routes.security_headers import SecurityHeaders
from server.routes.sockets import OpenSockets
from server.services.game_feeds import Spectators
from server.services.games import Games
from server.services.lobby import Lobby
from server.services.lobby_quota import LobbyQuota
from server.services.loop_lag import measuring_lag
from server.services.meters import Meters
from server.services.opening import Opener
from server.services.presence import Presence
from server.services.readiness import Readiness
from server.services.records import Records
from server.services.uhp.absences import Absences
from server.services.uhp.desk import Desk
from server.services.uhp.matchmaking import Matchmaking
from server.services.uhp.places import Places
from server.services.uhp.reception import Reception
from server.settings import Settings
from server.thinking import Engines, Thinkers, open_engines, open_thinkers

NO_TELEMETRY: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""Figures are in ``/metrics``; otherwise the framework looks for another collector at every request."""


def create_app(
    settings: Settings,
    models: Sequence[Model] | None = None,
    uhp_listener: socket.socket | None = None,
    connection_limit: ConnectionLimit | None = None,
) -> FastAPI:
    """The application; it opens its database when it starts and lets it go when it stops.

    ``models``: the networks of the settings, where they have been loaded already. ``uhp_listener``: the port of UHP
    over TCP.
    """
    limit = connection_limit or ConnectionLimit(settings.connections_per_address, settings.trust_proxy)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_house(settings, models) as house, _open_uhp(house, uhp_listener, limit):
            app.state.house = house
            yield

    app = FastAPI(
        title="Plyhouse",
        version=version("plyhouse"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        telemetry=NO_TELEMETRY,
    )
    app.add_middleware(BodyLimit)
    app.add_middleware(Compression)
    app.add_middleware(HeadAsGet)
    origins.install(app, Origins(settings.allow_origin, settings.public_url))
    app.add_middleware(SecurityHeaders)
    errors.install(app)
    direct.install(app, games.moves, {games.move: plain_games.move})
    direct.install(app, positions.router, {positions.position_after: positions.plain})
    app.include_router(lists.router)
    direct.install(app, games.reads, {games.read: plain_games.read})
    app.include_router(http.router)
    app.include_router(operating.router)
    app.include_router(games.router)
    app.include_router(matches.router)
    app.include_router(records.router)
    app.include_router(game_socket.router)
    app.include_router(live_socket.router)
    app.include_router(bots.router)
    app.include_router(analysis.router)
    app.include_router(bot_socket.router)
    app.include_router(eval_socket.router)
    app.include_router(uhp_socket.router)
    app.include_router(http.nowhere)
    api_docs.install(app)
    pages.install(app, settings.web, settings.allow_origin)
    return app


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the services stand on."""

    store: SqlStore
    bus: Bus
    presence: Presence
    meters: Meters


@asynccontextmanager
async def open_house(settings: Settings, models: Sequence[Model] | None) -> AsyncIterator[House]:
    """Every part, from the database up; taken down in the opposite order."""
    migrate(settings.database)
    limit = settings.database_max_pages
    meters = Meters()
    store = SqlStore(settings.database, None if limit is None else {"max_page_count": limit}, meters)
    bus = _bus(settings)
    ground = _Ground(store, bus, Presence(bus), meters)
    async with measuring_lag(meters.loop_lag_seconds), open_engines(settings, models) as engines:
        opener = Opener(engines.roster, with_unlisted=settings.unlisted_games)
        service = Games(
            store,
            bus,
            opener,
            loaded=settings.loaded_games,
            meters=meters,
            opened=engines.host.admission.games,
        )
        try:
            await bus.start()
            await service.start()
            async with open_thinkers(settings, engines, service, bus, ground.presence, store) as thinkers:
                house = _house(settings, ground, service, engines, thinkers)
                meters.registry.register(HouseFigures(house))
                await house.uhp.start()
                await house.lobby.start()
                try:
                    yield house
                finally:
                    await house.stop_sockets()
                    await house.lobby.stop()
        finally:
            await service.stop()
            await bus.stop()
            await store.close()


@asynccontextmanager
async def _open_uhp(
    house: House, listener: socket.socket | None, limit: ConnectionLimit
) -> AsyncIterator[None]:
    if listener is None:
        yield
        return
    async with UhpPort(house.uhp, house.sockets.limits, limit).open(listener):
        yield


def _bus(settings: Settings) -> Bus:
    """The client of Redis takes a tenth of a second to import, for nothing in most houses."""
    if settings.redis is None:
        return MemoryBus()
    from server.adapters.redis_bus import RedisBus

    return RedisBus(settings.redis)


def _house(
    settings: Settings, ground: _Ground, service: Games, engines: Engines, thinkers: Thinkers
) -> House:
    bus, presence = ground.bus, ground.presence
    lobby = Lobby(service, bus, presence, settings.abandoned_seconds)
    return House(
        games=service,
        bus=bus,
        presence=presence,
        lobby=lobby,
        spectators=Spectators(bus),
        lobby_quota=LobbyQuota(service, lobby, presence, settings.lobby_games_per_client),
        sockets=OpenSockets(settings.pace),
        clients=Clients(settings.trust_proxy, settings.public_url),
        roster=engines.roster,
        bots=thinkers.bots,
        bot_terms=thinkers.bot_terms,
        evaluations=thinkers.evaluations,
        analyses=thinkers.analyses,
        records=Records(service),
        host=engines.host,
        pool=engines.pool,
        meters=ground.meters,
        readiness=Readiness(ground.store, bus, engines.models, engines.host.admission.state),
        uhp=_reception(settings, ground, service, engines, lobby),
    )


def _reception(
    settings: Settings, ground: _Ground, service: Games, engines: Engines, lobby: Lobby
) -> Reception:
    bus, presence = ground.bus, ground.presence
    grace = Grace(untimed=round(settings.uhp_grace_seconds * 1000))
    absences = Absences(service, bus, presence, grace)
    return Reception(
        Desk(
            games=service,
            bus=bus,
            presence=presence,
            matchmaking=Matchmaking(
                service, bus, presence, absences, lobby, engines.roster, settings.uhp_patience_seconds
            ),
            places=Places(presence, absences),
            absences=absences,
            product=product(),
        )
    )
