"""Counters and timings recorded while the server runs, in one registry per server.

Values that can be read at any time are not recorded here: ``routes.metrics`` reads them on request. No label
contains an id or a token.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import disk_usage
from time import monotonic, perf_counter

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

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""The methods that metrics name; clients may invent others."""

_MOVES = (Moved, Sealed)


class LongestLately:
    """The greatest of the values of this minute and of the one before. ``now`` returns seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._minute = 0
        self._longest = self._before = 0.0

    def add(self, value: float) -> None:
        """Adds a value, at least 0."""
        self._turn()
        self._longest = max(self._longest, value)

    def get(self) -> float:
        """The greatest; 0 if there was none."""
        self._turn()
        return max(self._longest, self._before)

    def _turn(self) -> None:
        minute = int(self._now() // 60)
        if minute != self._minute:
            self._before = self._longest if minute == self._minute + 1 else 0.0
            self._longest, self._minute = 0.0, minute


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
        labels = ["route", "method", "status"]
        self._requests = counter("plyhouse_http_requests", "Requests by route and status.", labels)
        text = "From the arrival of a request to the end of its answer."
        self._request_seconds = histogram("plyhouse_http_request_seconds", text, ["route"], buckets=ANSWERS)
        self.exceptions = counter("plyhouse_exceptions", "Requests and sockets that failed unexpectedly.")
        text = "Sockets ended, by who closed them and the server's code."
        self.sockets_closed = counter("plyhouse_sockets_closed", text, ["path", "by", "code"])
        self.refused_writes = counter("plyhouse_store_refused_writes", "Changes that the database refused.")
        text = "How late the event loop wakes sleeping tasks."
        self.loop_lag_seconds = histogram("plyhouse_event_loop_lag_seconds", text, buckets=LAGS)
        self._longest_lag = LongestLately(monotonic)
        gauge = partial(Gauge, registry=registry)
        text = "The longest that the event loop was late in the last minute or two."
        gauge("plyhouse_event_loop_longest_lag_seconds", text).set_function(self._longest_lag.get)
        text = "Connections refused, by the limit that was reached."
        self._refused_connections = counter("plyhouse_connections_refused", text, ["limit"])
        self.database_bytes = gauge("plyhouse_database_bytes", "The size of the database.")

    def observe_lag(self, seconds: float) -> None:
        """Records how late the event loop has woken a task."""
        self.loop_lag_seconds.observe(seconds)
        self._longest_lag.add(seconds)

    def count_refused_connection(self, limit: str) -> None:
        """Counts a connection that was refused because of this limit."""
        self._refused_connections.labels(limit).inc()

    def watch_disk(self, file: Path | None) -> None:
        """Adds the free space on the disk of a SQLite database's file."""
        if file is not None:
            gauge = Gauge(
                "plyhouse_disk_free_bytes", "Free space on the database's disk.", registry=self.registry
            )
            gauge.set_function(lambda: disk_usage(file.parent).free)

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts a request. ``status`` is 0 if it was not answered."""
        self._requests.labels(route, method if method in METHODS else "other", str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

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
