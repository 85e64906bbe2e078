"""The messages that describe a game to a bot, made from positions."""

from dataclasses import dataclass

from engines import Position
from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.board import MatchBoard, board_of, state_of
from protocols.pyrat.host.state_hash import changing_hash, maze_hash


@dataclass(frozen=True, slots=True)
class HostTimes:
    """Time limits. All are in seconds, except those that bots are told: they are in milliseconds."""

    move_ms: int = 3000
    """For each move; 0 is unlimited."""
    preprocessing_ms: int = 10_000
    connect: float = 30.0
    """From the start of the program: some bots load a runtime or are compiled first."""
    identify: float = 5.0
    configure: float = 5.0
    """From the configuration to the bot's hash of the start."""
    sync: float = 2.0
    """For confirming a turn."""
    grace: float = 0.05
    """For an answer after the time of a move or of the preprocessing, on its way through the network."""


class MatchMessages:
    """The messages about one game, from its start on."""

    def __init__(self, start: Position, times: HostTimes) -> None:
        """``start`` is the position before the first turn. Raises BadConfig if the protocol cannot express it."""
        board = board_of(start)
        self._config = _config(board, times)
        self._maze_hash = maze_hash(board)

    def state_hash(self, position: Position) -> int:
        """The hash that the bot must have for a position."""
        return self._maze_hash ^ changing_hash(state_of(position))

    def configure(self) -> packets.ConfigureMessage:
        """The board, without options for the bot."""
        return packets.ConfigureMessage((), self._config)

    def advance(self, position: Position) -> packets.AdvanceMessage:
        """The last turn of ``position``."""
        first, second = last_moves(position)
        return packets.AdvanceMessage(first, second, position.ply, self.state_hash(position))

    def full_state(self, position: Position) -> packets.FullStateMessage:
        """Everything about ``position``."""
        state = state_of(position)
        first, second = state.players
        turn = packets.TurnState(
            state.turn,
            first.cell,
            second.cell,
            first.score,
            second.score,
            first.mud,
            second.mud,
            state.cheese,
            *last_moves(position),
        )
        return packets.FullStateMessage(self._config, turn)

    def go(self, position: Position, move_ms: int) -> packets.GoMessage:
        """The request for a move within ``move_ms``; 0: no limit."""
        return packets.GoMessage(self.state_hash(position), packets.SearchLimits(move_ms))

    def game_over(self, position: Position) -> packets.GameOverMessage:
        """The result of a finished game."""
        value = position.outcome.values[0] if position.outcome else 0.0
        winner = packets.MatchResult.RAT if value > 0 else packets.MatchResult.PYTHON
        result = packets.MatchResult.DRAW if value == 0 else winner
        first, second = state_of(position).players
        return packets.GameOverMessage(result, first.score, second.score)


def last_moves(position: Position) -> tuple[packets.Direction, packets.Direction]:
    """The moves of the last turn; before the first one, both players stay."""
    first, second = (position.last_move or "STAY/STAY").split("/")
    return packets.Direction[first], packets.Direction[second]


def _config(board: MatchBoard, times: HostTimes) -> packets.MatchConfig:
    return packets.MatchConfig(
        board.width,
        board.height,
        board.max_turns,
        tuple(packets.WallTable(first, second) for first, second in board.walls),
        tuple(packets.MudTable(first, second, cost) for first, second, cost in board.mud),
        board.cheese,
        *board.starts,
        packets.TimingMode.CLOCK if times.move_ms else packets.TimingMode.WAIT,
        times.move_ms,
        times.preprocessing_ms,
    )
