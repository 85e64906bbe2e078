"""The stored events of a tournament. Its state is the fold of its events and nothing else.

Kinds and members are a storage format, as those of games: new ones may be added, existing ones never renamed. Times are
milliseconds since the epoch. Entrants are numbered in the order of their entries; a pair or game refers to them by
their place among those who were left when the tournament started.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.tournament_systems import System
from protocols.values import TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSettings:
    """What is played, and how.

    ``config``: the members of the game's configuration that differ from the usual ones. ``seats``: those of each game.
    ``games_per_pair``: also those of each table of more seats in a round. ``rounds``: None: the usual ones.
    ``starts_at``: None: when its owner starts it. ``is_open``: anyone may enter; otherwise only its owner enters
    players.
    """

    name: str
    game: str
    variant: str
    config: Mapping[str, Any] = field(default_factory=dict)
    system: str
    games_per_pair: int
    rounds: int | None = None
    time_control: TimeControl
    tie_breaks: tuple[str, ...]
    starts_at: int | None = None
    is_open: bool = True
    seats: int = 2

    @property
    def pairing(self) -> System:
        """Decides who meets whom, and makes the table."""
        return System(self.system, self.games_per_pair, self.seats)


@dataclass(frozen=True, slots=True)
class TournamentCreated:
    """Always the first event. ``owner``: the hash of the owner's token."""

    settings: TournamentSettings
    owner: str


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """A bot entered, or a person, who has no ``bot_id``. ``digest``: the hash of the entry's token.

    ``is_owned``: the bot's client was the owner of its id, so that no other client plays for it.
    """

    name: str
    digest: str
    bot_id: str | None = None
    is_owned: bool = False


@dataclass(frozen=True, slots=True)
class PlayerWithdrew:
    """An entrant withdrew, or was withdrawn by the owner. ``entry``: its number."""

    entry: int


@dataclass(frozen=True, slots=True)
class TournamentStarted:
    """Nobody enters any more."""


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game to be played. ``game_id``: the id that it will have, so that it is never created twice.

    ``seats``: the player of each seat. Games of a table with one ``opening`` begin alike.
    """

    game_id: str
    seats: tuple[int, ...]
    opening: int


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The next round: the pairs or tables, the games of each in their order, and who sits at none.

    ``bye``: the only one, in logs of versions without tables of more than two; now, all are in ``byes``.
    """

    pairs: tuple[tuple[int, ...], ...]
    games: tuple[PlannedGame, ...]
    bye: int | None = None
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game with this number in this round was created, with an opening of so many moves."""

    round: int
    number: int
    opening_plies: int = 0


@dataclass(frozen=True, slots=True)
class GameScored:
    """The game ended, or was lost by forfeit without being played. ``points`` by seat.

    ``reason``: that of the game's result; ``absent``, ``unavailable`` or ``withdrawn`` for a forfeit; ``aborted``
    without a result.
    """

    round: int
    number: int
    points: tuple[float, ...]
    reason: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class TournamentFinished:
    """All rounds have been played."""


@dataclass(frozen=True, slots=True)
class TournamentCancelled:
    """The tournament will not be finished. ``why``: the end of a sentence that begins with "cancelled: "."""

    why: str


TournamentEvent = (
    TournamentCreated
    | PlayerEntered
    | PlayerWithdrew
    | TournamentStarted
    | RoundPaired
    | GameBegun
    | GameScored
    | TournamentFinished
    | TournamentCancelled
)
