"""The options of Plyhouse as a UHP engine, as an immutable value: setting an option returns a new set.

The bridge and the server, which are engines towards their viewers, have options of their own.
"""

from dataclasses import dataclass, replace
from typing import Final

from protocols.uhp.lines import shown
from protocols.uhp.options import BadOption, Option, flag, number

THREADS: Final = "Threads"
HASH_MB: Final = "HashMB"
DRAW_BY_REPETITION: Final = "DrawByRepetition"
MOVE_OVERHEAD_MS: Final = "MoveOverheadMs"
SEED: Final = "Seed"

MAX_HASH_MB: Final = 65_536
MAX_OVERHEAD_MS: Final = 10_000
MAX_SEED: Final = 2**31 - 1
DEFAULT_HASH_MB: Final = 64


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """All options: those that viewers are shown, in listing order, and those that keep their values."""

    listed: tuple[Option, ...]
    unlisted: tuple[Option, ...] = ()

    def find(self, name: str) -> Option:
        """The option with this name, ignoring case. Raises BadOption."""
        for option in self.listed:
            if option.name.lower() == name.lower():
                return option
        names = ", ".join(option.name for option in self.listed)
        raise BadOption(f'There is no option "{shown(name)}": {names}.')

    def set(self, name: str, value: str) -> "EngineOptions":
        """Returns the options with one value changed. Raises BadOption."""
        return self.put(self.find(name).set(value))

    def put(self, changed: Option) -> "EngineOptions":
        """Returns the options with this one in place of the one with its name."""
        return replace(
            self, listed=tuple(changed if one.name == changed.name else one for one in self.listed)
        )

    def int_of(self, name: str) -> int:
        """The value of a number option, or of a flag as 0 or 1, listed or not."""
        return int(next(one.value for one in (*self.listed, *self.unlisted) if one.name == name))

    @property
    def draws_by_repetition(self) -> bool:
        """Whether threefold repetition is a draw. If off, legal moves and perft counts agree with other engines."""
        return bool(self.int_of(DRAW_BY_REPETITION))


def engine_options(cores: int) -> EngineOptions:
    """All options at their defaults, for a machine with this many cores."""
    return EngineOptions(
        (
            number(THREADS, cores, 1, cores),
            number(HASH_MB, DEFAULT_HASH_MB, 1, MAX_HASH_MB),
            flag(DRAW_BY_REPETITION, default=False),
            number(MOVE_OVERHEAD_MS, 50, 0, MAX_OVERHEAD_MS),
            number(SEED, 0, 0, MAX_SEED),
        )
    )
