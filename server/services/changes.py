"""What is told on the bus when a game has changed: one message for everybody who follows it."""

from dataclasses import dataclass
from functools import cached_property

from protocols.play.table import Table
from server.domain.events import Event, Recorded
from server.domain.game import GameState
from server.domain.public import table_of

ALL_GAMES = "games"
"""The topic on which every change of every game is told."""


def game_topic(game_id: str) -> str:
    """The topic of one game."""
    return f"game:{game_id}"


@dataclass(frozen=True)
class Change:
    """A committed change: the events in their order, and the state after them."""

    state: GameState
    recorded: tuple[Recorded, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(recorded.event for recorded in self.recorded)

    @cached_property
    def table(self) -> Table:
        """The public picture at the moment of the change, made once for all who follow the game."""
        return table_of(self.state, self.state.updated_at)
