"""Engine options as lines, ``HashMB;int;64;64;1;65536``.

A line is ``name;type;value;default``, followed by the minimum and maximum of a number or by the choices of an enum. An
``Option`` is immutable: setting it returns a new one.
"""

from dataclasses import dataclass, replace
from enum import Enum

from protocols.uhp.lines import shown


class BadOption(ValueError):
    """Not an option, or not a valid value of one; the text is one sentence."""


class Kind(Enum):
    """Types of option values. UHP also has doubles."""

    BOOL = "bool"
    INT = "int"
    ENUM = "enum"


class Settable(Enum):
    """What a viewer may set an option to."""

    VALID = "valid"
    """Any value of its kind; of an enum, one of the choices."""
    ANYTHING = "anything"
    """Also a text that is not one of the choices yet; it becomes one."""
    NOTHING = "nothing"
    """The option only shows something."""


Value = bool | int | str
"""The value's type depends on the kind; the value of an enum is one of its choices."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. ``bounds``: minimum and maximum of a number, inclusive; ``choices``: those of an enum, in order."""

    name: str
    kind: Kind
    value: Value
    default: Value
    bounds: tuple[int, int] = (0, 0)
    choices: tuple[str, ...] = ()
    settable: Settable = Settable.VALID

    def set(self, text: str) -> "Option":
        """Returns the option with another value; numbers out of bounds are clamped. Raises BadOption."""
        match self.settable, self.kind:
            case Settable.NOTHING, _:
                raise BadOption(f"{self.name} cannot be set.")
            case Settable.ANYTHING, _:
                return replace(self, value=text, choices=tuple(dict.fromkeys((*self.choices, text))))
            case _, Kind.BOOL:
                return replace(self, value=_read_bool(text))
            case _, Kind.ENUM:
                return replace(self, value=_read_choice(text, self.choices))
        least, greatest = self.bounds
        return replace(self, value=min(max(_read_number(text), least), greatest))


def flag(name: str, *, default: bool) -> Option:
    """A bool option at its default."""
    return Option(name, Kind.BOOL, default, default)


def number(name: str, default: int, least: int, greatest: int) -> Option:
    """An int option at its default."""
    return Option(name, Kind.INT, default, default, (least, greatest))


def choice(name: str, default: str, choices: tuple[str, ...], settable: Settable = Settable.VALID) -> Option:
    """An enum option at its default."""
    return Option(name, Kind.ENUM, default, default, choices=choices, settable=settable)


def write(option: Option) -> str:
    """The line of an option."""
    limits = option.bounds if option.kind is Kind.INT else option.choices
    return ";".join([option.name, option.kind.value, *map(str, (option.value, option.default, *limits))])


def _read_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise BadOption(f'"{shown(text)}" is neither True nor False')
    return text.lower() == "true"


def _read_choice(text: str, choices: tuple[str, ...]) -> str:
    for one in choices:
        if one.lower() == text.lower():
            return one
    raise BadOption(f'"{shown(text)}" is none of {", ".join(choices)}')


def _read_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadOption(f'"{shown(text)}" is not a number') from None
