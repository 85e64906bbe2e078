"""``/api/analysis``: evaluations, best moves and accuracy of a game or a list of moves."""

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field, model_validator

from protocols.records.formats import AUTO
from server.domain.accuracy import Judgement, Summary
from server.domain.errors import ApiError, Code
from server.routes import models as m
from server.routes.clients import completed
from server.routes.games import Bearer
from server.routes.house import TheAddress, TheHouse
from server.services.analyses import AnalysisWish
from server.services.analysis import Analysis, Studied

router = APIRouter(
    prefix="/api/analysis",
    tags=["analysis"],
    responses={"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
)

RECONNECT_MS = 1000
"""After how long a browser reopens a stream that broke."""

AnalysisId = Annotated[str, Path(max_length=64)]


# ---- bodies ----------------------------------------------------------------------------------------


class AnalysisBody(m.Body):
    """What to analyse: ``gameId``, ``game`` with start and moves, or ``text``, a record in ``format``.

    ``multipv``: candidates per position. ``samples`` None: as usual for the game, or as many as are allowed.
    """

    game_id: m.Name | None = None
    game: str | None = None
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    moves: list[str] = Field(default_factory=list)
    format: m.Name = AUTO
    text: str | None = None
    samples: m.Whole | None = None
    multipv: m.Whole = 1
    from_ply: m.Whole | None = None
    to_ply: m.Whole | None = None

    @model_validator(mode="after")
    def _names_one_thing(self) -> "AnalysisBody":
        if [self.game_id, self.game, self.text].count(None) != 2:
            raise ValueError("Give one of gameId, game and text.")
        return self


class AskedBody(m.Body):
    """Where to look for the result, and the token that withdraws the question."""

    analysis_id: str
    token: str


class LineBody(m.Body):
    """A candidate move; ``value`` in [-1, 1] is the mover's."""

    move: str
    visits: int
    value: float
    pv: list[str]


class PlayedBody(m.Body):
    """How the move to a position was for ``seat``, which made it; null: nothing to complain about."""

    seat: int
    loss: float
    judgement: Judgement | None


class StudiedBody(m.Body):
    """The position after ``ply`` moves; ``evaluation`` in [-1, 1] is seat 0's, ``values`` all seats'.

    ``toAct``: the seats to move. ``played``: the move that led here, for each seat that made it. ``limitedBy``: why
    there are fewer samples than were asked for.
    """

    ply: int
    to_act: list[int]
    played: list[PlayedBody]
    evaluation: float
    values: list[float]
    best_move: str
    policies: list[dict[str, float]] | None = None
    lines: list[LineBody]
    samples: int
    inherited: int
    source: str
    limited_by: Literal["memory"] | None = None


class SummaryBody(m.Body):
    """How a seat played. A move's loss is what the mover's winning chance, (value + 1) / 2, fell by.

    The best move loses nothing. ``accuracy`` is the mean of 100·exp(-5·loss) over the seat's moves. A loss of
    0.1 is an inaccuracy, 0.2 a mistake, 0.3 a blunder.
    """

    seat: int
    accuracy: float | None
    mean_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


class ResultBody(m.Body):
    """An analysis as far as it is ready; ``summary`` covers the positions that are."""

    analysis_id: str
    status: Literal["running", "done", "cancelled", "failed"]
    error: str | None = None
    retry_after_ms: int | None = None
    positions: list[StudiedBody]
    summary: list[SummaryBody]


# ---- calls -----------------------------------------------------------------------------------------


@router.post("", status_code=202, response_model=ResultBody | AskedBody, response_model_exclude_unset=True)
async def ask(
    request: Request,
    body: AnalysisBody,
    house: TheHouse,
    address: TheAddress,
    response: Response,
    wait: Annotated[int, Query(ge=0, le=1)] = 0,
) -> Any:  # noqa: ANN401 - checked by the model
    """Begins an analysis, or finds the same one. ``wait=1`` answers with the whole result."""
    asked = await house.analyses.ask(_wish(body), address)
    analysis = asked.analysis
    if not wait:
        return {"analysisId": analysis.id, "token": asked.token}
    if not await completed(_end_of(analysis), request):
        analysis.audience.withdraw(asked.token)
    response.status_code = 200
    return _named(analysis)


@router.get("/{analysis_id}", response_model=ResultBody, response_model_exclude_unset=True)
async def read(analysis_id: AnalysisId, house: TheHouse) -> Any:  # noqa: ANN401 - checked by the model
    """The result so far."""
    return _named(house.analyses.find(analysis_id))


@router.get("/{analysis_id}/events", response_class=StreamingResponse)
async def events(
    analysis_id: AnalysisId, house: TheHouse, last_event_id: Annotated[str, Header(max_length=20)] = ""
) -> StreamingResponse:
    """Server-sent events: ``position`` for each ply as it is ready, then ``done`` with status and summary.

    Each has a number; whoever comes back with the last one as ``Last-Event-ID`` gets those after it.
    """
    analysis = house.analyses.find(analysis_id)
    shown = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(analysis, shown), media_type="text/event-stream", headers=headers)


@router.delete("/{analysis_id}", status_code=204)
async def withdraw(analysis_id: AnalysisId, house: TheHouse, bearer: Bearer) -> None:
    """Withdraws one question; with the last one the analysis stops within one batch and is forgotten."""
    if bearer is None:
        raise ApiError(Code.NO_TOKEN, "Send the token of the analysis: Authorization: Bearer <token>.")
    house.analyses.withdraw(analysis_id, bearer.credentials)


def _wish(body: AnalysisBody) -> AnalysisWish:
    return AnalysisWish(
        game_id=body.game_id,
        game=body.game or "",
        variant=body.variant,
        config=body.config,
        moves=body.moves,
        format=body.format,
        text=body.text,
        samples=body.samples,
        multipv=body.multipv,
        from_ply=body.from_ply,
        to_ply=body.to_ply,
    )


# ---- answers ---------------------------------------------------------------------------------------


def result_json(analysis: Analysis) -> dict[str, Any]:
    """An analysis as far as it is ready."""
    return {**_ending(analysis), "positions": _positions(analysis)}


def _named(analysis: Analysis) -> dict[str, Any]:
    return {"analysisId": analysis.id, **result_json(analysis)}


async def _end_of(analysis: Analysis) -> None:
    """Watches the analysis until it is over."""
    async with aclosing(analysis.ready()) as ready:
        async for _ in ready:
            continue


def _ending(analysis: Analysis) -> dict[str, Any]:
    why = {"error": analysis.error, "retryAfterMs": analysis.retry_after_ms}
    told = {name: value for name, value in why.items() if value is not None}
    summary = [_summary_json(one) for one in analysis.summary]
    return {"status": analysis.progress.value, **told, "summary": summary}


def _positions(analysis: Analysis) -> list[dict[str, Any]]:
    return [_studied_json(one) for one in analysis.found]


def _studied_json(one: Studied) -> dict[str, Any]:
    entry = one.entry
    policies = {} if entry.policies is None else {"policies": [dict(policy) for policy in entry.policies]}
    return {
        "ply": entry.ply,
        "toAct": list(one.to_act),
        "played": [
            {"seat": move.seat, "loss": move.loss, "judgement": move.judgement} for move in one.played
        ],
        "evaluation": entry.evaluation,
        "values": list(one.values),
        "bestMove": entry.best_move,
        **policies,
        "lines": [
            {"move": line.move, "visits": line.visits, "value": line.value, "pv": list(line.pv)}
            for line in one.lines
        ],
        "samples": one.samples,
        "inherited": one.inherited,
        "source": one.source,
        **({"limitedBy": "memory"} if one.is_cut else {}),
    }


def _summary_json(one: Summary) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "accuracy": one.accuracy,
        "meanLoss": one.mean_loss,
        "inaccuracies": one.inaccuracies,
        "mistakes": one.mistakes,
        "blunders": one.blunders,
    }


async def _events(analysis: Analysis, shown: int) -> AsyncIterator[str]:
    """The positions after the first ``shown``, numbered from 1, and the end."""
    yield f"retry: {RECONNECT_MS}\n\n"
    async with aclosing(analysis.ready(shown)) as ready:
        async for one in ready:
            shown += 1
            yield _event("position", _studied_json(one), shown)
    yield _event("done", _ending(analysis))


def _event(name: str, data: dict[str, Any], number: int | None = None) -> str:
    numbered = "" if number is None else f"id: {number}\n"
    return f"event: {name}\n{numbered}data: {json.dumps(data, separators=(',', ':'))}\n\n"
