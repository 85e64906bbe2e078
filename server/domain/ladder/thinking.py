"""How long players thought about their moves, from the logs of games with clocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from server.domain.events import ClockSet, Created, Moved, MovesImported, Recorded, Sealed

Thought = tuple[int, int]
"""The number of moves played before, and how long the move took, in milliseconds."""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """How long a bot thought, in milliseconds; the slowest move came after ``slowest_ply`` moves of a game."""

    games: int
    moves: int
    median_ms: int
    slowest_ms: int
    slowest_game: str
    slowest_ply: int


def thoughts(log: Iterable[Recorded]) -> dict[int, list[Thought]]:
    """Returns how long the clock of each seat ran for each of its moves; nothing without clocks.

    The first move is not timed, and does not count.
    """
    found: dict[int, list[Thought]] = {}
    before: Sequence[int] | None = None
    ply, increment, is_first = 0, None, True
    for recorded in log:
        event = recorded.event
        if isinstance(event, Created) and event.time_control is not None:
            control = event.time_control
            before = (control.first_ms,) * len(event.seats)
            increment = None if control.is_per_move else 1000 * control.increment_seconds
        clocks: Sequence[int] | None = getattr(event, "clocks", None)
        if isinstance(event, Moved | Sealed) and clocks and before and increment is not None:
            is_untimed = is_first and clocks[event.seat] == before[event.seat]
            if not is_untimed:
                spent = max(0, before[event.seat] + increment - clocks[event.seat])
                found.setdefault(event.seat, []).append((ply, spent))
        ply += _moves_in(event)
        is_first = is_first and not isinstance(event, Moved)
        if not isinstance(event, ClockSet):  # What has run before a clock is stopped is part of the move.
            before = clocks or before
    return found


def _moves_in(event: object) -> int:
    match event:
        case Moved():
            return 1
        case MovesImported(moves=moves):
            return len(moves)
        case _:
            return 0


def thinking_time(games: Iterable[tuple[str, Sequence[Thought]]]) -> ThinkingTime | None:
    """Returns how long a player thought in these games; None if it has made no timed move."""
    timed = [(game_id, found) for game_id, found in games if found]
    moves = [(spent, game_id, ply) for game_id, found in timed for ply, spent in found]
    if not moves:
        return None
    slowest_ms, slowest_game, slowest_ply = max(moves, key=lambda move: move[0])
    return ThinkingTime(
        len(timed),
        len(moves),
        round(median(spent for spent, _, _ in moves)),
        slowest_ms,
        slowest_game,
        slowest_ply,
    )
