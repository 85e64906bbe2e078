"""The bridge's copy of the game at the server, and how much of it the viewer has.

The viewer plays both colours on its own board: it gets the opponent's moves as answers to ``bestmove`` and sends them
back with ``play``. Until then they are ``pending``. If moves were taken back, or our move was made elsewhere, the
viewer is ``astray``: no sequence of UHP answers would bring its board to the server's. Used by ``session`` and
``server_connection``.
"""

from engines import Position
from protocols.uhp.game_string import DRAW, WINS, GameString, moves_of, play, replay, same, write
from protocols.uhp.remote.game_lines import RESIGN
from protocols.uhp.remote.server_lines import ClockLine, EndLine
from protocols.uhp.viewer import BARE


class RemoteGame:
    """One game. ``seat`` is our seat."""

    def __init__(self, seat: int, game: GameString) -> None:
        self.seat = seat
        self.end: EndLine | None = None
        self.why_lost: str | None = None
        """Why the server will send no more about the game, which may continue without us."""
        self.remote = replay(game, BARE)
        """The server's position."""
        self.shown = Position(self.remote.game, game.type, BARE)
        """The viewer's position: in the same game, possibly some moves behind or astray."""
        self._is_told_in_words = False
        """Whether the viewer was only informed by an error line, so that its board may still be outdated."""

    def take(self, game: GameString) -> None:
        """Sets the server's position."""
        self.remote = replay(game, BARE)

    def show(self, move: str) -> None:
        """Records that the viewer has played a move of the game."""
        play(self.shown, move)
        self._is_told_in_words = False

    def show_all(self) -> None:
        """Records that the viewer has been shown the whole game."""
        self.shown = self.remote.copy()
        self._is_told_in_words = False

    def has_taken(self, move: str) -> bool:
        """Whether the server has played our ``move``.

        A move sent while moves were taken back may have been played on the earlier board.
        """
        is_on_other_board = not self._is_on_the_way() and moves_of(self.remote)[-1:] == [move]
        return move == self.next_move or is_on_other_board

    def show_taken(self, move: str) -> None:
        """Records that the viewer has our accepted ``move``, and the board on which it was played."""
        if move == self.next_move:
            self.show(move)
        else:
            self.show_all()

    def tell_astray(self) -> str | None:
        """The error line for a viewer that is astray, sent once; afterwards the viewer counts as up to date."""
        why = self.astray
        if why is None:
            return None
        self.show_all()
        self._is_told_in_words = True
        return f"err {why} (undo shows the board): {self.text()}"

    @property
    def astray(self) -> str | None:
        """Why no further answers can bring the viewer to the server's position; None if they can."""
        if not self._is_on_the_way():
            return "moves were taken back"
        return "your move was made elsewhere" if self.is_ours and self.next_move is not None else None

    @property
    def is_board_old(self) -> bool:
        """Whether the viewer's board may be outdated."""
        return self.astray is not None or self._is_told_in_words

    @property
    def next_move(self) -> str | None:
        """The first move that the viewer does not have yet; None if there is none or the viewer is astray."""
        moves = moves_of(self.remote)
        return moves[self.shown.ply] if len(moves) > self.shown.ply and self._is_on_the_way() else None

    @property
    def pending(self) -> str | None:
        """The opponent's move that the viewer does not have yet, or None."""
        return None if self.is_ours else self.next_move

    @property
    def is_ours(self) -> bool:
        """Whether it is our turn on the viewer's board."""
        return self.seat in self.shown.to_act

    @property
    def is_running(self) -> bool:
        """Whether the server may still send changes."""
        return self.end is None and self.why_lost is None

    @property
    def is_over(self) -> bool:
        """Whether the viewer lacks nothing but the result. After our resignation, it gets no more moves."""
        return not self.is_running and (self.next_move is None or self._is_resigned)

    def text(self) -> str:
        """The viewer's board as a GameString, with the final state if the game is over."""
        return write(self.shown, self.end.state if self.end is not None and self.is_over else None)

    def over_line(self) -> str:
        """The error line of commands after the end at the server."""
        return f"err game over: {self.verdict()}"

    def verdict(self) -> str:
        """How the game ended, from our side."""
        if self.end is None:
            return self.why_lost or "the game is lost"
        if self.end.state in WINS:
            return f"you {'win' if WINS[self.seat] == self.end.state else 'lose'} ({self.end.reason})"
        return f"{'draw' if self.end.state == DRAW else 'no result'} ({self.end.reason})"

    def is_at(self, position: Position) -> bool:
        """Whether ``position`` is the server's, or the viewer's if that is not astray."""
        return same(position, self.remote) or (same(position, self.shown) and self._is_on_the_way())

    def clock_left_ms(self, clocks: ClockLine | None) -> int | None:
        """Time left for the side to move; None without a clock."""
        if clocks is None or not self.remote.to_act:
            return None
        return clocks.left[self.remote.to_act[0]]

    @property
    def _is_resigned(self) -> bool:
        return self.end == EndLine(WINS[1 - self.seat], RESIGN)

    def _is_on_the_way(self) -> bool:
        return moves_of(self.remote)[: self.shown.ply] == moves_of(self.shown)
