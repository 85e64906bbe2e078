"""The bodies of HTTP requests and answers that every game shares.

Requests are read with them, answers are checked against them.

The Wallwars site's own bodies are in ``site_models``. Members are camelCase on the wire; unknown ones are
ignored.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from protocols.names import MAX_NAME, name_fault
from protocols.play.wishes import MAX_MESSAGE_ID
from server.domain.errors import Code

MAX_TEXT = 65_536
"""The longest text of a body. Only where there is such a limit is a text checked to be valid Unicode."""

Whole = Annotated[int, Field(strict=True)]
"""A whole number, not a text that looks like one."""

Truth = Annotated[bool, Field(strict=True)]
"""True or false, not a word or a number for it."""

AssistanceName = Literal["open", "none"]
"""``none``: while the game is being played this server evaluates it for nobody."""

VariantName = Annotated[str, AfterValidator(lambda name: name.replace(" ", "+"))]
"""A variant in a query, where a plus sign that nobody has escaped arrives as a blank. No variant has blanks."""


def _good_name(name: str) -> str:
    fault = name_fault(name)
    if fault is not None:
        raise ValueError(f"A name must {fault}.")
    return name


Name = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(_good_name)]
"""A text that everybody is shown."""

Appearance = Annotated[dict[Name, Name], Field(max_length=8)]
"""What a player chose to look like: names of colours and pictures by what they are for."""

MessageId = Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_ID)]


class Body(BaseModel):
    """The base of every body. A text with a lone surrogate is refused: it could be kept, but not sent."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, str_max_length=MAX_TEXT)


# ---- requests ------------------------------------------------------------------------------------


class SeatWish(Body):
    """A seat of a new game. ``bot``: an id of ``GET /api/bots``; without one the strongest built-in bot."""

    kind: Literal["human", "bot", "open"]
    bot: str | None = None
    name: Name | None = None


class TimeControlBody(Body):
    """Seconds for the whole game, and seconds added by each move; 0 and so many: so many for each move.

    ``startsAtOnce``: the first move is timed as well.
    """

    initial_seconds: Whole
    increment_seconds: Whole = 0
    preset: Name | None = None
    starts_at_once: Truth = False


class NewGameBody(Body):
    """A new game of any kind. ``listed``: anybody shall find its open seats in the lobby.

    ``assistance``: without it ``none`` for listed games, else ``open``.
    """

    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    seats: list[SeatWish] = Field(min_length=1, max_length=8)
    time_control: TimeControlBody | None = None
    rated: Truth = False
    listed: Truth = False
    assistance: AssistanceName | None = None


class JoinBody(Body):
    """Who joins, and where. ``displayName`` and ``appearance`` are the Wallwars site's."""

    seat: Whole | None = Field(default=None, ge=0)
    name: Name | None = None
    display_name: Name | None = None
    appearance: Appearance | None = None


class MoveBody(Body):
    """A move. ``clientMsgId`` makes a retry harmless; ``expectedPly`` guards against an unseen position."""

    move: str
    expected_ply: Whole | None = None
    client_msg_id: MessageId | None = None


class TakebackBody(Body):
    """How far back: the number of moves that stay played; without it, to the own last move."""

    to_ply: Whole | None = None


# ---- answers -------------------------------------------------------------------------------------


class ErrorBody(Body):
    """Every refusal: a sentence for people, and a code of this closed list for programs."""

    error: str
    code: Code
    field: str | None = None
    limit: int | None = None
    retry_after_ms: int | None = None
    ply: int | None = None
    position: dict[str, Any] | None = None


class ResultBody(Body):
    """How a game ended; no winners: a draw. ``note``: what the loser said when it gave up."""

    winners: list[int]
    reason: str
    scores: list[float] | None = None
    note: str | None = None


class PositionBody(Body):
    """The public position of any game. ``clocks`` in milliseconds, null without a clock.

    ``running``: the seats whose clocks run, where there are clocks.
    ``canFinish``: the staged beginning of a move, or nothing at all, may be played as the whole move.
    """

    game: str
    variant: str
    ply: int
    to_act: list[int]
    status: Literal["open", "playing", "finished", "aborted"]
    result: ResultBody | None = None
    view: dict[str, Any]
    legal: list[str] | dict[str, list[str]]
    can_finish: bool
    history: list[str]
    clocks: list[int | None]
    running: list[int] | None = None


class SeatBody(Body):
    """A seat; ``token`` and ``inviteUrl`` go to the creator alone. ``via``: ``uhp`` where an engine plays over UHP."""

    seat: int
    kind: str
    name: str | None = None
    bot: str | None = None
    via: str | None = None
    token: str | None = None
    invite_url: str | None = None


class MovedBody(Body):
    """The game after an accepted command."""

    ply: int
    position: PositionBody


class PendingBody(Body):
    """A sealed part of a simultaneous move is in; these seats still have to move."""

    ply: int
    pending: list[int]


class OfferBody(Body):
    """An offer waits for the others."""

    offer: Literal["takeback", "draw", "rematch"]


class RematchBody(Body):
    """The new game. The player's token opens a seat of it as well."""

    game_id: str
    seat_index: int
    token: str
    invite_url: str


class ListedGame(Body):
    """A game in a list."""

    game_id: str
    game: str
    variant: str
    status: str
    ply: int
    assistance: AssistanceName
    seats: list[SeatBody]
    result: ResultBody | None = None
    created_at: int
    updated_at: int


class GameList(Body):
    """A page of games, newest first; ``cursor`` gets the next page."""

    games: list[ListedGame]
    cursor: str | None = None


class RulesOfGame(Body):
    """A game of the catalogue: seats are fewest and most.

    ``about`` has board limits, notation and edition notes.
    """

    game: str
    variants: list[str]
    seats: tuple[int, int]
    about: dict[str, Any]


class RulesBody(Body):
    """The catalogue."""

    games: list[RulesOfGame]


class HealthBody(Body):
    """The process answers."""

    status: Literal["ok"]


class ReadyBody(Body):
    """A few words on each part."""

    ready: Literal[True]
    parts: dict[str, str]


class NotReadyBody(Body):
    """An error, with a few words on each part."""

    error: str
    code: Literal["unavailable"]
    retry_after_ms: int
    ready: Literal[False]
    parts: dict[str, str]
