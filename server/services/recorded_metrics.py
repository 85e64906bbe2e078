"""Counters and timings recorded while the server runs, in one registry per server.

Values that can be read at any time are not recorded here: ``routes.collected_metrics`` reads them on request. No label
contains an id or a token.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from server.domain.events import Created, Moved, Sealed
from server.services.cluster.changes import Change

# Otherwise each series comes with another one for its creation time.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has no annotation

ANSWERS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bucket bounds in seconds for response times."""

COMMITS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)

LAGS = (0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)

_MOVES = (Moved, Sealed)


class Metrics:
    """The metrics of one server; each is described by its help text."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        counter, histogram = partial(Counter, registry=registry), partial(Histogram, registry=registry)
        self.games = Gauge("plyhouse_games", "Games in the store by status.", ["status"], registry=registry)
        self._created = counter("plyhouse_games_created", "Games opened.", ["game"])
        self._begun = counter("plyhouse_games_started", "Games begun.", ["game"])
        self._ended = counter(
            "plyhouse_games_ended", "Games ended, by their last status.", ["game", "status"]
        )
        self._moves = counter("plyhouse_moves", "Moves stored, parts of simultaneous ones too.", ["game"])
        text = "Time from a move's arrival to its acknowledgement, without refused moves."
        self.move_seconds = histogram("plyhouse_move_seconds", text, buckets=ANSWERS)
        text = "Durable commits of the store, each with all that waited."
        self.commit_seconds = histogram("plyhouse_store_commit_seconds", text, buckets=COMMITS)
        text = "From handing a change to the store until it is durable."
        self.append_seconds = histogram("plyhouse_store_append_seconds", text, buckets=COMMITS)
        text = "How late the event loop wakes sleeping tasks."
        self.loop_lag_seconds = histogram("plyhouse_event_loop_lag_seconds", text, buckets=LAGS)

    def watch_connections(self, count: Callable[[], float], total: float) -> None:
        """Adds the number of open connections, which ``count`` returns, and its limit (0: none)."""
        gauge = partial(Gauge, registry=self.registry)
        gauge("plyhouse_connections", "Open connections that count.").set_function(count)
        gauge("plyhouse_connections_limit", "Most open connections; 0: no limit.").set(total)

    def count(self, change: Change) -> None:
        """Counts the events of a change made by this process."""
        game = change.state.game
        moves = sum(isinstance(event, _MOVES) for event in change.events)
        if isinstance(change.events[0], Created):
            self._created.labels(game).inc()
        if moves:
            self._moves.labels(game).inc(moves)
        if change.is_beginning:
            self._begun.labels(game).inc()
        if change.is_ending:
            self._ended.labels(game, change.state.status.value).inc()


class timed:  # noqa: N801 - used as a function, and a generator would cost more than what it times
    """Records the duration of a block unless it raises an exception."""

    __slots__ = ("_began", "_histogram")

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if failure is None:
            self._histogram.observe(perf_counter() - self._began)
