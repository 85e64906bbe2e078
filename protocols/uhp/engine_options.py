"""The options that Plyhouse offers as a UHP engine. A value: setting one gives another set."""

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
    """All options, in the order in which they are listed."""

    listed: tuple[Option, ...]

    def find(self, name: str) -> Option:
        """The option of this name, in whatever case. BadOption."""
        for option in self.listed:
            if option.name.lower() == name.lower():
                return option
        names = ", ".join(option.name for option in self.listed)
        raise BadOption(f'There is no option "{shown(name)}": {names}.')

    def set(self, name: str, value: str) -> "EngineOptions":
        """The options with one value changed. BadOption."""
        changed = self.find(name).set(value)
        return replace(
            self, listed=tuple(changed if one.name == changed.name else one for one in self.listed)
        )

    def int_of(self, name: str) -> int:
        """The value of a number or of a flag (1: True)."""
        return int(self.find(name).value)

    @property
    def draws_by_repetition(self) -> bool:
        """Whether the third occurrence of a position is a draw. Off, legal moves and counts are everybody's."""
        return bool(self.int_of(DRAW_BY_REPETITION))


def engine_options(cores: int) -> EngineOptions:
    """Every option at its default, on a machine of so many cores."""
    return EngineOptions(
        (
            number(THREADS, cores, 1, cores),
            number(HASH_MB, DEFAULT_HASH_MB, 1, MAX_HASH_MB),
            flag(DRAW_BY_REPETITION, default=False),
            number(MOVE_OVERHEAD_MS, 50, 0, MAX_OVERHEAD_MS),
            number(SEED, 0, 0, MAX_SEED),
        )
    )
