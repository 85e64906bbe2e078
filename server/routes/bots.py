"""``/api/bots``: which bots there are, and a game against one of them. The bodies are the Wallwars site's."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field, ValidationError

from protocols.bgs.boards import sides
from protocols.bgs.codec import offer_json
from protocols.bgs.messages import DEFAULT_GAME
from server.domain.bots import Bot, BotQuery, Recommendation
from server.domain.errors import ApiError, Code
from server.domain.seats import SeatKind
from server.routes import models as m
from server.routes.games import TheLinks
from server.routes.house import TheAddress, TheHouse
from server.services.opening import NewGame, NewSeat

router = APIRouter(
    prefix="/api/bots",
    tags=["bots"],
    responses={"4XX": {"model": m.ErrorBody}, "5XX": {"model": m.ErrorBody}},
)

BOARD_SIDE = sides()

ALL_GAMES = "all"
"""Asks for the bots of every game."""

Side = Annotated[int | None, Query(ge=BOARD_SIDE.min, le=BOARD_SIDE.max)]


async def _query(
    game: str = DEFAULT_GAME,
    variant: m.VariantName | None = None,
    board_width: Annotated[Side, Query(alias="boardWidth")] = None,
    board_height: Annotated[Side, Query(alias="boardHeight")] = None,
    username: str | None = None,
) -> BotQuery:
    return BotQuery(None if game == ALL_GAMES else game, variant, board_width, board_height, username)


TheQuery = Annotated[BotQuery, Depends(_query)]


# ---- bodies ----------------------------------------------------------------------------------------


class BotBody(m.Body):
    """A bot. ``variants``: what it offers of ``game``, with board sizes where the game has a choice of them."""

    id: str
    client_id: str
    bot_id: str
    name: str
    game: str
    is_official: bool
    appearance: dict[str, str]
    variants: dict[str, dict[str, Any]]


class BotList(m.Body):
    """Bots, official ones first, then by name."""

    bots: list[BotBody]


class RecommendationBody(m.Body):
    """A board size that a bot recommends."""

    bot: BotBody
    board_width: int
    board_height: int


class RecommendationList(m.Body):
    """Recommendations, official bots first, then by name, then by area."""

    bots: list[RecommendationBody]


class BotGameBody(m.Body):
    """A game against a bot. For the default game ``config`` has variant, boardWidth and boardHeight."""

    bot_id: str
    config: dict[str, Any]
    host_display_name: m.Name | None = None
    host_appearance: m.Appearance | None = None
    host_is_player1: m.Truth = True


class SiteBoard(m.Body):
    """The members of a config that the site's clients mean; they send others, too."""

    variant: Literal["standard", "classic", "freestyle", "survival"]
    board_width: m.Whole = Field(ge=BOARD_SIDE.min, le=BOARD_SIDE.max)
    board_height: m.Whole = Field(ge=BOARD_SIDE.min, le=BOARD_SIDE.max)


class HostBody(m.Body):
    """The new game, and the token of the player who asked for it."""

    game_id: str
    token: str
    socket_token: str
    role: Literal["host"]
    player_id: int
    share_url: str


# ---- calls -----------------------------------------------------------------------------------------


@router.get("", response_model=BotList)
async def listed(house: TheHouse, query: TheQuery) -> Any:  # noqa: ANN401 - checked by the model
    """Lists the bots that can be played now."""
    return {"bots": [_bot_json(bot) for bot in house.roster.listed(query)]}


@router.get("/recommended", response_model=RecommendationList)
async def recommended(house: TheHouse, query: TheQuery) -> Any:  # noqa: ANN401 - checked by the model
    """Lists what the bots recommend."""
    return {"bots": [_recommendation_json(one) for one in house.roster.recommended(query)]}


@router.post("/play", status_code=201, response_model=HostBody)
async def play(
    body: BotGameBody, house: TheHouse, links: TheLinks, address: TheAddress, game: str = DEFAULT_GAME
) -> Any:  # noqa: ANN401 - checked by the model
    """Opens a game of two against a bot."""
    host = 0 if body.host_is_player1 else 1
    opened = await house.games.create(_wish(body, game, host), address)
    token = opened.tokens[host]
    return {
        "gameId": opened.state.id,
        "token": token,
        "socketToken": token,
        "role": "host",
        "playerId": host + 1,
        "shareUrl": links.share(opened.state.id),
    }


def _wish(body: BotGameBody, game: str, host: int) -> NewGame:
    human = NewSeat(SeatKind.HUMAN, name=body.host_display_name, appearance=body.host_appearance)
    bot = NewSeat(SeatKind.BOT, bot_id=body.bot_id)
    variant, config = _board(body.config, game)
    return NewGame(
        game=game,
        variant=variant,
        config=config,
        seats=(human, bot) if host == 0 else (bot, human),
        host=host,
    )


def _board(config: dict[str, Any], game: str) -> tuple[str | None, dict[str, Any]]:
    if game == DEFAULT_GAME:
        board = _site_board(config)
        return board.variant, {"boardWidth": board.board_width, "boardHeight": board.board_height}
    rest = {name: value for name, value in config.items() if name != "variant"}
    variant = config.get("variant")
    if variant is not None and not isinstance(variant, str):
        raise ApiError(Code.MALFORMED, "config.variant must be a string", field="config.variant")
    return variant, rest


def _site_board(config: dict[str, Any]) -> SiteBoard:
    try:
        return SiteBoard.model_validate(config)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(["config", *(str(part) for part in first["loc"])])
        raise ApiError(Code.MALFORMED, f"{field}: {first['msg']}", field=field) from None


def _bot_json(bot: Bot) -> dict[str, Any]:
    return {
        "id": bot.id,
        "clientId": bot.client_id,
        "botId": bot.bot_id,
        "name": bot.name,
        "game": bot.game,
        "isOfficial": bot.is_official,
        "appearance": dict(bot.appearance or {}),
        "variants": {name: offer_json(offer) for name, offer in bot.variants.items()},
    }


def _recommendation_json(one: Recommendation) -> dict[str, Any]:
    size = one.size
    return {"bot": _bot_json(one.bot), "boardWidth": size.board_width, "boardHeight": size.board_height}
