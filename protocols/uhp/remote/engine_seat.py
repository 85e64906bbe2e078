"""A seat of model A: the server is the viewer of a UHP 1.0 engine that has dialled in.

An ``EngineSeat`` lives as long as one connection. It reads the banner, asks its driver for a place in a game
(``Seek``), and from then on has one aim: to bring the engine to the game's position, and to ask it for a move when
that is its turn. So a first ``newgame``, every ``play``, and the resync of an engine that comes back are the same
thing. Only the game counts; an engine that disagrees, or breaks the protocol, loses (``GiveUp``). Clocks, the log
and what a lost connection costs belong to the driver, ``server.services``.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from engines import Position
from protocols.session import Close, Effect, Event, LocalError, Log, Send
from protocols.uhp.answers import Agreed, Chosen, Failed, Identified, Identity
from protocols.uhp.game_string import COLORS
from protocols.uhp.lines import shown
from protocols.uhp.remote.budget import Clockface, budget
from protocols.uhp.remote.wish import MAX_NAME, Wish
from protocols.uhp.remote.words import NORMAL, GiveUp, LineLost, NotSeated, Seated, Seek
from protocols.uhp.requests import BestMove, Depth, MoveTime, Request
from protocols.uhp.viewer import Asked, Overlong, Viewer, ViewerState

REPLY_SECONDS = 10.0
"""What an engine has for its banner and for every answer that is no move: none of that is on its clock."""

GRACE_SECONDS = 10.0
"""What an engine without a clock may take longer than it was asked to."""

MOST_LAG_MS = 100
"""How much of the way of an answer the server takes upon itself."""


@dataclass(frozen=True, slots=True)
class GameNow(Event):
    """The game as it is. ``clock`` is that of this engine's seat as it will be when a move is asked for.

    ``ending``: how it has ended, "WhiteWins timeout"; None while it goes on. ``is_led``: a main viewer says when a
    move is asked for. ``is_returning``: no move is asked for before the engine stands in the game; its clock runs
    until then, and the game is told anew.
    """

    position: Position
    clock: Clockface | None = None
    ending: str | None = None
    is_led: bool = False
    is_returning: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None


@dataclass(frozen=True, slots=True)
class Solicited(Event):
    """The main viewer wants a move within its own limit."""

    limit: MoveTime | Depth


@dataclass(frozen=True, slots=True)
class Deadline(Effect):
    """Tell ``TimeIsUp`` in so many seconds, None: never; any earlier deadline is void.

    ``is_move``: the engine is thinking from now on, on its clock.
    """

    seconds: float | None
    is_move: bool = False


@dataclass(frozen=True, slots=True)
class MoveChosen(Effect):
    """The engine's move in the position after ``moves``; legal there, and canonical.

    ``is_led``: a main viewer decides whether it counts.
    """

    move: str
    moves: tuple[str, ...]
    is_led: bool = False


@dataclass(frozen=True, slots=True)
class Settled(Effect):
    """The engine stands at the game's position, which has so many plies."""

    ply: int


class SeatState(Enum):
    """Where an engine's connection stands."""

    NEW = auto()
    """Its banner is being read."""
    WAITING = auto()
    """It has no place yet."""
    PLAYING = auto()
    CLOSED = auto()


class EngineSeat:
    """One engine at a seat. ``wish``: the game that it comes for.

    ``with_secret``: a program connects it, which is told what to resume by, and how the game ends.
    """

    def __init__(self, wish: Wish, *, with_secret: bool = False) -> None:
        self._wish = wish
        self._with_secret = with_secret
        self._viewer = Viewer()
        self._state = SeatState.NEW
        self._seat: int | None = None
        self._game: GameNow | None = None
        self._solicited: MoveTime | Depth | None = None
        """The limit of the main viewer, once it has asked for the move."""
        self._thinking_after: tuple[str, ...] | None = None
        """The moves after which the engine is looking for one."""
        self._answered_after: tuple[str, ...] | None = None
        """The moves after which it has found one that counts: it is not asked twice, until the game has left them."""

    @property
    def state(self) -> SeatState:
        """Where the connection stands."""
        return self._state

    def start(self) -> list[Effect]:
        """The connection is open: the engine says who it is."""
        return self._translate(self._viewer.start())

    @property
    def is_asked(self) -> bool:
        """Whether the engine has not yet answered what it was asked."""
        return self._viewer.state is ViewerState.ASKED

    def receive(self, frame: str) -> list[Effect]:
        """Take a line of the engine, or several joined by LF."""
        if self._state is SeatState.CLOSED:
            return []
        return self._translate(self._viewer.receive(frame))

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver: those of this file, and those of a viewer."""
        if self._state is SeatState.CLOSED:
            return []
        match event:
            case Seated() if self._state is SeatState.WAITING:
                return self._sit(event)
            case NotSeated(text=text):
                return self._leave(text)
            case GameNow() if self._state is SeatState.PLAYING:
                return self._take_game(event)
            case Solicited(limit=limit) if self._state is SeatState.PLAYING:
                self._solicited = limit
                return self._go_on()
            case Seated() | GameNow() | Solicited():
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
            case Asked(request=request):
                return [_deadline(request, self._game)]
            case Identified(identity=identity):
                return [Deadline(None), *self._meet(identity)]
            case Agreed():
                return [Deadline(None), *self._go_on()]
            case Chosen(move=move):
                return [Deadline(None), *self._take_move(move)]
            case Failed():
                return [Deadline(None), *self._fail(effect)]
            case _:
                return [effect]

    def _meet(self, identity: Identity) -> list[Effect]:
        lacking = identity.lacks(self._wish.type)
        if lacking:
            what = f"{self._wish.type}: it lacks {', '.join(lacking)}"
            return self._leave(f"{shown(identity.name)} does not play {what}")
        self._state = SeatState.WAITING
        return [Seek(replace(self._wish, name=self._wish.name or shown(identity.name)[:MAX_NAME]))]

    def _sit(self, event: Seated) -> list[Effect]:
        self._seat, self._state = event.seat, SeatState.PLAYING
        if not self._with_secret:
            return []
        return [Send(f"seat {COLORS[event.seat]} game={event.game_id} resume={event.game_id}:{event.secret}")]

    def _take_game(self, game: GameNow) -> list[Effect]:
        """A takeback may lead to where the engine has answered before: then it is asked again."""
        self._game = game
        if self._answered_after != tuple(game.position.history):
            self._answered_after = None
        return self._go_on()

    def _take_move(self, move: str) -> list[Effect]:
        game, self._solicited = self._game, None
        after, self._thinking_after = self._thinking_after or (), None
        is_led = game is not None and game.is_led
        # A main viewer may leave without having played what was named, and the game what was answered too late.
        is_due = game is not None and not is_led and tuple(game.position.history) == after
        self._answered_after = after if is_due else None
        return [MoveChosen(move, after, is_led), *self._go_on()]

    def _fail(self, failure: Failed) -> list[Effect]:
        """Before it has a place the engine is sent away, after the game it has nothing to lose."""
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
        """Asks for the next thing that is missing, if the engine is waiting for a request."""
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
        is_wanted = self._solicited is not None if game.is_led else self._answered_after != moves
        if game.is_returning or self._seat not in game.position.to_act or not is_wanted:
            return []
        self._thinking_after = moves
        limit = budget(game.clock, self._solicited)
        return self._translate(self._viewer.ask(BestMove(limit)))

    def _end(self) -> list[Effect]:
        self._state = SeatState.CLOSED
        ending = self._game.ending if self._game is not None else None
        told = [Send(f"end {ending}")] if self._with_secret and ending is not None else []
        return [Deadline(None), *told, Close(NORMAL, "game over")]


def _deadline(request: Request, game: GameNow | None) -> Deadline:
    """The time that the driver gives: the clock where there is one, and nobody knows what a depth takes."""
    if not isinstance(request, BestMove):
        return Deadline(REPLY_SECONDS)
    if game is not None and game.clock is not None:
        credit = min(game.clock.lag_ms, MOST_LAG_MS)
        return Deadline((game.clock.remaining_ms + credit) / 1000, is_move=True)
    if isinstance(request.limit, Depth):
        return Deadline(None, is_move=True)
    return Deadline(request.limit.seconds + GRACE_SECONDS, is_move=True)
