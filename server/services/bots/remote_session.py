"""A session of an attached bot, written as BGS messages. Does not send them itself."""

from collections.abc import Awaitable, Callable

from engines import Evaluation, Position
from protocols.bgs import messages as m
from protocols.bgs.answers import R, evaluation_of, granted
from protocols.bgs.config import Setup, write_config
from protocols.values import ClockReading, is_move


class RemoteSession:
    """One ``ports.analysts.AnalystSession`` of an attached bot. ``request`` returns the response to a message."""

    def __init__(
        self,
        request: Callable[[m.Request], Awaitable[m.Response]],
        bgs_id: str,
        bot_id: str,
        setup: Setup,
    ) -> None:
        self._request = request
        self._bgs_id = bgs_id
        self._bot_id = bot_id
        self._setup = setup
        self._seats = Position(setup.game, setup.variant, setup.config).seats
        self._ply = 0

    async def open(self) -> None:
        """Starts a session. Raises RefusalError or AnswerError."""
        self._ply = 0
        await self._ask(
            m.StartGameSession(self._bgs_id, self._bot_id, write_config(self._setup)), m.GameSessionStarted
        )

    async def advance(self, move: str) -> None:
        """Applies a move. Raises RefusalError or AnswerError."""
        await self._ask(m.ApplyMove(self._bgs_id, self._ply, move), m.MoveApplied)
        self._ply += is_move(move)

    async def evaluate(self, clock: ClockReading | None = None) -> Evaluation:
        """Evaluates the position. Raises RefusalError or AnswerError."""
        request = m.EvaluatePosition(self._bgs_id, self._ply, clock)
        return evaluation_of(await self._ask(request, m.EvaluateResponse), self._seats)

    async def close(self) -> None:
        """Ends the session."""
        await self._ask(m.EndGameSession(self._bgs_id), m.GameSessionEnded)

    async def _ask(self, request: m.Request, expected: type[R]) -> R:
        return granted(request, await self._request(request), expected)
