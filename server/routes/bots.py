"""``/api/bots``: lists of bots, and games against them."""

from typing import Annotated, Any, Literal

from fastapi import Depends, Query
from pydantic import ValidationError

from protocols.bgs.boards import sides
from protocols.bgs.codec import offer_json
from protocols.dialects import game_named
from protocols.values import Seat, SeatKind
from server.domain.bots import BotProtocol, BotQuery, ListedBot, Recommendation
from server.domain.errors import ApiError, Code
from server.routes import common_models as models
from server.routes.api_router import api_router
from server.routes.dialects import config_body
from server.routes.games import TheLinks
from server.routes.services import TheAddress, TheServices
from server.services.games.game_factory import NewGame

router = api_router("/api/bots", "bots")

BOARD_SIDE = sides()

ALL_GAMES = "all"
"""Requests the bots of all games."""

Side = Annotated[int | None, Query(ge=BOARD_SIDE.min, le=BOARD_SIDE.max)]


async def _query(
    game: str | None = None,
    variant: models.VariantName | None = None,
    board_width: Annotated[Side, Query(alias="boardWidth")] = None,
    board_height: Annotated[Side, Query(alias="boardHeight")] = None,
    username: str | None = None,
) -> BotQuery:
    name = None if game == ALL_GAMES else game_named(game)
    return BotQuery(name, variant, board_width, board_height, username)


TheQuery = Annotated[BotQuery, Depends(_query)]


# ---- bodies ----------------------------------------------------------------------------------------


class BotBody(models.Body):
    """A bot. ``variants``: those of ``game`` that it plays, with board sizes if the game has a choice of them.

    ``timed``: it also plays games with a clock; ``ladder``, if it is there: it plays rated games; ``tournaments``, if
    it is there: it plays in none; ``protocol``, if it is there: by which it is asked for its moves, if not the bot
    protocol; ``analyses``, if it is there: it can be the ``analyst`` of an analysis. Only built-in bots have ``level``,
    1 for the weakest, and ``about``, a sentence for players.
    """

    id: str
    client_id: str
    bot_id: str
    name: str
    game: str
    is_official: bool
    timed: bool
    ladder: bool = False
    tournaments: Literal[False] | None = None
    protocol: Literal[BotProtocol.UHP] | None = None
    analyses: bool = False
    appearance: dict[str, str]
    level: int | None = None
    about: str | None = None
    variants: dict[str, dict[str, Any]]


class BotList(models.Body):
    """Bots: official ones first, then by name."""

    bots: list[BotBody]


class RecommendationBody(models.Body):
    """A board size that a bot recommends."""

    bot: BotBody
    board_width: int
    board_height: int


class RecommendationList(models.Body):
    """Recommendations: official bots first, then by name, then by area."""

    bots: list[RecommendationBody]


class BotGameBody(models.RequestBody):
    """A game against a bot. ``config`` has the variant and the members of the game's own configuration.

    The game is unrated and has no clock.
    """

    bot_id: str
    config: dict[str, Any]
    host_display_name: models.Name | None = None
    host_appearance: models.Appearance | None = None
    host_is_player1: models.Truth = True


class HostBody(models.Body):
    """The new game, and the token of the player who created it."""

    game_id: str
    token: str
    socket_token: str
    role: Literal["host"]
    player_id: int
    share_url: str


# ---- calls -----------------------------------------------------------------------------------------


@router.get("", response_model=BotList, response_model_exclude_unset=True)
async def listed(services: TheServices, query: TheQuery) -> Any:  # noqa: ANN401 - checked by the model
    """Lists the bots that are available now."""
    return {"bots": [_bot_json(bot) for bot in services.registry.listed(query)]}


@router.get("/recommended", response_model=RecommendationList, response_model_exclude_unset=True)
async def recommended(services: TheServices, query: TheQuery) -> Any:  # noqa: ANN401 - checked by the model
    """Lists the board sizes that bots recommend."""
    return {"bots": [_recommendation_json(one) for one in services.registry.recommended(query)]}


@router.post("/play", status_code=201, response_model=HostBody)
async def play(
    body: BotGameBody, services: TheServices, links: TheLinks, address: TheAddress, game: str | None = None
) -> Any:  # noqa: ANN401 - checked by the model
    """Creates a two-player game against a bot."""
    host = 0 if body.host_is_player1 else 1
    opened = await services.games.create(_new_game(body, game_named(game), host), address)
    token = opened.tokens[host]
    return {
        "gameId": opened.state.id,
        "token": token,
        "socketToken": token,
        "role": "host",
        "playerId": host + 1,
        "shareUrl": links.share(opened.state.id),
    }


def _new_game(body: BotGameBody, game: str, host: int) -> NewGame:
    human = Seat(SeatKind.HUMAN, name=body.host_display_name or None, appearance=body.host_appearance)
    bot = Seat(SeatKind.BOT, bot_id=body.bot_id)
    given = dict(body.config)
    if given.pop("timeControl", None) is not None:
        text = "This call creates games without a clock: for a time control, use POST /api/games."
        raise ApiError(Code.BAD_TIME_CONTROL, text, field="config.timeControl")
    is_rated = bool(given.pop("rated", None))
    config = _config(given, game)
    return NewGame(
        game=game,
        variant=config.variant,
        config=config.model_dump(by_alias=True, exclude={"variant"}),
        seats=(human, bot) if host == 0 else (bot, human),
        is_rated=is_rated,
        host=host,
    )


def _config(config: dict[str, Any], game: str) -> models.ConfigBody:
    try:
        return config_body(game).model_validate(config)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(["config", *(str(part) for part in first["loc"])])
        raise ApiError(Code.MALFORMED, f"{field}: {first['msg']}", field=field) from None


def _bot_json(bot: ListedBot) -> dict[str, Any]:
    return {
        "id": bot.id,
        "clientId": bot.client_id,
        "botId": bot.bot_id,
        "name": bot.name,
        "game": bot.game,
        "isOfficial": bot.is_official,
        "timed": bot.is_timed,
        **({} if bot.ladder is None else {"ladder": True}),
        **({"tournaments": False} if bot.tournaments is None else {}),
        **({} if bot.protocol is BotProtocol.V3 else {"protocol": bot.protocol}),
        **({"analyses": True} if bot.analyses else {}),
        "appearance": dict(bot.appearance or {}),
        **({} if bot.level is None else {"level": bot.level, "about": bot.about}),
        "variants": {name: offer_json(offer) for name, offer in bot.variants.items()},
    }


def _recommendation_json(one: Recommendation) -> dict[str, Any]:
    size = one.size
    return {"bot": _bot_json(one.bot), "boardWidth": size.board_width, "boardHeight": size.board_height}
