"""The services that bots and evaluations depend on. Created by ``server.engine_services``."""

from collections.abc import Callable
from dataclasses import dataclass

from server.services.announcements import Announcements
from server.services.bgs import BgsHost
from server.services.bot_registry import BotRegistry
from server.services.games import Games
from server.services.presence import Presence
from server.services.wait_times import WaitTimes


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
