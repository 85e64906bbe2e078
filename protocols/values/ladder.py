"""What bots state about the ladder, and what a game of the ladder knows about itself."""

from dataclasses import dataclass

from protocols.values.boards import Range

UNVERSIONED = ""
"""The version of a bot that states none."""


@dataclass(frozen=True, slots=True)
class LadderTerms:
    """Under which conditions a bot plays on the ladder, as its author states them.

    ``games_at_once``: how many games it plays at the same time; ``games_per_day``: how many it starts in 24 hours,
    None: no limit. ``avoid`` has the ids of clients and of bots that it does not meet, ``variants`` those that it plays
    (None: all that it offers), and ``seats`` in games of how many. In ``quiet_hours``, whole hours of a day in UTC, no
    game of it starts: from the first one to before the last one, over midnight if that is smaller.
    """

    games_at_once: int = 1
    games_per_day: int | None = None
    avoid: tuple[str, ...] = ()
    variants: tuple[str, ...] | None = None
    quiet_hours: tuple[int, int] | None = None
    seats: tuple[int, ...] = (2,)

    def is_quiet(self, hour: int) -> bool:
        """Whether no game starts in this hour of the day."""
        return is_within(self.quiet_hours, hour)


def is_within(hours: tuple[int, int] | None, hour: int) -> bool:
    """Whether an hour of the day is one of these: from the first one to before the last one, maybe over midnight."""
    if hours is None:
        return False
    begin, end = hours
    return begin <= hour < end if begin <= end else hour >= begin or hour < end


GAMES_AT_ONCE = Range(1, 64)
GAMES_PER_DAY = Range(1, 100_000)
HOURS = Range(0, 23)
SEATS = Range(2, 5)


@dataclass(frozen=True, slots=True)
class LadderGame:
    """A game of the ladder: the rated players and their names by seat, and its opening, which the server has played.

    Two games with one ``opening`` and the same players in other seats belong together. It has ``opening_plies`` moves.
    """

    players: tuple[str, ...]
    names: tuple[str, ...]
    opening: int
    opening_plies: int = 0
