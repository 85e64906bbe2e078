"""``/api/analysis``: evaluations, best moves and accuracy of a game or a list of moves."""

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field, model_validator
from pydantic_core import to_json

from protocols.records.formats import AUTO
from server.domain.accuracy import Judgement
from server.domain.errors import ApiError, Code
from server.routes import common_models as models
from server.routes.api_router import api_router
from server.routes.client_origin import completed
from server.routes.games import Bearer
from server.routes.services import Services, TheAddress, TheServices
from server.services.evaluation.analysis_run import Analysis, Studied
from server.services.evaluation.analysis_service import AnalysisRequest

router = api_router("/api/analysis", "analysis")

RULES = "rules"
"""The source of the values of a finished position."""

RECONNECT_MS = 1000
"""Milliseconds after which a browser reopens a broken stream."""

AnalysisId = Annotated[str, Path(max_length=64)]


# ---- bodies ----------------------------------------------------------------------------------------


class AnalysisBody(models.RequestBody):
    """What to analyse: ``gameId``, ``game`` with its start and moves, or ``text``, a record in ``format``.

    ``multipv``: candidates per position. ``samples`` defaults to the usual number for the game, or the most allowed.
    ``analyst``: the id of the bot that evaluates, with as many samples as it likes; default: the server's engine.
    """

    game_id: models.Name | None = None
    game: str | None = None
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    moves: list[str] = Field(default_factory=list)
    format: models.Name = AUTO
    text: str | None = None
    samples: models.Whole | None = None
    multipv: models.Whole = 1
    from_ply: models.Whole | None = None
    to_ply: models.Whole | None = None
    analyst: str | None = None

    @model_validator(mode="after")
    def _has_one_subject(self) -> "AnalysisBody":
        if [self.game_id, self.game, self.text].count(None) != 2:
            raise ValueError("Give one of gameId, game and text.")
        if self.game is None and self.model_fields_set & {"variant", "config", "moves"}:
            raise ValueError("Only with game, variant, config and moves have an effect.")
        if self.text is None and "format" in self.model_fields_set:
            raise ValueError("Only with text, format has an effect.")
        if self.analyst is not None and self.samples is not None:
            raise ValueError("Only without analyst, samples has an effect.")
        return self


class AskedBody(models.Body):
    """The id of the analysis, and the token that cancels this request for it."""

    analysis_id: str
    token: str


class LineBody(models.Body):
    """A candidate move; ``value`` in [-1, 1] and ``chance``, its expected score if known, are the mover's.

    ``points``: what each seat is expected to have in the end.
    """

    move: str
    visits: int
    value: float
    pv: list[str]
    chance: float | None
    points: list[float] | None


class PlayedBody(models.Body):
    """The quality of a move by ``seat``; ``judgement`` is null if the move is good enough.

    ``loss``: the decrease of the mover's expected score. ``pointsLost``, in games with points: of its lead. ``error``:
    of ``pointsLost``, elsewhere of ``loss``, where it is known. A loss within its error counts as none.
    """

    seat: int
    loss: float
    points_lost: float | None = None
    error: float | None = None
    judgement: Judgement | None


class StudiedBody(models.Body):
    """The position after ``ply`` moves; ``evaluation`` in [-1, 1] is seat 0's, ``values`` are all seats'.

    ``chances``: each seat's expected share of the win, in [0, 1]; absent if it is unknown what the evaluator's values
    are worth. ``points``: what each seat is expected to have in the end;
    absent in games without points, or if they are not estimated.

    ``toAct``: the seats to move. ``played``: the move that led here, for each seat that made it. ``limitedBy``: why
    there are fewer samples than requested.
    """

    ply: int
    to_act: list[int]
    played: list[PlayedBody]
    evaluation: float
    values: list[float]
    chances: list[float] | None = None
    points: list[float] | None = None
    best_move: str
    policies: list[dict[str, float]] | None = None
    lines: list[LineBody]
    samples: int
    inherited: int
    source: str
    limited_by: Literal["memory"] | None = None


class SummaryBody(models.Body):
    """How well a seat played.

    Losses are judged in a unit of the game: of points where it has them, else of the expected score. ``accuracy`` is
    100/(1 + (m/0.47)^2.5), where m is the mean loss of the seat's moves in this unit. A loss of 0.75 units is an
    inaccuracy, 1.5 a mistake, 2.5 a blunder.
    """

    seat: int
    accuracy: float | None
    mean_loss: float | None
    mean_points_lost: float | None = None
    inaccuracies: int
    mistakes: int
    blunders: int


class AnalysisResultBody(models.Body):
    """The results of an analysis so far; ``summary`` covers the positions that are ready."""

    analysis_id: str
    status: Literal["running", "done", "cancelled", "failed"]
    error: str | None = None
    retry_after_ms: int | None = None
    positions: list[StudiedBody]
    summary: list[SummaryBody]


# ---- calls -----------------------------------------------------------------------------------------


@router.post(
    "", status_code=202, response_model=AnalysisResultBody | AskedBody, response_model_exclude_unset=True
)
async def ask(
    request: Request,
    body: AnalysisBody,
    services: TheServices,
    address: TheAddress,
    wait: Annotated[int, Query(ge=0, le=1)] = 0,
) -> Any:  # noqa: ANN401 - checked by the model
    """Starts an analysis, or joins an identical one. With ``wait=1``, answers with the whole result."""
    asked = await services.analyses.ask(AnalysisRequest(**dict(body)), address)
    analysis = asked.analysis
    if not wait:
        return {"analysisId": analysis.id, "token": asked.token}
    if not await completed(_end_of(analysis), request):
        analysis.audience.withdraw(asked.token)
    return await _answer(analysis, services)


@router.get("/{analysis_id}", response_model=AnalysisResultBody, response_model_exclude_unset=True)
async def read(analysis_id: AnalysisId, services: TheServices) -> Response:
    """The results so far."""
    return await _answer(services.analyses.find(analysis_id), services)


@router.get("/{analysis_id}/events", response_class=StreamingResponse)
async def events(
    analysis_id: AnalysisId, services: TheServices, last_event_id: Annotated[str, Header(max_length=20)] = ""
) -> StreamingResponse:
    """Server-sent events: ``position`` for each ply when it is ready, then ``done`` with status and summary.

    Positions are numbered; a client that reconnects sends the last number as ``Last-Event-ID`` and gets the rest.
    """
    analysis = services.analyses.find(analysis_id)
    shown = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(analysis, shown), media_type="text/event-stream", headers=headers)


@router.delete("/{analysis_id}", status_code=204)
async def withdraw(analysis_id: AnalysisId, services: TheServices, bearer: Bearer) -> None:
    """Withdraws one request for an analysis; without requests, it stops within one batch and is discarded."""
    if bearer is None:
        raise ApiError(Code.NO_TOKEN, "Send the token of the analysis: Authorization: Bearer <token>.")
    services.analyses.withdraw(analysis_id, bearer.credentials)


# ---- answers ---------------------------------------------------------------------------------------


def result_json(analysis: Analysis) -> dict[str, Any]:
    """The results of an analysis so far."""
    return {**_ending(analysis), "positions": [_studied_json(one) for one in analysis.found]}


async def _answer(analysis: Analysis, services: Services) -> Response:
    """The results so far. Thousands of lines of candidates take long to write."""
    body = await services.host.admission.work.run_accepted(_written, analysis)
    return Response(body, media_type="application/json")


def _written(analysis: Analysis) -> bytes:
    return to_json({"analysisId": analysis.id, **result_json(analysis)})


async def _end_of(analysis: Analysis) -> None:
    """Waits until the analysis is over."""
    async with aclosing(analysis.ready()) as ready:
        async for _ in ready:
            continue


def _ending(analysis: Analysis) -> dict[str, Any]:
    why = {"error": analysis.error, "retryAfterMs": analysis.retry_after_ms}
    failure = {name: value for name, value in why.items() if value is not None}
    summary = [_json(SummaryBody, one) for one in analysis.summary]
    return {"status": analysis.progress.value, **failure, "summary": summary}


def _studied_json(one: Studied) -> dict[str, Any]:
    found = one.evaluation
    policies = {} if found.policies is None else {"policies": [dict(policy) for policy in found.policies]}
    per_seat = {"chances": found.chances, "points": found.points}
    return {
        "ply": one.ply,
        "toAct": list(one.to_act),
        "played": [_json(PlayedBody, move) for move in one.played],
        "evaluation": found.values[0],
        "values": list(found.values),
        **{name: list(numbers) for name, numbers in per_seat.items() if numbers is not None},
        "bestMove": found.best_move,
        **policies,
        "lines": [_json(LineBody, line) for line in found.lines],
        "samples": found.samples,
        "inherited": found.inherited,
        "source": found.source or RULES,
        **({"limitedBy": "memory"} if found.is_cut else {}),
    }


def _json(body: type[models.Body], value: object) -> dict[str, Any]:
    """A value as JSON, with the members of ``body``, which it has under the same names, but without optional nulls."""
    read = body.model_validate(value, from_attributes=True)
    optional = {name for name, field in body.model_fields.items() if not field.is_required()}
    absent = {name for name in optional if getattr(read, name) is None}
    return read.model_dump(by_alias=True, exclude=absent)


async def _events(analysis: Analysis, shown: int) -> AsyncIterator[str]:
    """The positions after the first ``shown``, numbered from 1, then the end."""
    yield f"retry: {RECONNECT_MS}\n\n"
    async with aclosing(analysis.ready(shown)) as ready:
        async for one in ready:
            shown += 1
            yield _event("position", _studied_json(one), shown)
    yield _event("done", _ending(analysis))


def _event(name: str, data: dict[str, Any], number: int | None = None) -> str:
    numbered = "" if number is None else f"id: {number}\n"
    return f"event: {name}\n{numbered}data: {json.dumps(data, separators=(',', ':'))}\n\n"
