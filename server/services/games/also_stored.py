"""What is stored with the events of a command: hashes of new tokens, and the log of a new game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from server.domain.events import Event, Recorded
from server.domain.fold import convert_once, fold
from server.domain.game import GameState
from server.ports.store import Append, TokenHash
from server.services.cluster.changes import Change


@dataclass(frozen=True, slots=True)
class NewGameLog:
    """A new game: its id, its first events and the hashes of its tokens."""

    game_id: str
    events: Sequence[Event]
    tokens: Sequence[TokenHash] = ()


@dataclass(frozen=True, slots=True)
class AlsoStored:
    """What else is stored in the transaction of a command: hashes of new tokens, and a new game."""

    tokens: Sequence[TokenHash] = ()
    new_log: NewGameLog | None = None


AlsoStore = Callable[[GameState, tuple[Event, ...], Sequence[TokenHash]], AlsoStored]
"""Returns what else to store with events, given the state after them and the game's tokens; ApiError to refuse."""


def nothing_more(state: GameState, events: tuple[Event, ...], tokens: Sequence[TokenHash]) -> AlsoStored:
    """Stores nothing but the events."""
    return AlsoStored()


def created_change(new_log: NewGameLog, at: int, server: str) -> tuple[Change, Append]:
    """Returns a new game as a change for the bus, and as one for the store."""
    recorded = tuple(Recorded(seq, at, event) for seq, event in enumerate(new_log.events, start=1))
    state = fold(new_log.game_id, recorded)
    if state is None:
        raise ValueError("a game has a first event")
    convert_once(state.position)
    change = Change(state, recorded)
    holder = server if state.needs_lease else None
    return change, Append(new_log.game_id, 0, recorded, change.listing, new_log.tokens, holder=holder)
