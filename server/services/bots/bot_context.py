"""The services that bots and evaluations depend on. Created by ``server.engine_services``."""

from collections.abc import Callable
from dataclasses import dataclass

from protocols.values import BUILT_IN_CLIENT
from server.domain.game import GameState
from server.ports.analysts import Analyst
from server.services.bots.bgs import BgsHost
from server.services.bots.bot_registry import BotRegistry, client_of
from server.services.bots.wait_times import WaitTimes
from server.services.cluster.announcements import Announcements
from server.services.cluster.presence import Presence
from server.services.games.games import Games


@dataclass(frozen=True, slots=True)
class BotContext:
    """The services that bots and evaluations use. ``now`` returns seconds of a monotonic clock."""

    games: Games
    registry: BotRegistry
    host: BgsHost
    presence: Presence
    announcements: Announcements
    wait_times: WaitTimes
    now: Callable[[], float]
    bot_seed: int | None = None
    """The seed of the built-in bots' variations; None: each game has its own."""

    def analyst_here(self, state: GameState, seat: int) -> Analyst | None:
        """Returns the analyst with which this server plays a bot's seat: the pool if it holds the lease, or a client.

        None if another server plays it, or none does.
        """
        bot_id = state.seats[seat].bot_id or ""
        if client_of(bot_id) == BUILT_IN_CLIENT:
            return self.registry.analyst_of(bot_id) if state.id in self.games.leases else None
        attached = self.registry.player_of(bot_id, state)
        return None if attached is None else attached.client

    def is_awaited(self, state: GameState, seat: int) -> bool:
        """Whether this server holds the lease of a game that waits for the client of a bot."""
        bot_id = state.seats[seat].bot_id or ""
        is_attached = client_of(bot_id) != BUILT_IN_CLIENT
        return (
            is_attached and state.id in self.games.leases and self.registry.player_of(bot_id, state) is None
        )
