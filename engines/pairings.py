"""Who meets whom in a tournament of games of two seats: round robin, gauntlet, and rounds of the Swiss system.

Values in, values out; plays no games. Which systems there are, and which round of one comes next, is in
``tournament_systems``. Players are numbered from 0 in their starting order, the strongest first if that is known. The
first player of a pair has the first seat in the first of its games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np


@dataclass(frozen=True)
class Round:
    """Tables that play at the same time, and who sits at none. The players of a table are in the order of its seats.

    Here, all tables are pairs; if the number of players is odd, one has no opponent.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class SwissPlayer:
    """What the pairing of a Swiss round depends on."""

    score: float = 0.0
    firsts: int = 0
    """How many more games the player has begun in the first seat than in the second."""
    met: frozenset[int] = frozenset()
    had_bye: bool = False


MOST_AHEAD: Final = 2
"""How many more games in one seat than in the other a player should have at most."""


class NoPairing(ValueError):
    """No round is possible in which nobody meets an opponent again."""


def round_robin(players: int) -> list[Round]:
    """Rounds in which everybody meets everybody once, with the seats as evenly as possible: Berger's tables (1895).

    All but the last player stand in a circle. In round r, those at equal distances from player r meet, and player r
    meets the last one; of an odd number of players, it has the bye.
    """
    circle = players - 1 if players % 2 == 0 else players
    return [_berger(players, circle, number) for number in range(circle)]


def _berger(players: int, circle: int, number: int) -> Round:
    pairs = []
    for step in range(1, (circle + 1) // 2):
        one, other = (number + step) % circle, (number - step) % circle
        # Everybody is first against the half of the circle that follows them.
        pairs.append((one, other) if (other - one) % circle <= circle // 2 else (other, one))
    if circle == players:
        return Round(tuple(pairs), (number,))
    return Round(((number, circle) if number % 2 else (circle, number), *pairs))


def gauntlet(players: int) -> list[Round]:
    """The first player meets all others one after the other, with the seats in turn."""
    return [Round(((0, other) if other % 2 else (other, 0),)) for other in range(1, players)]


def most_swiss_rounds(players: int) -> int:
    """With no more rounds than this, there is always a round in which nobody meets an opponent again.

    Then everybody, with the bye as another opponent, has enough of them left (Dirac's theorem, 1952).
    """
    return max(1, (players + 1) // 2)


def swiss_round(players: Sequence[SwissPlayer]) -> Round:
    """The next round: pairs of equal or near scores that have not met. Raises NoPairing.

    Players are ordered by score and number. Of an odd number, the last one that has had no bye has it. From the first
    player on, each is paired with one of the next score, within a score with one from the other half of it, and if
    possible with one who has not had the same seat too often as well: two who have had it ``MOST_AHEAD`` times more
    often than the other seat meet only if they have to. No pair is formed that leaves others without opponents.
    """
    order = sorted(range(len(players)), key=lambda player: (-players[player].score, player))
    for bye in _byes(players, order):
        waiting = [player for player in order if player != bye]
        if _can_be_paired(players, waiting):
            return Round(tuple(_pairs(players, waiting)), () if bye is None else (bye,))
    raise NoPairing("everybody has met too many of the others")


def _byes(players: Sequence[SwissPlayer], order: Sequence[int]) -> Iterator[int | None]:
    if len(order) % 2 == 0:
        yield None
        return
    yield from (player for player in reversed(order) if not players[player].had_bye)


def _pairs(players: Sequence[SwissPlayer], waiting: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs all of them, who can be paired."""
    while waiting:
        first, *others = waiting
        for other in _opponents(players, first, others):
            waiting = [player for player in others if player != other]
            if _can_be_paired(players, waiting):
                yield _seated(players, first, other)
                break
        else:
            raise NoPairing("the players that are left have met")


def _can_be_paired(players: Sequence[SwissPlayer], waiting: Sequence[int]) -> bool:
    """Whether there are pairs of all of them that have not met.

    There are if and only if the determinant of Tutte's matrix of who may meet is no zero polynomial (1947), which a
    matrix with random entries shows almost surely (Lovász 1979).
    """
    if not waiting:
        return True
    may_meet = np.array([[other not in players[one].met for other in waiting] for one in waiting])
    above = np.triu(np.random.default_rng(0).uniform(1, 2, may_meet.shape) * may_meet, 1)
    return bool(np.linalg.matrix_rank(above - above.T) == len(waiting))


def _opponents(players: Sequence[SwissPlayer], first: int, others: Sequence[int]) -> list[int]:
    """The possible opponents of a player, the best first."""
    group = [other for other in others if players[other].score == players[first].score]
    middle = len(group) // 2

    def price(place: int) -> tuple[bool, float, bool, int]:
        other = players[others[place]]
        gap = players[first].score - other.score
        same = min(players[first].firsts * other.firsts, MOST_AHEAD**2)
        return same == MOST_AHEAD**2, gap, same > 0, abs(place - middle) if gap == 0 else place

    places = [place for place, other in enumerate(others) if other not in players[first].met]
    return [others[place] for place in sorted(places, key=price)]


def _seated(players: Sequence[SwissPlayer], one: int, other: int) -> tuple[int, int]:
    """The pair with the player first that has had the first seat less often; of equals, in turn by number."""
    ahead = players[one].firsts - players[other].firsts
    if ahead:
        return (other, one) if ahead > 0 else (one, other)
    return (one, other) if (one + other) % 2 else (other, one)
