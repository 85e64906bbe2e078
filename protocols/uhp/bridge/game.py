"""The game at the server as the bridge knows it: what the server has shown, and how much of it the viewer has.

The viewer plays both colours on its own board: moves of the opponent reach it as answers to ``bestmove`` and come
back as ``play``. Until then they are ``pending``. Called by ``session``.
"""

from engines import Position
from protocols.uhp.game_string import DRAW, WINS, GameString, moves_of, play, replay, same, write
from protocols.uhp.remote.news import Clocks, Ended
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
        """Where the viewer is: at the same game, or some moves behind."""

    def take(self, game: GameString) -> None:
        """The server is here now."""
        self.remote = replay(game, BARE)
        if not self._is_on_the_way():
            self.why_lost = "the server has gone on from other moves"

    def show(self, move: str) -> None:
        """The viewer has played a move of the game."""
        play(self.shown, move)

    def show_all(self) -> None:
        """The viewer has the whole game."""
        self.shown = self.remote.copy()

    @property
    def next_move(self) -> str | None:
        """The first move that the viewer does not have yet."""
        moves = moves_of(self.remote)
        return moves[self.shown.ply] if len(moves) > self.shown.ply else None

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
        """Whether nothing is left to tell the viewer but the end."""
        return not self.is_running and self.next_move is None

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
        """Whether ``position`` is the viewer's board, or the server's."""
        return same(position, self.shown) or same(position, self.remote)

    def clock_left_ms(self, clocks: Clocks | None) -> int | None:
        """What the side to move has left, None where no clock is known."""
        if clocks is None or not self.remote.to_act:
            return None
        return clocks.left[self.remote.to_act[0]]

    def _is_on_the_way(self) -> bool:
        return moves_of(self.remote)[: self.shown.ply] == moves_of(self.shown)
