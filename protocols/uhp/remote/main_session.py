"""Role ``main`` (model A): a main viewer drives the server like one UHP 1.0 engine, and so leads two through a game.

    V: newgame Base+MLP         both engines set up the game           S: Base+MLP;NotStarted;White[1] / ok
    V: bestmove time 00:00:05   the engine to move searches            S: wA1 / ok
    V: play wA1                 both engines play the move             S: Base+MLP;InProgress;Black[1];wA1 / ok

It may only play the move just named by the engine to move; in an analysis, any legal move. ``play forfeit`` resigns for
the engine to move. One command runs at a time; later ones are queued, except for ``exit``, and a forfeit is carried out
at once, but answered in its turn. Driven by ``server.services.uhp``.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from protocols.session import Close, Effect, Event, FrameLost, LocalError, Send
from protocols.uhp.engine import CAPABILITIES, REFUSALS, CommandRefused, refusal_line
from protocols.uhp.engine_work import read_limit
from protocols.uhp.game_string import parse, replay, same
from protocols.uhp.lines import ERROR, Command, answered
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.command_queue import CommandQueue
from protocols.uhp.remote.game_lines import game_over, game_string, is_over
from protocols.uhp.requests import PASS, Depth, MoveTime
from protocols.values import Table

ON_THE_BOARD: Final = ("board", "repetition", "ply-limit")
"""Reasons of endings caused by a move: the move is answered like any other."""

COMMANDS: Final = ("info", "options", "newgame", "play", PASS, "bestmove", "validmoves", "undo", "exit")
NO_GAME: Final = "No game in progress. Try 'newgame' to start the game."


class MainSession(CommandQueue):
    """One main viewer of the game ``table``. ``name`` is the server's engine name.

    ``is_analysis``: the viewer may play any legal move.
    """

    def __init__(self, name: str, table: Table, *, is_analysis: bool = False) -> None:
        super().__init__((f"id {name}", CAPABILITIES))
        self._table = table
        self._is_analysis = is_analysis
        self._has_begun = False
        self._is_leading = False
        self._match = ef.MatchChanged()
        """What the engines have done."""
        self._answer: Callable[[Table], str | None] | None = None
        """Returns the answer to the current command if it is known; None without a command."""
        self._next_ply = 0
        """The ply after the current command."""
        self._has_forfeited = False

    def start(self) -> list[Effect]:
        """Called when the connection is open."""
        return [ef.Lead(), ef.Follow()]

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver."""
        match event:
            case ef.MatchChanged():
                is_first, self._is_leading, self._match = not self._is_leading, True, event
                return [Send(self._info), *self._proceed()] if is_first else self._look()
            case ef.NotSeated(text=text):
                return [Send(f"{ERROR} {text}"), Close(ef.NORMAL, "no game")]
            case ef.TableChanged(table=table):
                self._table = table if table.seq > self._table.seq else self._table
                return self._look()
            case ef.RefusedByGame(text=text):
                return self._finish(f"{ERROR} {text}")
            case FrameLost(text=text):
                return self._take(f"{ERROR} {text}")
            case _:
                raise LocalError("MAIN", event)

    def _take(self, line: Command | str) -> list[Effect]:
        """Handles one line; a forfeit of the game does not wait, but its answer does."""
        is_urgent = isinstance(line, Command) and ef.is_forfeit(line) and not self._is_free()
        if not is_urgent or not isinstance(line, Command) or not self._has_begun or is_over(self._table):
            return super()._take(line)
        return [*self._forfeit(line), *super()._take(line)]

    def _is_free(self) -> bool:
        return self._is_leading and self._answer is None

    # ---- commands --------------------------------------------------------------------------------

    def _execute(self, command: Command) -> list[Effect]:
        try:
            return self._obey(command)
        except REFUSALS as refusal:
            return answered(refusal_line(refusal))

    def _obey(self, command: Command) -> list[Effect]:
        """Answers a command, or begins to. Raises one of REFUSALS."""
        match command.keyword:
            case "options" if not command.words:
                return answered()
            case "options":
                raise CommandRefused("There are no options.")
            case "newgame":
                return self._new_game(command)
            case "play" if ef.is_forfeit(command):
                return self._answer_forfeit(command)
            case "play":
                return self._play(command.rest)
            case "bestmove":
                return self._best_move(command)
            case "validmoves":
                return answered(";".join(self._running().position.legal_moves()))
            case "undo":
                raise CommandRefused("undo is not possible: two engines are playing")
            case _:
                raise CommandRefused(f"Invalid command: {', '.join(COMMANDS)}.")

    def _new_game(self, command: Command) -> list[Effect]:
        """Starts the only available game, named by its type or its GameString."""
        table, wanted = self._table, parse(command.rest or "Base")
        position = table.position
        is_it = wanted.type == position.variant and (not wanted.moves or same(replay(wanted), position))
        if not is_it or (self._has_begun and not wanted.moves and table.ply > 0):
            raise CommandRefused(f"this is the game: {game_string(table)}")
        self._has_begun = True
        self._answer, self._next_ply = self._confirmed, table.ply
        return [ef.BeginMatch(), *self._look()]

    def _best_move(self, command: Command) -> list[Effect]:
        ply, limit = self._running().ply, _limit(command.words)
        self._match = replace(self._match, named=None)
        self._answer, self._next_ply = self._named, ply + 1
        return [ef.AskEngine(limit, ply)]

    def _play(self, text: str) -> list[Effect]:
        table = self._running()
        move = table.position.check(text)
        if not self._is_analysis and self._match.named != (move, table.ply):
            raise CommandRefused("only the seated player's move may be played")
        (seat,) = table.position.to_act
        self._answer, self._next_ply = self._confirmed, table.ply + 1
        return [ef.PlayForEngine(seat, move, tuple(table.position.history))]

    def _answer_forfeit(self, command: Command) -> list[Effect]:
        """Resigns unless that has been done already, and answers with the end of the game."""
        if self._has_forfeited and is_over(self._table):
            return answered(game_string(self._table))
        table = self._running()
        self._answer, self._next_ply = self._ended, table.ply
        return self._forfeit(command)

    def _forfeit(self, command: Command) -> list[Effect]:
        if self._has_forfeited:
            return []
        self._has_forfeited = True
        (seat,) = self._table.position.to_act
        return [ef.ForfeitForEngine(seat, " ".join(command.words[1:])[: ef.MAX_FORFEIT_REASON] or None)]

    def _running(self) -> Table:
        """The running game. Raises CommandRefused if no move can be played."""
        if not self._has_begun:
            raise CommandRefused(NO_GAME)
        if is_over(self._table):
            raise CommandRefused(game_over(self._table).removeprefix(f"{ERROR} "))
        return self._table

    # ---- answers ---------------------------------------------------------------------------------

    def _ended(self, table: Table) -> str | None:
        """The end of the game that the viewer has forfeited."""
        return game_string(table) if is_over(table) else None

    def _confirmed(self, table: Table) -> str | None:
        """The game, if all engines have its position."""
        return game_string(table) if self._match.ply == table.ply else None

    def _named(self, table: Table) -> str | None:
        """The move of the engine to move, unless the game has gone on without it."""
        named = self._match.named
        if named is not None and named[1] == table.ply:
            return named[0]
        is_same = table.ply == self._next_ply - 1
        return None if is_same else f"{ERROR} the game has gone on: {game_string(table)}"

    def _look(self) -> list[Effect]:
        """Answers the current command if its answer is known or the game is over."""
        table, line = self._table, None
        if self._answer is None:
            return []
        if not is_over(table) or self._answer == self._ended:
            line = self._answer(table)
        elif table.ply >= self._next_ply and table.result is not None and table.result.reason in ON_THE_BOARD:
            line = game_string(table)
        else:
            line = game_over(table)
        return [] if line is None else self._finish(line)

    def _finish(self, line: str) -> list[Effect]:
        """Answers the current command, then executes the queued ones."""
        self._answer = None
        return [*answered(line), *self._proceed()]


def _limit(words: tuple[str, ...]) -> MoveTime | Depth | None:
    """The limit of ``bestmove``; None if it has none, so that the engine's clock decides. Raises BadLimit."""
    if not words:
        return None
    limit = read_limit(words, 0)
    if limit.depth is not None:
        return Depth(limit.depth)
    return MoveTime(max(1, (limit.milliseconds or 0) // 1000))
