"""The members with which a bot joins the ladder: its ``version``, and ``ladder``, true or an object of conditions."""

from collections.abc import Callable, Collection
from typing import TypeVar

from protocols.jsontext import JsonDict, MistypedError, flag, mapping, positive, string, strings
from protocols.names import version_fault
from protocols.values import Range
from protocols.values.ladder import GAMES_AT_ONCE, GAMES_PER_DAY, HOURS, LadderTerms

T = TypeVar("T")

MOST_AVOIDED = 100

MEMBERS = ("gamesAtOnce", "gamesPerDay", "avoid", "variants", "quietHours")


def version(value: object) -> str:
    """A version of a bot."""
    text = string(value)
    fault = version_fault(text)
    if fault is not None:
        raise MistypedError(f"a string that must {fault}")
    return text


def ladder_terms(offered: Collection[str]) -> Callable[[object], LadderTerms | None]:
    """A reader of ``ladder`` for a bot that offers these variants; None if it is false."""

    def read(value: object) -> LadderTerms | None:
        if isinstance(value, bool):
            return LadderTerms() if flag(value) else None
        try:
            members = mapping(value)
        except MistypedError:
            raise MistypedError("true, false or an object") from None
        return _read_terms(members, offered)

    return read


def ladder_json(terms: LadderTerms) -> JsonDict | bool:
    """The member ``ladder`` for these terms."""
    given = {
        "gamesAtOnce": terms.games_at_once if terms.games_at_once != 1 else None,
        "gamesPerDay": terms.games_per_day,
        "avoid": list(terms.avoid) or None,
        "variants": None if terms.variants is None else list(terms.variants),
        "quietHours": None if terms.quiet_hours is None else list(terms.quiet_hours),
    }
    return {name: value for name, value in given.items() if value is not None} or True


def _read_terms(members: JsonDict, offered: Collection[str]) -> LadderTerms:
    unknown = sorted(set(members) - set(MEMBERS))
    if unknown:
        raise MistypedError(f"true or an object with {', '.join(MEMBERS)}, not {unknown[0][:40]!r}")
    variants = _member(members, "variants", _some(offered))
    return LadderTerms(
        games_at_once=_member(members, "gamesAtOnce", _within(GAMES_AT_ONCE)) or 1,
        games_per_day=_member(members, "gamesPerDay", _within(GAMES_PER_DAY)),
        avoid=_member(members, "avoid", _avoided) or (),
        variants=variants,
        quiet_hours=_member(members, "quietHours", _hours),
    )


def _member(members: JsonDict, name: str, read: Callable[[object], T]) -> T | None:
    if members.get(name) is None:
        return None
    try:
        return read(members[name])
    except MistypedError as error:
        raise MistypedError(f"an object whose {name} is {error}") from None


def _within(limits: Range) -> Callable[[object], int]:
    def read(value: object) -> int:
        try:
            number = positive(value)
        except MistypedError:
            number = 0
        if number not in limits:
            raise MistypedError(f"a whole number from {limits.min} to {limits.max}")
        return number

    return read


def _avoided(value: object) -> tuple[str, ...]:
    try:
        ids = tuple(strings(value))
    except MistypedError:
        ids = None
    if ids is None or len(ids) > MOST_AVOIDED:
        raise MistypedError(f"an array of at most {MOST_AVOIDED} ids of clients or bots")
    return ids


def _some(offered: Collection[str]) -> Callable[[object], tuple[str, ...]]:
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


def _hours(value: object) -> tuple[int, int]:
    match value:
        case [int(begin), int(end)] if not isinstance(begin, bool) and not isinstance(end, bool):
            if begin in HOURS and end in HOURS and begin != end:
                return begin, end
    raise MistypedError("two different hours of the day in UTC, [22, 6]")
