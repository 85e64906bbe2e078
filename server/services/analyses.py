"""The analysis service: studies of games and of move lists, each made once, kept and shared by all askers."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engines import Position
from engines.effort import usual_samples
from protocols.records.formats import AUTO
from server.domain.assistance import allows_evaluation
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.ports import PoolAnalyst
from server.services.analysis import Analysis, Progress, start_of
from server.services.bgs import BgsHost
from server.services.games import Games
from server.services.records import position_of, read
from server.services.replay import played, replay
from server.services.study import MAX_GAME_PLIES, MAX_LINES, Bounds, Study, window

log = logging.getLogger(__name__)

KEPT = 128
"""Analyses kept, the ones asked for longest ago given up first."""

RETRY_MS = 2000


@dataclass(frozen=True, slots=True)
class AnalysisWish:
    """What somebody wants analysed: a game of ours, ``moves`` from a start, or a record. None: the default, or all."""

    game_id: str | None = None
    game: str = ""
    variant: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    moves: Sequence[str] = ()
    format: str = AUTO
    text: str | None = None
    samples: int | None = None
    multipv: int = 1
    from_ply: int | None = None
    to_ply: int | None = None


class Pool(Protocol):
    """What is asked of the engines beforehand."""

    def can_evaluate(self, position: Position) -> bool:
        """Whether anybody evaluates such a game."""
        ...

    def bytes_for(self, position: Position, samples: int) -> int:
        """The memory that an evaluation usually takes."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """An analysis, and the token that withdraws the ask for it."""

    analysis: Analysis
    token: str


class Analyses:
    """All analyses.

    ``analyst`` makes one of a name for a number of lines. ``samples`` is the default; None: that of the game.
    """

    def __init__(
        self,
        games: Games,
        host: BgsHost,
        analyst: Callable[[str, int], PoolAnalyst],
        pool: Pool,
        samples: int | None,
        bounds: Bounds,
        look_seconds: float,
    ) -> None:
        self._games = games
        self._host = host
        self._analyst = analyst
        self._pool = pool
        self._samples = samples
        self._bounds = bounds
        self._look_seconds = look_seconds
        self._count = 0
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        """By their ids."""
        self._by_study: dict[str, Analysis] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def ask(self, wish: AnalysisWish, address: str | None = None) -> Asked:
        """The analysis, begun if nobody has asked for it before. ``address`` is the client's. ApiError."""
        position = await self._position(wish)
        if not self._pool.can_evaluate(position):
            raise ApiError(Code.UNSUPPORTED, f"Nobody here can evaluate {position.game}.", field="game")
        study = self._study(wish, position)
        analysis = self._by_study.get(study.key)
        if analysis is None or analysis.progress not in (Progress.RUNNING, Progress.DONE):
            analysis = self._begin(study, address)
        self._kept.move_to_end(analysis.id)
        return Asked(analysis, analysis.audience.ask(address))

    @property
    def running(self) -> int:
        """Analyses under way."""
        return len(self._running)

    def find(self, analysis_id: str) -> Analysis:
        """An analysis that somebody looks at; ApiError when it is not kept any more."""
        analysis = self._kept.get(analysis_id)
        if analysis is None:
            raise ApiError(Code.NOT_FOUND, f"There is no analysis {analysis_id!r}.")
        analysis.audience.look()
        return analysis

    def withdraw(self, analysis_id: str, token: str) -> None:
        """Takes back the ask that this token was given for: the analysis stops with the last one.

        One that is over stays for others. ApiError.
        """
        analysis = self.find(analysis_id)
        if analysis.progress is Progress.RUNNING and not analysis.audience.withdraw(token):
            raise ApiError(Code.NO_TOKEN, "The token was not given for this analysis.")
        if analysis.progress is Progress.CANCELLED:
            self._drop(analysis)

    async def stop(self) -> None:
        """Stops everything, since the server stops: it may be asked for again when that is back."""
        for analysis in self._kept.values():
            analysis.cancel(retry_after_ms=RETRY_MS)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    # ---- beginning -------------------------------------------------------------------------------

    def _begin(self, study: Study, address: str | None) -> Analysis:
        admission = self._host.admission
        admission.analyses.check(address)
        needed = self._memory(study)
        admission.memory.check(needed)
        self._count += 1
        analyst = self._analyst(f"analysis {self._count}", study.multipv)
        analysis = Analysis(study, self._host, analyst, self._look_seconds)
        admission.memory.take(needed)
        self._kept[analysis.id] = self._by_study[study.key] = analysis
        task = asyncio.ensure_future(self._run(analysis, needed))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return analysis

    async def _run(self, analysis: Analysis, needed: int) -> None:
        try:
            await analysis.run()
        except Exception as defect:
            log.exception("analysis %s", analysis.id)
            analysis.fail(str(defect))
        finally:
            self._host.admission.memory.give_back(needed)
            if analysis.progress is not Progress.DONE:
                self._drop(analysis)
            self._forget()

    def _drop(self, analysis: Analysis) -> None:
        self._kept.pop(analysis.id, None)
        if self._by_study.get(analysis.study.key) is analysis:
            del self._by_study[analysis.study.key]

    def _forget(self) -> None:
        done = [one for one in self._kept.values() if one.progress is not Progress.RUNNING]
        for analysis in done[: max(0, len(self._kept) - KEPT)]:
            self._drop(analysis)

    # ---- what is asked for -----------------------------------------------------------------------

    async def _position(self, wish: AnalysisWish) -> Position:
        """The last position. Many moves take their time: meanwhile others go on."""
        if wish.text is not None:
            return await asyncio.to_thread(_recorded, wish.format, wish.text)
        if wish.game_id is None:
            given = (wish.game, wish.variant, wish.config, wish.moves, MAX_GAME_PLIES)
            return await asyncio.to_thread(replay, *given)
        state = await self._games.get(wish.game_id)
        _check_assistance(state)
        window(wish.from_ply, wish.to_ply, state.ply)
        start = Position(state.game, state.variant, state.config)
        return await asyncio.to_thread(played, start, state.moves)

    def _study(self, wish: AnalysisWish, position: Position) -> Study:
        first, last = window(wish.from_ply, wish.to_ply, position.ply)
        bytes_per_sample = self._pool.bytes_for(start_of(position), 1000) / 1000
        most = self._bounds.most_samples(last - first + 1, bytes_per_sample)
        usual = self._samples or usual_samples(position.game)
        samples = min(usual, most.samples) if wish.samples is None else wish.samples
        most.check(samples)
        if not 1 <= wish.multipv <= MAX_LINES:
            text = f"multipv must be 1 to {MAX_LINES}."
            raise ApiError(Code.OVER_LIMIT, text, field="multipv", limit=MAX_LINES)
        return Study(position, samples, wish.multipv, first, last)

    def _memory(self, study: Study) -> int:
        """What the study will take at most, in bytes."""
        needed = self._pool.bytes_for(start_of(study.position), study.samples)
        return min(needed, self._bounds.megabytes * 2**20) if self._bounds.megabytes else needed


def _check_assistance(state: GameState) -> None:
    if not allows_evaluation(state):
        text = "This game is played without engine assistance: it can be analysed when it is over."
        raise ApiError(Code.NO_ASSISTANCE, text)


def _recorded(name: str, text: str) -> Position:
    return position_of(read(name, text))
