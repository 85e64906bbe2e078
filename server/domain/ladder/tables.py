"""Chooses who sits at tables of more than two on the ladder. Pairs are chosen in ``pairing``.

A table begins with a player whose rating is uncertain, and is filled with those near it whose games with the others
teach most; everybody at it may meet everybody else. Which number of seats comes first is decided by how few games there
have been with each.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from server.domain.ladder.pairing import NEAREST, Entrant, Pairing, by_rating, worth
from server.domain.ladder.rating_pool import Rated

TRIED: Final = 32
"""With how many players it is tried to begin a table at once: that takes up to a millisecond for each."""


def sizes(entrants: Iterable[Entrant], played: Mapping[int, int]) -> list[int]:
    """The numbers of seats that enough entrants play, busy ones included; those with the fewest games come first.

    Of the bots of one client, one sits at a table, as does one of the built-in levels.
    """
    clients: dict[int, set[str]] = {}
    for entrant in entrants:
        for seats in entrant.seats:
            clients.setdefault(seats, set()).add(entrant.client)
    enough = [seats for seats, able in clients.items() if len(able) >= seats]
    return sorted(enough, key=lambda seats: (played.get(seats, 0), seats))


def tables(
    entrants: Iterable[Entrant], rated: Rated, met: Mapping[frozenset[str], int], seats: int, turn: int = 0
) -> list[Pairing]:
    """Returns the games with so many seats to start now. No two have the same players.

    If there are many entrants, some of them begin a table, others in the next ``turn``.
    """
    ready = by_rating([one for one in entrants if one.room > 0 and seats in one.seats], rated)
    room = {entrant.player: entrant.room for entrant in ready}
    chosen: dict[frozenset[str], Pairing] = {}
    tried = _in_turn(range(len(ready)), turn)
    for place in sorted(tried, key=lambda place: (-rated.error(ready[place].player), place)):
        near = [one for one in ready[max(0, place - NEAREST) : place + NEAREST] if room[one.player] > 0]
        players = _table(ready[place], near, seats, rated, met) if ready[place] in near else ()
        if players and frozenset(players) not in chosen:
            chosen[frozenset(players)] = Pairing(players)
            for player in players:
                room[player] -= 1
    return list(chosen.values())


def unseatable(
    entrants: Iterable[Entrant],
    rated: Rated,
    met: Mapping[frozenset[str], int],
    seats: int,
    patient: Container[str],
    turn: int = 0,
) -> set[str]:
    """Returns the ``patient`` players with room at whose table so many could not sit even if nobody were busy.

    If there are many, some of them are tried, others in the next ``turn``.
    """
    able = by_rating([one for one in entrants if seats in one.seats], rated)
    tried = _in_turn([n for n, one in enumerate(able) if one.room > 0 and one.player in patient], turn)
    seatable: set[str] = set()
    for place in tried:
        if able[place].player not in seatable:
            near = able[max(0, place - NEAREST) : place + NEAREST]
            seatable.update(_table(able[place], near, seats, rated, met))
    return {able[place].player for place in tried} - seatable


def _in_turn(places: Sequence[int], turn: int) -> list[int]:
    """Those of the places that are tried in this turn."""
    start = turn * TRIED % max(1, len(places))
    return [places[(start + number) % len(places)] for number in range(min(TRIED, len(places)))]


def _table(
    first: Entrant, near: Sequence[Entrant], seats: int, rated: Rated, met: Mapping[frozenset[str], int]
) -> tuple[str, ...]:
    """The players of a table by seat, of whom one is ``first``; none if it cannot be filled.

    The same players sit one seat further on each time.
    """

    def teaches(one: Entrant, table: Sequence[Entrant]) -> tuple[float, str]:
        return sum(worth(rated, one.player, other.player, met) for other in table), one.player

    able = [one for one in near if one.meets(first)]
    for second in sorted(able, key=lambda one: teaches(one, (first,)), reverse=True):
        table = [first, second]
        while len(table) < seats:
            more = [one for one in able if one not in table and all(map(one.meets, table))]
            if not more:
                break
            table.append(max(more, key=lambda one: teaches(one, table)))
        if len(table) == seats:
            players = sorted(one.player for one in table)
            turned = met.get(frozenset(players), 0) % seats
            return (*players[turned:], *players[:turned])
    return ()
