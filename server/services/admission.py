"""Admission to the engines: who gets a session, who waits, who is refused, and what one client may have at once.

The sessions of our own pool have three uses, and each use has a reserved share of them; the others go to whoever comes
first. The sessions of an attached client are counted apart, so that no bot takes sessions from the pool. Bot moves wait
until they are served, the others are refused when all sessions are needed (``session_places``). Evaluation bars,
analyses, games and bot clients are counted per client address (``address_limits``).

``services.bgs`` asks here for every session, the roster before a game against a bot is opened.
"""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from server.domain.errors import ApiError, Code
from server.ports import Analyst
from server.services.address_limits import AddressLimit, OpenedGames
from server.services.session_places import RETRY_MS, Places, Shares, Use

log = logging.getLogger(__name__)

CALM_SECONDS = 60.0
"""The engines are no longer busy when nobody has waited or been refused for so long."""

UNLIMITED = sys.maxsize

LITTLE = 16
"""A part of a budget up to a 16th of it is a little."""

_PLURAL = {Use.BOT_MOVE: "bot moves", Use.EVAL_BAR: "evaluation bars", Use.ANALYSIS: "analyses"}


@dataclass(frozen=True, slots=True)
class Quotas:
    """How many there may be at once of everything; 0 for any number, except of ``sessions``.

    ``reserved`` is the part of the pool's sessions that is kept for each use, ``spare_seconds`` how long a session has
    been at rest when it may be taken back. ``bars`` to ``clients`` are per client address. ``analysis_megabytes`` (MiB)
    are for all running analyses together.
    """

    sessions: int = 256
    reserved: Mapping[Use, float] = field(default_factory=dict)
    spare_seconds: float = 60.0
    sessions_per_client: int = 256
    bars: int = 0
    analyses: int = 0
    games: int = 0
    clients: int = 0
    analysis_megabytes: int = 0


class Pressure:
    """Whether anybody has lately waited for a session or was refused one; said in the log when it begins and ends."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.short: Counter[Use] = Counter()
        """How often there was no session, since the start."""
        self._now = now
        self._since: float | None = None
        self._last = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether the engines have been busy within the last ``CALM_SECONDS``."""
        return self._since is not None

    def note(self, use: Use, who: str) -> None:
        """There is no session for this use among those of ``who``."""
        self.short[use] += 1
        self._last = self._now()
        if self._since is None:
            self._since = self._last
            log.warning("the engine is busy: %s", who)
            self._check_later(CALM_SECONDS)

    def check(self) -> None:
        """Says that the engines are no longer busy, if nothing was noted for so long; else checks again later."""
        quiet = self._now() - self._last
        if self._since is not None and quiet < CALM_SECONDS:
            self._check_later(CALM_SECONDS - quiet)
        elif self._since is not None:
            log.info("the engine is no longer busy")
            self._since = None

    def _check_later(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self.check)


class Budget:
    """So much of one thing for everybody together; 0: any amount.

    A quarter of it is kept for those who need a little, so that a few who need much do not stop everybody.
    """

    def __init__(self, most: int, on_shortage: Callable[[], None]) -> None:
        self._most = most
        self._on_shortage = on_shortage
        self.taken = 0

    def check(self, amount: int) -> None:
        """ApiError ``unavailable`` when there is not as much left."""
        is_little = amount * LITTLE <= self._most
        if 0 < self._most < self.taken + amount + (0 if is_little else self._most // 4):
            self._on_shortage()
            raise ApiError(Code.UNAVAILABLE, "The engine is busy.", retry_after_ms=RETRY_MS)

    def take(self, amount: int) -> None:
        """So much is used from now on."""
        self.taken += amount

    def give_back(self, amount: int) -> None:
        """So much is no longer used."""
        self.taken -= amount


class Admission:
    """Everything that is limited: sessions of the pool and of attached clients, and what each address has at once."""

    def __init__(self, quotas: Quotas, now: Callable[[], float]) -> None:
        """``now`` is in seconds."""
        self._quotas = quotas
        self._now = now
        self.pressure = Pressure(now)
        shares = {use: int(quotas.sessions * part) for use, part in quotas.reserved.items()}
        rest = dict.fromkeys(Use, quotas.spare_seconds)
        self.pool = self._places(
            Shares(quotas.sessions, shares), {**rest, Use.BOT_MOVE: 0.0}, lambda: self.used
        )
        self._client_rest = rest
        self._clients: dict[str, Places] = {}
        self.bars = AddressLimit(quotas.bars, "evaluation bars")
        self.analyses = AddressLimit(quotas.analyses, "analyses")
        self.games = OpenedGames(quotas.games, now)
        self.clients = AddressLimit(quotas.clients, "bot clients")
        memory = f"analyses use nearly all of their {quotas.analysis_megabytes} MiB"
        self.memory = Budget(
            quotas.analysis_megabytes << 20, lambda: self.pressure.note(Use.ANALYSIS, memory)
        )

    def state(self) -> str:
        """How busy the engines are, in words."""
        return f"busy: {self.used}" if self.pressure.is_busy else self.used

    @property
    def used(self) -> str:
        """How many of the pool's sessions each use has, in words."""
        counts = self.pool.counts
        uses = ", ".join(f"{_PLURAL[use]} {counts[use]}" for use in Use)
        return f"{counts.total()} of {self.pool.shares.total} sessions are open ({uses})"

    @property
    def refused(self) -> Mapping[str, int]:
        """Refusals to client addresses since the start, by what was refused."""
        return {
            "bars": self.bars.refused,
            "analyses": self.analyses.refused,
            "games": self.games.refused,
            "bot_clients": self.clients.refused,
        }

    def places_of(self, analyst: Analyst) -> Places:
        """The sessions of this analyst: our own pool's have no time limit for an answer."""
        if analyst.time_limit is None:
            return self.pool
        places = self._clients.get(analyst.id)
        if places is None:
            self._forget_empty()
            total = self._quotas.sessions_per_client or UNLIMITED
            shares = Shares(total, {Use.BOT_MOVE: total // 2})
            who = f"bot client {analyst.id} has {total} sessions"
            places = self._clients[analyst.id] = self._places(shares, self._client_rest, lambda: who)
        return places

    def _places(self, shares: Shares, rest: Mapping[Use, float], who: Callable[[], str]) -> Places:
        return Places(shares, rest, self._now, lambda use: self.pressure.note(use, who()))

    def _forget_empty(self) -> None:
        for name in [name for name, places in self._clients.items() if places.is_empty]:
            del self._clients[name]
