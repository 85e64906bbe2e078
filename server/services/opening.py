"""Opening a game: from what somebody wishes to the event that creates it, and tokens for its human seats."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines import BadConfig, Position, games
from server.domain.assistance import usual_assistance
from server.domain.clock import TimeControl
from server.domain.errors import ApiError, Code
from server.domain.events import Assistance, Created, Visibility
from server.domain.game import PRIVATE, GameState
from server.domain.rematch import moved_up, seat_after
from server.domain.seats import Seat, SeatKind
from server.domain.visibility import usual_visibility
from server.ports import BotDirectory

SEED_BITS = 53
"""A seed must survive JSON readers that have only doubles."""

INITIAL_SECONDS = range(86_401)
INCREMENT_SECONDS = range(3_601)


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A wished seat. ``bot_id`` None on a bot's seat: the strongest built-in one. ``missed_by`` as in ``Seat``."""

    kind: SeatKind
    bot_id: str | None = None
    name: str | None = None
    appearance: Mapping[str, str] | None = None
    missed_by: str | None = None


@dataclass(frozen=True, slots=True)
class NewGame:
    """A wished game. ``host`` is the seat of whoever opens it; None: the first human seat.

    ``ends_with_host`` as in ``Created``. ``assistance`` and ``visibility`` None: as usual for such games.
    """

    game: str
    seats: tuple[NewSeat, ...]
    variant: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    time_control: TimeControl | None = None
    is_rated: bool = False
    host: int | None = None
    match_type: str = PRIVATE
    ends_with_host: bool = False
    assistance: Assistance | None = None
    visibility: Visibility | None = None


@dataclass(frozen=True, slots=True)
class Opener:
    """Checks wishes against the catalogue and the bots.

    ``with_unlisted``: games that are not offered can be opened.
    """

    bots: BotDirectory
    with_unlisted: bool = False

    def open(self, wish: NewGame) -> Created:
        """The event that creates the game; ApiError when it cannot be."""
        if wish.is_rated:
            raise ApiError(Code.RATED_UNAVAILABLE, "Rated games are not available.", field="rated")
        self.check_offered(wish.game)
        check_time_control(wish.time_control)
        position = _start_position(wish)
        if position.seats != len(wish.seats):
            text = f"This game has {position.seats} seats, not {len(wish.seats)}."
            raise ApiError(Code.BAD_SEATS, text, field="seats", limit=position.seats)
        seats = tuple(self._seat(seat, position, wish) for seat in wish.seats)
        return Created(
            game=position.game,
            variant=position.variant,
            config=position.config,
            secret=position.secret,
            seats=seats,
            host=_host(wish),
            time_control=wish.time_control,
            match_type=wish.match_type,
            wish=wish.config,
            ends_with_host=wish.ends_with_host,
            assistance=wish.assistance or usual_assistance(wish.match_type),
            visibility=wish.visibility or usual_visibility(wish.match_type, seats),
        )

    def reopen(self, state: GameState) -> Created:
        """The event that creates the rematch of a finished game: the same wish, everybody a seat further up.

        ApiError ``no-rematch`` when it cannot be, because a bot has gone.
        """
        config = state.config if state.wish is None else state.wish
        wish = NewGame(
            game=state.game,
            seats=tuple(_same_player(seat) for seat in moved_up(state.seats)),
            variant=state.variant,
            config={name: value for name, value in config.items() if name != "seed"},
            time_control=state.time_control,
            host=seat_after(state.host, len(state.seats)),
            match_type=state.match_type,
            assistance=state.assistance,
            visibility=state.visibility,
        )
        try:
            created = self.open(wish)
        except ApiError as refusal:
            raise ApiError(Code.NO_REMATCH, f"There can be no rematch: {refusal.text}") from None
        return replace(created, rematch_of=state.id, score=moved_up(state.score))

    def check_offered(self, name: str) -> None:
        """ApiError for a game that cannot be opened here."""
        offered = [game.name for game in games() if game.listed or self.with_unlisted]
        if name not in offered:
            raise ApiError(Code.UNKNOWN_GAME, f"There is no game called {name!r}.", field="game")

    def _seat(self, wish: NewSeat, position: Position, game: NewGame) -> Seat:
        if wish.kind is not SeatKind.BOT:
            return Seat(wish.kind, name=wish.name, appearance=wish.appearance, missed_by=wish.missed_by)
        bot = self.bots.choose(wish.bot_id, position, is_timed=game.time_control is not None)
        return Seat(SeatKind.BOT, name=wish.name or bot.name, bot_id=bot.bot_id)


def _same_player(seat: Seat) -> NewSeat:
    return NewSeat(seat.kind, seat.bot_id, seat.name, seat.appearance)


def _start_position(wish: NewGame) -> Position:
    """The start; chance that the wish leaves open is drawn here, for good.

    Games ignore members they do not know.
    """
    defaults = {"seed": secrets.randbits(SEED_BITS), "seats": len(wish.seats)}
    try:
        return Position(wish.game, wish.variant, {**defaults, **wish.config})
    except BadConfig as refusal:
        raise ApiError(Code.BAD_CONFIG, str(refusal), field="config") from None


def check_time_control(control: TimeControl | None) -> None:
    """ApiError for a clock that no game is played with."""
    if control is None:
        return
    is_known = control.initial_seconds in INITIAL_SECONDS and control.increment_seconds in INCREMENT_SECONDS
    if not is_known or control.first_ms == 0:
        text = "A clock starts with up to 86400 seconds and adds up to 3600 seconds a move, not both 0."
        raise ApiError(Code.BAD_TIME_CONTROL, text, field="timeControl")


def _host(wish: NewGame) -> int:
    if wish.host is not None:
        return wish.host
    return next((index for index, seat in enumerate(wish.seats) if seat.kind is SeatKind.HUMAN), 0)
