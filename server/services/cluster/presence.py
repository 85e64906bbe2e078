"""Presence: which seats of each game have open sockets, how many spectators there are, and which bots are away.

Also which players are shown evaluations of their game.

Kept in memory only; changes are published on the bus, and announced to the other servers: those of players at once,
those of spectators together with later ones.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from protocols.values import Attendance
from server.services.cluster.announcements import AnnouncementChange, Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.changes import game_topic, log_topic
from server.services.cluster.departures import Departures
from server.services.tasks import Tasks

ALL_PRESENCE = "presence"
"""The topic of all changes of presence in all games, including spectators."""

PRESENCE: Final = "presence"
"""The kind of the announcements: ``here``, ``away``, ``evaluating`` and ``spectators``, by game."""

SPECTATORS_SECONDS = 0.2
"""How long other servers may have an outdated number of spectators."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """The presence in a game after a change."""

    game_id: str
    attendance: Attendance
    spectators: int


class Present:
    """A context in which a socket is counted. Every socket has one, and an asynchronous generator takes 0.7 KiB."""

    __slots__ = ("_count",)

    def __init__(self, count: Callable[[int], Awaitable[None]]) -> None:
        self._count = count

    async def __aenter__(self) -> None:
        await self._count(1)

    async def __aexit__(self, *_: object) -> None:
        await self._count(-1)


class Presence:
    """Counts open sockets by game and seat, and tracks which bots are away: here and at the other servers."""

    def __init__(self, bus: Bus, announcements: Announcements, departures: Departures) -> None:
        self._bus = bus
        self.departures = departures
        self._announcements = announcements
        announcements.listen(PRESENCE, self._take)
        self._games: dict[str, Counter[int | None]] = {}
        """By seat; spectators are counted under None."""
        self._away: dict[str, frozenset[int]] = {}
        self._evaluating: dict[str, Counter[int]] = {}
        """The numbers of open evaluations, by game and seat."""
        self._elsewhere: dict[str, dict[str, PresenceChange]] = {}
        """By game and server."""
        self._announced: dict[str, Attendance] = {}
        """What the other servers know of the players here, by game."""
        self._unannounced: set[str] = set()
        """Games whose numbers of spectators are announced soon."""
        self._tasks = Tasks()
        self.people = 0
        """The number of players and spectators with sockets, in all games and at all servers."""

    def attendance(self, game_id: str) -> Attendance:
        """Returns which seats of a game are connected to any server, and which bots are away."""
        return self._now(game_id).attendance

    def is_only_here(self, game_id: str) -> bool:
        """Whether a game has sockets at this server, and at no other one."""
        others = self._elsewhere.get(game_id, {}).values()
        return game_id in self._games and not any(one.attendance.here or one.spectators for one in others)

    def spectators(self, game_id: str) -> int:
        """Returns the number of sockets of spectators of a game at all servers."""
        return self._now(game_id).spectators

    def own(self, game_id: str) -> PresenceChange:
        """Returns the presence of a game at this server."""
        counts: Mapping[int | None, int] = self._games.get(game_id, {})
        here = frozenset(seat for seat in counts if seat is not None)
        evaluating = frozenset(self._evaluating.get(game_id, ()))
        attendance = Attendance(here, self._away.get(game_id, frozenset()), evaluating)
        return PresenceChange(game_id, attendance, counts.get(None, 0))

    def present(self, game_id: str, seat: int | None) -> "Present":
        """Counts a socket of ``seat``, or of a spectator (None), for the duration of the context."""
        return Present(partial(self._count, game_id, seat))

    def evaluating(self, game_id: str, seat: int) -> "Present":
        """Counts a player who is shown evaluations, for the duration of the context."""
        return Present(partial(self._count_evaluation, game_id, seat))

    async def _count_evaluation(self, game_id: str, seat: int, by: int) -> None:
        before = self._now(game_id)
        counts = self._evaluating.setdefault(game_id, Counter())
        _add(counts, seat, by)
        if not counts:
            del self._evaluating[game_id]
        await self._publish_own(before)

    async def set_away(self, game_id: str, seat: int) -> None:
        """Marks the bot of a seat as away: its client has not reconnected yet."""
        before = self._now(game_id)
        self._away[game_id] = self._away.get(game_id, frozenset()) | {seat}
        await self._publish_own(before)

    async def set_back(self, game_id: str, seat: int) -> None:
        """Marks the bot of a seat as no longer away: it is back, or the game no longer waits for it."""
        before = self._now(game_id)
        still_away = self._away.get(game_id, frozenset()) - {seat}
        if still_away:
            self._away[game_id] = still_away
        else:
            self._away.pop(game_id, None)
        await self._publish_own(before)

    async def _count(self, game_id: str, seat: int | None, by: int) -> None:
        before = self._now(game_id)
        counts = self._games.setdefault(game_id, Counter())
        _add(counts, seat, by)
        if not counts:
            del self._games[game_id]
        await self._publish_own(before)

    def _now(self, game_id: str) -> PresenceChange:
        own, others = self.own(game_id), self._elsewhere.get(game_id)
        if not others:
            return own
        seen = (own, *others.values())
        attendance = Attendance(
            frozenset().union(*(one.attendance.here for one in seen)),
            frozenset().union(*(one.attendance.away for one in seen)),
            frozenset().union(*(one.attendance.evaluating for one in seen)),
        )
        return PresenceChange(game_id, attendance, sum(one.spectators for one in seen))

    async def _publish_own(self, before: PresenceChange) -> None:
        game_id = before.game_id
        await self._publish(before)
        if self.own(game_id).attendance != self._announced.get(game_id, Attendance()):
            await self._announce(game_id)
        else:
            self._announce_soon(game_id)

    def _announce_soon(self, game_id: str) -> None:
        if not self._unannounced:
            self._tasks.start(self._announce_all())
        self._unannounced.add(game_id)

    async def _announce_all(self) -> None:
        await asyncio.sleep(SPECTATORS_SECONDS)
        games, self._unannounced = self._unannounced, set()
        for game_id in games:
            await self._announce(game_id)

    async def _announce(self, game_id: str) -> None:
        own = self.own(game_id)
        if own.attendance == Attendance():
            self._announced.pop(game_id, None)
        else:
            self._announced[game_id] = own.attendance
        if own == PresenceChange(game_id, Attendance(), 0):
            await self._announcements.withdraw(PRESENCE, game_id)
            return
        here, away, evaluating = (
            sorted(seats) for seats in (own.attendance.here, own.attendance.away, own.attendance.evaluating)
        )
        value = {"here": here, "away": away, "evaluating": evaluating, "spectators": own.spectators}
        await self._announcements.put(PRESENCE, game_id, value)

    async def _take(self, change: AnnouncementChange) -> None:
        """Takes what another server announces."""
        game_id, value = change.key, change.value
        before = self._now(game_id)
        servers = self._elsewhere.setdefault(game_id, {})
        if value is None:
            servers.pop(change.server, None)
        else:
            attendance = Attendance(
                frozenset(value["here"]),
                frozenset(value["away"]),
                frozenset(value.get("evaluating", ())),  # Servers of older versions do not say so.
            )
            servers[change.server] = PresenceChange(game_id, attendance, value["spectators"])
            self._bus.expect_readers(log_topic(game_id))
        if not servers:
            del self._elsewhere[game_id]
        await self._publish(before)

    async def _publish(self, before: PresenceChange) -> None:
        """Publishes to the game's topic only if players changed, since many spectators may come and go."""
        after = self._now(before.game_id)
        self.people += _people(after) - _people(before)
        for seat in before.attendance.here - after.attendance.here:
            self.departures.note((after.game_id, seat))
        if after.attendance != before.attendance:
            await self._bus.publish(game_topic(after.game_id), after)
        if after != before:
            await self._bus.publish(ALL_PRESENCE, after)


def _people(change: PresenceChange) -> int:
    """The players and spectators of a game."""
    return len(change.attendance.here) + change.spectators


def _add(counts: Counter[Any], seat: int | None, by: int) -> None:
    """Adds to the number of a seat, which is removed at 0."""
    counts[seat] += by
    if counts[seat] <= 0:
        del counts[seat]
