"""The members with which a bot joins the ladder: its ``version``, and ``ladder``, true or an object of conditions."""

from collections.abc import Callable, Collection

from protocols.bgs.conditions import avoided, condition, conditions, hours, seats, some_of, within
from protocols.jsontext import JsonDict, MistypedError, string
from protocols.names import version_fault
from protocols.values.ladder import GAMES_AT_ONCE, GAMES_PER_DAY, LadderTerms

MEMBERS = ("gamesAtOnce", "gamesPerDay", "avoid", "variants", "quietHours", "seats")


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
            return LadderTerms() if value else None
        members = conditions(value, MEMBERS)
        return LadderTerms(
            games_at_once=condition(members, "gamesAtOnce", within(GAMES_AT_ONCE)) or 1,
            games_per_day=condition(members, "gamesPerDay", within(GAMES_PER_DAY)),
            avoid=condition(members, "avoid", avoided) or (),
            variants=condition(members, "variants", some_of(offered)),
            quiet_hours=condition(members, "quietHours", hours),
            seats=condition(members, "seats", seats) or (2,),
        )

    return read


def ladder_json(terms: LadderTerms) -> JsonDict | bool:
    """The member ``ladder`` for these terms."""
    given = {
        "gamesAtOnce": terms.games_at_once if terms.games_at_once != 1 else None,
        "gamesPerDay": terms.games_per_day,
        "avoid": list(terms.avoid) or None,
        "variants": None if terms.variants is None else list(terms.variants),
        "quietHours": None if terms.quiet_hours is None else list(terms.quiet_hours),
        "seats": None if terms.seats == (2,) else list(terms.seats),
    }
    return {name: value for name, value in given.items() if value is not None} or True
