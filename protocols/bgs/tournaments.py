"""The member ``tournaments`` of a bot: whether it plays in tournaments, true, false or an object of conditions."""

from collections.abc import Callable, Collection

from protocols.bgs.conditions import avoided, condition, conditions, hours, range_within, some_of, within
from protocols.jsontext import JsonDict
from protocols.values import LadderTerms, Range
from protocols.values.ladder import GAMES_AT_ONCE
from protocols.values.tournaments import TournamentTerms, usual_terms

MEMBERS = ("gamesAtOnce", "avoid", "variants", "quietHours", "initialSeconds", "incrementSeconds")

SECONDS = Range(0, 86_400)


def tournament_terms(
    offered: Collection[str], ladder: LadderTerms | None
) -> Callable[[object], TournamentTerms | None]:
    """A reader of ``tournaments`` for a bot that offers these variants; None if it is false.

    What the author does not state is as on the ladder.
    """
    usual = usual_terms(ladder)

    def read(value: object) -> TournamentTerms | None:
        if isinstance(value, bool):
            return usual if value else None
        members = conditions(value, MEMBERS)
        seconds = range_within(SECONDS)
        avoid = condition(members, "avoid", avoided)
        return TournamentTerms(
            games_at_once=condition(members, "gamesAtOnce", within(GAMES_AT_ONCE)) or usual.games_at_once,
            avoid=usual.avoid if avoid is None else avoid,
            variants=condition(members, "variants", some_of(offered)) or usual.variants,
            quiet_hours=condition(members, "quietHours", hours) or usual.quiet_hours,
            initial_seconds=condition(members, "initialSeconds", seconds),
            increment_seconds=condition(members, "incrementSeconds", seconds),
        )

    return read


def tournaments_json(terms: TournamentTerms | None, ladder: LadderTerms | None) -> JsonDict | bool:
    """The member ``tournaments`` for these terms; true if they are the usual ones."""
    if terms is None:
        return False
    usual, ranges = usual_terms(ladder), (terms.initial_seconds, terms.increment_seconds)
    initial, increment = ([one.min, one.max] if one is not None else None for one in ranges)
    given = {
        "gamesAtOnce": terms.games_at_once if terms.games_at_once != usual.games_at_once else None,
        "avoid": list(terms.avoid) if terms.avoid != usual.avoid else None,
        "variants": list(terms.variants or ()) if terms.variants != usual.variants else None,
        "quietHours": list(terms.quiet_hours or ()) if terms.quiet_hours != usual.quiet_hours else None,
        "initialSeconds": initial,
        "incrementSeconds": increment,
    }
    return {name: value for name, value in given.items() if value is not None} or True
