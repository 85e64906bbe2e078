"""The options of our own bot, as an immutable value: setting an option returns new ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from protocols.pyrat.text.board import LONGEST_GAME
from protocols.pyrat.text.lines import BadLine
from protocols.pyrat.text.options import BotOption, BotOptionType

SEARCH: Final = "Search"
SAMPLES: Final = "Samples"
MOVE_TIME: Final = "MoveTimeMs"
OVERHEAD: Final = "MoveOverheadMs"
SEED: Final = "Seed"
MAX_TURNS: Final = "MaxTurns"
MUD_MODEL: Final = "MudModel"

MUD_MODELS: Final = ("rust", "doc")
USUAL_MOVE_MS: Final = 1000
MAX_MOVE_MS: Final = 86_400_000
MAX_SAMPLES: Final = 1_000_000_000
MAX_SEED: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class BotOptions:
    """All options, in the order in which they are listed, and their values by name."""

    listed: tuple[BotOption, ...]
    values: Mapping[str, str]

    def set(self, name: str, value: str) -> "BotOptions":
        """Returns the options with one value changed. Raises BadLine."""
        for option in self.listed:
            if option.name.lower() == name.lower():
                return replace(
                    self, values=MappingProxyType({**self.values, option.name: option.accept(value)})
                )
        known = ", ".join(option.name for option in self.listed)
        raise BadLine(f"there is no option {name[:40]!r}: {known}")

    def number(self, name: str) -> int:
        """The value of a spin."""
        return int(self.values[name])


def bot_options(searches: Sequence[str], values: Mapping[str, str]) -> BotOptions:
    """All options. The first of the ``searches`` is the default; ``values`` replace other defaults. Raises BadLine."""
    listed = (
        BotOption(SEARCH, BotOptionType.COMBO, searches[0], choices=tuple(searches)),
        _spin(SAMPLES, 0, MAX_SAMPLES),
        _spin(MOVE_TIME, USUAL_MOVE_MS, MAX_MOVE_MS),
        _spin(OVERHEAD, 50, 10_000),
        _spin(SEED, 0, MAX_SEED),
        _spin(MAX_TURNS, 0, LONGEST_GAME),
        BotOption(MUD_MODEL, BotOptionType.COMBO, MUD_MODELS[0], choices=MUD_MODELS),
    )
    accepted = {option.name: option.accept(values.get(option.name, option.default)) for option in listed}
    return BotOptions(
        tuple(replace(option, default=accepted[option.name]) for option in listed), MappingProxyType(accepted)
    )


def _spin(name: str, default: int, most: int) -> BotOption:
    return BotOption(name, BotOptionType.SPIN, str(default), (0, most))
