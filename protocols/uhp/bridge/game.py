"""The game at the server as the bridge knows it: what the server has shown, and how much of it the viewer has.

The viewer plays both colours on its own board: moves of the opponent reach it as answers to ``bestmove`` and come
back as ``play``. Until then they are ``pending``. Where moves were taken back, or ours was made elsewhere, the viewer
is ``astray``: nothing that UHP has the viewer ask for would bring it to the server's board. Called by ``session``
and ``hearing``.
"""

from engines import Position
from protocols.uhp.game_string import DRAW, WINS, GameString, moves_of, play, replay, same, write
from protocols.uhp.remote.news import Clocks, Ended
from protocols.uhp.remote.showing import RESIGN
from protocols.uhp.viewer import BARE


class RemoteGame:
    """One game. ``seat`` is ours."""

    def __init__(self, seat: int, game: GameString) -> None:
        self.seat = seat
        self.end: Ended | None = None
        self.why_lost: str | None = None
        """Why nothing more will be heard of the game, which may go on without us."""
        self.remote = replay(game, BARE)
        """Where the server is."""
        self.shown = Position(self.remote.game, game.type, BARE)
        """Where the viewer is: at the same game, some moves behind, or astray."""
        self._is_told_in_words = False
        """Whether the viewer has been given its place by an error only, and may still hold another board."""

    def take(self, game: GameString) -> None:
        """The server is here now."""
        self.remote = replay(game, BARE)

    def show(self, move: str) -> None:
        """The viewer has played a move of the game."""
        play(self.shown, move)
        self._is_told_in_words = False

    def show_all(self) -> None:
        """The viewer has the whole game."""
        self.shown = self.remote.copy()
        self._is_told_in_words = False

    def has_taken(self, move: str) -> bool:
        """Whether the server has played ``move``, which is ours.

        What was sent while moves were taken back may have been played on the board that was left.
        """
        is_on_other_board = not self._is_on_the_way() and moves_of(self.remote)[-1:] == [move]
        return move == self.next_move or is_on_other_board

    def show_taken(self, move: str) -> None:
        """The viewer has our ``move``, which the server has taken, and the board that it was played on."""
        if move == self.next_move:
            self.show(move)
        else:
            self.show_all()

    def tell_astray(self) -> str | None:
        """The error for a viewer that is astray, once: from then on it is where the server is, which it names."""
        why = self.astray
        if why is None:
            return None
        self.show_all()
        self._is_told_in_words = True
        return f"err {why} (undo shows the board): {self.text()}"

    @property
    def astray(self) -> str | None:
        """Why the viewer cannot come to the server's board by moves that it will be told; None: it can."""
        if not self._is_on_the_way():
            return "moves were taken back"
        return "your move was made elsewhere" if self.is_ours and self.next_move is not None else None

    @property
    def is_board_old(self) -> bool:
        """Whether the viewer may hold another board than that of the game."""
        return self.astray is not None or self._is_told_in_words

    @property
    def next_move(self) -> str | None:
        """The first move that the viewer does not have yet; None where it is not on the way."""
        moves = moves_of(self.remote)
        return moves[self.shown.ply] if len(moves) > self.shown.ply and self._is_on_the_way() else None

    @property
    def pending(self) -> str | None:
        """The opponent's move that the viewer does not have yet."""
        return None if self.is_ours else self.next_move

    @property
    def is_ours(self) -> bool:
        """Whether it is our turn on the viewer's board."""
        return self.seat in self.shown.to_act

    @property
    def is_running(self) -> bool:
        """Whether the server may still show something."""
        return self.end is None and self.why_lost is None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to tell the viewer but the end. Who has resigned is shown no more moves."""
        return not self.is_running and (self.next_move is None or self._is_resigned)

    def text(self) -> str:
        """The viewer's board as a GameString, with the state that the game has ended in."""
        return write(self.shown, self.end.state if self.end is not None and self.is_over else None)

    def verdict(self) -> str:
        """How the game has ended."""
        if self.end is None:
            return self.why_lost or "the game is lost"
        if self.end.state in WINS:
            return f"you {'win' if WINS[self.seat] == self.end.state else 'lose'} ({self.end.reason})"
        return f"{'draw' if self.end.state == DRAW else 'no result'} ({self.end.reason})"

    def is_at(self, position: Position) -> bool:
        """Whether ``position`` is the viewer's board on its way, or the server's."""
        return same(position, self.remote) or (same(position, self.shown) and self._is_on_the_way())

    def clock_left_ms(self, clocks: Clocks | None) -> int | None:
        """What the side to move has left, None where no clock is known."""
        if clocks is None or not self.remote.to_act:
            return None
        return clocks.left[self.remote.to_act[0]]

    @property
    def _is_resigned(self) -> bool:
        return self.end == Ended(WINS[1 - self.seat], RESIGN)

    def _is_on_the_way(self) -> bool:
        return moves_of(self.remote)[: self.shown.ply] == moves_of(self.shown)
