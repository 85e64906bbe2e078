"""The bridge's session, between MzingaViewer and a seat of model B at a server.

To the viewer, the bridge is a UHP 1.0 engine. Two commands wait: ``newgame`` for an opponent, and ``bestmove`` for the
opponent's move; all others are answered at once. Commands that do not concern the remote game go to a local UHP engine.
The driver (``plyhouse uhp --server``) owns the pipe, the connection, the clock and the local engine's searches, and
carries out the effects. The server's side is in ``server_connection``.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from protocols.session import Effect, Event
from protocols.uhp.bridge import effects as ef
from protocols.uhp.bridge.game import RemoteGame
from protocols.uhp.bridge.link import Link
from protocols.uhp.bridge.options import BridgeOptions
from protocols.uhp.bridge.requests import request_of
from protocols.uhp.bridge.server_connection import STILL_WAITING, ServerConnection
from protocols.uhp.engine import REFUSALS, UhpEngineSession, refusal_line
from protocols.uhp.engine_work import Interrupted, Quit, StopWork
from protocols.uhp.game_string import COLORS, parse, replay, same
from protocols.uhp.lines import Command, Line, LineTooLong, answered, read_command
from protocols.uhp.remote.command_queue import Awaited

DEFAULT_TYPE = "Base"
"""The game type of ``newgame`` without arguments."""

LAST_MS = 15_000
"""How long commands received before the end of the input may wait for the server, the opponent or the local engine:
longer than it takes to find out that a server is unreachable."""

EXIT_MS = 2_000
"""The same for ``exit``: MzingaViewer kills an engine that is still running after three seconds."""


class Bridge:
    """One viewer and its remote games, one after another.

    ``local`` is a UHP engine with the bridge's name, and ``server`` the default address. ``words`` are added to each
    handshake. ``place`` identifies the first game by ``resume``, or by ``token`` and ``game``; ``is_kept``: it is that
    of an earlier bridge, and a new game is sought if it is over. ``is_engine``: an engine may play our seat.
    """

    def __init__(
        self,
        local: UhpEngineSession,
        server: str,
        *,
        words: Mapping[str, str] | None = None,
        place: Mapping[str, str] | None = None,
        is_kept: bool = False,
        is_engine: bool = False,
    ) -> None:
        self._local = local
        self._options = BridgeOptions(local, server)
        link = Link(self._options, words or {}, place or {}, is_kept=is_kept)
        self._server = ServerConnection(self._options, link)
        self._is_engine = is_engine
        self._is_offline = True
        self._is_person = False
        """Whether the viewer has paused since its last answer, as a person does and an engine does not."""
        self._queue: deque[Command | LineTooLong | str] = deque()
        """What is to be answered, in order: commands, and answers that are known."""
        self._is_leaving = False
        """Whether the viewer sends no more commands; earlier ones are still answered."""
        self._may_wait = True
        """Whether commands may still wait for the server, the opponent or the local engine."""

    @property
    def is_busy(self) -> bool:
        """Whether the local engine is working."""
        return self._local.is_busy

    def start(self) -> list[Effect]:
        """Returns the banner, without waiting for the network."""
        return self._local.start()

    # ---- what comes in ---------------------------------------------------------------------------

    def receive(self, frame: Line) -> list[Effect]:
        """Handles one line from the viewer."""
        command = frame if isinstance(frame, LineTooLong) else read_command(frame)
        if self._is_leaving or command is None:
            return []
        if isinstance(command, Command) and command.keyword == "exit":
            return self._leave(EXIT_MS)
        if not self._server.is_asking and not self.is_busy:
            return self._drained(self._answer(command))
        request = request_of(command) if isinstance(command, Command) else None
        if request is not None and (self._server.is_asking or not self._is_offline):
            return self._ask_early(command, request)
        self._queue.append(command)
        return []

    def _ask_early(self, command: Command | LineTooLong, request: str) -> list[Effect]:
        """Sends a request while another command waits; the answer still comes in its turn."""
        done = self._server.ask_early(request)
        if isinstance(done, str):
            self._queue.append(done)
            return []
        self._queue.append(command)
        return done

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the server, the viewer's process, or the local engine's searches."""
        match event:
            case ef.ServerSaid() | ef.LinkLost():
                return self._drained(self._server.notify(event))
            case ef.ViewerGone():
                return self._leave(LAST_MS)
            case ef.TimeoutElapsed():
                return self._stop_waiting()
            case ef.OutputClosed():
                return self._exit()
            case ef.PauseEnded():
                self._is_person = True
                return []
            case Interrupted() if self._server.awaited in (Awaited.GAME, Awaited.OPPONENT):
                return self._drained(self._server.answer(STILL_WAITING))
            case Interrupted() if not self.is_busy:
                return []
            case _:
                return self._drained(self._local.notify(event))

    def _drained(self, effects: list[Effect]) -> list[Effect]:
        """Appends the answers to queued commands, and the exit once all are answered and the viewer is leaving."""
        while True:
            if not self._may_wait:
                effects += self._server.stop_waiting()
            if self.is_busy and not self._may_wait:
                return [*effects, StopWork()]
            if self._server.is_asking or self.is_busy:
                return effects
            if not self._queue:
                return [*effects, *self._exit()] if self._is_leaving else effects
            effects += self._answer(self._queue.popleft())

    def _answer(self, command: Command | LineTooLong | str) -> list[Effect]:
        """Starts answering a command."""
        if isinstance(command, str):
            return answered(command)
        try:
            return answered("err line too long") if isinstance(command, LineTooLong) else self._obey(command)
        except REFUSALS as refusal:
            return answered(refusal_line(refusal))

    def _obey(self, command: Command) -> list[Effect]:
        step = _COMMANDS.get(command.keyword)
        if step is not None:
            return step(self, command)
        step = None if self._is_offline else _GAME_COMMANDS.get(command.keyword)
        if step is None:
            return self._local.obey(command)
        is_bound_to_board = command.keyword in _OF_BOARD and request_of(command) is None
        return (self._server.tell_astray() if is_bound_to_board else []) or step(self, command)

    # ---- the end ---------------------------------------------------------------------------------

    def _leave(self, wait_ms: int) -> list[Effect]:
        """Accepts no more commands, and limits the time that earlier ones may wait."""
        if self._is_leaving:
            return []
        self._is_leaving = True
        return [ef.Await(wait_ms), *self._drained([])]

    def _stop_waiting(self) -> list[Effect]:
        self._may_wait = False
        return self._drained([])

    def _exit(self) -> list[Effect]:
        return [*self._server.leave(), Quit(0)]

    # ---- games -----------------------------------------------------------------------------------

    def _change_options(self, command: Command) -> list[Effect]:
        """Lists or changes options. Those that make a request are answered as that is."""
        answer = self._local.obey(command)
        asked = self._options.take_request()
        return answer if asked is None else self._server.ask(*asked)

    def _new_game(self, command: Command) -> list[Effect]:
        self._is_person = False
        wanted = parse(command.rest or DEFAULT_TYPE)
        position, game = replay(wanted), self._server.game
        if ";" not in command.rest:
            self._is_offline = False
            return self._server.seek(wanted.type)
        if game is None or not game.is_at(position):
            self._is_offline = True
            return self._local.obey(command)
        self._is_offline = False
        if not same(position, game.shown):
            game.show_all()
        return answered(game.text())

    def _play(self, command: Command) -> list[Effect]:
        self._is_person = False
        game = self._server.game
        request = request_of(command)
        if request is not None:
            return self._server.ask(request)
        if game is None:
            return answered(STILL_WAITING)
        if game.is_over:
            return answered(_over(game))
        move = game.shown.check(command.rest)
        if game.is_ours:
            return self._server.play(move)
        if move != game.pending:
            return answered("err this is not the opponent's move, or not any more: ask for it with bestmove")
        game.show(move)
        return answered(game.text())

    def _list_moves(self, _: Command) -> list[Effect]:
        game = self._server.game
        if game is None:
            return answered(STILL_WAITING)
        if game.is_over or game.shown.outcome is not None:
            return answered(_over(game))
        return answered(";".join(game.shown.legal_moves()))

    def _best_move(self, command: Command) -> list[Effect]:
        game = self._server.game
        if game is not None and game.is_ours and not game.is_over:
            return self._hint(game, command)
        return self._server.watch()

    def _hint(self, game: RemoteGame, command: Command) -> list[Effect]:
        """Returns a move of the local engine, if the viewer's user is allowed to ask for one."""
        if self._options.is_rated:
            return answered("err hints are disabled in rated games")
        if not self._is_engine and not self._is_person:
            own, other = COLORS[game.seat], COLORS[1 - game.seat]
            return answered(f"err you play {own} yourself: set {own} to Human, and {other} to Engine AI")
        self._local.receive(f"newgame {game.text()}")
        if not command.words:
            return self._local.receive(f"bestmove {self._server.time_for_move()}")
        return self._local.obey(command)

    def _undo(self, _: Command) -> list[Effect]:
        """Refuses to take back a move, but shows a takeback that has already happened at the server."""
        game = self._server.game
        if game is None or not game.is_board_old:
            return answered("err undo is not possible in a remote game")
        game.show_all()
        return answered(game.text())


def _over(game: RemoteGame) -> str:
    """The error line of commands after the end on the viewer's board, which the server may not have confirmed yet."""
    return _BOARD_OVER if game.is_running else game.over_line()


_BOARD_OVER: Final = "err The game is over. Try 'newgame' to start a new game."


_COMMANDS: dict[str, Callable[[Bridge, Command], list[Effect]]] = {
    "options": Bridge._change_options,
    "newgame": Bridge._new_game,
}

_GAME_COMMANDS: dict[str, Callable[[Bridge, Command], list[Effect]]] = {
    "play": Bridge._play,
    "validmoves": Bridge._list_moves,
    "bestmove": Bridge._best_move,
    "undo": Bridge._undo,
}

_OF_BOARD = ("play", "validmoves", "bestmove")
"""Commands that refer to the board as the viewer shows it."""
