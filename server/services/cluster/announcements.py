"""What the servers of one installation tell each other: bot clients, their kept room, connected players, UHP seekers.

Each server announces values under a kind and a key. The others keep them in memory until they are withdrawn, or until
the server that announced them stops or dies. Nothing is stored: a server that starts, or has missed messages, asks the
others for everything.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.services.cluster.bus import Bus
from server.services.cluster.leases import LEASES, LeasesCounted, ServersChanged
from server.services.cluster.server_messages import SERVERS, AllAnnounced, Announced, AnnouncementsWanted
from server.services.cluster.topic_reader import TopicReader
from server.services.tasks import Tasks


@dataclass(frozen=True, slots=True)
class AnnouncementChange:
    """Another server's announcement; ``value`` None: it no longer applies.

    ``is_lost``: its server stops or has died instead of withdrawing it, or it is not known that it has withdrawn it.
    """

    server: str
    key: str
    value: Any
    is_lost: bool = False


Listener = Callable[[AnnouncementChange], Awaitable[None]]


class Announcements:
    """The announcements of this server, ``server``, and of the others.

    ``is_member`` returns whether a server uses the same database; others may share the medium, and are ignored.
    ``on_leaving`` is called when another server is stopping.
    """

    def __init__(
        self,
        bus: Bus,
        server: str,
        is_member: Callable[[str], Awaitable[bool]],
        on_leaving: Callable[[], None],
    ) -> None:
        self.server = server
        self._bus = bus
        self._is_member = is_member
        self._on_leaving = on_leaving
        self._own: dict[str, dict[str, Any]] = {}
        self._others: dict[str, dict[str, dict[str, Any]]] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self._is_leaving = False
        self._tasks = Tasks()

    async def start(self) -> None:
        """Asks the other servers for their announcements, and follows them."""
        messages, leases = TopicReader(self._bus, SERVERS, self._concerns), TopicReader(self._bus, LEASES)
        self._tasks.start(messages.follow(self._take, self._ask))
        self._tasks.start(leases.follow(self._take_leases))
        await self._ask()

    async def stop(self) -> None:
        """Stops following the others."""
        await self._tasks.stop()

    async def leave(self) -> None:
        """Tells the others that this server is stopping, and announces nothing from now on."""
        self._is_leaving = True
        await self._bus.publish(SERVERS, AllAnnounced(self.server, is_leaving=True))

    async def lose_all(self) -> None:
        """Tells the others that what this server has announced may no longer apply, as if it had died."""
        await self._bus.publish(SERVERS, AllAnnounced(self.server))

    # ---- this server -----------------------------------------------------------------------------

    async def put(self, kind: str, key: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Announces a value, instead of an earlier one."""
        values = self._own.setdefault(kind, {})
        if values.get(key) != value:
            values[key] = value
            await self._tell(kind, key, value)

    async def withdraw(self, kind: str, key: str) -> None:
        """Withdraws a value, if it was announced."""
        if self._own.get(kind, {}).pop(key, None) is not None:
            await self._tell(kind, key, None)

    async def _tell(self, kind: str, key: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
        if not self._is_leaving:
            await self._bus.publish(SERVERS, Announced(self.server, kind, key, value))

    async def _repeat(self) -> None:
        """Announces everything again, since others may have counted this server as dead."""
        if not self._is_leaving:
            await self._bus.publish(SERVERS, AllAnnounced(self.server, self._own))

    # ---- the others ------------------------------------------------------------------------------

    def listen(self, kind: str, listener: Listener) -> None:
        """Calls ``listener`` with all changes of this kind from now on."""
        self._listeners.setdefault(kind, []).append(listener)

    def of_others(self, kind: str) -> Iterator[AnnouncementChange]:
        """The other servers' current announcements of this kind."""
        for server, kinds in self._others.items():
            for key, value in kinds.get(kind, {}).items():
                yield AnnouncementChange(server, key, value)

    async def _take_leases(self, message: object) -> None:
        match message:
            case ServersChanged(departed=departed, arrived=arrived):
                for server in departed:
                    await self._replace(server, {})
                    self._others.pop(server, None)
                if arrived:  # It may have counted as dead here for a moment, without knowing.
                    await self._ask()
            case LeasesCounted():
                await self._repeat()

    def _concerns(self, message: object) -> bool:
        kinds = Announced | AllAnnounced | AnnouncementsWanted
        return isinstance(message, kinds) and message.server != self.server

    async def _take(self, message: Announced | AllAnnounced | AnnouncementsWanted) -> None:
        if not await self._is_member(message.server):
            return
        match message:
            case Announced(server=server, kind=kind):
                known = self._others.setdefault(server, {}).setdefault(kind, {})
                await self._set(known, kind, AnnouncementChange(server, message.key, message.value))
            case AllAnnounced(server=server, values=values, is_leaving=is_leaving):
                await self._replace(server, values)
                if is_leaving:
                    self._on_leaving()
            case AnnouncementsWanted():
                await self._repeat()

    async def _ask(self) -> None:
        await self._bus.publish(SERVERS, AnnouncementsWanted(self.server))

    async def _replace(self, server: str, values: Mapping[str, Mapping[str, Any]]) -> None:
        kinds = self._others.setdefault(server, {})
        for kind in {*kinds, *values}:
            known, new = kinds.setdefault(kind, {}), values.get(kind, {})
            for key in {*known, *new}:
                await self._set(known, kind, AnnouncementChange(server, key, new.get(key), is_lost=True))

    async def _set(self, known: dict[str, Any], kind: str, change: AnnouncementChange) -> None:
        if known.get(change.key) == change.value:
            return
        if change.value is None:
            del known[change.key]
        else:
            known[change.key] = change.value
        for listener in self._listeners.get(kind, ()):
            await listener(change)
