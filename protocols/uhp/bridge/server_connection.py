"""The server's side of the bridge: the connection, the game there, and the answer that the viewer is waiting for.

At most one command of the viewer waits (``awaited``). Each line from the server first updates the game; then that
command is answered if possible. Used by ``session``; ``plyhouse uhp`` reads the connection.
"""

from typing import Final

from protocols.session import Effect, Event, LocalError, Log
from protocols.uhp.bridge import effects as ef
from protocols.uhp.bridge.game import RemoteGame
from protocols.uhp.bridge.link import Link, Outage, outage
from protocols.uhp.bridge.options import BridgeOptions
from protocols.uhp.bridge.requests import CLAIM, DRAW, FORFEIT, GameRequest
from protocols.uhp.game_string import COLORS, BadGameString, GameString
from protocols.uhp.lines import ERROR, OK, answered
from protocols.uhp.remote.command_queue import Awaited
from protocols.uhp.remote.game_lines import ABORT
from protocols.uhp.remote.server_lines import ClockLine, EndLine, RefusalLine, SeatLine, read
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from protocols.values import ClockReading

STILL_WAITING: Final = "err still waiting for opponent"
RECONNECTING: Final = "err reconnecting"
MOVE: Final = "move"
"""The kind of our moves among the lines to the server."""
RUNNING: Final = ("NotStarted", "InProgress")
BURST_MS: Final = 1_000
"""Within this time after the seat line comes all that the server has to say about a game that is over."""

OFFERED: Final = (
    "the opponent offers a draw: play draw, or the option OfferDraw, accepts it; a move declines it"
)


class ServerConnection:
    """One seat at a time, reached by ``link``."""

    def __init__(self, options: BridgeOptions, link: Link) -> None:
        self.awaited = Awaited.NOTHING
        """Apart from requests to end the game, which may come during a command."""
        self.game: RemoteGame | None = None
        self._options = options
        self._link = link
        self._sought: str | None = None
        """The type of the game being sought, until there is an opponent."""
        self._seat = 0
        self._is_taken_up = False
        """Whether the seat was ours before we connected, so that its game may be in progress."""
        self._is_told = False
        """Whether the viewer has been shown the game."""
        self._unanswered: dict[str, str] = {}
        """Lines to the server that it has not answered, by kind (``MOVE`` or that of a request), as they were sent.

        It answers in this order, but not an offer that it takes: that stays until the opponent has moved.
        """
        self._requests = {kind: GameRequest() for kind in (FORFEIT, DRAW, CLAIM)}
        self._outage: Outage | None = None
        self._last_error: str | None = None
        """The server's latest line, if that was an error."""
        self._clocks: ClockLine | None = None
        self._clocks_at = 0
        self._seated_at = 0

    # ---- what the viewer wants -------------------------------------------------------------------

    def seek(self, game_type: str) -> list[Effect]:
        """Looks for a game of this type, with the configured opponent."""
        game = self.game
        if game is not None and game.is_running and (self._is_told or game.remote.variant != game_type):
            return self._keep_game(game, game_type)
        self.awaited = Awaited.GAME
        if game is not None and game.is_running:
            return self._answer_due()
        if self._sought == game_type:
            return []
        if game is not None or self._link.is_elsewhere:
            self._link.forget()
        self._is_taken_up = self._link.is_taken_up
        self.game, self._sought, self._is_told, self._clocks = None, game_type, False, None
        return [ef.HangUp(), self._link.dial(game_type)]

    def _keep_game(self, game: RemoteGame, game_type: str) -> list[Effect]:
        """Shows the current game instead of a new one of its type, and refuses one of another type."""
        if game.remote.variant != game_type:
            return answered("err finish or forfeit the remote game first")
        game.show_all()
        return answered(game.text())

    def tell_astray(self) -> list[Effect]:
        """Answers once with an error if the viewer's board no longer matches the game; otherwise returns nothing."""
        line = None if self.game is None else self.game.tell_astray()
        return [] if line is None else self.answer(line)

    def watch(self) -> list[Effect]:
        """Answers with the opponent's move as soon as there is one."""
        self.awaited = Awaited.OPPONENT
        return self._answer_due()

    def time_for_move(self) -> MoveTime | Depth:
        """The time that the clock, as the server showed it last, allows for a move; without one, the usual time."""
        left = None if self.game is None else self.game.clock_left_ms(self._clocks)
        return think_time(None if left is None else ClockReading(left))

    def play(self, move: str) -> list[Effect]:
        """Sends our move, which must be legal and canonical."""
        if self._outage is not None:
            return answered(RECONNECTING)
        self.awaited = Awaited.ACCEPTANCE
        return self._send(MOVE, move)

    def _send(self, kind: str, line: str) -> list[Effect]:
        self._unanswered.pop(kind, None)  # An offer may be repeated: its place is that of the last one.
        self._unanswered[kind] = line
        return [ef.ToServer(line)]

    def ask_early(self, line: str) -> list[Effect] | str:
        """Makes a request, for a command that ``ask`` answers later. Returns the answer if that is known already."""
        if self.game is None:
            return "err there is no remote game"
        if not self.game.is_running:
            return self.game.over_line()
        if self._outage is not None:
            return RECONNECTING
        kind = line.split()[0]
        if self._is_made(kind):
            return []
        if kind == DRAW:  # The server does not answer an offer.
            self._requests[kind].settle()
        return self._send(kind, line)

    def _is_made(self, kind: str) -> bool:
        """Whether a request was made whose command is not answered yet."""
        return self._requests[kind].is_settled or (kind != DRAW and kind in self._unanswered)

    def ask(self, line: str, answer: str = "") -> list[Effect]:
        """Makes a request unless that is done.

        If the server does not refuse it, the answer is ``answer``, or the GameString if that is empty: for an offer at
        once, otherwise at the end of the game.
        """
        kind = line.split()[0]
        done = [] if self._is_made(kind) else self.ask_early(line)
        if isinstance(done, str):
            return answered(done)
        self._requests[kind].wait(answer)
        return [*done, *self._answer_requests()]

    def _answer_requests(self) -> list[Effect]:
        effects: list[Effect] = []
        for request in self._requests.values():
            answer = None if self.game is None else request.take_answer(self.game.text())
            if answer is not None:
                effects += self.answer(answer)
        return effects

    def leave(self) -> list[Effect]:
        """Disconnects because the viewer has gone. A running game can be resumed later."""
        game, token = self.game, self._link.resume
        if game is not None and game.is_running and token is not None:
            return [Log(f"the game is still running: continue it with --resume {token}"), ef.HangUp()]
        return [ef.HangUp()]

    def answer(self, *lines: str) -> list[Effect]:
        """Answers the waiting command, so that the next one may run."""
        self.awaited = Awaited.NOTHING
        return answered(*lines)

    @property
    def is_asking(self) -> bool:
        """Whether a command is waiting for the server or the opponent."""
        is_waiting = any(request.is_waiting for request in self._requests.values())
        return self.awaited is not Awaited.NOTHING or is_waiting

    def stop_waiting(self) -> list[Effect]:
        """Answers all commands that wait for the server or the opponent with an error."""
        effects = []
        if self.awaited in (Awaited.GAME, Awaited.OPPONENT):
            effects += self.answer(STILL_WAITING)
        while self.is_asking:
            kind = MOVE
            if self.awaited is Awaited.NOTHING:
                kind = next(kind for kind, request in self._requests.items() if request.is_waiting)
                self._requests[kind].drop()
            self._unanswered.pop(kind, None)
            effects += self.answer(
                "err the server has not answered" if self._outage is None else RECONNECTING
            )
        return effects

    # ---- the connection --------------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Handles a line from the server, or the loss of the connection."""
        match event:
            case ef.ServerSaid(line=line, now=now):
                return self._handle(line, now)
            case ef.LinkLost(why=why, now=now):
                return self._lose(why, now)
        raise LocalError(self.awaited, event)

    def _lose(self, why: str, now: int) -> list[Effect]:
        if self.game is None:
            return self._give_up_seeking(why)
        if not self.game.is_running:
            return []
        if self._last_error is not None:
            self.game.why_lost = self._last_error
            return self._answer_due()
        if self._outage is None:
            left = self.game.clock_left_ms(self._clocks)
            self._outage = outage(now if left is None else self._clocks_at, left)
        pause = self._outage.next_pause(now)
        if pause is None or self._link.resume is None:
            self.game.why_lost = f"the server is lost ({why})"
            return self._answer_due()
        return [
            Log(f"the connection to the server is lost: {why}; reconnecting"),
            self._link.dial(None, pause),
        ]

    def _give_up_seeking(self, why: str) -> list[Effect]:
        self._sought = None
        return [ef.HangUp(), *(self.answer(f"err {why}") if self.awaited is Awaited.GAME else [Log(why)])]

    def _seek_another(self, why: str) -> list[Effect]:
        """Looks for a new game, as that of an earlier bridge cannot be continued."""
        self._link.forget()
        self._is_taken_up = False
        refused = Log(f"the earlier game cannot be continued: {why}")
        return [refused, ef.ForgetSeat(), ef.HangUp(), self._link.dial(self._sought)]

    # ---- what the server says --------------------------------------------------------------------

    def _handle(self, line: str, now: int) -> list[Effect]:
        self._last_error = None
        match read(line):
            case SeatLine() as seated:
                self._seated_at = now
                return self._sit(seated)
            case ClockLine() as clocks:
                self._clocks, self._clocks_at = clocks, now
            case GameString() if self.game is None and self._link.is_kept and not _is_running(line):
                return self._seek_another("it is over")
            case GameString() as game:
                return self._update_or_give_up(game)
            case RefusalLine(keyword=keyword, why=why) if keyword == ERROR:
                return self._rejected(why)
            case RefusalLine(keyword=keyword, why=why) if self.awaited is Awaited.ACCEPTANCE:
                return self._refuse_move(f"{keyword} {why}")
            case EndLine() as end if self.game is not None:
                return self._end(self.game, end, now)
            case None if line.strip() == DRAW:
                self._options.show_offer(is_offered=True)
                return [Log(OFFERED)]
            case None if line.strip() != OK:
                return [Log(f"the server says: {line}")]
        return []

    def _sit(self, line: SeatLine) -> list[Effect]:
        self._seat = line.seat
        self._link.resume = resume = line.words.get("resume", self._link.resume)
        self._options.sit(self._seat, resume)
        playing = f"playing {COLORS[self._seat]} in game {line.words.get('game', '?')}"
        if resume is None:
            return [Log(playing)]
        kept = ef.KeepSeat(self._options.server, resume)
        return [Log(f"{playing}; to continue it elsewhere: --resume {resume}"), kept]

    def _end(self, game: RemoteGame, end: EndLine, now: int) -> list[Effect]:
        """Handles the end of the game. The viewer has the board of a new game if it was aborted before we returned."""
        was_over = self._link.is_kept and now - self._seated_at < BURST_MS and not self._unanswered
        if was_over and end.reason == ABORT and game.remote.ply == 0:
            self.game, self._sought = None, game.remote.variant
            return self._seek_another("it was aborted")
        game.end, self._link.resume = end, None
        self._options.show_offer(is_offered=False)
        return [Log(f"game over: {game.verdict()}"), ef.ForgetSeat(), *self._answer_due()]

    def _update_or_give_up(self, game: GameString) -> list[Effect]:
        """Handles a GameString, which may be of a game whose rules we do not support."""
        try:
            return self._update(game)
        except BadGameString as error:
            if self.game is None:
                return self._give_up_seeking(str(error))
            self.game.why_lost = str(error)
            return [ef.HangUp(), *self._answer_due()]

    def _update(self, game: GameString) -> list[Effect]:
        is_back, self._outage = self._outage is not None, None
        if self.game is None:
            self.game, self._sought = RemoteGame(self._seat, game), None
            if self._is_taken_up:
                self.game.show_all()
        else:
            self.game.take(game)
        if self._seat not in self.game.remote.to_act:
            self._options.show_offer(is_offered=False)
        elif not is_back:
            self._unanswered.pop(DRAW, None)
        effects = self._send_again(self.game) if is_back else []
        if self.game.astray is not None and self.awaited is Awaited.NOTHING:
            effects.append(Log(f"{self.game.astray}: the viewer's next command will fail"))
        return [*effects, *self._answer_due()]

    def _send_again(self, game: RemoteGame) -> list[Effect]:
        """Resends what the outage may have lost; a move only if the board is still the one it was meant for."""
        move = self._unanswered.get(MOVE)
        is_there = move is not None and move == game.next_move
        if not is_there and game.astray is not None:
            self._unanswered.pop(MOVE, None)
        return [
            ef.ToServer(line) for kind, line in self._unanswered.items() if not (is_there and kind == MOVE)
        ]

    def _rejected(self, why: str) -> list[Effect]:
        if self.game is None:
            return self._seek_another(why) if self._link.is_kept else self._give_up_seeking(why)
        if self._outage is not None:
            self.game.why_lost = why
            return [ef.HangUp(), *self._answer_due()]
        return self._refuse(self._refused_kind(), why)

    def _refused_kind(self) -> str | None:
        """The kind of the line that an error answers: the first one, as the server answers in order.

        An offer only if there is no other line, as the server has most likely taken it without an answer.
        """
        return next((kind for kind in self._unanswered if kind != DRAW), next(iter(self._unanswered), None))

    def _refuse(self, kind: str | None, why: str) -> list[Effect]:
        """Answers a command; if another one waits, a request is answered later, but the console shows it now."""
        if kind == MOVE:
            return self._refuse_move(f"{ERROR} {why}")
        request = None if kind is None else self._requests[kind]
        shown = [] if request is not None and request.is_waiting else [Log(f"the server says: err {why}")]
        if kind in (None, DRAW):
            self._last_error = why
        if kind is not None:
            del self._unanswered[kind]
        if request is not None and (kind != DRAW or request.is_settled):
            request.settle(f"{ERROR} {why}")
        return [*shown, *self._answer_requests()]

    def _refuse_move(self, line: str) -> list[Effect]:
        """Reports that the server refused our move, with ``line`` unless the board has changed."""
        self._unanswered.pop(MOVE, None)
        return self.tell_astray() or self.answer(line)

    # ---- what can be answered --------------------------------------------------------------------

    def _answer_due(self) -> list[Effect]:
        """Sends the answers that have become possible in the current game."""
        game = self.game
        if game is None:
            return []
        effects = self._answer_waiting(game)
        if not game.is_running:
            self._settle_all(game)
        return [*effects, *self._answer_requests()]

    def _settle_all(self, game: RemoteGame) -> None:
        """Records that the server answers no more."""
        made = [kind for kind in (FORFEIT, CLAIM) if kind in self._unanswered]
        for kind in made:
            self._requests[kind].settle()
        if made and game.astray is not None:
            game.show_all()
        self._unanswered.clear()

    def _answer_waiting(self, game: RemoteGame) -> list[Effect]:
        sent = self._unanswered.get(MOVE)
        match self.awaited:
            case Awaited.GAME:
                self._is_told = True
                return self.answer(game.text())
            case Awaited.OPPONENT if game.pending is not None and not game.is_over:
                return self.answer(game.pending)
            case Awaited.ACCEPTANCE if sent is not None and game.has_taken(sent):
                game.show_taken(sent)
                del self._unanswered[MOVE]
                return self.answer(game.text())
            case Awaited.OPPONENT | Awaited.ACCEPTANCE if sent is None and game.astray is not None:
                return self.tell_astray()
            case Awaited.OPPONENT | Awaited.ACCEPTANCE if not game.is_running:
                return self.answer(game.over_line())
        return []


def _is_running(game_string: str) -> bool:
    """Whether the state in a GameString is that of a running game."""
    return game_string.split(";")[1] in RUNNING
