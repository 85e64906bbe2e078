"""Our own engine pool as an analyst (``ports.PoolAnalyst``): engine sessions in this process.

Everything happens on the event loop; only searching is done elsewhere. Each analyst has sessions of its own,
so the ids of one never meet those of another.
"""

import asyncio

from engines.pool import EnginePool, PoolFull
from protocols.bgs import messages as m
from protocols.bgs.engine import Advance, Evaluate, Respond, SessionClosed, SessionOpened
from protocols.session import Effect
from server.adapters.pool_searches import Finished, PoolSearches, SearchSettings, engine_sessions
from server.ports import SearchDetail


class PoolAnalyst:
    """One client of the pool: its sessions, and the requests that wait for an answer."""

    time_limit = None
    """The pool answers, however long its queue is."""

    def __init__(
        self, pool: EnginePool, settings: SearchSettings, *, analyst_id: str, max_sessions: int
    ) -> None:
        self.id = analyst_id
        self._sessions = engine_sessions(pool, max_sessions)
        self._searches = PoolSearches(pool, settings, self._bring_home, prefix=f"{analyst_id}/")
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, tuple[m.Request, asyncio.Future[m.Response]]] = {}
        self._evaluating: dict[str, int] = {}
        """The ply of the evaluation under way, by session."""
        self._details: dict[str, dict[int, SearchDetail]] = {}

    async def request(self, message: m.Request) -> m.Response:
        """The answer. A request that is given up stops its search; its session stays usable."""
        answer: asyncio.Future[m.Response] = self._loop.create_future()
        self._waiting[message.bgs_id] = (message, answer)
        if isinstance(message, m.EvaluatePosition):
            self._evaluating[message.bgs_id] = message.expected_ply
        self._carry_out(message)
        try:
            return await answer
        except asyncio.CancelledError:
            self._waiting.pop(message.bgs_id, None)
            self._searches.cancel(message.bgs_id)
            raise

    def detail(self, bgs_id: str, ply: int) -> SearchDetail | None:
        """What the last evaluation of this ply found."""
        return self._details.get(bgs_id, {}).get(ply)

    def _carry_out(self, message: m.Request) -> None:
        try:
            self._perform(self._sessions.request(message))
        except PoolFull as full:
            self._sessions.request(m.EndGameSession(message.bgs_id))
            self._answer(m.refusal(message, str(full)))

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Respond(message=message):
                    self._answer(message)
                case SessionClosed(bgs_id=bgs_id):
                    self._searches.carry_out(effect)
                    self._details.pop(bgs_id, None)
                    self._evaluating.pop(bgs_id, None)
                case SessionOpened() | Advance() | Evaluate():
                    self._searches.carry_out(effect)
                case _:
                    raise TypeError(f"engine sessions ask for {type(effect).__name__}")

    def _answer(self, message: m.Response) -> None:
        """Hands the answer over, unless it belongs to an older request that was given up."""
        request, answer = self._waiting.get(message.bgs_id, (None, None))
        if request is None or answer is None or not isinstance(message, m.RESPONSE_OF[type(request)]):
            return
        del self._waiting[message.bgs_id]
        if not answer.done():
            answer.set_result(message)

    def _bring_home(self, finished: Finished) -> None:
        """Called by whatever thread finished the search."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._take, finished)

    def _take(self, finished: Finished) -> None:
        if finished.evaluation is not None:
            found = finished.evaluation
            detail = SearchDetail(found.lines, found.inherited, found.is_cut)
            ply = self._evaluating[finished.bgs_id]
            self._details.setdefault(finished.bgs_id, {})[ply] = detail
        self._perform(self._sessions.notify(finished.event))
