"""Room kept for awaited games of bots, at whatever servers the bots and the games are. Called by what awaits games.

Only the server that a bot is attached to knows and keeps its sessions. It announces which of its clients have no room;
the server that awaits a game of a bot of another one announces that, so that the other one keeps room for it.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from pydantic import TypeAdapter

from server.services.bots.bot_registry import BotRegistry, client_of
from server.services.cluster.announcements import AnnouncementChange, Announcements

AWAITED: Final = "awaited-bots"
"""The kind of the announcements of bots attached elsewhere, by id. The values: whether people play in the game."""

KEPT: Final = "kept-room"
"""The kind of the announcements of clients for whose other games room is kept, by id: ``BotRegistry.full_for``."""

FULL: Final = "full-clients"
"""The kind of the announcements of clients that have no room even for an awaited game; as those above."""

_GAMES: TypeAdapter[list[bool]] = TypeAdapter(list[bool])


class KeptRoom:
    """What this server awaits and keeps, and what it hears of the others, which ``registry`` is told."""

    def __init__(self, announcements: Announcements, registry: BotRegistry) -> None:
        self._announcements = announcements
        self._registry = registry
        self._awaited: dict[str, bool] = {}
        """Bots that are awaited, since the last announcement, by id: whether people play in the game."""
        self._announced: dict[str, set[str]] = {}
        """The keys of this server's announcements, by kind."""
        announcements.listen(AWAITED, self._keep_for_others)
        announcements.listen(KEPT, partial(self._take, kind=KEPT))
        announcements.listen(FULL, partial(self._take, kind=FULL))

    def keep(self, bot_id: str, *, with_people: bool) -> None:
        """Keeps room for an awaited game of this bot. Renewed while the game waits."""
        self._registry.keep_room(bot_id, with_people=with_people)
        self._awaited[bot_id] = with_people

    async def announce(self) -> None:
        """Keeps room for what the others await. Tells them what this server awaits, and who has no room here."""
        awaited, self._awaited = self._awaited, {}
        here = set(self._registry.ids_here)
        elsewhere = {bot_id: people for bot_id, people in awaited.items() if client_of(bot_id) not in here}
        kept = {client_of(bot_id) for bot_id in awaited} & here
        for change in self._announcements.of_others(AWAITED):
            if client_of(change.key) in here:
                self._registry.keep_room(change.key, with_people=change.value)
                kept.add(client_of(change.key))
        await self._tell(AWAITED, elsewhere)
        await self._tell(KEPT, {one: games for one in kept if (games := self._registry.full_for(one))})
        full = {one: self._registry.full_for(one, is_awaited=True) for one in here}
        await self._tell(FULL, {one: games for one, games in full.items() if games})

    async def _tell(self, kind: str, values: Mapping[str, Any]) -> None:
        """Announces these values by their keys, and no others of this kind any more."""
        for key in self._announced.get(kind, set()) - values.keys():
            await self._announcements.withdraw(kind, key)
        self._announced[kind] = set(values)
        for key, value in values.items():
            await self._announcements.put(kind, key, value)

    async def _keep_for_others(self, change: AnnouncementChange) -> None:
        """Keeps room at once, and tells them; ``announce`` renews it."""
        client_id = client_of(change.key)
        if change.value is None or self._registry.client_here(client_id) is None:
            return
        self._registry.keep_room(change.key, with_people=change.value)
        if games := self._registry.full_for(client_id):
            self._announced.setdefault(KEPT, set()).add(client_id)
            await self._announcements.put(KEPT, client_id, games)

    async def _take(self, change: AnnouncementChange, *, kind: str) -> None:
        """Notes what is announced now: another server may have announced the client before this one withdraws it."""
        told = (one.value for one in self._announcements.of_others(kind) if one.key == change.key)
        games = _GAMES.validate_python(next(told, []))
        self._registry.note_full_elsewhere(change.key, games, is_awaited=kind == FULL)
