"""What is told on the bus when a game has changed: one message for all who follow it, one for other processes."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from protocols.play.events import Notice, Picture
from protocols.play.table import Table
from server.domain import events as e
from server.domain.game import GameState, Status
from server.domain.public import table_of
from server.ports import Listing
from server.services.listing import listing_of

ALL_GAMES = "games"
"""The topic on which every change of every game is told."""

LOGS = "logs"
"""The topic on which processes tell each other which logs have grown."""


def game_topic(game_id: str) -> str:
    """The topic of one game."""
    return f"game:{game_id}"


@dataclass(frozen=True)
class Change:
    """A committed change: the events in their order, and the state after them.

    ``is_own``: it was made in this process.
    """

    state: GameState
    recorded: tuple[e.Recorded, ...]
    is_own: bool = True

    @cached_property
    def events(self) -> tuple[e.Event, ...]:
        """The events alone."""
        return tuple(recorded.event for recorded in self.recorded)

    @property
    def is_beginning(self) -> bool:
        """Whether the game can be played since this change."""
        is_filled = any(isinstance(event, _FILLING) for event in self.events)
        return is_filled and self.state.status is Status.PLAYING

    @property
    def is_ending(self) -> bool:
        """Whether the game is over since this change; what is said about a rematch comes later."""
        return not self.state.is_live and not all(isinstance(event, _PASSIVE) for event in self.events)

    @cached_property
    def picture(self) -> Picture:
        """What everybody may see, made once for all who follow the game."""
        notices = notices_of(self.recorded)
        is_new_state = not all(isinstance(event, _PASSIVE) for event in self.events)
        return Picture(self.table, notices, is_new_state)

    @cached_property
    def table(self) -> Table:
        """The public picture of the game, with the clocks of the moment of the change."""
        return table_of(self.state, self.state.updated_at)

    @cached_property
    def listing(self) -> Listing:
        """The game's row in lists."""
        return listing_of(self.state, self.table)


@dataclass(frozen=True, slots=True)
class FarChange:
    """A change that another process made to a game which nobody follows here and which is not in memory.

    Whoever needs more of the game than its row asks for it.
    """

    listing: Listing

    @property
    def game_id(self) -> str:
        """Names the game."""
        return self.listing.game_id


@dataclass(frozen=True, slots=True)
class FarChangesMissed:
    """Other processes changed games, and it is not known which. The games in memory have been read on."""


@dataclass(frozen=True, slots=True)
class LogGrown:
    """What a change is to other processes: these events are in the log now, and this is the game's row in lists.

    ``writer`` is who put them there.
    """

    writer: str
    recorded: tuple[e.Recorded, ...]
    listing: Listing

    @property
    def game_id(self) -> str:
        """Names the game."""
        return self.listing.game_id

    @property
    def version(self) -> int:
        """The version of the game after the events."""
        return self.recorded[-1].seq


_FILLING = (e.Created, e.SeatTaken)
"""Events after which a game may have its last player."""

_PASSIVE = (e.Offered, e.OfferAccepted, e.OfferRejected, e.RematchStarted, e.WentRemote)
"""Events that leave board, seats and clocks as they are."""


def notices_of(recorded: Iterable[e.Recorded]) -> tuple[Notice, ...]:
    """What the players are told of these events beside the new state."""
    return tuple(notice for one in recorded if (notice := _notice(one)) is not None)


def _notice(recorded: e.Recorded) -> Notice | None:
    match recorded.event:
        case e.Offered(kind=kind, seat=seat):
            return Notice(f"{kind.value}-offer", seat, recorded.seq)
        case e.OfferRejected(kind=kind, seat=seat):
            return Notice(f"{kind.value}-rejected", seat, recorded.seq)
        case e.RematchStarted(seat=seat, game_id=game_id):
            return Notice("rematch-started", seat, recorded.seq, game_id)
        case _:
            return None
