"""``/embed/game/{id}``, ``/embed/analysis/{id}``, ``/embed/board/{game}``: pages for frames on any site.

They contain an embedded board and nothing else: they know no token and have no buttons that do more than browse, so
that a page around them can trick nobody into anything.
"""

from collections.abc import Mapping
from html import escape
from typing import Annotated, Final, Literal
from urllib.parse import quote

from fastapi import FastAPI, Path, Query, Request, Response
from pydantic import BaseModel, Field

from server.domain.security_headers import FRAME_POLICY
from server.routes.games import MAX_GAME_ID, GameId
from server.routes.services import Services, TheServices
from server.routes.sharing.pictures import MAX_PLY
from server.routes.sharing.previews import Preview, preview_of

HEADERS: Final = {"Cache-Control": "no-cache", "Content-Security-Policy": FRAME_POLICY}

SCHEMES: Final = {"auto": "light dark", "light": "light", "dark": "dark"}
"""What browsers call the colours of a theme."""


class BoardQuery(BaseModel, extra="forbid"):
    """How a board is shown. ``theme`` is the viewer's by default."""

    flipped: bool = False
    theme: Literal["auto", "light", "dark"] = "auto"


class FrameQuery(BoardQuery, extra="forbid"):
    """The same; ``ply``: which position of a game is shown first."""

    ply: int | None = Field(default=None, ge=0, le=MAX_PLY)


class GameQuery(FrameQuery, extra="forbid"):
    """The same; ``evaluation``: whether an evaluation bar is shown."""

    evaluation: bool = False


def install(app: FastAPI) -> None:
    """Adds the pages."""
    app.add_api_route("/embed/game/{game_id}", _game, include_in_schema=False)
    app.add_api_route("/embed/analysis/{game_id}", _analysis, include_in_schema=False)
    app.add_api_route("/embed/board/{game}", _board, include_in_schema=False)


async def _game(
    request: Request, services: TheServices, game_id: GameId, query: Annotated[GameQuery, Query()]
) -> Response:
    """A game."""
    more = ["evaluation"] if query.evaluation else []
    return await _frame(request, services, "game", game_id, query, more)


async def _analysis(
    request: Request, services: TheServices, game_id: GameId, query: Annotated[FrameQuery, Query()]
) -> Response:
    """A game with the graph of its evaluations."""
    return await _frame(request, services, "analysis", game_id, query, ["evaluation", "graph"])


async def _board(
    request: Request,
    services: TheServices,
    game: Annotated[str, Path(max_length=MAX_GAME_ID)],
    query: Annotated[BoardQuery, Query()],
) -> Response:
    """The position in the address's fragment, which browsers do not send."""
    preview = await preview_of(services, "/board/{game}", {"game": game})
    board = f"plyhouse-position {_attributes({'game': game}, query, [])}"
    return _page(preview, f"{services.clients.base_url(request)}board/{quote(game, safe='')}", board, query)


async def _frame(
    request: Request, services: Services, kind: str, game_id: str, query: FrameQuery, more: list[str]
) -> Response:
    preview = await preview_of(services, f"/{kind}/{{game_id}}", {"game_id": game_id})
    ply = {} if query.ply is None else {"ply": str(query.ply)}
    board = f"plyhouse-board {_attributes({'game-id': game_id, **ply}, query, more)}"
    home = f"{services.clients.base_url(request)}{kind}/{quote(game_id, safe='')}"
    return _page(preview, home, board, query)


def _attributes(named: Mapping[str, str], query: BoardQuery, more: list[str]) -> str:
    values = [f'{name}="{escape(value)}"' for name, value in named.items()]
    return " ".join([*values, *(["flipped"] if query.flipped else []), *more])


def _page(preview: Preview, home: str, board: str, query: BoardQuery) -> Response:
    """``board``: the start tag of an element, without its brackets."""
    page = DOCUMENT.format(
        title=escape(preview.title),
        scheme=SCHEMES[query.theme],
        home=escape(home),
        board=board,
        name=board.partition(" ")[0],
    )
    return Response(page, headers=HEADERS, media_type="text/html")


DOCUMENT: Final = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="{scheme}" />
    <meta name="robots" content="noindex" />
    <title>{title}</title>
    <link rel="canonical" href="{home}" />
    <link rel="stylesheet" href="/frame.css" />
    <script src="/embed/plyhouse.js"></script>
  </head>
  <body>
    <main>
      <h1>{title}</h1>
      <{board}></{name}>
    </main>
  </body>
</html>
"""
