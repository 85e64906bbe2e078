"""Reads conditions that the author of a bot states about the games that the server starts for it: members of an object.

``ladder`` and ``tournaments`` say which conditions there are. Every reader raises MistypedError.
"""

from collections.abc import Callable, Collection
from typing import TypeVar

from protocols.jsontext import JsonDict, MistypedError, mapping, positive, strings
from protocols.values import Range
from protocols.values.ladder import HOURS, SEATS

T = TypeVar("T")

MOST_AVOIDED = 100


def conditions(value: object, names: Collection[str]) -> JsonDict:
    """An object with some of the members ``names``."""
    try:
        members = mapping(value)
    except MistypedError:
        raise MistypedError("true, false or an object") from None
    unknown = sorted(set(members) - set(names))
    if unknown:
        raise MistypedError(f"true or an object with {', '.join(names)}, not {unknown[0][:40]!r}")
    return members


def condition(members: JsonDict, name: str, read: Callable[[object], T]) -> T | None:
    """A member that may be missing or null."""
    if members.get(name) is None:
        return None
    try:
        return read(members[name])
    except MistypedError as error:
        raise MistypedError(f"an object whose {name} is {error}") from None


def within(limits: Range) -> Callable[[object], int]:
    """A reader of a number."""

    def read(value: object) -> int:
        try:
            number = positive(value)
        except MistypedError:
            number = 0
        if number not in limits:
            raise MistypedError(f"a whole number from {limits.min} to {limits.max}")
        return number

    return read


def range_within(limits: Range) -> Callable[[object], Range]:
    """A reader of the least and the most of something."""

    def read(value: object) -> Range:
        match value:
            case [int(least), int(most)] if not isinstance(least, bool) and not isinstance(most, bool):
                if limits.min <= least <= most <= limits.max:
                    return Range(least, most)
        raise MistypedError(
            f"the least and the most, two whole numbers from {limits.min} to {limits.max}, [0, 10]"
        )

    return read


def avoided(value: object) -> tuple[str, ...]:
    """Ids of clients or bots."""
    try:
        ids = tuple(strings(value))
    except MistypedError:
        ids = None
    if ids is None or len(ids) > MOST_AVOIDED:
        raise MistypedError(f"an array of at most {MOST_AVOIDED} ids of clients or bots")
    return ids


def some_of(offered: Collection[str]) -> Callable[[object], tuple[str, ...]]:
    """A reader of some variants of a bot that offers these."""

    def read(value: object) -> tuple[str, ...]:
        try:
            names = tuple(strings(value))
        except MistypedError:
            names = ()
        if not names or not set(names) <= set(offered):
            raise MistypedError(
                f"an array of some of the variants that the bot offers ({', '.join(offered)})"
            )
        return names

    return read


def hours(value: object) -> tuple[int, int]:
    """The first hour of a part of the day, and the one after its last."""
    match value:
        case [int(begin), int(end)] if not isinstance(begin, bool) and not isinstance(end, bool):
            if begin in HOURS and end in HOURS and begin != end:
                return begin, end
    raise MistypedError("two different hours of the day in UTC, [22, 6]")


def seats(value: object) -> tuple[int, ...]:
    """Numbers of seats."""
    numbers = value if isinstance(value, list) else []
    is_valid = all(isinstance(one, int) and not isinstance(one, bool) and one in SEATS for one in numbers)
    if not numbers or not is_valid or len(set(numbers)) < len(numbers):
        raise MistypedError(f"an array of different numbers of seats from {SEATS.min} to {SEATS.max}, [2, 3]")
    return tuple(numbers)
