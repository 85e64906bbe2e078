"""The server as a UHP engine with a remote opponent (model C): ``newgame remote``, a blocking ``play``, and how to end.

    V: newgame remote Base color=white tc=60+1
    S: Base;NotStarted;White[1]
    S: ok
    V: play wA1
    S: Base;InProgress;Black[1];wA1              sent at once
    S: bB1 -wA1                                  sent when the opponent has moved
    S: Base;InProgress;White[2];wA1;bB1 -wA1
    S: ok

A superset of UHP 1.0: without a remote game, a local engine that never searches answers (``server_engine``). One
command runs at a time; later ones are queued, except for ``exit`` and those that end the game, which are carried out at
once and answered in their turn: ``play forfeit``, ``play draw`` (an offer, or acceptance) and ``play claim``. A
takeback that makes it the viewer's turn ends a waiting ``play`` with the GameString alone. After a takeback that makes
it the opponent's turn, the next ``play`` is refused and waits for the opponent. Driven by ``server.services.uhp``.
"""

from dataclasses import replace

from protocols.session import Effect, Event, FrameLost, LocalError, Send
from protocols.uhp.engine import Product
from protocols.uhp.lines import ERROR, INVALID_MOVE, Command, answered
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.command_queue import Awaited, CommandQueue
from protocols.uhp.remote.game_lines import (
    RESIGN,
    game_over,
    game_string,
    is_draw_offered,
    is_news,
    is_over,
    passed_by,
    reason_of,
)
from protocols.uhp.remote.newgame_parameters import read_new_remote
from protocols.uhp.remote.seek_criteria import BadSeekCriteria, SeekCriteria
from protocols.uhp.remote.server_engine import ServerEngine
from protocols.values import Status, Table

NO_GAME = f"{ERROR} No game in progress. Try 'newgame' to start a new game."
NOT_YOUR_TURN = f"{ERROR} It is not your turn."
AS_IT_IS = ""
"""A known answer: the GameString at the time when it is sent."""


class ViewerSeatSession(CommandQueue):
    """One viewer. ``criteria`` come from the handshake; ``newgame remote`` may change them."""

    def __init__(self, product: Product, criteria: SeekCriteria) -> None:
        self._criteria = criteria
        self._local = ServerEngine(product)
        super().__init__(self._local.info)
        self._awaited = Awaited.NOTHING
        self._seated: ef.Seated | None = None
        self._table: Table | None = None
        """The remote game as last shown to the viewer, even if it is over; None without a game."""
        self._forfeits = 0
        """Number of ``play forfeit`` to be answered at the end of the game, after the current command."""

    def start(self) -> list[Effect]:
        """Returns the banner."""
        return [Send(self._info)]

    def _take(self, line: Command | str) -> list[Effect]:
        """Handles one line; those that end the game do not wait."""
        if isinstance(line, Command) and not self._is_free() and (ef.is_forfeit(line) or _asked(line)):
            return self._execute(line) if self._is_in_game else super()._take(NO_GAME)
        return super()._take(line)

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver."""
        match event:
            case ef.Seated():
                self._seated = event
                self._local.seat(event)
                return []
            case ef.NotSeated(text=text) if self._awaited is Awaited.GAME:
                return self._finish(f"{ERROR} {text}")
            case ef.TableChanged(table=table):
                return self._take_table(table)
            case ef.TakenByGame():
                return self._take(AS_IT_IS)
            case ef.RefusedByGame(effect=ef.OfferDraw() | ef.ClaimEnd(), text=text):
                return self._take(f"{ERROR} {text}")
            case ef.RefusedByGame():
                return self._refused(event)
            case FrameLost(text=text):
                return self._take(f"{ERROR} {text}")
            case _:
                raise LocalError(self._awaited, event)

    def _take_up(self, line: Command | str | int) -> list[Effect]:
        if line == AS_IT_IS and self._table is not None:
            return answered(game_string(self._table))
        return super()._take_up(line)

    def _is_free(self) -> bool:
        return self._awaited is Awaited.NOTHING and self._forfeits == 0

    @property
    def _is_in_game(self) -> bool:
        return self._table is not None and not is_over(self._table)

    # ---- commands --------------------------------------------------------------------------------

    def _execute(self, command: Command) -> list[Effect]:
        match command.keyword:
            case "newgame":
                return self._new_game(command)
            case "play" if ef.is_forfeit(command):
                return self._forfeit(command)
            case "play" if self._is_in_game and (asked := _asked(command)) is not None:
                return [asked]
            case keyword if self._table is not None and keyword in _OF_GAME:
                return self._in_game(self._table, command)
            case _:
                return self._local.obey(command)

    def _new_game(self, command: Command) -> list[Effect]:
        if self._is_in_game:
            return answered(f"{ERROR} finish or forfeit the remote game first")
        if command.words[:1] and command.words[0].lower() == "remote":
            return self._new_remote(command.words[1:])
        self._leave()
        return self._local.obey(command)

    def _new_remote(self, words: tuple[str, ...]) -> list[Effect]:
        try:
            wanted = read_new_remote(words, self._criteria)
        except BadSeekCriteria as refusal:
            return answered(f"{ERROR} {refusal}")
        known = self._seated
        if known is not None and known.game_id == wanted.game and wanted.secret is None:
            wanted = replace(wanted, secret=known.secret)
        self._leave()
        self._awaited = Awaited.GAME
        return [wanted]

    def _leave(self) -> None:
        self._table = self._seated = None
        self._local.seat(None)

    # ---- the remote game -------------------------------------------------------------------------

    def _in_game(self, table: Table, command: Command) -> list[Effect]:
        if is_over(table):
            return answered(game_over(table))
        match command.keyword:
            case "play" if not self._is_due(table):
                return self._wait_instead(table)
            case "play":
                self._awaited = Awaited.ACCEPTANCE
                return [ef.PlayMove(command.rest)]
            case "validmoves":
                return answered(";".join(table.position.legal_moves()))
            case _:
                return answered(f"{ERROR} not available in a remote game")

    def _wait_instead(self, table: Table) -> list[Effect]:
        """Answers a move sent on the opponent's turn: an error, the game, and later the opponent's move.

        Only happens to a viewer that missed a change: moves were taken back, or its own move was made elsewhere.
        """
        self._awaited = Awaited.OPPONENT
        return [Send(f"{NOT_YOUR_TURN}\n{game_string(table)}")]

    def _forfeit(self, command: Command) -> list[Effect]:
        """Forfeits at once, on either side's turn. Never forfeits a game that is still being sought."""
        if not self._is_in_game:
            return answered(NO_GAME if self._table is None else game_over(self._table))
        self._forfeits += 1
        return [ef.GiveUp("resignation", " ".join(command.words[1:]) or None)]

    def _refused(self, event: ef.RefusedByGame) -> list[Effect]:
        """Handles the refusal of a move or a forfeit. The table of a finished game follows, or has arrived before."""
        if event.code == "finished":
            table = self._table
            return [] if table is None or self._is_in_game else self._answer_due(table, has_moved=False)
        if isinstance(event.effect, ef.GiveUp):
            return self._forfeit_failed(event)
        if self._awaited is not Awaited.ACCEPTANCE:
            return []
        if event.code == "not-your-turn" and self._table is not None and not self._is_due(self._table):
            return self._wait_instead(self._table)
        if event.code != "illegal-move":
            return self._finish(f"{ERROR} {event.text}")
        out = self._finish(f"{INVALID_MOVE} {event.text}")
        return [*out, ef.GiveUp("illegal-move")] if event.tries >= ef.MAX_TRIES else out

    def _forfeit_failed(self, event: ef.RefusedByGame) -> list[Effect]:
        """Answers a failed forfeit; the current command continues."""
        if self._forfeits == 0:
            return []
        self._forfeits -= 1
        return [*answered(f"{ERROR} {event.text}"), *self._proceed()]

    # ---- what happens in it ----------------------------------------------------------------------

    def _take_table(self, table: Table) -> list[Effect]:
        before = self._table
        if self._seated is None or not is_news(before, table):
            return []
        out: list[Effect] = []
        for moment in passed_by(before, table):
            out += self._step(moment)
        return out

    def _step(self, table: Table) -> list[Effect]:
        """Handles one more ply, the end, or the first state of the game."""
        before, self._table = self._table, table
        if self._seated is not None:
            self._local.show_offer(is_offered=is_draw_offered(table, self._seated.seat))
        return self._answer_due(table, has_moved=before is not None and table.ply > before.ply)

    def _answer_due(self, table: Table, *, has_moved: bool) -> list[Effect]:
        """Answers what this state of the game ends: the current command, and after the end the pending forfeits."""
        has_ended = is_over(table)
        match self._awaited:
            case Awaited.GAME if table.status is Status.ABORTED:
                self._leave()
                return self._finish(f"{ERROR} no opponent")
            case Awaited.GAME if has_ended or self._is_due(table):
                return self._finish(game_string(table))
            case Awaited.ACCEPTANCE if has_moved and not has_ended:
                self._awaited = Awaited.OPPONENT
                return [Send(game_string(table))]
            case Awaited.ACCEPTANCE if has_ended:
                return self._finish(game_string(table) if has_moved else game_over(table))
            case Awaited.OPPONENT if has_moved:
                return self._finish(table.position.history[-1], game_string(table))
            case Awaited.OPPONENT if self._is_due(table) or self._has_left(table):
                return self._finish(game_string(table))  # After a takeback there is no move to send.
            case Awaited.OPPONENT if has_ended:
                return self._finish(f"forfeit {reason_of(table)}", game_string(table))
            case Awaited.NOTHING if has_ended:
                return self._answer_forfeits(table)
        return []

    def _is_due(self, table: Table) -> bool:
        """Whether it is the viewer's turn."""
        return self._seated is not None and self._seated.seat in table.to_act

    def _has_left(self, table: Table) -> bool:
        """Whether the viewer itself resigned."""
        result, seated = table.result, self._seated
        is_lost = result is not None and seated is not None and seated.seat not in result.winners
        return is_lost and reason_of(table) == RESIGN

    def _finish(self, *lines: str) -> list[Effect]:
        """Answers the current command, then executes the queued ones."""
        self._awaited = Awaited.NOTHING
        out = answered(*lines)
        if not self._is_in_game:
            return [*out, *self._answer_forfeits(self._table)]
        return [*out, *self._proceed()]

    def _answer_forfeits(self, table: Table | None) -> list[Effect]:
        """Answers pending forfeits after the end of the game, or if it was aborted before the viewer saw it."""
        count, self._forfeits = self._forfeits, 0
        answers = [effect for _ in range(count) for effect in answered(self._forfeited(table))]
        return [*answers, *self._proceed()]

    def _forfeited(self, table: Table | None) -> str:
        if table is None:
            return NO_GAME
        return game_string(table) if self._has_left(table) else game_over(table)


def _asked(command: Command) -> ef.OfferDraw | ef.ClaimEnd | None:
    return ef.agreement_request(command.rest) if command.keyword == "play" else None


_OF_GAME = ("play", "validmoves", "undo", "bestmove")
"""Commands that refer to the remote game if there is one."""
