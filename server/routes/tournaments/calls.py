"""``/api/tournaments``: creating, reading, entering and starting tournaments.

The services decide; this module only reads requests and writes answers.
"""

from functools import partial
from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials
from pydantic_core import to_json

from server.domain.errors import ApiError, Code
from server.domain.tournaments.state import TournamentState
from server.routes.api_router import api_router
from server.routes.games import OPTIONAL_TOKEN, Bearer
from server.routes.services import Services, TheAddress, TheServices
from server.routes.tournaments import answers, bodies
from server.services.tournaments.tournament_checks import (
    check_company,
    checked_bot,
    checked_person,
    checked_settings,
)

router = api_router("/api/tournaments", "tournaments")

PAGE = 50
"""Tournaments on one page of a list."""

MOST_ID = 64
ID = "^[A-Za-z0-9_-]+$"


def _text(media_type: str) -> dict[int | str, dict[str, Any]]:
    """The documentation of an answer that is a text."""
    return {200: {"content": {media_type: {"schema": {"type": "string"}}}}}


TournamentId = Annotated[str, Path(max_length=MOST_ID, pattern=ID)]
Entry = Annotated[int, Path(ge=1, le=10_000)]


@router.post("", status_code=201, response_model=bodies.CreatedTournamentBody)
async def create(body: bodies.NewTournamentBody, services: TheServices, address: TheAddress) -> Any:  # noqa: ANN401 - checked by the model
    """Creates a tournament. The answer has the token of its owner, who starts or cancels it."""
    settings = await checked_settings(services.games, body.requested())
    state, token = await services.tournaments.create(settings, address)
    return {**await _json(services, state), "token": token}


@router.get("", response_model=bodies.TournamentList, response_model_exclude_unset=True)
async def listed(
    services: TheServices, cursor: Annotated[str | None, Query(max_length=MOST_ID, pattern=ID)] = None
) -> Any:  # noqa: ANN401 - checked by the model
    """Lists tournaments, newest first, a page at a time."""
    found = await services.tournaments.latest(PAGE + 1, cursor)
    out: dict[str, Any] = {"tournaments": [answers.listed_json(row) for row in found[:PAGE]]}
    return out if len(found) <= PAGE else {**out, "cursor": found[PAGE - 1].tournament_id}


@router.get(
    "/{tournament_id}",
    response_model=bodies.TournamentBody,
    responses={304: {"description": "The tournament has not changed"}},
    openapi_extra=OPTIONAL_TOKEN,
)
async def read(
    tournament_id: TournamentId, services: TheServices, request: Request, bearer: Bearer
) -> Response:
    """A tournament with its rounds and its table. With a token of it, ``you`` says whose that is.

    The answer has an ``ETag``: it has not changed while that is the same. Not validated against the model, as that
    would take long for a thousand games; a test does.
    """
    state = await services.tournaments.get(tournament_id)
    tag = f'"{state.version}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Authorization"}
    you = None if bearer is None else answers.your_json(state, bearer.credentials)
    if bearer is not None and you is None:
        raise ApiError(Code.NO_TOKEN, "The token is none of this tournament's.")
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=304, headers=headers)
    text = await services.written_tournaments.of(state)
    if you is not None:
        text = text[:-1] + b',"you":' + to_json(you) + b"}"
    return Response(text, media_type="application/json", headers=headers)


@router.get("/{tournament_id}/table.csv", response_class=Response, responses=_text("text/csv"))
async def csv_table(tournament_id: TournamentId, services: TheServices) -> Response:
    """The cross table as CSV."""
    state = await services.tournaments.get(tournament_id)
    return Response(await services.work.run(answers.table_csv, state), media_type="text/csv; charset=utf-8")


@router.get("/{tournament_id}/table.txt", response_class=Response, responses=_text("text/plain"))
async def text_table(tournament_id: TournamentId, services: TheServices) -> Response:
    """The cross table as text."""
    state = await services.tournaments.get(tournament_id)
    return Response(
        await services.work.run(answers.table_text, state), media_type="text/plain; charset=utf-8"
    )


@router.post(
    "/{tournament_id}/entries",
    status_code=201,
    response_model=bodies.EntryAddedBody,
    openapi_extra=OPTIONAL_TOKEN,
)
async def enter(
    tournament_id: TournamentId,
    body: bodies.NewEntryBody,
    services: TheServices,
    address: TheAddress,
    bearer: Bearer,
) -> Any:  # noqa: ANN401 - checked by the model
    """Enters a bot or a person. If the tournament is not open, with the owner's token only."""
    state = await services.tournaments.get(tournament_id)
    bot = None if body.bot is None else checked_bot(services.registry, state, body.bot)
    name = checked_person(body.name) if bot is None else bot.name
    by = None if bearer is None else bearer.credentials
    bot_id = None if bot is None else bot.id
    is_owned = bot_id is not None and services.registry.is_owned(bot_id)
    check = partial(check_company, services.registry, bot)
    entry, token = await services.tournaments.enter(
        tournament_id, name, bot_id, check, is_owned=is_owned, by=by, address=address
    )
    return {"entry": entry, "token": token}


@router.delete("/{tournament_id}/entries/{entry}", response_model=bodies.TournamentBody)
async def withdraw(
    tournament_id: TournamentId, entry: Entry, services: TheServices, bearer: Bearer
) -> Response:
    """Withdraws a player, with the token of the entry or the owner's. Later games are lost by forfeit."""
    state = await services.tournaments.withdraw(tournament_id, entry, _token(bearer))
    return await _answer(services, state)


@router.post("/{tournament_id}/start", response_model=bodies.TournamentBody)
async def start(tournament_id: TournamentId, services: TheServices, bearer: Bearer) -> Response:
    """Starts a tournament, with the owner's token."""
    return await _answer(services, await services.tournaments.start(tournament_id, _token(bearer)))


@router.post("/{tournament_id}/cancel", response_model=bodies.TournamentBody)
async def cancel(tournament_id: TournamentId, services: TheServices, bearer: Bearer) -> Response:
    """Cancels a tournament, with the owner's token. Games that are running go on, and count for nothing."""
    return await _answer(services, await services.tournaments.cancel(tournament_id, _token(bearer)))


def _token(bearer: HTTPAuthorizationCredentials | None) -> str:
    if bearer is None:
        raise ApiError(Code.NO_TOKEN, "Send the token: Authorization: Bearer <token>.")
    return bearer.credentials


async def _answer(services: Services, state: TournamentState) -> Response:
    """The whole tournament, written on a thread and not validated, as in ``read``."""
    return Response(await services.written_tournaments.of(state), media_type="application/json")


async def _json(services: Services, state: TournamentState) -> dict[str, Any]:
    return await services.work.run(answers.tournament_json, state)
