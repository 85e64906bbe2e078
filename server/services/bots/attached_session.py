"""A session of an attached bot, written as BGS messages. Does not send them itself."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from time import monotonic

from engines import Evaluation, Position
from protocols.bgs import messages as bgs
from protocols.bgs.answers import (
    R,
    check_best_move,
    check_moves,
    evaluation_of,
    granted,
    presentable,
)
from protocols.bgs.config import Setup, write_config
from protocols.bgs.effects import AnswerError
from protocols.values import ClockReading, moves_of, printable_note

Ask = Callable[[bgs.Request], Awaitable[bgs.Response]]
"""Returns the response to a message."""


class AttachedSession:
    """One ``ports.analysts.AnalystSession`` of the attached bot ``bot_id``, which its viewers know as ``name``.

    ``retries``: how often the bot is asked again for an evaluation that has an illegal move. All of it counts as one
    request, whose time limit applies.
    """

    def __init__(
        self, request: Ask, bgs_id: str, bot_id: str, name: str, setup: Setup, retries: int = 0
    ) -> None:
        self._request = request
        self._bgs_id = bgs_id
        self._bot_id = bot_id
        self._name = name
        self._setup = setup
        self._retries = retries
        self._position = _start(setup)

    async def open(self, moves: Sequence[str] | None = None) -> None:
        """Starts a session, at a worker after ``moves``. Raises RefusalError or AnswerError."""
        self._position = _start(self._setup)
        given = None if moves is None else tuple(moves)
        start = bgs.StartGameSession(self._bgs_id, self._bot_id, write_config(self._setup), given)
        started = await self._ask(start, bgs.GameSessionStarted)
        if given is not None and started.ply is not None:
            _check_ply(started.ply, len(moves_of(given)))
            self._position.play(*given)
            return
        for move in given or ():
            await self.advance(move)

    async def advance(self, move: str) -> None:
        """Applies a move. Raises RefusalError or AnswerError."""
        await self._ask(bgs.ApplyMove(self._bgs_id, self._position.ply, move), bgs.MoveApplied)
        self._position.play(move)

    async def evaluate(self, clock: ClockReading | None = None, following: Sequence[str] = ()) -> Evaluation:
        """Evaluates the position. Raises RefusalError or AnswerError. Bots are not told what follows."""
        lines = self._setup.lines
        found = await self._evaluation(
            bgs.EvaluatePosition(self._bgs_id, self._position.ply, clock, lines=lines)
        )
        if lines is not None:
            return replace(found, source=self._name, lines=found.lines[:lines])
        is_explained = found.lines or found.samples or found.source
        return replace(found, source=self._name) if is_explained else found

    async def close(self) -> None:
        """Ends the session."""
        await self._ask(bgs.EndGameSession(self._bgs_id), bgs.GameSessionEnded)

    async def _evaluation(self, request: bgs.EvaluatePosition) -> Evaluation:
        began = monotonic()
        for _ in range(self._retries):
            found = await self._unchecked(request)
            try:
                return self._checked(found)
            except AnswerError as error:
                clock, why = _later(request.clock, monotonic() - began), printable_note(str(error))
                request, began = replace(request, clock=clock, refused=why), monotonic()
        return self._checked(await self._unchecked(request))

    async def _unchecked(self, request: bgs.EvaluatePosition) -> Evaluation:
        found = evaluation_of(await self._ask(request, bgs.EvaluateResponse), self._position.seats)
        return presentable(found)

    def _checked(self, found: Evaluation) -> Evaluation:
        """The evaluation. Raises AnswerError if it has an illegal move."""
        check_moves(found, self._position)
        check_best_move(found, self._position)
        return found

    async def _ask(self, request: bgs.Request, expected: type[R]) -> R:
        return granted(request, await self._request(request), expected)


def _later(clock: ClockReading | None, seconds: float) -> ClockReading | None:
    """The clock after it has run for so long."""
    if clock is None:
        return None
    return replace(clock, remaining_ms=max(0, clock.remaining_ms - round(seconds * 1000)))


def _start(setup: Setup) -> Position:
    return Position(setup.game, setup.variant, setup.config)


def _check_ply(ply: int, wanted: int) -> None:
    if ply != wanted:
        raise AnswerError(f"the analyst has played {ply} moves instead of {wanted}")
