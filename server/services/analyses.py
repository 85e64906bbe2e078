"""The analysis service: studies of games and of move lists, each made once, kept and shared by all askers."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines import Position
from engines.effort import usual_samples
from protocols.records.formats import AUTO
from server.domain.assistance import allows_evaluation
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.ports import PoolAnalyst
from server.services.analysis import Analysis, Progress, Study
from server.services.bgs import BgsHost
from server.services.games import Games
from server.services.records import position_of, read
from server.services.replay import check_plies, played, replay

log = logging.getLogger(__name__)

MAX_SAMPLES = 100_000
MAX_LINES = 20
MAX_RUNNING = 32
KEPT = 128
"""Analyses kept, the ones asked for longest ago given up first."""

RETRY_MS = 2000


@dataclass(frozen=True, slots=True)
class AnalysisWish:
    """What somebody wants analysed: a game of ours, ``moves`` from a start, or a record. None: the default, or all.

    ``while_watched``: only for as long as somebody reads the events.
    """

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
    while_watched: bool = False


class Analyses:
    """All analyses.

    ``analyst`` makes one of a name for a number of lines. ``samples`` is the default; None: that of the game.
    """

    def __init__(
        self,
        games: Games,
        host: BgsHost,
        analyst: Callable[[str, int], PoolAnalyst],
        can_evaluate: Callable[[Position], bool],
        samples: int | None,
    ) -> None:
        self._games = games
        self._host = host
        self._analyst = analyst
        self._can_evaluate = can_evaluate
        self._samples = samples
        self._count = 0
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        self._running: set[asyncio.Task[None]] = set()

    async def ask(self, wish: AnalysisWish) -> Analysis:
        """The analysis, begun if nobody has asked for it before. ApiError."""
        position = await self._position(wish)
        if not self._can_evaluate(position):
            raise ApiError(Code.UNSUPPORTED, f"Nobody here can evaluate {position.game}.", field="game")
        study = self._study(wish, position)
        analysis = self._kept.get(study.id)
        if analysis is None or analysis.progress is Progress.CANCELLED:
            analysis = self._begin(study)
        self._kept.move_to_end(study.id)
        if not wish.while_watched:
            analysis.audience.keep()
        return analysis

    @property
    def running(self) -> int:
        """Analyses under way."""
        return len(self._running)

    def find(self, analysis_id: str) -> Analysis:
        """An analysis that was asked for; ApiError when it is not kept any more."""
        analysis = self._kept.get(analysis_id)
        if analysis is None:
            raise ApiError(Code.NOT_FOUND, f"There is no analysis {analysis_id!r}.")
        return analysis

    def cancel(self, analysis_id: str) -> None:
        """Stops an analysis within one batch, for all who asked for it, and forgets it."""
        self.find(analysis_id).cancel()
        del self._kept[analysis_id]

    async def stop(self) -> None:
        """Stops everything, since the server stops: it may be asked for again when that is back."""
        for analysis in self._kept.values():
            analysis.cancel(retry_after_ms=RETRY_MS)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    # ---- beginning -------------------------------------------------------------------------------

    def _begin(self, study: Study) -> Analysis:
        if len(self._running) >= MAX_RUNNING:
            text = f"{MAX_RUNNING} analyses are running already."
            raise ApiError(Code.TOO_MANY_REQUESTS, text, limit=MAX_RUNNING, retry_after_ms=RETRY_MS)
        self._count += 1
        analyst = self._analyst(f"analysis {self._count}", study.multipv)
        analysis = self._kept[study.id] = Analysis(study, self._host, analyst)
        task = asyncio.ensure_future(self._run(analysis))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return analysis

    async def _run(self, analysis: Analysis) -> None:
        study = analysis.study
        try:
            await analysis.run()
        except Exception as defect:
            log.exception("analysis %s", study.id)
            analysis.fail(str(defect))
        finally:
            if analysis.progress is not Progress.DONE and self._kept.get(study.id) is analysis:
                del self._kept[study.id]
            self._forget()

    def _forget(self) -> None:
        done = [name for name, one in self._kept.items() if one.progress is not Progress.RUNNING]
        for name in done[: max(0, len(self._kept) - KEPT)]:
            del self._kept[name]

    # ---- what is asked for -----------------------------------------------------------------------

    async def _position(self, wish: AnalysisWish) -> Position:
        """The last position. Many moves take their time: meanwhile others go on."""
        if wish.text is not None:
            return await asyncio.to_thread(_recorded, wish.format, wish.text)
        if wish.game_id is None:
            return await asyncio.to_thread(replay, wish.game, wish.variant, wish.config, wish.moves)
        state = await self._games.get(wish.game_id)
        _check_assistance(state)
        check_plies(state.ply)
        start = Position(state.game, state.variant, state.config)
        return await asyncio.to_thread(played, start, state.moves)

    def _study(self, wish: AnalysisWish, position: Position) -> Study:
        usual = self._samples or usual_samples(position.game)
        samples = usual if wish.samples is None else wish.samples
        _check_limit("samples", samples, MAX_SAMPLES)
        _check_limit("multipv", wish.multipv, MAX_LINES)
        to_ply = position.ply if wish.to_ply is None else wish.to_ply
        from_ply = wish.from_ply or 0
        if not 0 <= from_ply <= to_ply <= position.ply:
            text = f"fromPly and toPly must be in order and within 0 to {position.ply}."
            raise ApiError(Code.MALFORMED, text, field="fromPly", limit=position.ply)
        return Study(position, samples, wish.multipv, from_ply, to_ply)


def _check_assistance(state: GameState) -> None:
    if not allows_evaluation(state):
        text = "This game is played without engine assistance: it can be analysed when it is over."
        raise ApiError(Code.NO_ASSISTANCE, text)


def _recorded(name: str, text: str) -> Position:
    reading = read(name, text)
    check_plies(len(reading.record.moves))
    return position_of(reading)


def _check_limit(name: str, value: int, limit: int) -> None:
    if not 1 <= value <= limit:
        raise ApiError(Code.OVER_LIMIT, f"{name} must be 1 to {limit}.", field=name, limit=limit)
