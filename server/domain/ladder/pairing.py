"""Chooses who meets whom on the ladder.

A game says most about two players whose difference is uncertain and whose chances are near: the information of a game
between them is p (1 - p), and what it can teach is that times the variance of their difference. Two games with one
opening and swapped seats follow each other, so that the opening favours nobody.

Two who have just played are both free again, while everybody else is busy. If they met at once, they would do so for
ever, and the ratings of all such pairs could not be compared: so a player waits a little for a busy one with whom a
game says much more.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engines.standings import ELO_SCALE
from server.domain.ladder.players import bot_of
from server.domain.ladder.rating_pool import Rated

NEAREST: Final = 24
"""With how many others, the nearest by rating, each player is compared."""

SCANNED: Final = 250
"""Among how many the nearest who may be met are looked for."""

MOST_RETURNS: Final = 2000
"""The most games that wait for their return, the latest ones."""

BETTER: Final = 2.0
"""How many times as much a game with a busy player has to be worth for a free one to wait for it."""

Opening = int

TWO_SEATS: Final = frozenset({2})


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who can play now. ``room``: how many more games at once; ``avoid``: ids of clients and bots.

    ``seats``: in games of how many it plays.
    """

    player: str
    room: int = 1
    avoid: frozenset[str] = frozenset()
    seats: frozenset[int] = TWO_SEATS

    @property
    def client(self) -> str:
        """The client of the bot; the built-in levels have one together."""
        return self.player.partition(":")[0]

    def meets(self, other: "Entrant") -> bool:
        """Whether the two may play each other: neither two bots of one client nor two built-in levels do."""
        if self.client == other.client:
            return False
        return not self._avoids(other) and not other._avoids(self)

    def _avoids(self, other: "Entrant") -> bool:
        return bool(self.avoid) and not self.avoid.isdisjoint((bot_of(other.player), other.client))


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to start: the players by seat. ``opening`` None: a new one."""

    players: tuple[str, ...]
    opening: Opening | None = None


class Returns:
    """The games that have been played, or run, without the one in which the same players swap seats."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[Opening, frozenset[str]], tuple[str, ...]] = {}

    def begin(self, players: tuple[str, ...], opening: Opening) -> None:
        """Notes that a game has started."""
        key = opening, frozenset(players)
        if self._waiting.pop(key, players) == players:
            self._waiting[key] = players
        if len(self._waiting) > MOST_RETURNS:
            del self._waiting[next(iter(self._waiting))]

    def cancel(self, players: tuple[str, ...], opening: Opening) -> None:
        """Notes that a game does not count: neither does it need a return."""
        self._waiting.pop((opening, frozenset(players)), None)

    def __iter__(self) -> Iterator[Pairing]:
        for (opening, _), players in self._waiting.items():
            yield Pairing(players[::-1], opening)


def pairings(
    entrants: Iterable[Entrant],
    rated: Rated,
    met: Mapping[frozenset[str], int],
    returns: Iterable[Pairing],
    patient: Container[str] = (),
) -> list[Pairing]:
    """Returns the games of two seats to start now. All entrants play those.

    Two players with room who may meet are left only if both are ``patient`` and a busy one, an entrant without room, is
    the better opponent.
    """
    everybody = {entrant.player: entrant for entrant in entrants}
    ready = {player: entrant for player, entrant in everybody.items() if entrant.room > 0}
    room = Counter({player: entrant.room for player, entrant in ready.items()})
    begun: Counter[frozenset[str]] = Counter()
    chosen: list[Pairing] = []

    def take(pairing: Pairing) -> None:
        room.subtract(pairing.players)
        begun[frozenset(pairing.players)] += 1
        chosen.append(pairing)

    for pairing in returns:
        one, other = pairing.players
        if room[one] > 0 and room[other] > 0 and ready[one].meets(ready[other]):
            take(pairing)
    prospects = _prospects(list(everybody.values()), rated, met)
    for value, *pair in sorted(_worths(list(ready.values()), rated, met), reverse=True):
        one, other = sorted(pair)
        if room[one] <= 0 or room[other] <= 0 or begun[frozenset((one, other))]:
            continue
        wait = one in patient and other in patient
        if wait and max(prospects[one], prospects[other]) > BETTER * value:
            continue
        take(Pairing((one, other) if met[frozenset((one, other))] % 2 == 0 else (other, one)))
    return chosen


def _worths(
    entrants: Sequence[Entrant], rated: Rated, met: Mapping[frozenset[str], int]
) -> Iterator[tuple[float, str, str]]:
    """What a game between each two players is worth, for those who are near each other."""
    nearest = by_rating(entrants, rated)
    for place, one in enumerate(nearest):
        for other in islice(filter(one.meets, nearest[place + 1 : place + 1 + SCANNED]), NEAREST):
            yield worth(rated, one.player, other.player, met), one.player, other.player


def _prospects(
    entrants: Sequence[Entrant], rated: Rated, met: Mapping[frozenset[str], int]
) -> Mapping[str, float]:
    """What the best game of each free player with a busy one is worth, of those who are near it."""
    nearest = by_rating(entrants, rated)
    best: dict[str, float] = {}
    for place, one in enumerate(nearest):
        if one.room > 0:
            near = nearest[max(0, place - NEAREST) : place + 1 + NEAREST]
            busy = (other for other in near if other.room <= 0 and one.meets(other))
            values = (worth(rated, one.player, other.player, met) for other in busy)
            best[one.player] = max(values, default=0.0)
    return best


def by_rating(entrants: Sequence[Entrant], rated: Rated) -> list[Entrant]:
    """The entrants, the lowest rating first."""
    return sorted(entrants, key=lambda one: (rated.elo(one.player), one.player))


def worth(rated: Rated, one: str, other: str, met: Mapping[frozenset[str], int]) -> float:
    """What a game between two players can teach, less the more often they have met lately."""
    chance = 1 / (1 + 10 ** ((rated.elo(other) - rated.elo(one)) / ELO_SCALE))
    return chance * (1 - chance) * rated.variance(one, other) / (1 + met[frozenset((one, other))])
