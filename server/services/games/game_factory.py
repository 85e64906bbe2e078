"""Creates games: turns a request into the event that creates the game."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any

from engines import BadConfig, Position, analysis_only, games, known_members
from engines.late_moves import late_move
from protocols.values import Assistance, LadderGame, Seat, SeatKind, TimeControl, Visibility
from server.domain.assistance import usual_assistance
from server.domain.errors import ApiError, Code, unknown_game
from server.domain.events import Created
from server.domain.game import MATCHMAKING, PRIVATE, GameState
from server.domain.list_visibility import usual_visibility
from server.domain.rematch import moved_up, seat_after
from server.ports.analysts import BotDirectory

SEED_BITS = 53
"""Seeds must be exact in JSON readers that parse numbers as doubles."""

INITIAL_SECONDS = range(86_401)
INCREMENT_SECONDS = range(3_601)
MOVE_MS = range(100, 3_600_001)
PREPROCESSING_MS = range(3_600_001)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A requested game. ``host`` is the seat of its creator; None: the first human seat.

    A bot's seat without ``bot_id`` is for the strongest built-in bot. ``ends_with_host`` as in ``Created``.
    ``assistance`` and ``list_visibility`` None: the defaults for such games. ``ladder``: for games of the ladder;
    ``tournament``: for those of a tournament, its id.
    """

    game: str
    seats: tuple[Seat, ...]
    variant: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    time_control: TimeControl | None = None
    is_rated: bool = False
    host: int | None = None
    match_type: str = PRIVATE
    ends_with_host: bool = False
    assistance: Assistance | None = None
    visibility: Visibility | None = None
    ladder: LadderGame | None = None
    tournament: str | None = None

    @property
    def is_arranged(self) -> bool:
        """Whether the server brings the players together, on the ladder or in a tournament."""
        return self.ladder is not None or self.tournament is not None


@dataclass(frozen=True, slots=True)
class GameFactory:
    """Checks requests against the catalogue and the bots.

    ``with_unlisted``: games that the catalogue does not list can be opened too.
    """

    bots: BotDirectory
    with_unlisted: bool = False

    def open(
        self, request: NewGame, position: Position | None = None, absent: Collection[int] = ()
    ) -> Created:
        """Returns the event that creates the game; ApiError if the request is invalid.

        ``position``: its ``start_position``, if known. ``absent``: the seats whose bots do not play.
        """
        self.check(request)
        position = position or start_position(request)
        if position.seats != len(request.seats):
            text = f"This game has {position.seats} seats, not {len(request.seats)}."
            raise ApiError(Code.BAD_SEATS, text, field="seats", limit=position.seats)
        seats = _told_apart(
            [
                seat if number in absent else self._seat(seat, position, request)
                for number, seat in enumerate(request.seats)
            ]
        )
        return Created(
            game=position.game,
            variant=position.variant,
            config=position.config,
            secret=position.secret,
            seats=seats,
            host=_host(request),
            time_control=request.time_control,
            match_type=request.match_type,
            wish={} if request.is_arranged else request.config,
            ends_with_host=request.ends_with_host,
            assistance=request.assistance or usual_assistance(request.match_type),
            visibility=request.visibility or usual_visibility(request.match_type, seats),
            ladder=request.ladder,
            tournament=request.tournament,
        )

    def check(self, request: NewGame) -> None:
        """ApiError if the request is invalid, whatever its configuration."""
        if request.is_rated:
            raise ApiError(Code.RATED_UNAVAILABLE, "Rated games are not available.", field="rated")
        self.check_offered(request.game)
        check_time_control(request.time_control, request.game)
        _check_seats(request)

    def reopen(self, state: GameState) -> Created:
        """Returns the event that creates a rematch: the same request, with every player one seat further up.

        ApiError ``no-rematch`` if that is impossible, for example because a bot has disconnected.
        """
        config = state.config if state.wish is None else state.wish
        request = NewGame(
            game=state.game,
            seats=tuple(replace(seat, missed_by=None, elo=None) for seat in moved_up(state.seats)),
            variant=state.variant,
            # Wishes of games that older servers created may have unknown members.
            config={
                name: value for name, value in known_members(state.game, config).items() if name != "seed"
            },
            time_control=state.time_control,
            host=seat_after(state.host, len(state.seats)),
            match_type=state.match_type,
            assistance=state.assistance,
            visibility=state.visibility,
        )
        try:
            created = self.open(request)
        except ApiError as refusal:
            raise ApiError(Code.NO_REMATCH, f"There can be no rematch: {refusal.text}") from None
        return replace(created, rematch_of=state.id, score=moved_up(state.score))

    def check_offered(self, name: str) -> None:
        """ApiError if games of this name cannot be opened on this server."""
        offered = [game.name for game in games() if game.listed or self.with_unlisted]
        if name not in offered:
            raise unknown_game(name, offered)

    def _seat(self, request: Seat, position: Position, game: NewGame) -> Seat:
        if request.kind is not SeatKind.BOT:
            return replace(request, bot_id=None)
        with_people = any(seat.kind is not SeatKind.BOT for seat in game.seats)
        is_timed = game.time_control is not None and not game.is_arranged
        bot = self.bots.choose(
            request.bot_id,
            position,
            is_timed=is_timed,
            with_people=with_people,
            is_rated=game.ladder is not None,
            is_awaited=game.tournament is not None,
        )
        return Seat(SeatKind.BOT, name=request.name or bot.name, bot_id=bot.id)


def _told_apart(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats, with a number after the name of a bot that has the name of an earlier seat."""
    apart: list[Seat] = []
    for seat in seats:
        taken = {other.name for other in apart}
        names = chain([seat.name], (f"{seat.name} {number}" for number in count(2)))
        is_bot = seat.kind is SeatKind.BOT
        apart.append(
            replace(seat, name=next(name for name in names if name not in taken)) if is_bot else seat
        )
    return tuple(apart)


def _check_seats(request: NewGame) -> None:
    """ApiError if the game cannot have this number of seats, whatever its configuration."""
    fewest, most = next(game.seats for game in games() if game.name == request.game)
    if not fewest <= len(request.seats) <= most:
        known = str(most) if fewest == most else f"{fewest} to {most}"
        text = f"This game has {known} seats, not {len(request.seats)}."
        raise ApiError(Code.BAD_SEATS, text, field="seats", limit=most)


def start_position(request: NewGame) -> Position:
    """Returns the start position of a checked request. In games with a seed, one is drawn here if it has none, or null.

    ApiError if the configuration is invalid.
    """
    given = {name: value for name, value in request.config.items() if value is not None}
    check_beginning(request.game, given)
    given = {**known_members(request.game, {"seats": len(request.seats)}), **given}
    drawn = known_members(request.game, {"seed": secrets.randbits(SEED_BITS)})
    try:
        position = Position(request.game, request.variant, {**drawn, **given})
    except BadConfig as refusal:
        _check_order(request, given)
        raise ApiError(Code.BAD_CONFIG, str(refusal), field="config") from None
    if position.secret:
        _check_order(request, given)
    if request.match_type == MATCHMAKING and not position.secret.keys().isdisjoint(given):
        text = "Nobody may know the hidden order of a game that anyone can join: leave out the seed."
        raise ApiError(Code.BAD_CONFIG, text, field="config")
    return position


def check_beginning(game: str, config: Mapping[str, Any], field: str = "config") -> None:
    """ApiError if the configuration is of a position that can only be analysed."""
    members = analysis_only(game, config)
    if members:
        text = f"A position that was set up ({', '.join(members)}) can be analysed, but no game begins there."
        raise ApiError(Code.BAD_CONFIG, text, field=field)


def _check_order(request: NewGame, config: Mapping[str, Any]) -> None:
    """ApiError if the configuration starts a game without a seed, whose hidden order it does not determine."""
    try:
        is_left_open = "seed" not in config and not Position(request.game, request.variant, config).secret
    except BadConfig:
        return
    if is_left_open:
        text = "A new game draws its hidden order itself: leave out what comes first."
        raise ApiError(Code.BAD_CONFIG, text, field="config")


def check_time_control(control: TimeControl | None, game: str) -> None:
    """ApiError if the time control is out of range, or needs late moves and the game has none."""
    if control is None:
        return
    if control.move_ms is not None or control.preprocessing_ms is not None:
        _check_move_time(control, game)
        return
    is_known = control.initial_seconds in INITIAL_SECONDS and control.increment_seconds in INCREMENT_SECONDS
    if not is_known or control.first_ms == 0:
        text = "A clock starts with up to 86400 seconds and adds up to 3600 seconds a move, not both 0."
        raise ApiError(Code.BAD_TIME_CONTROL, text, field="timeControl")


def _check_move_time(control: TimeControl, game: str) -> None:
    seconds = control.initial_seconds or control.increment_seconds
    text = None
    if late_move(game) is None:
        text = "moveMs is for games with a move for players who are late: give initialSeconds."
    elif seconds or control.move_ms not in MOVE_MS or (control.preprocessing_ms or 0) not in PREPROCESSING_MS:
        text = "moveMs is 100 to 3600000, preprocessingMs 0 to 3600000, and the numbers of seconds are 0."
    if text is not None:
        raise ApiError(Code.BAD_TIME_CONTROL, text, field="timeControl")


def _host(request: NewGame) -> int:
    if request.host is not None:
        return request.host
    return next((index for index, seat in enumerate(request.seats) if seat.kind is SeatKind.HUMAN), 0)
