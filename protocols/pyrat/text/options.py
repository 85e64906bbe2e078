"""A bot's description of itself: its name and author, and its options as lines.

``option name Samples type spin default 0 min 0 max 1000000``: written by bots, read by hosts. Names and values may
contain spaces; the words ``type``, ``default``, ``min``, ``max`` and ``var`` end them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from protocols.pyrat.text.lines import BadLine


class BotOptionType(StrEnum):
    """What values an option takes."""

    CHECK = "check"
    SPIN = "spin"
    COMBO = "combo"
    STRING = "string"
    BUTTON = "button"


@dataclass(frozen=True, slots=True)
class BotOption:
    """One option. ``bounds``: of a spin, inclusive; ``choices``: of a combo. ``default`` is empty for a button."""

    name: str
    type: BotOptionType
    default: str = ""
    bounds: tuple[int, int] | None = None
    choices: tuple[str, ...] = ()

    def accept(self, value: str) -> str:
        """Returns a value as the option stores it; spins are clamped. Raises BadLine if it is none of its values."""
        match self.type:
            case BotOptionType.CHECK:
                if value.lower() not in ("true", "false"):
                    raise BadLine(f"{self.name} is true or false, not {value[:40]!r}")
                return value.lower()
            case BotOptionType.SPIN:
                return str(self._clamp(value))
            case BotOptionType.COMBO:
                return self._choose(value)
            case BotOptionType.STRING | BotOptionType.BUTTON:
                return value

    def _clamp(self, value: str) -> int:
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
            raise BadLine(f"{self.name} is a whole number, not {value[:40]!r}")
        least, most = self.bounds or (int(value), int(value))
        return min(max(int(value), least), most)

    def _choose(self, value: str) -> str:
        for choice in self.choices:
            if choice.lower() == value.lower():
                return choice
        raise BadLine(f"{self.name} is one of {', '.join(self.choices)}, not {value[:40]!r}")


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """What a bot says about itself in the handshake. ``options`` by name in lower case."""

    name: str = ""
    author: str = ""
    options: Mapping[str, BotOption] = field(default_factory=dict)


def write_option(option: BotOption) -> str:
    """The line of an option."""
    words = ["option name", option.name, "type", option.type.value]
    if option.type is not BotOptionType.BUTTON:
        words += ["default", option.default]
    if option.bounds is not None:
        words += ["min", str(option.bounds[0]), "max", str(option.bounds[1])]
    words += [word for choice in option.choices for word in ("var", choice)]
    return " ".join(words)


KEYS = ("name", "type", "default", "min", "max", "var")


def read_option(words: Sequence[str]) -> BotOption:
    """Reads the words after ``option``. Raises BadLine."""
    values: dict[str, list[str]] = {}
    key = ""
    for word in words:
        if word in KEYS:
            key = word
            values.setdefault(key, []).append("")
        elif key:
            values[key][-1] = f"{values[key][-1]} {word}".lstrip()
        else:
            raise BadLine("an option begins with its name")
    return _option_of(values)


def _option_of(values: Mapping[str, Sequence[str]]) -> BotOption:
    name = values.get("name", [""])[0]
    kind = values.get("type", [""])[0].lower()
    if not name:
        raise BadLine("an option has a name")
    if kind not in list(BotOptionType):
        raise BadLine(f"{kind[:40]!r} is not a type of options: {', '.join(BotOptionType)}")
    bounds = _bounds(values)
    default = values.get("default", [""])[0]
    return BotOption(name, BotOptionType(kind), default, bounds, tuple(values.get("var", ())))


def _bounds(values: Mapping[str, Sequence[str]]) -> tuple[int, int] | None:
    if "min" not in values or "max" not in values:
        return None
    try:
        return int(values["min"][0]), int(values["max"][0])
    except ValueError:
        raise BadLine("min and max are whole numbers") from None
