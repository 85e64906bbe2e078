"""The chat of a game: messages are stored, and sent to everyone connected at that moment.

``protocols.play.chat_messages`` defines who may write what, and in which channel; this module adds names and rate
limits. Used by the game socket.
"""

from collections import deque
from contextlib import suppress
from dataclasses import replace

from protocols import jsontext
from protocols.play.chat_messages import (
    ChatErrorCode,
    ChatHeard,
    ChatKept,
    ChatRefused,
    Say,
    line_json,
    read_line,
)
from server.domain.errors import ApiError
from server.domain.game import GameState
from server.ports.store import ChatStore
from server.services.cluster.bus import Bus
from server.services.cluster.changes import game_topic
from server.services.cluster.server_messages import SERVERS, ChatSaid
from server.services.cluster.topic_reader import TopicReader
from server.services.games.games import Games
from server.services.games.stored_bytes import StoredBytes
from server.services.tasks import Tasks

BURST = 5
BURST_MS = 5_000
"""A client may send at most ``BURST`` messages within ``BURST_MS`` in one game, over all its sockets."""

KEPT = 1000
"""With more writers than this, those who may write again are forgotten."""


class ChatRates:
    """When clients have written lately, by game and by what tells them apart: the address, or else the socket."""

    def __init__(self) -> None:
        self._said_at: dict[tuple[str, str], deque[int]] = {}

    def may_say(self, game_id: str, who: str, now: int) -> bool:
        """Whether a client may write now, in milliseconds since the epoch; if so, this counts."""
        if len(self._said_at) > KEPT:
            self._said_at = {key: said for key, said in self._said_at.items() if now - said[-1] < BURST_MS}
        said_at = self._said_at.setdefault((game_id, who), deque(maxlen=BURST))
        if len(said_at) == BURST and now - said_at[0] < BURST_MS:
            return False
        said_at.append(now)
        return True


class ChatHistory:
    """The stored chat of all games. What a client adds counts as stored by it, like its games and imports."""

    def __init__(self, store: ChatStore, stored: StoredBytes) -> None:
        self._store = store
        self._stored = stored

    async def add(self, game_id: str, heard: ChatHeard) -> None:
        """Stores a message. ApiError if the client has stored too much, or the database fails."""
        self._stored.check()
        line = line_json(_without_name(heard))
        await self._store.keep_chat_line(game_id, heard.channel.value, heard.at, line)
        self._stored.charge(len(jsontext.write(line)))

    async def of_game(self, game_id: str) -> list[ChatHeard]:
        """Returns the messages of a game, oldest first; those of players have no names. ApiError as in ``add``."""
        return [read_line(line) for line in await self._store.chat(game_id)]


class ChatParticipant:
    """One socket in the chat of a game; ``seat`` None: a spectator's. ``who``: as in ``ChatRates``."""

    def __init__(
        self,
        games: Games,
        history: ChatHistory,
        bus: Bus,
        rates: ChatRates,
        game_id: str,
        seat: int | None,
        socket_id: str,
        who: str,
    ) -> None:
        self._games = games
        self._history = history
        self._bus = bus
        self._game_id = game_id
        self._seat = seat
        self._socket_id = socket_id
        self._rates = rates
        self._who = who

    async def say(self, message: Say) -> ChatRefused | None:
        """Sends a message to everyone in the game; returns the reason if it is refused."""
        now = self._games.now()
        if not self._rates.may_say(self._game_id, self._who, now):
            return ChatRefused(ChatErrorCode.RATE_LIMITED, "Wait a moment before you write again.")
        heard = ChatHeard(message.channel, self._seat, self._socket_id, await self._name(), message.text, now)
        with suppress(ApiError):  # Those who are here still read it.
            await self._history.add(self._game_id, heard)
        await self._bus.publish(game_topic(self._game_id), heard)
        await self._bus.publish(SERVERS, ChatSaid(self._games.leases.server, self._game_id, heard))
        return None

    async def kept(self) -> ChatKept:
        """Returns the stored messages; none if the database fails."""
        try:
            state = await self._games.get(self._game_id)
            lines = await self._history.of_game(self._game_id)
        except ApiError:
            return ChatKept(())
        return ChatKept(
            tuple(
                line if line.seat is None else replace(line, sender_name=_name_in(state, line.seat))
                for line in lines
            )
        )

    async def _name(self) -> str:
        if self._seat is None:
            return f"Guest {self._socket_id[:4]}"
        return _name_in(await self._games.get(self._game_id), self._seat)


def _name_in(state: GameState, seat: int) -> str:
    return state.seats[seat].name or f"Player {seat + 1}"


def _without_name(heard: ChatHeard) -> ChatHeard:
    """A message as it is stored: the names of players are only in the log of the game, where they can be changed."""
    return heard if heard.seat is None else replace(heard, sender_name="")


class ChatOfOthers:
    """Passes the messages written at other servers on to everyone in the game who is connected here."""

    def __init__(self, bus: Bus, server: str) -> None:
        self._bus = bus
        self._server = server
        self._tasks = Tasks()

    def start(self) -> None:
        """Starts to follow the other servers."""
        said = TopicReader(self._bus, SERVERS, self._is_of_another)
        self._tasks.start(said.follow(self._pass_on))

    async def stop(self) -> None:
        """Stops following them."""
        await self._tasks.stop()

    def _is_of_another(self, message: object) -> bool:
        return isinstance(message, ChatSaid) and message.server != self._server

    async def _pass_on(self, said: ChatSaid) -> None:
        await self._bus.publish(game_topic(said.game_id), said.heard)
