"""The composition root: builds every part from the settings, connects them, and takes them down again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from server.adapters.memory_bus import MemoryBus
from server.adapters.sql_migrate import migrate
from server.adapters.sql_store import SqlStore
from server.routes import errors, game_socket, games, http, pages
from server.routes.body_limit import BodyLimit
from server.routes.house import House
from server.routes.origins import Origins
from server.routes.sockets import OpenSockets
from server.services.games import Games
from server.services.opening import NoBots, Opener
from server.services.presence import Presence
from server.settings import Settings


def create_app(settings: Settings) -> FastAPI:
    """The application; it opens its database when it starts and lets it go when it stops."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_house(settings) as house:
            app.state.house = house
            yield

    app = FastAPI(
        title="Plyhouse",
        version=version("plyhouse"),
        lifespan=lifespan,
        redoc_url=None,
    )
    app.add_middleware(BodyLimit)
    errors.install(app)
    app.include_router(http.router)
    app.include_router(games.router)
    app.include_router(game_socket.router)
    pages.install(app, settings.web)
    return app


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """Every part, from the database up; taken down in the opposite order."""
    migrate(settings.database)
    limit = settings.database_max_pages
    store = SqlStore(settings.database, None if limit is None else {"max_page_count": limit})
    bus = MemoryBus()
    presence = Presence(bus)
    sockets = OpenSockets()
    opener = Opener(NoBots(), with_unlisted=settings.unlisted_games)
    service = Games(store, bus, opener, loaded=settings.loaded_games)
    await service.start()
    try:
        yield House(service, bus, presence, sockets, Origins(settings.allow_origin))
    finally:
        await sockets.stop()
        await service.stop()
        await store.close()
