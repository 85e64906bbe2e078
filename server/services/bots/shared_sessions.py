"""Sessions that evaluation bars of other servers share with the bot that plays the game, at the client of that bot.

The server that moves for the bot has a session for the game, whose evaluations its own bars show. Bars at other servers
ask for a session of their own, whose requests are forwarded to the server of the client. They are answered there from
the session of the game, so that the bot need not evaluate its positions again. A bar gets a session of its own where
there is nothing to share: the bot does not play now, or does not reach a position in time. Used by ``remote_analyst``.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from protocols.bgs import messages as m

_OF_BAR = re.compile(r"(.+)~([0-9a-f]{16})(?:~\d+)?", re.DOTALL)
"""The session id of a bar: the game's id, the id of its server, and a number if it is not the first."""

Send = Callable[[m.Request], Awaitable[m.Response]]
"""Sends a request to the client, and returns its response."""


@dataclass(slots=True)
class _Played:
    """The session of a game as its client has confirmed it. ``changed`` is set at the next change."""

    start: m.StartGameSession
    moves: list[m.ApplyMove] = field(default_factory=list)
    plies: list[int] = field(default_factory=list)
    """The number of moves played after each entry of ``moves``."""
    evaluations: dict[int, m.EvaluateResponse] = field(default_factory=dict)
    """By the number of entries of ``moves`` before."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class _Bar:
    """A session of a bar of which the client does not know."""

    game_id: str
    start: m.StartGameSession
    moves: list[m.ApplyMove] = field(default_factory=list)


class SharedSessions:
    """The sessions of one client. ``patience``: how many seconds a bar waits until the game has reached a position.

    The bar's server waits longer for an answer, since it may take a session of the bar's own with all moves so far.
    """

    def __init__(self, send: Send, patience: float) -> None:
        self._send = send
        self._patience = patience
        self._played: dict[str, _Played] = {}
        """By game; the id of such a session is the game's."""
        self._bars: dict[str, _Bar] = {}
        """By session id."""
        self._opened: set[str] = set()
        """The ids of the bars' sessions that are open at the client."""

    async def request(self, message: m.Request) -> m.Response:
        """Answers a request of a bar from the session of its game, and sends all others to the client."""
        bar = self._bars.get(message.bgs_id)
        if bar is not None:
            return await self._answer(bar, message)
        if isinstance(message, m.StartGameSession) and (game_id := self._game_of(message)) is not None:
            self._bars[message.bgs_id] = _Bar(game_id, message)
            return m.GameSessionStarted(message.bgs_id)
        return await (self._send_of_bar(message) if "~" in message.bgs_id else self._send_of_game(message))

    def close(self) -> None:
        """Called when the client has disconnected: nobody waits for its games any longer."""
        for game_id in tuple(self._played):
            self._drop(game_id)

    async def end_bars_of(self, server: str) -> None:
        """Ends the sessions of the bars of a server that is gone. Raises AnalystGoneError."""
        for session_id in [one for one in (*self._bars, *self._opened) if _server_of(one) == server]:
            await self.request(m.EndGameSession(session_id))

    def _game_of(self, start: m.StartGameSession) -> str | None:
        """The game whose session a bar can share; None if there is none of the same bot."""
        of_bar = _OF_BAR.fullmatch(start.bgs_id)
        played = None if of_bar is None else self._played.get(of_bar[1])
        if of_bar is None or played is None or played.start.bot_id != start.bot_id:
            return None
        return of_bar[1] if played.start.config == start.config else None

    # ---- the sessions of games -------------------------------------------------------------------

    async def _send_of_game(self, message: m.Request) -> m.Response:
        """Sends a request of the server that plays a game; after one that failed the session is not shared."""
        response = None
        try:
            response = await self._send(message)
        finally:
            if response is None or not response.success:
                self._drop(message.bgs_id)
        if response.success:
            self._note(message, response)
        return response

    def _note(self, message: m.Request, response: m.Response) -> None:
        game_id = message.bgs_id
        if isinstance(message, m.StartGameSession | m.EndGameSession):
            self._drop(game_id)
        if isinstance(message, m.StartGameSession):
            self._played[game_id] = _Played(message)
        played = self._played.get(game_id)
        if played is None:
            return
        match message, response:
            case m.ApplyMove(), m.MoveApplied(ply=ply):
                played.moves.append(message)
                played.plies.append(ply)
            case m.EvaluatePosition(), m.EvaluateResponse():
                played.evaluations[len(played.moves)] = response
        _wake(played)

    def _drop(self, game_id: str) -> None:
        played = self._played.pop(game_id, None)
        if played is not None:
            _wake(played)

    # ---- the sessions of bars --------------------------------------------------------------------

    async def _answer(self, bar: _Bar, message: m.Request) -> m.Response:
        match message:
            case m.EndGameSession(bgs_id=bgs_id):
                del self._bars[bgs_id]
                return m.GameSessionEnded(bgs_id)
            case m.ApplyMove(bgs_id=bgs_id):
                wanted = [*bar.moves, message]
                if (played := await self._reached(bar, wanted, is_evaluated=False)) is not None:
                    bar.moves.append(message)
                    return m.MoveApplied(bgs_id, played.plies[len(wanted) - 1])
            case m.EvaluatePosition(bgs_id=bgs_id):
                if (played := await self._reached(bar, bar.moves, is_evaluated=True)) is not None:
                    return replace(played.evaluations[len(bar.moves)], bgs_id=bgs_id)
        return await self._open(bar, message)

    async def _reached(self, bar: _Bar, moves: list[m.ApplyMove], *, is_evaluated: bool) -> _Played | None:
        """The session of the game once it has these moves; None if it ends, has others or does not get there.

        One that lacks several moves is replaying the game, which may take long.
        """
        try:
            async with asyncio.timeout(self._patience):
                while (played := self._played.get(bar.game_id)) is not None:
                    pairs = zip(moves, played.moves, strict=False)
                    if any(
                        (one.expected_ply, one.move) != (other.expected_ply, other.move)
                        for one, other in pairs
                    ):
                        return None
                    if len(moves) > len(played.moves) + 1:
                        return None
                    is_there = len(played.moves) >= len(moves)
                    if is_there and (not is_evaluated or len(moves) in played.evaluations):
                        return played
                    await played.changed.wait()
        except TimeoutError:
            pass
        return None

    async def _open(self, bar: _Bar, message: m.Request) -> m.Response:
        """Opens the session of a bar at the client after all, and sends it the request."""
        if self._bars.pop(message.bgs_id, None) is not bar:
            return m.refusal(message, "the session has ended")
        requests: list[m.Request] = [bar.start, *bar.moves]
        for earlier in requests:
            response = await self._send_of_bar(earlier)
            if not response.success:
                return m.refusal(message, response.error)
        return await self._send_of_bar(message)

    async def _send_of_bar(self, message: m.Request) -> m.Response:
        if isinstance(message, m.StartGameSession):
            self._opened.add(message.bgs_id)
        elif isinstance(message, m.EndGameSession):
            self._opened.discard(message.bgs_id)
        return await self._send(message)


def _server_of(session_id: str) -> str | None:
    """The server of a bar; None for another session."""
    of_bar = _OF_BAR.fullmatch(session_id)
    return None if of_bar is None else of_bar[2]


def _wake(played: _Played) -> None:
    played.changed.set()
    played.changed = asyncio.Event()
