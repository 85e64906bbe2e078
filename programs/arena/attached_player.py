"""Bots of a running server as players of the arena: ``ID@URL`` in place of a named strategy.

For each game of the arena, a game is opened at the server, with the bot in its seat. The arena plays the other seats
there: it sends the moves of the other players, and reads those of the bot. Of a simultaneous move, the server shows the
bot's part once it has all others.
"""

import queue
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import httpx

from engines import BadConfig, Position
from engines.arena_game import RESIGNATION, Forfeit
from engines.bots import UnknownBot
from engines.inference import Model
from engines.near_names import did_you_mean
from engines.pool import Limits
from plyhouse.client import Client
from plyhouse.wire import GameState, ServerError
from protocols.values import FORFEIT, is_move, moves_of, parts_of

NOTATION = re.compile(r"(?P<id>[^@]+)@(?P<url>https?://[^@\s]+)")

GRACE_SECONDS = 2.0
"""Tolerance for late moves, due to the network and to other games of the bot."""

Unreachable = (httpx.HTTPError, ConnectionError, ServerError)


class ServerFailed(Exception):
    """The server cannot be reached, or refused a request. The text is a sentence."""


@dataclass(frozen=True)
class AttachedBot:
    """A contender of the arena. ``text`` is the notation as the user wrote it."""

    text: str
    id: str
    url: str

    @classmethod
    def parse(cls, text: str) -> "AttachedBot":
        """Parses ``ID@URL``. Raises UnknownBot."""
        parts = NOTATION.fullmatch(text)
        if parts is None:
            raise UnknownBot(f"'{text}' is not ID@URL with an address such as http://localhost:8000")
        return cls(text, parts["id"], parts["url"].rstrip("/"))

    def check(self, game: str, variant: str) -> None:
        """Asks the server for the bot, so that problems show before the match. Raises UnknownBot or ServerFailed."""
        try:
            with Client(self.url) as client:
                bots = {bot.id: bot for bot in client.bots(game)}
        except (*Unreachable, httpx.InvalidURL) as error:
            raise ServerFailed(f"{self.text}: {error}") from None
        except (ValueError, KeyError, TypeError):
            raise ServerFailed(f"{self.text}: {self.url} is not a Plyhouse server") from None
        if self.id not in bots:
            raise UnknownBot(f"{self.url} has no bot '{self.id}' for {game}{did_you_mean(self.id, bots)}")
        if variant not in bots[self.id].variants:
            raise UnknownBot(f"{self.text} does not play {variant}")

    def player(
        self, position: Position, limits: Limits, seed: int, models: Sequence[Model]
    ) -> "AttachedPlayer":
        """Returns a player. Raises BadConfig for games and positions that it cannot play."""
        del seed, models  # bots at servers have neither
        if position.history:
            raise BadConfig(f"{self.text} plays from the start only: no opening plies are possible")
        return AttachedPlayer(self, position, (limits.time_ms or 0) / 1000 + GRACE_SECONDS)


class AttachedPlayer:
    """One bot in one seat of one game."""

    def __init__(self, bot: AttachedBot, position: Position, patience: float) -> None:
        """``position``: the start of the arena's game. ``patience``: seconds for a move."""
        self._bot = bot
        self._position = position
        self._patience = patience
        self._game: _ServerGame | None = None

    def choose(self, position: Position, seat: int) -> str:
        """Returns the bot's move. Raises Forfeit if the bot fails, or ServerFailed if the server does."""
        return self.choose_last(position, seat, {})

    def choose_last(self, position: Position, seat: int, others: Mapping[int, str]) -> str:
        """Returns the bot's part of the next move; ``others`` are all other parts. Raises as ``choose`` does."""
        self._position = position
        try:
            if self._game is None:
                self._game = _ServerGame(self._bot, position, seat)
            self._game.send(position.history)
            self._game.send_parts(others)
            state = self._game.next_state(position, self._patience)
        except TimeoutError:
            raise Forfeit(self, "timeout", f"No move within {self._patience:g} seconds.") from None
        except Unreachable as error:
            raise ServerFailed(f"{self._bot.text}: {error}") from None
        shown, known = moves_of(state.history), moves_of(position.history)
        if len(shown) <= len(known) or f"{FORFEIT}{seat}" in state.history:
            reason = state.reason or RESIGNATION
            raise Forfeit(self, reason, f"The bot has left its game on the server ({reason}).")
        if shown[: len(known)] != known:
            raise ServerFailed(f"{self._bot.text}: the game on the server has different moves")
        acting = position.to_act
        return parts_of(position.submitted(shown[len(known)]), len(acting))[acting.index(seat)]

    def played(self, move: str) -> None:
        """Does nothing: the moves are sent when the bot is to move."""

    def close(self) -> None:
        """Ends the game at the server."""
        if self._game is not None:
            self._game.close(self._position.history)


class _ServerGame:
    """The game at the server, and a thread that follows it."""

    def __init__(self, bot: AttachedBot, start: Position, seat: int) -> None:
        """Opens the game. Raises ServerError and httpx's errors."""
        self._client = Client(bot.url)
        config = {**start.config, **start.secret}
        self._position = Position(start.game, start.variant, config)
        """The position at the server, without moves of the bot that the arena has not played yet."""
        self._seat = seat
        self._sent_ply = -1
        """The ply of the last simultaneous move whose parts were sent."""
        self._news: queue.SimpleQueue[GameState | Exception] = queue.SimpleQueue()
        seats = [bot.id if index == seat else "human" for index in range(start.seats)]
        try:
            self._game = self._client.create(start.game, seats, variant=start.variant, config=config)
        except BaseException:
            self._client.close()
            raise
        threading.Thread(target=self._follow, daemon=True).start()

    def send(self, history: Sequence[str]) -> None:
        """Plays what the others have played. Raises ServerError and httpx's errors."""
        for entry in history[len(self._position.history) :]:
            if is_move(entry):
                acting = self._position.to_act
                parts = parts_of(self._position.submitted(entry), len(acting))
                self.send_parts(dict(zip(acting, parts, strict=True)))
            elif entry != f"{FORFEIT}{self._seat}":
                self._act(int(entry.removeprefix(FORFEIT)), None)
            self._position.play(entry)

    def send_parts(self, parts: Mapping[int, str]) -> None:
        """Plays the others' parts of the next move, unless they were sent before. Raises as ``send`` does."""
        others = [seat for seat in parts if seat != self._seat]
        if not others or self._sent_ply == self._position.ply:
            return
        self._sent_ply = self._position.ply
        for seat in others:
            self._act(seat, parts[seat])

    def next_state(self, position: Position, patience: float) -> GameState:
        """Returns the state after the bot has moved in ``position`` or left the game. Raises TimeoutError."""
        while True:
            try:
                state = self._news.get(timeout=patience)
            except queue.Empty:
                raise TimeoutError from None
            if isinstance(state, Exception):
                raise state
            if state.is_over or state.ply > position.ply or f"{FORFEIT}{self._seat}" in state.history:
                return state

    def close(self, history: Sequence[str]) -> None:
        """Sends the last moves, resigns if that does not end the game, and disconnects."""
        with suppress(*Unreachable), self._client:
            self.send(history)
            for seat in range(len(self._game.seats)):
                if seat != self._seat and not self._client.state(self._game.game_id).is_over:
                    self._act(seat, None)

    def _act(self, seat: int, move: str | None) -> None:
        """Plays a move for ``seat``, or resigns. Does nothing in a game that the bot has left or that is over."""
        game_id, token = self._game.game_id, self._game.seats[seat].token or ""
        try:
            if move is None:
                self._client.resign(game_id, token)
            else:
                self._client.move(game_id, token, move, self._position.ply)
        except ServerError:
            state = self._client.state(game_id)
            if not state.is_over and f"{FORFEIT}{self._seat}" not in state.history:
                raise

    def _follow(self) -> None:
        token = next(seat.token for seat in self._game.seats if seat.token is not None)
        try:
            with Client(self._client.url) as client:
                for state in client.follow(self._game.game_id, token):
                    self._news.put(state)
        except Exception as error:  # raised again where the state is needed
            self._news.put(error)
