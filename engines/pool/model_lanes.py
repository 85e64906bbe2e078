"""The lanes of a pool's networks, which can be replaced while sessions are open.

New sessions use the current networks. A session keeps the lane that it was opened with; the lane of a replaced network
ends with the last session that uses it. Not thread-safe except for ``find``: ``EnginePool`` holds its lock.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from engines import Position
from engines.inference import Model, choose
from engines.pool.lanes import Lane
from engines.pool.model_lane import ModelLane
from engines.pool.statistics import EvaluatorStatistics


class ModelLanes:
    """One lane for each network."""

    def __init__(self, make: Callable[[Model], ModelLane], models: Sequence[Model]) -> None:
        self._make = make
        self._current = [make(model) for model in models]
        self._replaced: list[ModelLane] = []
        self._ended: dict[tuple[str, str], EvaluatorStatistics] = {}
        """The counts of ended lanes by name and provider, so that the counts of a network never decrease."""

    def __iter__(self) -> Iterator[ModelLane]:
        return iter([*self._current, *self._replaced])

    def find(self, position: Position) -> ModelLane | None:
        """The lane for a new session."""
        current = self._current
        model = choose([lane.model for lane in current], position)
        return next((lane for lane in current if lane.model is model), None)

    def replace(self, models: Sequence[Model]) -> None:
        """Uses these networks for new sessions."""
        self._replaced += self._current
        self._current = [self._make(model) for model in models]

    def remove_unused(self, used: Callable[[], Collection[Lane]]) -> list[ModelLane]:
        """Removes and returns the replaced lanes that no open session uses, for the caller to close.

        ``used``: returns the lanes of open sessions.
        """
        in_use = used() if self._replaced else ()
        removed = [lane for lane in self._replaced if lane not in in_use]
        for lane in removed:
            self._replaced.remove(lane)
            counts = lane.statistics()
            key = (counts.name, counts.provider)
            self._ended[key] = counts.without_entries().plus(self._ended.get(key))
        return removed

    def statistics(self) -> list[EvaluatorStatistics]:
        """One entry for each name and provider in use, with the counts of replaced networks of that name."""
        found: dict[tuple[str, str], EvaluatorStatistics] = {}
        for lane in self:
            counts = lane.statistics()
            key = (counts.name, counts.provider)
            found[key] = counts.plus(found.get(key, self._ended.get(key)))
        return list(found.values())
