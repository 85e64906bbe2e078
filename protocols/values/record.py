"""One played game, finished or not, independent of record formats.

Moves are in the game's own notation. Seats are indices in turn order; durations are in milliseconds, times in
milliseconds since the epoch.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocols.values.result import Result
from protocols.values.seat import Seat
from protocols.values.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class Record:
    """One game.

    ``config`` is the start configuration, with its secret (a seed) if that is public. ``moves`` are the entries of the
    history, including tails and forfeits (``!1``). ``result`` is None for a game without one. ``times`` are the times
    of the entries, ``clocks`` the time left for each seat after them; None if unknown. ``late`` are the seats of each
    entry, in turn order, whose time ran out, so that the game's late move was made for them; None if there are none.
    ``part_times`` are the times at which the parts of each simultaneous entry arrived, in turn order; empty for other
    entries, and None if there are only such.
    Seats have no appearance in records, and a time control does not say when it starts.
    """

    game: str
    variant: str
    config: Mapping[str, Any]
    seats: tuple[Seat, ...]
    moves: tuple[str, ...] = ()
    result: Result | None = None
    time_control: TimeControl | None = None
    created_at: int | None = None
    times: tuple[int, ...] | None = None
    clocks: tuple[tuple[int, ...], ...] | None = None
    late: tuple[tuple[int, ...], ...] | None = None
    part_times: tuple[tuple[int, ...], ...] | None = None
