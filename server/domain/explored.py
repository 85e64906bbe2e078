"""What the opening explorer counts: public games that were played here, by who played them.

Made from the game's state alone, so that the openings can be counted again from the logs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from engines.explorer.places import DEPTH, HASH_BYTES, Place, passages
from engines.explorer.tally import GameEnd, OpeningTally
from protocols.values import BUILT_IN_CLIENT, Seat, SeatKind, Status, Visibility
from server.domain.game import GameState
from server.domain.levels import LEVELS

EVERYBODY: Final = ""
"""All games."""

PEOPLE: Final = "people"
"""The games in which no bot or other program played."""

BOTS: Final = "bots"
"""The games in which only bots played."""


FILTERED_DEPTH: Final = 12
"""How many plies of a game are counted for a filter: fewer than for all, as a game of bots has several filters."""


@dataclass(frozen=True, slots=True)
class PlayedOpening:
    """What a game adds to the openings: its ``tally``, under the first move that it played in each place.

    ``moves``: also those of the places under which it is found by who played (``filed``); None where it ended. Times
    are milliseconds since the epoch.
    """

    game_id: str
    ended_at: int
    moves: Mapping[Place, str | None]
    tally: OpeningTally


def opening_of(state: GameState) -> PlayedOpening | None:
    """Returns what a game adds; None if it is not public, has no result or no move, or was imported from a record."""
    is_played_here = state.status is Status.FINISHED and state.imported is None
    if (
        not is_played_here
        or state.visibility is not Visibility.PUBLIC
        or state.result is None
        or not state.ply
    ):
        return None
    start = state.position.at_ply(0)
    ended = GameEnd(state.result.winners, state.result.scores)
    moves = passages(start, state.moves)
    first = passages(start, state.moves, FILTERED_DEPTH)
    for who in _played_by(state.seats):
        moves |= {filed(place, who): move for place, move in first.items()}
    return PlayedOpening(state.id, state.updated_at, moves, OpeningTally.of(ended, start))


def who_is(text: str) -> str:
    """The filter that a client means: a level can be named without its client."""
    return f"{BUILT_IN_CLIENT}:{text}" if text in {level.bot_id for level in LEVELS} else text


def depth_for(who: str) -> int:
    """How many plies of each game are counted for a filter."""
    return DEPTH if who == EVERYBODY else FILTERED_DEPTH


def filed(place: Place, who: str) -> Place:
    """The place under which the games of ``who`` are counted."""
    if who == EVERYBODY:
        return place
    digest = blake2b(who.encode(), digest_size=HASH_BYTES, key=place.to_bytes(HASH_BYTES, signed=True))
    return int.from_bytes(digest.digest(), signed=True)


def _played_by(seats: Sequence[Seat]) -> Iterator[str]:
    if all(seat.kind is SeatKind.HUMAN and seat.via is None for seat in seats):
        yield PEOPLE
    if all(seat.kind is SeatKind.BOT for seat in seats):
        yield BOTS
    yield from sorted({seat.bot_id for seat in seats if seat.bot_id is not None})
