"""The bridge's session: MzingaViewer on one side, a seat of model B at a server on the other.

The viewer believes that it drives a UHP 1.0 engine. Waiting for the opponent hides in ``newgame`` (somebody has to
come) and in ``bestmove`` (the opponent has to move); everything else is answered at once. What is not about the
remote game goes to a UHP engine of our own. The driver (``plyhouse uhp --server``) owns the pipe, the connection,
the clock and the searches of that engine, and carries out the effects. How the server is heard is in ``hearing``.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from engines import RuleError
from protocols.session import Effect, Event, Send
from protocols.uhp.bridge.hearing import STILL_WAITING, Busy, Hearing
from protocols.uhp.bridge.options import RESIGN, BridgeOptions
from protocols.uhp.bridge.words import (
    Await,
    Exit,
    LinkLost,
    PatienceOver,
    Rested,
    ServerSaid,
    Unread,
    ViewerGone,
)
from protocols.uhp.engine import EngineSession
from protocols.uhp.engine_work import Interrupted
from protocols.uhp.game_string import BadGameString, parse, replay, same
from protocols.uhp.lines import OK, Command, Line, LineTooLong, read_command
from protocols.uhp.options import BadOption
from protocols.uhp.remote.words import is_forfeit

CAPABILITIES: Final = "Mosquito;Ladybug;Pillbug"
MAX_FORFEIT_REASON = 200
DEFAULT_TYPE = "Base"
"""What a bare ``newgame`` means in UHP."""

LAST_MS = 15_000
"""So long the commands sent before the end of the input may wait for the server, and for whoever plays there: more
than it takes to find that a server cannot be reached."""

EXIT_MS = 2_000
"""The same for ``exit``: MzingaViewer kills what has not ended after three seconds."""


class Bridge:
    """One viewer and its remote games, one after another.

    ``local`` is a UHP engine; ``identity`` the text behind ``id``. ``words`` are added to each handshake, ``place``
    names the first game: ``resume``, or ``token`` and ``game``. ``is_engine``: an engine may play our seat, too.
    """

    def __init__(
        self,
        local: EngineSession,
        identity: str,
        options: BridgeOptions,
        *,
        words: Mapping[str, str] | None = None,
        place: Mapping[str, str] | None = None,
        is_engine: bool = False,
    ) -> None:
        self._local = local
        self._identity = identity
        self._options = options
        self._hearing = Hearing(options, words, place)
        self._is_engine = is_engine
        self._is_offline = True
        self._is_person = False
        """Whether the viewer has paused since its last answer, as an engine does not."""
        self._queue: deque[Line] = deque()
        self._is_leaving = False
        """Whether the viewer sends nothing more; what it has sent is still answered."""
        self._is_patient = True
        """Whether commands may still wait for somebody else."""

    def start(self) -> list[Effect]:
        """The banner: it does not wait for the network."""
        return _answered(*self._info())

    # ---- what comes in ---------------------------------------------------------------------------

    def receive(self, line: Line) -> list[Effect]:
        """Take one line of the viewer."""
        command = None if isinstance(line, LineTooLong) else read_command(line)
        if self._is_leaving:
            return []
        if command is not None and command.keyword == "exit":
            return self._leave(EXIT_MS)
        if self._has_to_wait(command):
            self._queue.append(line)
            return []
        return self._drained(self._answer(line))

    def _has_to_wait(self, command: Command | None) -> bool:
        """Until the command under way is answered; giving up is possible while that waits for the server."""
        hearing = self._hearing
        if command is not None and _gives_up(command) and hearing.is_asking:
            return hearing.is_resigning
        return hearing.busy is not Busy.NOT

    def notify(self, event: Event) -> list[Effect]:
        """Take one event: those of the server, of the viewer's process, or of the local engine's searches."""
        match event:
            case ServerSaid() | LinkLost():
                return self._drained(self._hearing.notify(event))
            case ViewerGone():
                return self._leave(LAST_MS)
            case PatienceOver():
                return self._lose_patience()
            case Unread():
                return self._exit()
            case Rested():
                self._is_person = True
                return []
            case Interrupted() if self._hearing.busy in (Busy.SEEKING, Busy.WATCHING):
                return self._drained(self._hearing.answer(STILL_WAITING))
            case Interrupted() if not self._local.is_busy:
                return []
            case _:
                return self._drained(self._locally(self._local.notify(event)))

    def _drained(self, effects: list[Effect]) -> list[Effect]:
        """With the answers to what the viewer has sent before its turn; then the end, if nothing more will come."""
        while True:
            if not self._is_patient:
                effects += self._hearing.stop_waiting()
            if self._hearing.busy is not Busy.NOT:
                return effects
            if not self._queue:
                return [*effects, *self._exit()] if self._is_leaving else effects
            effects += self._answer(self._queue.popleft())

    def _answer(self, line: Line) -> list[Effect]:
        """Begins what a line asks for; blank ones are passed over."""
        if isinstance(line, LineTooLong):
            return _answered("err line too long")
        command = read_command(line)
        return [] if command is None else self._obey(command, line)

    def _obey(self, command: Command, line: str) -> list[Effect]:
        step = _COMMANDS.get(command.keyword)
        if step is not None:
            return step(self, command)
        step = None if self._is_offline else _GAME_COMMANDS.get(command.keyword)
        if step is None:
            return self._locally(self._local.receive(line))
        is_bound_to_board = command.keyword in _OF_BOARD and not is_forfeit(command)
        return (self._hearing.tell_astray() if is_bound_to_board else []) or step(self, command)

    # ---- the end ---------------------------------------------------------------------------------

    def _leave(self, patience_ms: int) -> list[Effect]:
        """No command follows. Those that are there are answered, and do not wait for others for ever."""
        if self._is_leaving:
            return []
        self._is_leaving = True
        return [Await(patience_ms), *self._drained([])]

    def _lose_patience(self) -> list[Effect]:
        self._is_patient = False
        return self._drained([])

    def _exit(self) -> list[Effect]:
        return [*self._hearing.leave(), Exit()]

    # ---- about the bridge ------------------------------------------------------------------------

    def _info(self, _: Command | None = None) -> list[str]:
        return [f"id {self._identity}", CAPABILITIES]

    def _tell_info(self, command: Command) -> list[Effect]:
        return _answered(*self._info(command))

    def _change_options(self, command: Command) -> list[Effect]:
        try:
            match command.words:
                case ():
                    return _answered(*self._options.lines())
                case (verb, name) if verb.lower() == "get":
                    return _answered(self._options.line(name))
                case (verb, name, value) if verb.lower() == "set":
                    return self._set_option(name, value)
        except BadOption as error:
            return _answered(f"err {error}")
        return _answered("err options, options get NAME, or options set NAME VALUE")

    def _set_option(self, name: str, value: str) -> list[Effect]:
        changed = self._options.set(name, value)
        line = self._options.line(name)
        if changed != RESIGN or not self._options.take_resignation():
            return _answered(line)
        return self._hearing.forfeit("", line)

    # ---- games -----------------------------------------------------------------------------------

    def _new_game(self, command: Command) -> list[Effect]:
        self._is_person = False
        try:
            wanted = parse(command.rest or DEFAULT_TYPE)
            position = replay(wanted)
        except BadGameString as error:
            return _answered(f"err {error}")
        if not wanted.moves:
            self._is_offline = False
            return self._hearing.seek(wanted.type)
        game = self._hearing.game
        if game is None or not game.is_at(position):
            self._is_offline = True
            return self._locally(self._local.receive(f"newgame {command.rest}"))
        self._is_offline = False
        if not same(position, game.shown):
            game.show_all()
        return _answered(game.text())

    def _play(self, command: Command) -> list[Effect]:
        self._is_person = False
        if is_forfeit(command):
            return self._forfeit(command)
        return self._play_move("pass" if command.keyword == "pass" else command.rest)

    def _play_move(self, text: str) -> list[Effect]:
        game = self._hearing.game
        if game is None:
            return _answered(STILL_WAITING)
        if game.is_over:
            return _answered(self._over())
        try:
            move = game.shown.check(text)
        except RuleError as refusal:
            return _answered(f"invalidmove {refusal}")
        if game.is_ours:
            return self._hearing.play(move)
        if move != game.pending:
            return _answered("err this is not the opponent's move, or not any more: ask for it with bestmove")
        game.show(move)
        return _answered(game.text())

    def _forfeit(self, command: Command) -> list[Effect]:
        reason = " ".join(command.words[1:])[:MAX_FORFEIT_REASON]
        return self._hearing.forfeit(reason)

    def _list_moves(self, _: Command) -> list[Effect]:
        game = self._hearing.game
        if game is None:
            return _answered(STILL_WAITING)
        if game.is_over or game.shown.outcome is not None:
            return _answered(self._over())
        return _answered(";".join(game.shown.legal_moves()))

    def _best_move(self, command: Command) -> list[Effect]:
        game = self._hearing.game
        if game is not None and game.is_ours and not game.is_over:
            return self._hint(command)
        return self._hearing.watch()

    def _hint(self, command: Command) -> list[Effect]:
        """A move of our own engine, for a person who asks for one."""
        if self._options.is_rated:
            return _answered("err hints are disabled in rated games")
        if not self._is_engine and not self._is_person:
            return _answered("err an engine may not play your colour here: set it to Human")
        game = self._hearing.game
        if game is None:
            return _answered(STILL_WAITING)
        self._local.receive(f"newgame {game.text()}")
        return self._locally(self._local.receive(f"bestmove {command.rest}"))

    def _undo(self, _: Command) -> list[Effect]:
        """Nothing is taken back; but what was taken back already is shown."""
        game = self._hearing.game
        if game is None or not game.is_board_old:
            return _answered("err undo is not possible in a remote game")
        game.show_all()
        return _answered(game.text())

    def _over(self) -> str:
        game = self._hearing.game
        return f"err game over: {game.verdict()}" if game is not None and not game.is_running else _BOARD_OVER

    def _locally(self, effects: list[Effect]) -> list[Effect]:
        """As long as our own engine works on a command, the next one waits."""
        if self._local.is_busy:
            self._hearing.busy = Busy.THINKING
        elif self._hearing.busy is Busy.THINKING:
            self._hearing.busy = Busy.NOT
        return effects


_BOARD_OVER: Final = "err The game is over. Try 'newgame' to start a new game."


def _gives_up(command: Command) -> bool:
    """Whether the viewer gives the game up, by a move or by the option."""
    words = (command.keyword, *(word.lower() for word in command.words))
    return is_forfeit(command) or words == ("options", "set", RESIGN.lower(), "true")


def _answered(*lines: str) -> list[Effect]:
    return [*(Send(line) for line in lines), Send(OK)]


_COMMANDS: dict[str, Callable[[Bridge, Command], list[Effect]]] = {
    "info": Bridge._tell_info,
    "options": Bridge._change_options,
    "newgame": Bridge._new_game,
}

_GAME_COMMANDS: dict[str, Callable[[Bridge, Command], list[Effect]]] = {
    "play": Bridge._play,
    "pass": Bridge._play,
    "validmoves": Bridge._list_moves,
    "bestmove": Bridge._best_move,
    "undo": Bridge._undo,
}

_OF_BOARD = ("play", "pass", "validmoves", "bestmove")
"""Commands that mean the board which the viewer has in mind."""
