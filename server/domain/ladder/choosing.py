"""Chooses the games to start on the ladder, of all numbers of seats."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from server.domain.ladder.pairing import Entrant, Pairing, pairings
from server.domain.ladder.rating_pool import Rated
from server.domain.ladder.tables import sizes, tables, unseatable


@dataclass(frozen=True, slots=True)
class Choice:
    """Who can play at the moment, and what is known of them.

    ``met``: how often players have met, which is only looked up, so that it may grow meanwhile; ``played``: how many
    games there have been with each number of seats.
    """

    entrants: Sequence[Entrant]
    rated: Rated
    met: Mapping[frozenset[str], int]
    returns: Sequence[Pairing]
    played: Mapping[int, int]
    patient: Container[str]

    def games(self, turn: int) -> list[Pairing]:
        """Returns the games to start. Those with the number of seats of which there have been fewest come first.

        Who plays those waits for others to fill a table, while ``patient``, unless these could not do so either if they
        were free. ``turn``: see ``tables``.
        """
        entrants, games = list(self.entrants), []
        for seats in sizes(entrants, self.played):
            able = [entrant for entrant in entrants if seats in entrant.seats]
            chosen = (
                pairings(able, self.rated, self.met, self.returns, self.patient)
                if seats == 2
                else tables(able, self.rated, self.met, seats, turn)
            )
            games += chosen
            taken = Counter(player for pairing in chosen for player in pairing.players)
            entrants = [replace(one, room=one.room - taken[one.player]) for one in entrants]
            if seats > 2:
                entrants = self._not_waiting(entrants, seats, turn)
        return games

    def _not_waiting(self, entrants: Sequence[Entrant], seats: int, turn: int) -> list[Entrant]:
        """Those who may play another number of seats at once."""
        without_table = unseatable(entrants, self.rated, self.met, seats, self.patient, turn)
        return [
            one
            for one in entrants
            if seats not in one.seats or one.player not in self.patient or one.player in without_table
        ]
