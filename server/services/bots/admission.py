"""Admission to the engines: which requests get a session, wait or are refused, and the limits per client.

The sessions of the engine pool have four uses, three of which have a reserved share; the remaining ones are first come,
first served. The sessions of an attached client are counted separately, so attached bots take none from the pool. Bot
moves wait for a session; other requests are refused if none is free (``session_slots``). Evaluation bars, analyses,
games and bot clients are limited per client address (``address_limit``).

``bgs`` asks for every session, and the bot registry checks for room before a game against a bot is opened.
"""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from server.domain.errors import ApiError, Code
from server.ports.analysts import Analyst
from server.services.address_limit import AddressLimit
from server.services.bots.session_slots import RETRY_MS, SessionSlots, Shares, Use
from server.services.games.opened_games import OpenedGames
from server.services.heavy_work import HeavyWork

log = logging.getLogger(__name__)

CALM_SECONDS = 60.0
"""The engines count as busy until every request has found a session for this long."""

UNLIMITED = sys.maxsize

LITTLE = 16
"""Requests for at most a 16th of a budget count as small."""

_PLURAL = {
    Use.BOT_MOVE: "bot moves",
    Use.EVAL_BAR: "evaluation bars",
    Use.ANALYSIS: "analyses",
    Use.BOT_GAME: "games between bots",
}


@dataclass(frozen=True, slots=True)
class Quotas:
    """The limits on concurrent uses; 0: no limit, except for ``sessions``.

    ``reserved`` is the fraction of the pool's sessions reserved for each use, ``spare_seconds`` how long a session must
    have been idle before it may be taken back. ``bars`` to ``ladder_clients`` apply per client address,
    ``analysis_megabytes`` (MiB) to all running analyses together. ``work_seconds``: of processor time for heavy work,
    per address and minute.
    """

    sessions: int = 256
    reserved: Mapping[Use, float] = field(default_factory=dict)
    spare_seconds: float = 60.0
    sessions_per_client: int = 256
    bars: int = 0
    analyses: int = 0
    games: int = 0
    imports: int = 0
    clients: int = 0
    ladder_clients: int = 0
    analysis_megabytes: int = 0
    work_seconds: float = 0.0


class Pressure:
    """Whether requests have lately found no free session. Logs the beginning and the end of such a period."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.short: Counter[Use] = Counter()
        """How often a request has found no free session since the start, by use."""
        self._now = now
        self._since: float | None = None
        self._last = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether a request has found no free session within the last ``CALM_SECONDS``."""
        return self._since is not None

    def note(self, use: Use, who: str) -> None:
        """Records that no session was free for this use; ``who`` describes the sessions, for the log."""
        self.short[use] += 1
        self._last = self._now()
        if self._since is None:
            self._since = self._last
            log.warning("the engine is busy: %s", who)
            self._check_later(CALM_SECONDS)

    def check(self) -> None:
        """Ends the busy period if nothing was noted for ``CALM_SECONDS``; otherwise checks again later."""
        quiet = self._now() - self._last
        if self._since is not None and quiet < CALM_SECONDS:
            self._check_later(CALM_SECONDS - quiet)
        elif self._since is not None:
            log.info("the engine is no longer busy")
            self._since = None

    def _check_later(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self.check)


class Budget:
    """A limit on the sum of all uses of a resource; 0: no limit.

    A quarter is reserved for small requests, so that a few large ones cannot block all others.
    """

    def __init__(self, most: int, on_shortage: Callable[[], None]) -> None:
        self._most = most
        self._on_shortage = on_shortage
        self.taken = 0

    def check(self, amount: int) -> None:
        """ApiError ``unavailable`` if less than ``amount`` is left."""
        is_little = amount * LITTLE <= self._most
        if 0 < self._most < self.taken + amount + (0 if is_little else self._most // 4):
            self._on_shortage()
            raise ApiError(Code.UNAVAILABLE, "The engine is busy.", retry_after_ms=RETRY_MS)

    def take(self, amount: int) -> None:
        """Adds to the used amount."""
        self.taken += amount

    def give_back(self, amount: int) -> None:
        """Subtracts from the used amount."""
        self.taken -= amount


class Admission:
    """All limited resources: sessions of the pool and of attached clients, and what is counted per address."""

    def __init__(self, quotas: Quotas, now: Callable[[], float]) -> None:
        """``now`` returns seconds of a monotonic clock."""
        self._quotas = quotas
        self._now = now
        self.pressure = Pressure(now)
        shares = {use: int(quotas.sessions * part) for use, part in quotas.reserved.items()}
        rest = dict.fromkeys(Use, quotas.spare_seconds)
        self.pool = self._slots(
            Shares(quotas.sessions, shares), {**rest, Use.BOT_MOVE: 0.0}, lambda: self.used
        )
        self._client_rest = rest
        self._clients: dict[tuple[str, int], SessionSlots] = {}
        """By client id and total: a client may come back as one that has fewer sessions."""
        self.bars = AddressLimit(quotas.bars, "evaluation bars")
        self.analyses = AddressLimit(quotas.analyses, "analyses")
        self.games = OpenedGames(quotas.games, now)
        self.imports = AddressLimit(quotas.imports, "imports")
        self.clients = AddressLimit(quotas.clients, "bot clients")
        self.ladder_clients = AddressLimit(quotas.ladder_clients, "bot clients of the ladder")
        self.work = HeavyWork(quotas.work_seconds, now)
        memory = f"analyses use nearly all of their {quotas.analysis_megabytes} MiB"
        self.memory = Budget(
            quotas.analysis_megabytes << 20, lambda: self.pressure.note(Use.ANALYSIS, memory)
        )

    def state(self) -> str:
        """Describes how busy the engines are."""
        return f"busy: {self.used}" if self.pressure.is_busy else self.used

    @property
    def used(self) -> str:
        """A description of the pool's sessions by use."""
        counts = self.pool.counts
        uses = ", ".join(f"{_PLURAL[use]} {counts[use]}" for use in Use)
        return f"{counts.total()} of {self.pool.shares.total} sessions are open ({uses})"

    @property
    def refused(self) -> Mapping[str, int]:
        """The number of refusals to client addresses since the start, by kind."""
        return {
            "bars": self.bars.refused,
            "analyses": self.analyses.refused,
            "games": self.games.refused,
            "imports": self.imports.refused,
            "bot_clients": self.clients.refused + self.ladder_clients.refused,
            "work": self.work.accounts.refused,
        }

    def slots_of(self, analyst: Analyst) -> SessionSlots:
        """Returns the slots of this analyst. The engine pool is the one without a time limit."""
        if analyst.time_limit is None:
            return self.pool
        total = min(self._quotas.sessions_per_client or UNLIMITED, analyst.most_sessions or UNLIMITED)
        key = analyst.id, total
        slots = self._clients.get(key)
        if slots is None:
            self._forget_empty()
            shares = Shares(total, {Use.BOT_MOVE: total // 2})
            who = f"bot client {analyst.id} has {total} session{'' if total == 1 else 's'}"
            slots = self._clients[key] = self._slots(shares, self._client_rest, lambda: who)
        return slots

    def _slots(self, shares: Shares, rest: Mapping[Use, float], who: Callable[[], str]) -> SessionSlots:
        return SessionSlots(shares, rest, self._now, lambda use: self.pressure.note(use, who()))

    def _forget_empty(self) -> None:
        for key in [key for key, slots in self._clients.items() if slots.is_empty]:
            del self._clients[key]
