"""Who sits at which table in a tournament of games of three seats or more. Those of two seats are in ``pairings``.

Values in, values out; plays no games. Players are numbered from 0 in their starting order, as in ``pairings``. The
players of a table are in the order of their seats in the first of its games.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import ceil, gcd
from typing import Final

from engines.pairings import NoPairing, Round

STARTS: Final = 4
"""From how many arrangements of the players the best tables are sought."""

Cost = Callable[[int, int], float]
"""What it costs that two players sit at one table."""


@dataclass(frozen=True)
class TablePlayer:
    """What the tables of a round depend on. ``met``: how often this player has met each player of the round."""

    met: Sequence[int]
    seats: Sequence[int]
    """How many games the player has had in each seat."""
    score: float = 0.0
    """Points divided by the number of games that a table has in a round."""
    byes: int = 0


def rounds_to_meet(players: int, seats: int) -> int:
    """In how many rounds everybody could meet everybody."""
    pairs = players // seats * seats * (seats - 1)
    return max(1, ceil(players * (players - 1) / pairs)) if pairs else 1


def gauntlet_rounds(players: int, seats: int) -> int:
    """In how many rounds the first player meets all others equally often."""
    others = max(1, players - 1)
    return others // gcd(others, seats - 1)


def next_tables(players: Sequence[TablePlayer], seats: int, games: int) -> Round:
    """The next round: tables of players with near scores who have met seldom. Raises NoPairing.

    Two players at a table cost the square of the number of times that they have met, and the square of the difference
    of their scores; the tables are those of the lowest cost that are found. If the players do not divide into tables,
    those with the fewest byes have one, and of them the last by score and number.
    """
    if len(players) < seats:
        raise NoPairing("too few players are left for a table")
    order = sorted(range(len(players)), key=lambda player: (-players[player].score, player))
    byes = sorted(order, key=lambda one: (players[one].byes, players[one].score, -one))[: len(order) % seats]

    def cost(one: int, other: int) -> float:
        return players[one].met[other] ** 2 + (players[one].score - players[other].score) ** 2

    sitting = _best(tuple(player for player in order if player not in byes), seats, cost)
    tables = (sitting[first : first + seats] for first in range(0, len(sitting), seats))
    seated = [_seated(table, players, games) for table in tables]
    seated.sort(key=lambda table: min(map(order.index, table)))
    return Round(tuple(seated), tuple(sorted(byes)))


def gauntlet_table(played: int, counts: Sequence[Sequence[int]], seats: int, games: int) -> Round:
    """The only table of the next round after ``played``: the first player and the next of the others in turn.

    ``counts``: how many games each player has had in each seat.
    """
    others = len(counts) - 1
    if others < seats - 1:
        raise NoPairing("too few players are left for a table")
    met = (1 + (played * (seats - 1) + place) % others for place in range(seats - 1))
    players = [TablePlayer((), seen) for seen in counts]
    return Round((_seated((0, *met), players, games),))


def _best(order: tuple[int, ...], seats: int, cost: Cost) -> tuple[int, ...]:
    """The players table after table, so that the cost of all tables is low."""
    rng = random.Random(0)
    starts = [order, *(tuple(rng.sample(order, len(order))) for _ in range(STARTS - 1))]
    price = {(one, other): cost(one, other) for one in order for other in order}
    return min(
        (_improved(start, seats, price) for start in starts), key=lambda one: _total(one, seats, price)
    )


def _total(sitting: Sequence[int], seats: int, price: dict[tuple[int, int], float]) -> float:
    tables = (sitting[first : first + seats] for first in range(0, len(sitting), seats))
    return sum(price[pair] for table in tables for pair in combinations(table, 2))


def _improved(start: Sequence[int], seats: int, price: dict[tuple[int, int], float]) -> tuple[int, ...]:
    """Swaps players of different tables as long as that lowers the cost."""
    sitting = list(start)

    def at(place: int, player: int) -> float:
        """What it costs that a player sits at this place."""
        first = place - place % seats
        return sum(price[player, sitting[near]] for near in range(first, first + seats) if near != place)

    places = range(len(sitting))
    pairs = [pair for pair in combinations(places, 2) if pair[0] // seats != pair[1] // seats]
    is_better = True
    while is_better:
        is_better = False
        for one, other in pairs:
            mine, theirs = sitting[one], sitting[other]
            now = at(one, mine) + at(other, theirs)
            if at(one, theirs) + at(other, mine) < now - 1e-9:
                sitting[one], sitting[other] = theirs, mine
                is_better = True
    return tuple(sitting)


def _seated(table: Sequence[int], players: Sequence[TablePlayer], games: int) -> tuple[int, ...]:
    """The players of a table by seat, so that everybody has had all seats as equally often as possible.

    In each further game, everybody sits one seat lower, so that only the games beyond full turns matter.
    """
    seats = len(table)
    extra = games % seats

    def unevenness(seating: Sequence[int]) -> int:
        taken = (
            [players[player].seats[(place - game) % seats] for game in range(extra)]
            for place, player in enumerate(seating)
        )
        return sum(map(sum, taken))

    return min(permutations(table), key=unevenness)
