"""Engine options as lines, ``HashMB;int;64;64;1;65536``: written by engines, read by viewers.

A line is ``name;type;value;default``, followed by an optional minimum and maximum for numbers or by the choices of an
enum. An ``Option`` is immutable: setting it returns a new one.
"""

from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite

from protocols.uhp.lines import shown


class BadOption(ValueError):
    """Not an option line, or not a valid value of an option; the text is one sentence."""


class Kind(Enum):
    """Types of option values."""

    BOOL = "bool"
    INT = "int"
    DOUBLE = "double"
    ENUM = "enum"


class Settable(Enum):
    """What a viewer may set an option to."""

    VALID = "valid"
    """Any value of its kind; of an enum, one of the choices."""
    ANYTHING = "anything"
    """Also a text that is not one of the choices yet; it becomes one."""
    NOTHING = "nothing"
    """The option only shows something."""


Value = bool | int | float | str
"""The value's type depends on the kind; the value of an enum is one of its choices."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. ``bounds``: minimum and maximum of a number, inclusive; ``choices``: those of an enum, in order."""

    name: str
    kind: Kind
    value: Value
    default: Value
    bounds: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()
    settable: Settable = Settable.VALID

    def set(self, text: str) -> "Option":
        """Returns the option with another value; numbers out of bounds are clamped. Raises BadOption."""
        if self.settable is Settable.NOTHING:
            raise BadOption(f"{self.name} cannot be set.")
        if self.settable is Settable.ANYTHING:
            return replace(self, value=text, choices=tuple(dict.fromkeys((*self.choices, text))))
        value = _read_value(self.kind, text, self.choices)
        if self.bounds is not None and isinstance(value, int | float):
            least, greatest = self.bounds
            value = type(value)(min(max(value, least), greatest))
        return replace(self, value=value)


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
    limits = option.choices if option.bounds is None else [f"{bound:g}" for bound in option.bounds]
    if option.kind is Kind.INT and option.bounds is not None:
        limits = [str(int(bound)) for bound in option.bounds]
    return ";".join([option.name, option.kind.value, _text(option.value), _text(option.default), *limits])


def read(line: str) -> Option:
    """Parses an option line. Raises BadOption."""
    fields = [field.strip() for field in line.split(";")]
    if len(fields) < 4 or not fields[0]:
        raise BadOption(f'"{shown(line)}" is not name;type;value;default')
    name, kind_text, value, default, *limits = fields
    try:
        kind = Kind(kind_text.lower())
    except ValueError:
        raise BadOption(f'"{shown(kind_text)}" is not a type of options') from None
    choices = tuple(limits) if kind is Kind.ENUM else ()
    bounds = _read_bounds(kind, limits)
    read_value, read_default = (_read_value(kind, text, choices) for text in (value, default))
    return Option(name, kind, read_value, read_default, bounds, choices)


def _read_bounds(kind: Kind, limits: list[str]) -> tuple[float, float] | None:
    if kind not in (Kind.INT, Kind.DOUBLE) or len(limits) < 2:
        return None
    least, greatest = (_read_number(kind, text) for text in limits[:2])
    return least, greatest


def _read_value(kind: Kind, text: str, choices: tuple[str, ...]) -> Value:
    match kind:
        case Kind.BOOL:
            return _read_bool(text)
        case Kind.ENUM:
            return _read_choice(text, choices)
        case Kind.INT | Kind.DOUBLE:
            return _read_number(kind, text)


def _read_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise BadOption(f'"{shown(text)}" is neither True nor False')
    return text.lower() == "true"


def _read_choice(text: str, choices: tuple[str, ...]) -> str:
    for one in choices:
        if one.lower() == text.lower():
            return one
    raise BadOption(f'"{shown(text)}" is none of {", ".join(choices)}')


def _read_number(kind: Kind, text: str) -> int | float:
    try:
        value = int(text) if kind is Kind.INT else float(text)
    except ValueError:
        raise BadOption(f'"{shown(text)}" is not a number') from None
    if isinstance(value, float) and not isfinite(value):
        raise BadOption(f'"{shown(text)}" is not a finite number')
    return value


def _text(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
