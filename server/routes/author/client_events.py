"""``/api/stream/events``: what happens to the bots of a client, as lines of JSON."""

from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any, Final

from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic_core import to_json
from starlette.types import Receive, Scope, Send

from protocols.table_json import result_json
from server.domain.errors import ApiError, Code
from server.routes.api_router import api_router
from server.routes.games import Bearer
from server.routes.services import TheAddress, TheServices
from server.services.client_events.client_event import (
    BotAttached,
    BotDetached,
    ClientEvent,
    GameFinished,
    GameForfeited,
    GameStarted,
    LadderPaused,
    LadderResumed,
    Opponent,
    OwnGame,
    StreamClosed,
)
from server.services.client_events.event_stream import EventStream
from server.web.http_connection import CUT

router = api_router("/api/stream", "bots")

LINES: Final = "application/x-ndjson"

HOW: Final = (
    "Send the clientId and the resumeSecret of your client: Authorization: Bearer <clientId>:<resumeSecret>."
)


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {LINES: {}}, "description": "Events, each on a line, without an end"}},
)
async def events(
    request: Request, services: TheServices, address: TheAddress, bearer: Bearer
) -> StreamingResponse:
    """The events of a client's bots, each a JSON object on a line of its own; an empty line every few seconds.

    It begins with how things are: the bots that are attached, the games that they play, and why they pause.
    """
    client_id, separator, secret = ("" if bearer is None else _as_sent(bearer.credentials)).partition(":")
    if not separator:
        raise ApiError(Code.NO_TOKEN, HOW)
    cut = request.scope.get("extensions", {}).get(CUT, _nothing)
    stream = await services.client_events.open(client_id, secret, address, cut)
    return EventLines(stream, partial(services.client_events.close, client_id, stream))


def _as_sent(header: str) -> str:
    """A header as the client wrote it: in UTF-8, whose bytes the framework takes for those of Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _nothing() -> None:
    """Other web servers cannot cut a connection."""


class EventLines(StreamingResponse):
    """The answer. ``close`` is called when it is over."""

    def __init__(self, stream: EventStream, close: Callable[[], None]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(_lines(stream), media_type=LINES, headers=headers)
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events until the last one, or until the client leaves."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._close()


async def _lines(stream: EventStream) -> AsyncIterator[bytes]:
    async for event in stream.events():
        yield b"\n" if event is None else to_json(event_json(event)) + b"\n"


def event_json(event: ClientEvent) -> dict[str, Any]:
    """An event as an object of the stream."""
    match event:
        case BotAttached():
            told = {
                "type": "bot-connected",
                "bot": event.bot_id,
                "name": event.name,
                "game": event.game,
                "version": event.version,
                "ladder": event.is_on_ladder,
            }
        case BotDetached():
            told = {"type": "bot-disconnected", "bot": event.bot_id, "game": event.game}
        case GameStarted(game=game):
            told = {"type": "game-started", **_game_json(game)}
        case GameFinished(game=game):
            told = {"type": "game-finished", **_game_json(game), **_end_json(event)}
        case GameForfeited():
            told = {"type": "game-forfeited", **_forfeit_json(event)}
        case LadderPaused():
            told = {"type": "ladder-paused", **_pool_json(event), "reason": event.reason}
        case LadderResumed():
            told = {"type": "ladder-resumed", **_pool_json(event)}
        case StreamClosed():
            told = {"type": "closed", "reason": event.reason}
    return {**told, "at": event.at}


def _game_json(game: OwnGame) -> dict[str, Any]:
    return {
        "gameId": game.game_id,
        "game": game.game,
        "variant": game.variant,
        "bot": game.bot_id,
        "seat": game.seat,
        "opponents": _opponents_json(game.opponents),
        "ladder": game.player is not None,
        "opening": list(game.opening),
    }


def _opponents_json(opponents: Iterable[Opponent]) -> list[dict[str, Any]]:
    return [
        {"seat": one.seat, "name": one.name, **({} if one.bot_id is None else {"bot": one.bot_id})}
        for one in opponents
    ]


def _forfeit_json(event: GameForfeited) -> dict[str, Any]:
    return {
        "tournamentId": event.tournament_id,
        "tournament": event.tournament,
        "round": event.round,
        "game": event.game,
        "variant": event.variant,
        "bot": event.bot_id,
        "seat": event.seat,
        "opponents": _opponents_json(event.opponents),
        "points": event.points,
        "reason": event.reason,
        "note": event.note,
    }


def _end_json(event: GameFinished) -> dict[str, Any]:
    return {
        "plies": event.plies,
        "result": None if event.result is None else result_json(event.result),
        "score": event.score,
        "counts": event.counts,
        "lostByError": event.is_error,
    }


def _pool_json(event: LadderPaused | LadderResumed) -> dict[str, Any]:
    return {"bot": event.bot_id, "game": event.game, "variant": event.variant}
