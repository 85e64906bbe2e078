"""The analysis service: analyses of games and move lists, each computed once and shared by all clients that ask."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engines import Position, RuleError
from engines.effort import usual_samples
from engines.pool import EnginePool
from protocols.records.formats import AUTO
from protocols.values import entries_until
from server.domain.assistance import allows_evaluation, hides_best_move
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.ports.analysts import Analyst
from server.services.bots.bgs import BgsHost
from server.services.bots.bot_registry import BotAnalyst, BotRegistry
from server.services.evaluation.analysis_plan import (
    MAX_GAME_PLIES,
    MAX_LINES,
    AnalysisPlan,
    PlanBounds,
    check_for_bot,
    start_of,
    window,
)
from server.services.evaluation.analysis_run import Analysis, Progress
from server.services.games.games import Games
from server.services.games.records import position_of, read
from server.services.games.replay import played, replay
from server.services.tasks import Tasks

log = logging.getLogger(__name__)

KEPT = 128
KEPT_LINES = 50_000
"""The most analyses and lines that are kept; beyond, the analyses requested longest ago are dropped first.

The largest analyses have 20,000 lines and take 10 MB.
"""

RETRY_MS = 2000


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A requested analysis: of a stored game, of ``moves`` from a start, or of a record (``format`` and ``text``).

    None means the default, or the whole game for ``from_ply`` and ``to_ply``. ``analyst``: the id of the bot that
    evaluates the positions; None: the server's own engine.
    """

    game_id: str | None = None
    game: str | None = None
    variant: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    moves: Sequence[str] = ()
    format: str = AUTO
    text: str | None = None
    samples: int | None = None
    multipv: int = 1
    from_ply: int | None = None
    to_ply: int | None = None
    analyst: str | None = None


@dataclass(frozen=True, slots=True)
class RequestedAnalysis:
    """An analysis, and the token with which the request for it can be withdrawn."""

    analysis: Analysis
    token: str


class Analyses:
    """All analyses.

    ``analyst`` creates an analyst, given its name and a number of lines. ``samples`` is the default number per
    position; None: that of the game.
    """

    def __init__(
        self,
        games: Games,
        host: BgsHost,
        analyst: Callable[[str, int], Analyst],
        pool: EnginePool,
        registry: BotRegistry,
        samples: int | None,
        bounds: PlanBounds,
        look_seconds: float,
    ) -> None:
        self._games = games
        self._host = host
        self._analyst = analyst
        self._pool = pool
        self._registry = registry
        self._samples = samples
        self._bounds = bounds
        self._look_seconds = look_seconds
        self._count = 0
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        """By id."""
        self._by_study: dict[str, Analysis] = {}
        self._running = Tasks()

    async def ask(self, request: AnalysisRequest, address: str | None = None) -> RequestedAnalysis:
        """Returns the analysis for a request, starting it if needed. ``address`` is the client's. Raises ApiError."""
        plan = await self._planned(request)
        analysis = self._by_study.get(plan.key)
        if analysis is None or not analysis.answers(plan):
            analysis = self._begin(plan, address)
        self._kept.move_to_end(analysis.id)
        return RequestedAnalysis(analysis, analysis.audience.ask(address))

    @property
    def running(self) -> int:
        """The number of running analyses."""
        return len(self._running)

    def find(self, analysis_id: str) -> Analysis:
        """Returns an analysis for a client, which counts as watching; ApiError if it is unknown or was discarded."""
        analysis = self._kept.get(analysis_id)
        if analysis is None:
            raise ApiError(Code.NOT_FOUND, f"There is no analysis {analysis_id!r}.")
        analysis.audience.look()
        return analysis

    def withdraw(self, analysis_id: str, token: str) -> None:
        """Withdraws the request to which this token was given. The last one to be withdrawn stops the analysis.

        A finished analysis is kept for other clients. Raises ApiError.
        """
        analysis = self.find(analysis_id)
        if analysis.progress is Progress.RUNNING and not analysis.audience.withdraw(token):
            raise ApiError(Code.NO_TOKEN, "The token is not for this analysis.")
        if analysis.progress is Progress.CANCELLED:
            self._drop(analysis)

    async def stop(self) -> None:
        """Cancels all analyses because the server is stopping; clients are told to try again later."""
        for analysis in self._kept.values():
            analysis.cancel(retry_after_ms=RETRY_MS)
        await self._running.stop()

    # ---- beginning -------------------------------------------------------------------------------

    def _begin(self, plan: AnalysisPlan, address: str | None) -> Analysis:
        admission = self._host.admission
        admission.analyses.check(address)
        needed = plan.most_bytes
        admission.memory.check(needed)
        analysis = Analysis(plan, self._host, self._analyst_for(plan), self._look_seconds)
        admission.memory.take(needed)
        self._kept[analysis.id] = self._by_study[plan.key] = analysis
        self._running.start(self._run(analysis, needed))
        return analysis

    def _analyst_for(self, plan: AnalysisPlan) -> Analyst:
        if plan.asked is not None:
            return plan.asked.client
        self._count += 1
        return self._analyst(f"analysis {self._count}", plan.multipv)

    async def _run(self, analysis: Analysis, needed: int) -> None:
        try:
            await analysis.run()
        except Exception as defect:
            log.exception("error in analysis %s", analysis.id)
            analysis.fail(str(defect))
        finally:
            self._host.admission.memory.give_back(needed)
            if analysis.progress is not Progress.DONE:
                self._drop(analysis)
            self._forget()

    def _drop(self, analysis: Analysis) -> None:
        self._kept.pop(analysis.id, None)
        if self._by_study.get(analysis.plan.key) is analysis:
            del self._by_study[analysis.plan.key]

    def _forget(self) -> None:
        done = [one for one in self._kept.values() if one.progress is not Progress.RUNNING]
        lines = sum(one.lines for one in done)
        while done and (len(self._kept) > KEPT or lines > KEPT_LINES):
            oldest = done.pop(0)
            lines -= oldest.lines
            self._drop(oldest)

    # ---- reading requests ------------------------------------------------------------------------

    async def _planned(self, request: AnalysisRequest) -> AnalysisPlan:
        work, replayed = self._host.admission.work, await self._replay(request)
        if request.analyst is None:
            return await work.run(self._plan, request, replayed)
        position = await work.run(replayed)
        asked = self._registry.analyst_for(request.analyst, position)
        return await work.run(_plan_for_bot, request, position, asked)

    async def _replay(self, request: AnalysisRequest) -> Callable[[], Position]:
        """Returns a function, which may take long, that returns the last position of the requested game."""
        if request.text is not None:
            return partial(_recorded, request.format, request.text)
        if request.game_id is None:
            given = (request.game or "", request.variant, request.config, request.moves, MAX_GAME_PLIES)
            return partial(replay, *given)
        state = await self._games.get(request.game_id)
        _check_assistance(state)
        last = state.ply - 1 if hides_best_move(state) else state.ply
        window(request.from_ply, request.to_ply, last)
        return partial(_public, state, last)

    def _plan(self, request: AnalysisRequest, replayed: Callable[[], Position]) -> AnalysisPlan:
        """May take long: runs on a thread. Raises ApiError."""
        position = replayed()
        start = start_of(position)
        try:
            bytes_for = self._pool.bytes_for(start)
        except RuleError:
            text = f"No engine here can evaluate {position.game}."
            raise ApiError(Code.UNSUPPORTED, text, field="game") from None
        first, last = window(request.from_ply, request.to_ply, position.ply)
        most = self._bounds.most_samples(last - first + 1, bytes_for(1000) / 1000)
        usual = self._samples or usual_samples(position.game)
        samples = min(usual, most.samples) if request.samples is None else request.samples
        most.check(samples)
        _check_lines(request.multipv)
        needed = bytes_for(samples)
        most_bytes = min(needed, self._bounds.megabytes * 2**20) if self._bounds.megabytes else needed
        return AnalysisPlan(position, start, samples, request.multipv, first, last, most_bytes).prepared()


def _plan_for_bot(request: AnalysisRequest, position: Position, asked: BotAnalyst) -> AnalysisPlan:
    """May take long: runs on a thread. Raises ApiError."""
    first, last = window(request.from_ply, request.to_ply, position.ply)
    check_for_bot(position.ply, last - first + 1)
    _check_lines(request.multipv)
    lines, start = request.multipv, start_of(position)
    return AnalysisPlan(position, start, 0, lines, first, last, asked=asked).prepared()


def _check_lines(lines: int) -> None:
    if not 1 <= lines <= MAX_LINES:
        text = f"multipv must be 1 to {MAX_LINES}."
        raise ApiError(Code.OVER_LIMIT, text, field="multipv", limit=MAX_LINES)


def _check_assistance(state: GameState) -> None:
    if not allows_evaluation(state):
        text = "This game is played without engine assistance: it can be analysed once it is over."
        raise ApiError(Code.NO_ASSISTANCE, text)
    if state.ply == 0 and hides_best_move(state):
        raise ApiError(Code.NO_ASSISTANCE, "This position can be analysed once all players have moved.")


def _public(state: GameState, ply: int) -> Position:
    """The position after so many moves, from the public start, as searches see it."""
    start = Position(state.game, state.variant, state.config)
    return played(start, state.moves[: entries_until(state.moves, ply)])


def _recorded(name: str, text: str) -> Position:
    return position_of(read(name, text))
