"""A seat of model A: the server is the viewer of a UHP 1.0 engine that has connected to it.

An ``EngineSeat`` lives as long as one connection. It reads the banner and asks its driver for a seat in a game
(``Seek``). From then on it always does the same: bring the engine to the game's position, and request a move when it
is the engine's turn. This covers the first ``newgame``, every ``play``, and the resync of an engine that reconnects.
An engine whose position differs, or that breaks the protocol, loses (``GiveUp``). Clocks, logging and the handling of
lost connections belong to the driver, ``server.services``.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from engines import Position
from protocols.session import Close, Effect, Event, LocalError, Log, Send
from protocols.uhp.answers import Chosen, Identified, Identity, PositionConfirmed, RequestFailed
from protocols.uhp.game_string import COLORS
from protocols.uhp.lines import shown
from protocols.uhp.remote.effects import NORMAL, GiveUp, LineLost, NotSeated, Seated, Seek
from protocols.uhp.remote.seek_criteria import MAX_NAME, SeekCriteria
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import BestMove, Depth, MoveTime, Request
from protocols.uhp.viewer import Overlong, RequestStarted, Viewer, ViewerState
from protocols.values import ClockReading

REPLY_SECONDS = 10.0
"""Time limit for the banner and for every answer other than a move; the engine's clock does not run meanwhile."""

GRACE_SECONDS = 10.0
"""Extra time beyond the requested time per move, in games without a clock."""

MOST_LAG_MS = 100
"""Maximum latency for which the engine is compensated."""


@dataclass(frozen=True, slots=True)
class GameNow(Event):
    """The current game. ``clock`` is the engine's clock as it will be when a move is requested.

    ``ending``: how the game ended, "WhiteWins timeout"; None while it continues. ``is_led``: a main viewer decides when
    moves are requested; ``limit`` is its request for one in this position, if any. ``is_returning``: the engine has
    reconnected and its clock is running; no move is requested until it has the game's position and another ``GameNow``
    arrives.
    """

    position: Position
    clock: ClockReading | None = None
    ending: str | None = None
    is_led: bool = False
    limit: MoveTime | Depth | None = None
    is_returning: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None


@dataclass(frozen=True, slots=True)
class Deadline(Effect):
    """Send ``TimeIsUp`` after ``seconds``, None: never. Replaces any earlier deadline.

    ``is_move``: the engine starts thinking now, on its clock.
    """

    seconds: float | None
    is_move: bool = False


@dataclass(frozen=True, slots=True)
class MoveChosen(Effect):
    """The engine's move for the position after ``moves``; legal there, and canonical.

    ``is_led``: a main viewer decides whether to play it.
    """

    move: str
    moves: tuple[str, ...]
    is_led: bool = False


@dataclass(frozen=True, slots=True)
class Settled(Effect):
    """The engine has the game's position, after ``ply`` plies."""

    ply: int


class SeatState(Enum):
    """The state of an engine's connection."""

    NEW = auto()
    """Reading the banner."""
    WAITING = auto()
    """Waiting for a seat."""
    PLAYING = auto()
    CLOSED = auto()


class EngineSeat:
    """One engine in a seat. ``criteria`` describe the game that it looks for.

    ``with_secret``: a program made the connection; it is sent the value for ``resume``, and how the game ends.
    """

    def __init__(self, criteria: SeekCriteria, *, with_secret: bool = False) -> None:
        self._criteria = criteria
        self._with_secret = with_secret
        self._viewer = Viewer()
        self._state = SeatState.NEW
        self._seat: int | None = None
        self._game: GameNow | None = None
        self._thinking_after: tuple[str, ...] | None = None
        """The moves of the position that the engine is searching."""
        self._answered_after: tuple[str, ...] | None = None
        """The moves of the position for which it has found a move; not requested again until the game has left it."""

    @property
    def state(self) -> SeatState:
        """The state of the connection."""
        return self._state

    def start(self) -> list[Effect]:
        """Called when the connection is open: waits for the engine's banner."""
        return self._translate(self._viewer.start())

    @property
    def is_asked(self) -> bool:
        """Whether a request to the engine is unanswered."""
        return self._viewer.state is ViewerState.ASKED

    def receive(self, frame: str) -> list[Effect]:
        """Handles a line from the engine, or several joined by LF."""
        if self._state is SeatState.CLOSED:
            return []
        return self._translate(self._viewer.receive(frame))

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver: those of this module, and those of a viewer."""
        if self._state is SeatState.CLOSED:
            return []
        match event:
            case Seated() if self._state is SeatState.WAITING:
                return self._sit(event)
            case NotSeated(text=text):
                return self._leave(text)
            case GameNow() if self._state is SeatState.PLAYING:
                return self._take_game(event)
            case Seated() | GameNow():
                raise LocalError(self._state, event)
            case LineLost():
                return self._translate(self._viewer.notify(Overlong()))
            case _:
                return self._translate(self._viewer.notify(event))

    # ---- what the viewer says --------------------------------------------------------------------

    def _translate(self, effects: list[Effect]) -> list[Effect]:
        out: list[Effect] = []
        for effect in effects:
            out += self._translate_one(effect)
        return out

    def _translate_one(self, effect: Effect) -> list[Effect]:
        match effect:
            case RequestStarted(request=request):
                return [_deadline(request, self._game)]
            case Identified(identity=identity):
                return [Deadline(None), *self._meet(identity)]
            case PositionConfirmed():
                return [Deadline(None), *self._go_on()]
            case Chosen(move=move):
                return [Deadline(None), *self._take_move(move)]
            case RequestFailed():
                return [Deadline(None), *self._fail(effect)]
            case _:
                return [effect]

    def _meet(self, identity: Identity) -> list[Effect]:
        lacking = identity.lacks(self._criteria.type)
        if lacking:
            what = f"{self._criteria.type}: it lacks {', '.join(lacking)}"
            return self._leave(f"{shown(identity.name)} does not play {what}")
        self._state = SeatState.WAITING
        return [Seek(replace(self._criteria, name=self._criteria.name or shown(identity.name)[:MAX_NAME]))]

    def _sit(self, event: Seated) -> list[Effect]:
        self._seat, self._state = event.seat, SeatState.PLAYING
        if not self._with_secret:
            return []
        return [Send(f"seat {COLORS[event.seat]} game={event.game_id} resume={event.game_id}:{event.secret}")]

    def _take_game(self, game: GameNow) -> list[Effect]:
        """Stores the game. A takeback may return to a position that the engine has answered; then it is asked again."""
        self._game = game
        if self._answered_after != tuple(game.position.history):
            self._answered_after = None
        return self._go_on()

    def _take_move(self, move: str) -> list[Effect]:
        game = self._game
        after, self._thinking_after = self._thinking_after or (), None
        is_led = game is not None and game.is_led
        is_due = (
            game is not None and tuple(game.position.history) == after
        )  # A late answer is for another position.
        if game is not None and is_due:
            self._game = replace(game, limit=None)
        # A main viewer may leave without playing the named move.
        self._answered_after = after if is_due and not is_led else None
        return [MoveChosen(move, after, is_led), *self._go_on()]

    def _fail(self, failure: RequestFailed) -> list[Effect]:
        """Closes the connection; if the game is running, the engine loses it."""
        if self._game is None or self._game.is_over:
            return self._leave(failure.text)
        self._state = SeatState.CLOSED
        lost = GiveUp(failure.reason, failure.text)
        return [lost, Send(f"err game over: {failure.text}"), Close(NORMAL, failure.reason)]

    def _leave(self, why: str) -> list[Effect]:
        self._state = SeatState.CLOSED
        return [Log(why), Send(f"err {why}"), Close(NORMAL, "refused")]

    # ---- what is due -----------------------------------------------------------------------------

    def _go_on(self) -> list[Effect]:
        """Sends the next request to bring the engine up to date, if the engine is idle."""
        game = self._game
        if game is None:
            return []
        if game.is_over and self._thinking_after is not None:
            return self._end()
        if not self._viewer.is_idle:
            return []
        step = self._viewer.step_to(game.position)
        if step is not None:
            return self._translate(self._viewer.ask(step))
        settled = Settled(game.position.ply)
        if game.is_over:
            return [settled, *self._end()]
        return [settled, *self._ask_for_move(game)]

    def _ask_for_move(self, game: GameNow) -> list[Effect]:
        moves = tuple(game.position.history)
        is_wanted = game.limit is not None if game.is_led else self._answered_after != moves
        if game.is_returning or self._seat not in game.position.to_act or not is_wanted:
            return []
        self._thinking_after = moves
        limit = think_time(game.clock, game.limit)
        return self._translate(self._viewer.ask(BestMove(limit)))

    def _end(self) -> list[Effect]:
        self._state = SeatState.CLOSED
        ending = self._game.ending if self._game is not None else None
        told = [Send(f"end {ending}")] if self._with_secret and ending is not None else []
        return [Deadline(None), *told, Close(NORMAL, "game over")]


def _deadline(request: Request, game: GameNow | None) -> Deadline:
    """The time limit of a request: the clock if there is one; none for a depth, whose duration is unknown."""
    if not isinstance(request, BestMove):
        return Deadline(REPLY_SECONDS)
    if game is not None and game.clock is not None:
        credit = min(game.clock.lag_ms, MOST_LAG_MS)
        return Deadline((game.clock.remaining_ms + credit) / 1000, is_move=True)
    if isinstance(request.limit, Depth):
        return Deadline(None, is_move=True)
    return Deadline(request.limit.seconds + GRACE_SECONDS, is_move=True)
