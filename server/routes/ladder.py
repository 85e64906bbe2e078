"""``/api/ladder``: the ratings of bots, and what is known of each."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import Query, Response
from pydantic_core import to_json

from engines import games
from protocols.dialects import game_named
from server.domain.captions import game_title, variant_title
from server.domain.errors import ApiError, Code
from server.domain.ladder.players import bot_of
from server.domain.ladder.rating_pool import Pool, PoolKey, Rated
from server.domain.ladder.results import RatedResult
from server.domain.ladder.thinking import ThinkingTime
from server.routes import common_models as models
from server.routes.api_router import api_router
from server.routes.author.bot_findings import (
    LossBody,
    ThinkingBody,
    WeakOpeningBody,
    loss_json,
    thinking_json,
    weak_opening_json,
)
from server.routes.services import Services, TheServices
from server.services.ladder.findings import Findings, findings_of
from server.services.ladder.progress import Moment
from server.services.ladder.standings import (
    BotReport,
    Curves,
    LadderMeeting,
    LadderRow,
    count_of,
    curves_of,
    pools_of,
    report_of,
    rows_of,
)

router = api_router("/api/ladder", "ladder")

MOST_RESULTS = 1000
"""The latest games of a bot from which its results against others are counted."""

SHOWN_RESULTS = 50
"""How many of them an answer contains."""


# ---- bodies ----------------------------------------------------------------------------------------


class PoolBody(models.Body):
    """A game and variant in which bots are rated. ``games``: those that are running."""

    game: str
    variant: str
    players: int
    running: int


class PoolList(models.Body):
    """The games and variants in which bots are rated, or could be now."""

    pools: list[PoolBody]


class RatingBody(models.Body):
    """A rated player: a version of a bot (``bot``), or a built-in level.

    ``rank`` is null while the rating is provisional. ``rating`` is in Elo points; the true one is within ``error`` of
    it with a probability of 0.95. ``void``: games that did not count; ``errors``: those lost by errors of the program.
    ``playing``: the ids of its running games. ``here``: its client is connected with this version; ``waiting``: why it
    starts no game now, if there is a reason. Times are milliseconds since the epoch.
    """

    rank: int | None
    player: str
    bot: str
    name: str
    rating: float
    error: float
    games: int
    wins: int
    draws: int
    losses: int
    void: int
    errors: int
    level: bool
    here: bool
    playing: list[str]
    waiting: str | None = None
    first_at: int | None = None
    last_at: int | None = None


class Ratings(models.Body):
    """The players of a game and variant, the best rating first."""

    game: str
    variant: str
    players: list[RatingBody]


class MeetingBody(models.Body):
    """A bot's results against one opponent, of the games that count."""

    game: str
    variant: str
    opponent: str
    bot: str
    name: str
    wins: int
    draws: int
    losses: int


class RatedResultBody(models.Body):
    """A game of the ladder that has ended. ``places`` by seat, 1 being the best; null if the game does not count.

    ``reason`` and ``note``: those with which the bot left the game; otherwise those of the game.
    """

    game_id: str
    game: str
    variant: str
    players: list[str]
    names: list[str]
    seat: int
    places: list[int] | None
    reason: str
    note: str | None = None
    lost_by_error: list[int]
    plies: int
    ended_at: int


class MomentBody(models.Body):
    """A rating after a game that ended ``at`` (ms since the epoch), given what is known of the opponents now."""

    at: int
    rating: float
    error: float


class VersionBody(RatingBody):
    """A version of a bot, and how its rating came about, the oldest game first."""

    progress: list[MomentBody]


class PoolRatings(models.Body):
    """A bot's versions in one game and variant."""

    game: str
    variant: str
    versions: list[VersionBody]


class BotReportBody(models.Body):
    """What is known of a bot on the ladder: its ratings, its results against others, and its latest games.

    ``looked``: in how many of its latest games ``weakOpenings`` and ``losses``, which the rules did not decide, were
    looked for; ``thinking`` is null if no log of its latest games has a timed move of it.
    """

    bot: str
    pools: list[PoolRatings]
    opponents: list[MeetingBody]
    looked: int
    weak_openings: list[WeakOpeningBody]
    losses: list[LossBody]
    thinking: ThinkingBody | None
    results: list[RatedResultBody]


# ---- calls -----------------------------------------------------------------------------------------


@router.get("", response_model=PoolList)
async def pools(services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """Lists the games and variants in which bots are rated."""
    return {
        "pools": [
            {
                "game": game,
                "variant": variant,
                "players": count_of(services.ladder, services.ladder_bots, (game, variant)),
                "running": services.ladder.runs((game, variant)),
            }
            for game, variant in pools_of(services.ladder, services.ladder_bots)
        ]
    }


@router.get("/bots/{bot:path}", response_model=BotReportBody)
async def bot_report(bot: str, services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """Returns what is known of a bot on the ladder; ``bot`` is its id."""
    results = await services.ladder.games_of(bot, MOST_RESULTS)
    report = report_of(services.ladder, services.ladder_bots, bot, results)
    if not report.rows and not results:
        raise ApiError(Code.NOT_FOUND, f"No bot {bot!r} plays or has played on the ladder.", field="bot")
    pools = {key: (services.ladder.pool(key), services.ladder.rated(key)) for key in report.rows}
    thinking = await services.response_times.of(bot, results)
    curves, findings = await services.work.run(_studied, report, pools)
    return _report_json(report, curves, findings, thinking)


def _studied(report: BotReport, pools: Mapping[PoolKey, tuple[Pool, Rated]]) -> tuple[Curves, Findings]:
    rated = {key: ratings for key, (_, ratings) in pools.items()}
    return curves_of(report, pools), findings_of(report.bot, report.results, rated)


@router.get("/{game}", response_model=Ratings)
async def ratings(
    game: str, services: TheServices, variant: Annotated[models.VariantName | None, Query()] = None
) -> Response:
    """Lists the ratings of a game; without ``variant``, of the one with the most players.

    Not validated against the model, as that would take long for a thousand players; a test does.
    """
    key = _key(services, game_named(game), variant)
    rows = rows_of(services.ladder, services.ladder_bots, key)
    body = {"game": key[0], "variant": key[1], "players": [_row_json(row) for row in rows]}
    return Response(to_json(body), media_type="application/json")


def _key(services: Services, game: str, variant: str | None) -> PoolKey:
    known = [key for key in pools_of(services.ladder, services.ladder_bots) if key[0] == game]
    if variant is not None and (game, variant) in known:
        return game, variant
    if variant is None and known:
        return max(known, key=lambda key: len(services.ladder.pool(key).tallies))
    text = f"No bot plays or has played {_titled(game, variant)} on the ladder."
    raise ApiError(Code.NOT_FOUND, text, field="game")


def _titled(game: str, variant: str | None) -> str:
    """A game and variant as people call them; one that is unknown as it was asked for."""
    known = next((one for one in games() if one.name == game), None)
    title = game if known is None else game_title(game, known.about)
    if variant is None:
        return title
    is_known = known is not None and variant in known.variants
    return f"{title} ({variant_title(variant, known.about) if known and is_known else variant})"


def _row_json(row: LadderRow) -> dict[str, Any]:
    tally = row.tally
    return {
        "rank": row.rank,
        "player": row.player,
        "bot": row.bot,
        "name": row.name,
        "rating": round(row.elo, 1),
        "error": round(row.error, 1),
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "void": tally.void,
        "errors": tally.errors,
        "level": row.is_level,
        "here": row.is_here,
        "playing": list(row.playing),
        "waiting": row.why_not,
        "firstAt": tally.first_at,
        "lastAt": tally.last_at,
    }


def _report_json(
    report: BotReport, curves: Curves, findings: Findings, thinking: ThinkingTime | None
) -> dict[str, Any]:
    return {
        "bot": report.bot,
        "pools": [
            {
                "game": key[0],
                "variant": key[1],
                "versions": [
                    {**_row_json(row), "progress": _progress_json(curves[key][row.player])} for row in rows
                ],
            }
            for key, rows in report.rows.items()
        ],
        "opponents": [_meeting_json(one) for one in report.meetings],
        "looked": findings.games,
        "weakOpenings": [weak_opening_json(weak) for weak in findings.weak_openings],
        "losses": [loss_json(tally) for tally in findings.losses],
        "thinking": thinking_json(thinking),
        "results": [_result_json(result, report.bot) for result in report.results[:SHOWN_RESULTS]],
    }


def _progress_json(moments: Sequence[Moment]) -> list[dict[str, Any]]:
    return [{"at": one.at, "rating": round(one.elo, 1), "error": round(one.error, 1)} for one in moments]


def _meeting_json(one: LadderMeeting) -> dict[str, Any]:
    return {
        "game": one.key[0],
        "variant": one.key[1],
        "opponent": one.opponent,
        "bot": bot_of(one.opponent),
        "name": one.name,
        "wins": one.wins,
        "draws": one.draws,
        "losses": one.losses,
    }


def _result_json(result: RatedResult, bot: str) -> dict[str, Any]:
    seat = next(seat for seat, player in enumerate(result.players) if bot_of(player) == bot)
    reason, note = result.ending(seat)
    return {
        "gameId": result.game_id,
        "game": result.game,
        "variant": result.variant,
        "players": list(result.players),
        "names": list(result.names),
        "seat": seat,
        "places": None if result.places is None else list(result.places),
        "reason": reason,
        "note": note,
        "lostByError": list(result.lost_by_error),
        "plies": result.plies,
        "endedAt": result.ended_at,
    }
