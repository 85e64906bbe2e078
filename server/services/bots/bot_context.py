"""The services that bots and evaluations depend on. Created by ``server.engine_services``."""

from collections.abc import Callable
from dataclasses import dataclass

from server.services.bots.bgs import BgsHost
from server.services.bots.bot_registry import BotRegistry
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
