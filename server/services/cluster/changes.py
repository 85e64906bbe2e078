"""The bus messages about a changed game: one for its followers in this process, one for other processes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from protocols.play.events import GameUpdate, Notice
from protocols.values import Status, Table
from server.domain import events as e
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.ports.store import Listing
from server.services.cluster.listing import listing_of

ALL_GAMES = "games"
"""The topic of all changes of all games."""

LOGS = "logs"
"""The topic on which processes tell all others, a few times a second, which games have changed."""

LOG_PREFIX = "log:"
"""The start of the topics on which processes pass on the new log entries of one game."""


def game_topic(game_id: str) -> str:
    """Returns the topic of one game in this process."""
    return f"game:{game_id}"


def log_topic(game_id: str) -> str:
    """Returns the topic of one game's log, which the processes that use the game subscribe to."""
    return LOG_PREFIX + game_id


def game_of(topic: str) -> str:
    """Returns the game of the topic of a log."""
    return topic.removeprefix(LOG_PREFIX)


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
        """The events without their numbers and times."""
        return tuple(recorded.event for recorded in self.recorded)

    @property
    def is_beginning(self) -> bool:
        """Whether the game starts with this change."""
        is_filled = any(isinstance(event, _FILLING) for event in self.events)
        return is_filled and self.state.status is Status.PLAYING

    @property
    def is_ending(self) -> bool:
        """Whether the game ends with this change; later ones about a rematch do not count."""
        return not self.state.is_live and not all(isinstance(event, _PASSIVE) for event in self.events)

    @cached_property
    def update(self) -> GameUpdate:
        """The public update, created once for all followers of the game."""
        notices = notices_of(self.recorded)
        is_new_state = not all(isinstance(event, _PASSIVE) for event in self.events)
        return GameUpdate(self.table, notices, is_new_state)

    @cached_property
    def table(self) -> Table:
        """The public part of the state, with the clocks at the time of the change."""
        return table_of(self.state, self.state.updated_at)

    @cached_property
    def listing(self) -> Listing:
        """The game's row in lists."""
        return listing_of(self.state, self.table)


@dataclass(frozen=True, slots=True)
class RemoteChanges:
    """Games that another process has changed and that are neither followed nor in memory here: their rows in lists.

    Subscribers that need more than the row read the game.
    """

    listings: tuple[Listing, ...]


@dataclass(frozen=True, slots=True)
class RemoteChangesMissed:
    """Other processes may have changed any games. The games in memory are already up to date."""


@dataclass(frozen=True, slots=True)
class LogGrown:
    """The message about a change to the processes that use the game.

    ``first`` is the number of its first event, ``version`` the game's version after it, and
    ``writer`` is the id of the process that wrote the events. The new events may be left out; receivers then read them
    from the database. Those of another process are decoded when they are first read; KeyError or ValueError if they are
    of a newer version.
    """

    writer: str
    game_id: str
    first: int
    version: int
    recorded: Sequence[e.Recorded] = ()


@dataclass(frozen=True, slots=True)
class GamesChanged:
    """The message to all processes about games that the process ``writer`` has changed.

    It has their versions now, and their rows in lists; these may be left out, and receivers then read them from the
    database.
    """

    writer: str
    versions: Mapping[str, int]
    listings: Sequence[Listing] = ()


_FILLING = (e.Created, e.SeatTaken)
"""Events that may fill the last open seat."""

_PASSIVE = (e.Offered, e.OfferAccepted, e.OfferRejected, e.RematchStarted, e.WentRemote)
"""Events that do not change the board, the seats or the clocks."""


def notices_of(recorded: Iterable[e.Recorded]) -> tuple[Notice, ...]:
    """Returns the notices that players get about these events, in addition to the new state."""
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
