"""The registry of bots: the built-in ones, and those of clients attached to this server or to others.

Implements ``ports.analysts.BotDirectory``. A bot is asked only by the server that its client is attached to.

Clients are detached by their connection, never by their id, since a newer connection with the same id may have
replaced it.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from engines import Position, analysis_only
from engines.near_names import did_you_mean
from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachError, RejectionCode, is_official
from protocols.values import BUILT_IN_CLIENT, VariantOffer
from server.domain.bots import (
    BotProtocol,
    BotQuery,
    ListedBot,
    Recommendation,
    house_bots,
    listed,
    recommended,
)
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.ladder.players import player_id
from server.ports.analysts import Analyst, ConnectedClient
from server.services.bots.admission import Admission
from server.services.bots.bgs import Listeners
from server.services.bots.session_slots import RETRY_MS, Use

MOST_LEFT = 1000
"""Of so many clients that have disconnected it is known that they have not been lost together with their server."""

MAX_REPLACEMENTS = 3
REPLACEMENT_SECONDS = 60.0

REPLACED = 1000
"""The close code of a connection that was replaced by a newer one."""


CLIENTS: Final = "clients"
"""The kind of the announcements of attached clients, each an ``AttachedBots``, by client id."""


@dataclass(frozen=True, slots=True)
class AttachedBots:
    """The bots of a client, as its server announces them. ``since``: when it attached, in ms since the epoch.

    ``address``: the client's, None if no limit applies to it. ``inherits`` and ``is_owner`` as in
    ``domain.client_ids.Grant``.
    """

    bots: tuple[ListedBot, ...]
    since: int
    inherits: bool
    is_owner: bool = False
    address: str | None = None

    @property
    def is_official(self) -> bool:
        """Whether the client has an official bot."""
        return any(bot.is_official for bot in self.bots)

    def plays(self, bot_id: str, state: GameState) -> bool:
        """Whether the client plays this bot in a game.

        In one that began before it attached, only if it inherits; in one of the ladder, only as the same version.
        """
        is_here = any(bot.id == bot_id and _is_rated_as(bot, state) for bot in self.bots)
        return is_here and (self.inherits or self.is_older_than(state))

    def is_older_than(self, state: GameState) -> bool:
        """Whether the client had attached before the game began."""
        return state.created_at >= self.since


def _is_rated_as(bot: ListedBot, state: GameState) -> bool:
    return state.ladder is None or player_id(bot) in state.ladder.players


@dataclass(frozen=True, slots=True)
class AttachedClient:
    """A client and the server that it is attached to. ``client``: its connection, if that is this server."""

    told: AttachedBots
    server: str
    client: ConnectedClient | None = None


@dataclass(frozen=True, slots=True)
class BotAnalyst:
    """A bot that analyses positions, and its client."""

    bot: ListedBot
    client: ConnectedClient


class BotRegistry:
    """All bots. ``offers``: those of the built-in bots, by game; ``now`` returns seconds of a monotonic clock."""

    def __init__(
        self,
        pool: Analyst,
        offers: Mapping[str, Mapping[str, VariantOffer]],
        now: Callable[[], float],
        admission: Admission,
    ) -> None:
        self._pool = pool
        self._admission = admission
        self._built_in = house_bots(offers)
        self._now = now
        self._attached: dict[str, AttachedClient] = {}
        """By client id: the newest connection of each client, at any server."""
        self._left: deque[str] = deque(maxlen=MOST_LEFT)
        """The clients that have disconnected lately, and have not attached again."""
        self._full_elsewhere: dict[tuple[str, bool], Collection[bool]] = {}
        """What ``full_for`` is at the servers of other clients, by client id and ``is_awaited``."""
        self._replacements: dict[str, deque[float]] = {}
        self.listeners = Listeners()
        """Called when a client has attached or left."""

    # ---- finding bots ----------------------------------------------------------------------------

    @property
    def bots(self) -> tuple[ListedBot, ...]:
        """All bots that can be played against now."""
        return (*self._built_in, *(bot for one in self._attached.values() for bot in one.told.bots))

    def told(self) -> list[AttachedBots]:
        """The bots of each client attached to any server."""
        return [one.told for one in self._attached.values()]

    @property
    def attached(self) -> int:
        """The number of bots of clients attached to this server."""
        return sum(len(one.told.bots) for one in self._attached.values() if one.client is not None)

    @property
    def attached_anywhere(self) -> int:
        """The number of bots of clients attached to any server."""
        return sum(len(one.told.bots) for one in self._attached.values())

    def listed(self, query: BotQuery) -> list[ListedBot]:
        """Returns the matching bots, official ones first."""
        return listed(self.bots, query)

    def recommended(self, query: BotQuery) -> list[Recommendation]:
        """Returns the matching bots' recommendations."""
        return recommended(self.bots, query)

    def find(self, bot_id: str, game: str) -> ListedBot | None:
        """Returns the bot with this id for this game (built-in bots play several); None if there is none."""
        client_id = client_of(bot_id)
        attached = self._attached.get(client_id)
        bots = () if attached is None else attached.told.bots
        known = self._built_in if client_id == BUILT_IN_CLIENT else bots
        return next((bot for bot in known if bot.id == bot_id and bot.game == game), None)

    def is_owned(self, bot_id: str) -> bool:
        """Whether a bot that can be played against now is built in, or its client's id is its own."""
        attached = self._attached.get(client_of(bot_id))
        return attached is None or attached.told.is_owner

    def choose(
        self,
        bot_id: str | None,
        position: Position,
        *,
        is_timed: bool,
        with_people: bool = True,
        is_rated: bool = False,
        is_awaited: bool = False,
    ) -> ListedBot:
        """Returns the bot with this id, or the strongest built-in one for None. Raises ApiError.

        ``with_people``: whether anybody else than bots plays; ``is_rated``: whether the game is one of the ladder;
        ``is_awaited``: whether room may be kept for it.
        """
        bot = self._strongest(position) if bot_id is None else self.find(bot_id, position.game)
        if bot is None:
            raise self.unknown(bot_id, position.game)
        if not bot.plays(position):
            text = f"{bot.name} does not play this variant and board size."
            raise ApiError(Code.UNSUPPORTED, text, field="bot")
        if bot.plays_rated_only and not is_rated:
            text = f"{bot.name} plays rated games only, which the ladder starts."
            raise ApiError(Code.UNSUPPORTED, text, field="bot")
        if is_timed and not bot.is_timed:
            text = f"{bot.name} plays without a clock only: it did not attach with timed: true."
            raise ApiError(Code.BAD_TIME_CONTROL, text, field="timeControl")
        analyst = self.analyst_of(bot.id)
        if analyst is not None:
            self._admission.slots_of(analyst).check_room(_use(with_people=with_people), is_awaited=is_awaited)
        elif not self.has_room(bot.id, with_people=with_people, is_awaited=is_awaited):
            text = f"The next free session of {bot.name} is kept for a game of a tournament."
            text = f"All sessions of {bot.name} are in use." if is_awaited else text
            raise ApiError(Code.UNAVAILABLE, text, retry_after_ms=RETRY_MS)
        return bot

    def has_room(self, bot_id: str, *, with_people: bool = False, is_awaited: bool = False) -> bool:
        """Whether a game of this bot would get a session at once, as far as this server knows.

        ``with_people`` and ``is_awaited`` as in ``choose``.
        """
        return with_people not in self.full_for(client_of(bot_id), is_awaited=is_awaited)

    def full_for(self, client_id: str, *, is_awaited: bool = False) -> Collection[bool]:
        """For which games, with people (true) or without, a client has no room, see ``has_room``."""
        analyst = self._analyst(client_id)
        if analyst is None:
            return self._full_elsewhere.get((client_id, is_awaited), ())
        slots = self._admission.slots_of(analyst)
        return [
            one for one in (False, True) if not slots.has_room(_use(with_people=one), is_awaited=is_awaited)
        ]

    def keep_room(self, bot_id: str, *, with_people: bool) -> None:
        """Keeps room for an awaited game of this bot, as far as this server knows. Renewed while the game waits."""
        analyst = self.analyst_of(bot_id)
        if analyst is not None:
            self._admission.slots_of(analyst).keep_room(_use(with_people=with_people))

    def note_full_elsewhere(self, client_id: str, games: Collection[bool], *, is_awaited: bool) -> None:
        """Notes what ``full_for`` is at the server of a client."""
        if games:
            self._full_elsewhere[client_id, is_awaited] = games
        else:
            self._full_elsewhere.pop((client_id, is_awaited), None)

    def unknown(self, bot_id: str | None, game: str) -> ApiError:
        """Returns the error for an unknown bot, which suggests one that everybody sees."""
        known = [bot.id for bot in self.bots if bot.game == game and bot.username is None]
        wanted = "built-in bot" if bot_id is None else f"bot {bot_id!r}"
        hint = "." if bot_id is None else did_you_mean(bot_id, known) or "."
        return ApiError(Code.UNKNOWN_BOT, f"There is no {wanted} for {game}{hint}", field="bot")

    def _strongest(self, position: Position) -> ListedBot | None:
        return next((bot for bot in reversed(self._built_in) if bot.game == position.game), None)

    # ---- finding analysts ------------------------------------------------------------------------

    def analyst_of(self, bot_id: str) -> Analyst | None:
        """Returns the analyst of this bot: the pool or its client; None if that is not attached to this server."""
        return self._analyst(client_of(bot_id))

    def _analyst(self, client_id: str) -> Analyst | None:
        return self._pool if client_id == BUILT_IN_CLIENT else self.client_here(client_id)

    def analyst_for(self, bot_id: str, position: Position) -> BotAnalyst:
        """Returns an attached bot that analyses positions for anybody. ApiError if it cannot analyse this game."""
        bot = self.find(bot_id, position.game)
        if bot is None:
            text = f"There is no bot {bot_id!r} for {position.game}: it may have disconnected."
            raise ApiError(Code.UNKNOWN_BOT, text, field="analyst")
        if not bot.analyses:
            text = f"{bot.name} analyses no positions: it did not attach with analyses: true."
            raise ApiError(Code.UNSUPPORTED, text, field="analyst")
        if not bot.plays(position):
            text = f"{bot.name} does not play this variant and board size."
            raise ApiError(Code.UNSUPPORTED, text, field="analyst")
        if analysis_only(position.game, position.config):
            text = f"{bot.name} cannot analyse a position that was set up: no protocol can tell a bot how."
            raise ApiError(Code.UNSUPPORTED, text, field="analyst")
        client = self.client_here(bot.client_id)
        if client is None:
            text = f"{bot.name} is attached to another server of this site: only that one can ask it."
            raise ApiError(Code.UNSUPPORTED, text, field="analyst")
        return BotAnalyst(bot, client)

    def official_for(self, position: Position) -> tuple[ListedBot, AttachedClient] | None:
        """Returns an attached official bot that can play ``position``, and its client; None if there is none.

        A client of this server is preferred.
        """
        for attached in sorted(self._attached.values(), key=lambda one: one.client is None):
            for bot in attached.told.bots:
                if bot.is_official and bot.plays(position):
                    return bot, attached
        return None

    def player_of(self, bot_id: str, state: GameState) -> AttachedClient | None:
        """Returns the client that plays this bot in a game, at whatever server; None if it is not attached."""
        attached = self._attached.get(client_of(bot_id))
        return attached if attached is not None and attached.told.plays(bot_id, state) else None

    # ---- attaching and detaching -----------------------------------------------------------------

    def client(self, client_id: str) -> AttachedClient | None:
        """Returns the client attached with this id, at whatever server; None if there is none."""
        return self._attached.get(client_id)

    def client_here(self, client_id: str) -> ConnectedClient | None:
        """Returns the client attached to this server with this id; None if there is none."""
        attached = self._attached.get(client_id)
        return None if attached is None else attached.client

    @property
    def ids_here(self) -> list[str]:
        """The ids of the clients attached to this server."""
        return [client_id for client_id, one in self._attached.items() if one.client is not None]

    def attach(self, client_id: str, attached: AttachedClient) -> None:
        """Attaches a client to this server, or notes that it is attached to another one. Raises AttachError.

        An older connection of the client to this server is closed.
        """
        older, client = self._attached.get(client_id), attached.client
        if older is not None and older.client is not None:
            if client is not None:
                self._check_replacements(client_id)
            else:
                self.detach(older.client)
            older.client.dismiss(REPLACED, "Replaced by new connection")
        self._attached[client_id] = attached
        self._forget_left(client_id)
        self.listeners.tell()

    def detach(self, client: ConnectedClient, *, is_lost: bool = False) -> bool:
        """Removes the bots of this connection. Returns False if a newer one has replaced it.

        ``is_lost``: the client may come back, as this server has sent it away.
        """
        gone = [name for name, attached in self._attached.items() if attached.client is client]
        for name in gone:
            told = self._attached.pop(name).told
            if not is_lost:
                self._note_left(name, told)
        if gone:
            self.listeners.tell()
        return bool(gone)

    def detach_elsewhere(self, client_id: str, server: str, *, is_lost: bool) -> bool:
        """Removes the bots of a client of another server. Returns False if it is not attached to that one.

        ``is_lost``: the client may come back, as its server has stopped or nothing is known about it.
        """
        attached = self._attached.get(client_id)
        if attached is None or attached.client is not None or attached.server != server:
            return False
        del self._attached[client_id]
        if not is_lost:
            self._note_left(client_id, attached.told)
        self.listeners.tell()
        return True

    def has_left(self, client_id: str) -> bool:
        """Whether a client has disconnected, instead of being lost together with its server."""
        return client_id in self._left

    def _note_left(self, client_id: str, told: AttachedBots) -> None:
        """A guest does not leave the games that wait for another client with its id."""
        if told.inherits:
            self._left.append(client_id)

    def _forget_left(self, client_id: str) -> None:
        while client_id in self._left:
            self._left.remove(client_id)

    def _check_replacements(self, client_id: str) -> None:
        now = self._now()
        recent = self._replacements.setdefault(client_id, deque())
        while recent and now - recent[0] >= REPLACEMENT_SECONDS:
            recent.popleft()
        if len(recent) >= MAX_REPLACEMENTS:
            text = f"clientId {client_id!r} attaches too often: do two clients use it?"
            raise AttachError(RejectionCode.TOO_MANY_CLIENTS, text)
        recent.append(now)
        self._forget_replacements(now)

    def _forget_replacements(self, now: float) -> None:
        old = [name for name, times in self._replacements.items() if now - times[-1] >= REPLACEMENT_SECONDS]
        for name in old:
            del self._replacements[name]


def client_of(bot_id: str) -> str:
    """Returns the client id contained in a bot's id."""
    return bot_id.partition(":")[0]


def bots_of(attach: bgs.Attach, protocol: BotProtocol = BotProtocol.V3) -> tuple[ListedBot, ...]:
    """Returns the bots of a client, which are asked by ``protocol``."""
    return tuple(
        ListedBot(
            attach.client_id,
            entry.bot_id,
            entry.name,
            entry.game,
            entry.variants,
            is_official=is_official(entry),
            username=entry.username,
            appearance=entry.appearance,
            is_timed=entry.is_timed,
            version=entry.version,
            ladder=entry.ladder,
            tournaments=entry.tournaments,
            protocol=protocol,
            analyses=entry.analyses,
        )
        for entry in attach.bots
    )


def _use(*, with_people: bool) -> Use:
    return Use.BOT_MOVE if with_people else Use.BOT_GAME
