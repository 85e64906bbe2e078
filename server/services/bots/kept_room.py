"""Room kept for awaited games of bots that are attached to this server. Others hear for whom there is no room besides.

Otherwise, they would start games that take the sessions which become free here. Called by what awaits games.
"""

from typing import Final

from pydantic import TypeAdapter

from server.services.bots.bot_registry import BotRegistry, client_of
from server.services.cluster.announcements import AnnouncementChange, Announcements

KEPT: Final = "kept-room"
"""The kind of the announcements of clients for whose other games there is no room, by client id.

The values: for which games there is none, those with people (true) and those without (false).
"""

_GAMES: TypeAdapter[list[bool]] = TypeAdapter(list[bool])


class KeptRoom:
    """What this server keeps, and what it hears of the others, which ``registry`` is told."""

    def __init__(self, announcements: Announcements, registry: BotRegistry) -> None:
        self._announcements = announcements
        self._registry = registry
        self._awaited: dict[str, str] = {}
        """A bot that is awaited, by its client's id: since the last announcement."""
        self._announced: set[str] = set()
        announcements.listen(KEPT, self._take)

    def keep(self, bot_id: str, *, with_people: bool) -> None:
        """Keeps room for an awaited game of this bot. Renewed while the game waits."""
        self._registry.keep_room(bot_id, with_people=with_people)
        if self._registry.client_here(client_of(bot_id)) is not None:
            self._awaited[client_of(bot_id)] = bot_id

    async def announce(self) -> None:
        """Tells the other servers for whom room is kept, and that it is kept for no others any more."""
        awaited, self._awaited = self._awaited, {}
        full = {
            client_id: games
            for client_id, bot_id in awaited.items()
            if (
                games := [
                    one for one in (False, True) if not self._registry.has_room(bot_id, with_people=one)
                ]
            )
        }
        for client_id in self._announced - full.keys():
            await self._announcements.withdraw(KEPT, client_id)
        for client_id, games in full.items():
            await self._announcements.put(KEPT, client_id, games)
        self._announced = set(full)

    async def _take(self, change: AnnouncementChange) -> None:
        games = [] if change.value is None else _GAMES.validate_python(change.value)
        self._registry.note_kept_elsewhere(change.key, games)
