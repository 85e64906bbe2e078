"""The bodies of HTTP requests and answers that all games share.

Requests are parsed with them, and answers are validated against them. Requests that a dialect writes differently are in
``dialects``. Members are camelCase on the wire.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from protocols.names import MAX_NAME, name_fault
from protocols.play.client_frames import MAX_MESSAGE_ID
from protocols.values import Assistance, Seat, SeatKind, TimeControl
from server.domain.errors import Code
from server.domain.game import MATCHMAKING, PRIVATE
from server.services.games.game_factory import NewGame

MAX_TEXT = 65_536
"""The longest text in a body. Pydantic checks that a text is valid Unicode only if it has such a limit."""


def _integral(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, Field(strict=True), BeforeValidator(_integral)]
"""An integer, which JSON may also write as 5.0; a string of digits is not accepted."""

Truth = Annotated[bool, Field(strict=True)]
"""A boolean; strings and numbers are not accepted."""

AssistanceName = Literal["open", "none"]
"""``none``: this server shows no evaluations of the game while it is being played."""

VariantName = Annotated[str, AfterValidator(lambda name: name.replace(" ", "+"))]
"""A variant in a query, where an unescaped plus sign arrives as a space. No variant's name contains a space."""


def _valid_name(name: str) -> str:
    fault = name_fault(name)
    if fault is not None:
        raise ValueError(f"A name must {fault}.")
    return name


Name = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(_valid_name)]
"""A name that is shown to everyone."""

Appearance = Annotated[dict[Name, Name], Field(max_length=8)]
"""The appearance that a player chose: names of colours and pictures, by what they are used for."""

MessageId = Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_ID)]


class Body(BaseModel):
    """The base of every body. A text with a lone surrogate is refused, as it could not be encoded in an answer."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, str_max_length=MAX_TEXT)


# ---- requests ------------------------------------------------------------------------------------


class RequestBody(Body, extra="forbid"):
    """The base of the bodies of requests. Unknown members are refused, as what a misspelt one asks for is not done."""


class RequestedSeat(RequestBody):
    """A seat of a new game. ``bot``: an id from ``GET /api/bots``; without it, the strongest built-in bot."""

    kind: Literal["human", "bot", "open"]
    bot: str | None = None
    name: Name | None = None

    @model_validator(mode="after")
    def _has_its_members(self) -> Self:
        if self.bot is not None and self.kind != "bot":
            raise ValueError(f"A seat of kind {self.kind} has no bot.")
        return self


class TimeControlBody(RequestBody):
    """``initialSeconds`` for the whole game, and ``incrementSeconds`` added by each move.

    If ``initialSeconds`` is 0, each move has ``incrementSeconds`` of its own. ``startsAtOnce``: the first move is timed
    as well. Games with a late move may have ``moveMs`` instead, a time for each move; with ``preprocessingMs``, the
    first move is timed too, and has that much more time.
    """

    initial_seconds: Whole = 0
    increment_seconds: Whole = 0
    preset: Name | None = None
    starts_at_once: Truth = False
    move_ms: Whole | None = None
    preprocessing_ms: Whole | None = None

    @model_validator(mode="after")
    def _is_given(self) -> Self:
        if "initial_seconds" not in self.model_fields_set and self.move_ms is None:
            raise ValueError("A time control has initialSeconds or moveMs.")
        return self

    def time_control(self) -> TimeControl:
        """The requested time control."""
        return TimeControl(
            self.initial_seconds,
            self.increment_seconds,
            self.preset,
            self.starts_at_once or self.preprocessing_ms is not None,
            self.move_ms,
            self.preprocessing_ms,
        )


class NewGameBody(RequestBody):
    """A new game of any kind. ``listed``: its open seats are shown in the lobby.

    ``assistance`` defaults to ``none`` for listed games, else to ``open``.
    """

    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    seats: list[RequestedSeat] = Field(min_length=1, max_length=8)
    time_control: TimeControlBody | None = None
    rated: Truth = False
    listed: Truth = False
    assistance: AssistanceName | None = None

    def new_game(self) -> NewGame:
        """The requested game."""
        return NewGame(
            game=self.game,
            variant=self.variant,
            config=self.config,
            seats=tuple(Seat(SeatKind(seat.kind), seat.name or None, seat.bot) for seat in self.seats),
            time_control=None if self.time_control is None else self.time_control.time_control(),
            is_rated=self.rated,
            match_type=MATCHMAKING if self.listed else PRIVATE,
            assistance=None if self.assistance is None else Assistance(self.assistance),
        )


class ConfigBody(Body, extra="allow"):
    """A configuration: a variant, and the members of the game's own configuration."""

    variant: str | None = None


class TokenBody(RequestBody):
    """A seat's token, from clients that send it in the body."""

    token: str | None = None


class JoinBody(RequestBody):
    """Who joins, and which seat. ``displayName`` is an alternative to ``name``."""

    seat: Whole | None = Field(default=None, ge=0)
    name: Name | None = None
    display_name: Name | None = None
    appearance: Appearance | None = None


class MoveBody(RequestBody):
    """A move. ``clientMsgId`` makes a retry safe; ``expectedPly`` guards against moves that the client has not seen."""

    move: str
    expected_ply: Whole | None = None
    client_msg_id: MessageId | None = None


class AgreeBody(RequestBody):
    """``accept``: only accept an offer of another player, and make none."""

    accept: Truth = False


class TakebackBody(AgreeBody):
    """How far to take back: the number of moves that remain; by default, one's own last move is taken back."""

    to_ply: Whole | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if self.accept and self.to_ply is not None:
            raise ValueError("Whoever accepts a takeback does not say how far.")
        return self


class ClaimBody(RequestBody):
    """What a player claims whom an absent player keeps waiting."""

    kind: Literal["win", "draw"]


# ---- answers -------------------------------------------------------------------------------------


class ErrorBody(Body):
    """An error: a sentence for people, and one of a fixed set of codes for programs."""

    error: str
    code: Code
    field: str | None = None
    limit: int | None = None
    retry_after_ms: int | None = None
    ply: int | None = None
    position: dict[str, Any] | None = None


class ResultBody(Body):
    """How a game ended; ``winners`` is empty for a draw. ``note``: why the loser resigned, if stated."""

    winners: list[int]
    reason: str
    scores: list[float] | None = None
    note: str | None = None


class PositionBody(Body):
    """The public position of any game. ``clocks`` are in milliseconds, null without a clock.

    ``running``: the seats whose clocks run, in games with clocks.
    ``canFinish``: whether the staged beginning of a move, or an empty move, is a complete move.
    ``pending``: only while some seats have made their part of a simultaneous move: the seats that have not.
    """

    game: str
    variant: str
    ply: int
    to_act: list[int]
    status: Literal["open", "playing", "finished", "aborted"]
    pending: list[int] | None = None
    result: ResultBody | None = None
    view: dict[str, Any]
    legal: list[str] | dict[str, list[str]]
    can_finish: bool
    history: list[str]
    clocks: list[int | None]
    running: list[int] | None = None


class SeatBody(Body):
    """A seat; only the creator gets ``token`` and ``inviteUrl``. ``via`` is ``uhp`` if an engine plays over UHP."""

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
    """A sealed part of a simultaneous move was accepted; ``pending`` are the seats that still have to move."""

    ply: int
    pending: list[int]


class OfferBody(Body):
    """An offer that waits for the other seats."""

    offer: Literal["takeback", "draw", "rematch"]


class RematchBody(Body):
    """The new game. The player's token is valid for its seat there as well."""

    game_id: str
    seat_index: int
    token: str
    invite_url: str


class ListedGame(Body):
    """An entry of a list of games. ``imported``: it was imported from a record."""

    game_id: str
    game: str
    variant: str
    status: str
    imported: bool | None = None
    ply: int
    assistance: AssistanceName
    seats: list[SeatBody]
    result: ResultBody | None = None
    created_at: int
    updated_at: int


class GameList(Body):
    """A page of games, newest first; ``cursor`` requests the next page."""

    games: list[ListedGame]
    cursor: str | None = None


class RulesOfGame(Body):
    """A game of the catalogue; ``seats`` are the fewest and the most.

    ``about`` has board limits, notation and edition notes, ``variationFormats`` names the formats in which
    ``POST /api/variations/text`` writes trees of variations.
    """

    game: str
    variants: list[str]
    seats: tuple[int, int]
    variation_formats: list[str]
    about: dict[str, Any]


class RulesBody(Body):
    """The catalogue."""

    games: list[RulesOfGame]


class HereBody(Body):
    """Who is here now: ``people`` with open sockets of games, bots of attached clients, and listed live games."""

    people: int
    bots: int
    games: int


class HealthBody(Body):
    """The process is alive."""

    status: Literal["ok"]


class ReadyBody(Body):
    """The status of each part of the server."""

    ready: Literal[True]
    parts: dict[str, str]


class NotReadyBody(Body):
    """An error, with the status of each part of the server."""

    error: str
    code: Literal["unavailable"]
    retry_after_ms: int
    ready: Literal[False]
    parts: dict[str, str]
