"""The operations of the HTTP API, the same for every application: building their routes takes 0.1 s."""

from functools import cache

from fastapi import APIRouter
from starlette.routing import BaseRoute

from server.routes import (
    agreements,
    analysis,
    bots,
    catalogue,
    direct,
    games,
    ladder,
    lobby_lists,
    operating,
    plain_games,
    records,
)
from server.routes.author import client_events
from server.routes.board import positions, variations
from server.routes.explorer import calls as explorer
from server.routes.puzzles import calls as puzzles
from server.routes.sharing import oembed, pictures
from server.routes.tournaments import calls as tournaments


@cache
def operations() -> tuple[BaseRoute, ...]:
    """The routes in the order in which they are tried. They are built now, as they would hold up the first requests."""
    router = APIRouter()
    direct.install(router, games.moves, {games.move: plain_games.move}, is_paid=False)
    direct.install(router, positions.router, {positions.position_after: positions.plain})
    router.include_router(lobby_lists.router)
    direct.install(router, games.reads, {games.read: plain_games.read}, lobby_lists.PATHS)
    for module in (
        catalogue,
        operating,
        games,
        agreements,
        records,
        pictures,
        oembed,
        ladder,
        tournaments,
        explorer,
        puzzles,
        bots,
        client_events,
        analysis,
        variations,
    ):
        router.include_router(module.router)
    router.include_router(catalogue.nowhere)
    anywhere = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []}
    for route in router.routes:
        route.matches(anywhere)
    return tuple(router.routes)
