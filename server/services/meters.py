"""What is counted and timed while the server works, in a registry of one server.

What can be asked at any time is not counted here: ``routes.figures`` reads it when somebody asks. No label holds
an id or a token.
"""

from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from server.domain.events import Created, Moved, Sealed
from server.services.changes import Change

# Otherwise every series comes with another one that says when it began.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has forgotten to

ANSWERS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bounds in seconds for what somebody waits for."""

COMMITS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)

LAGS = (0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)

_MOVES = (Moved, Sealed)


class Meters:
    """The meters of one server; each is described by its help text."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        self.games = Gauge("plyhouse_games", "Games in the store by status.", ["status"], registry=registry)
        self._created = Counter("plyhouse_games_created", "Games opened.", ["game"], registry=registry)
        self._begun = Counter("plyhouse_games_started", "Games begun.", ["game"], registry=registry)
        self._ended = Counter(
            "plyhouse_games_ended",
            "Games ended, by their last status.",
            ["game", "status"],
            registry=registry,
        )
        self._moves = Counter(
            "plyhouse_moves", "Moves stored, parts of simultaneous ones too.", ["game"], registry=registry
        )
        self.move_seconds = Histogram(
            "plyhouse_move_seconds",
            "From a move's arrival to its acknowledgement; refused ones are left out.",
            buckets=ANSWERS,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "plyhouse_store_commit_seconds",
            "Durable commits of the store, each with all that waited.",
            buckets=COMMITS,
            registry=registry,
        )
        self.append_seconds = Histogram(
            "plyhouse_store_append_seconds",
            "From handing a change to the store until it is durable.",
            buckets=COMMITS,
            registry=registry,
        )
        self.loop_lag_seconds = Histogram(
            "plyhouse_event_loop_lag_seconds",
            "How late the event loop wakes whoever sleeps.",
            buckets=LAGS,
            registry=registry,
        )

    def count(self, change: Change) -> None:
        """Counts what a change made here is."""
        game = change.state.game
        for event in change.events:
            if isinstance(event, Created):
                self._created.labels(game).inc()
            elif isinstance(event, _MOVES):
                self._moves.labels(game).inc()
        if change.is_beginning:
            self._begun.labels(game).inc()
        if change.is_ending:
            self._ended.labels(game, change.state.status.value).inc()


class timed:  # noqa: N801 - used as a function, and a generator would cost more than what it times
    """Times what goes well; what fails is left out."""

    __slots__ = ("_began", "_histogram")

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if failure is None:
            self._histogram.observe(perf_counter() - self._began)
