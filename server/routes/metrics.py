"""Metrics that are read from a running server on a request for ``/metrics``; see also ``services.recorded_metrics``.

Names follow the conventions of Prometheus. No label contains an id or a token.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from engines.pool.statistics import EvaluatorStatistics, PoolStatistics
from server.ports.analysts import WorkerStatistics
from server.routes.services import Services
from server.services.bots.admission import Admission
from server.services.bots.session_slots import Use


class ServiceMetrics(Collector):
    """Reads metrics from the services of a server."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def describe(self) -> list[Metric]:
        """Nothing: otherwise the registry would collect all metrics to learn their names."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        services = self._services
        yield _gauges("plyhouse_info", "The version of this server.", "version", {version("plyhouse"): 1})
        yield _gauge("plyhouse_tasks", "Tasks of the event loop.", len(asyncio.all_tasks()))
        yield _gauge("plyhouse_games_loaded", "Games in memory.", services.games.loaded)
        yield _gauge("plyhouse_bot_sessions", "Open bot game sessions.", len(services.host))
        yield _gauge("plyhouse_analyses_running", "Running analyses.", services.analyses.running)
        yield _gauge("plyhouse_attached_bots", "Bots of attached clients.", services.registry.attached)
        yield from _sessions(services.host.admission)
        yield from self._sockets()
        yield from self._uhp()
        yield from self._bus()
        yield from _pool(services.pool.statistics())
        yield from _workers(services.worker_statistics() or WorkerStatistics())

    def _sockets(self) -> Iterator[Metric]:
        sockets = self._services.sockets
        yield _gauges("plyhouse_sockets", "Open sockets by address.", "path", sockets.count_by_path())
        yield _counter(
            "plyhouse_slow_sockets", "Sockets closed because their peer read too slowly.", sockets.slow
        )
        yield _counter(
            "plyhouse_throttled_sockets", "Ended sockets whose peer sent too fast.", sockets.throttled
        )

    def _uhp(self) -> Iterator[Metric]:
        uhp = self._services.uhp
        roles = {role.value: count for role, count in uhp.context.connections.items()}
        yield _gauges("plyhouse_uhp_connections", "Open UHP connections by role.", "role", roles)
        yield _gauge(
            "plyhouse_uhp_waiting", "UHP players without an opponent.", uhp.context.matchmaking.waiting
        )
        yield _counter(
            "plyhouse_uhp_slow", "UHP connections over TCP cut because their peer read too slowly.", uhp.slow
        )

    def _bus(self) -> Iterator[Metric]:
        state = self._services.bus.state()
        yield _gauges(
            "plyhouse_bus_up", "Whether the bus works.", "kind", {state.kind: state.trouble is None}
        )
        yield _gauge("plyhouse_bus_waiting", "Messages queued for other processes.", state.waiting)
        yield _counter("plyhouse_bus_sent", "Messages sent to other processes.", state.sent)
        yield _counter("plyhouse_bus_received", "Messages received from other processes.", state.received)
        yield _counter("plyhouse_bus_lost", "Messages to other processes dropped unsent.", state.lost)
        yield _counter("plyhouse_bus_gaps", "Gaps in the messages from other processes.", state.gaps)
        yield _counter("plyhouse_bus_overruns", "Subscribers that missed messages.", state.overruns)


def _sessions(admission: Admission) -> Iterator[Metric]:
    """Metrics of the admission to engine sessions."""
    places, short = admission.pool, admission.pressure.short
    yield _gauges("plyhouse_sessions", "Engine sessions in use.", "use", _by_use(places.counts))
    yield _gauges(
        "plyhouse_sessions_waiting", "Requests waiting for a session.", "use", _by_use(places.waiting)
    )
    yield _counters("plyhouse_sessions_short", "How often no session was free.", "use", _by_use(short))
    yield _gauge("plyhouse_sessions_at_rest", "Engine sessions that are not needed now.", places.at_rest)
    yield _counters(
        "plyhouse_address_limits",
        "Requests refused because a client address was at its limit.",
        "of",
        admission.refused,
    )


def _by_use(counts: Counter[Use]) -> Mapping[str, int]:
    return {use.name.lower(): counts[use] for use in Use}


def _pool(pool: PoolStatistics) -> Iterator[Metric]:
    """Metrics of the engine pool."""
    yield _gauge("plyhouse_pool_sessions", "Open engine sessions.", pool.sessions)
    yield _gauge("plyhouse_pool_sessions_limit", "Maximum number of engine sessions.", pool.capacity)
    waiting = {priority.name.lower(): count for priority, count in pool.waiting.items()}
    yield _gauges("plyhouse_pool_waiting", "Evaluations waiting for their next turn.", "priority", waiting)
    for name, text, read in _OF_EVALUATOR:
        family = CounterMetricFamily(f"plyhouse_pool_{name}", text, labels=["evaluator", "provider"])
        for evaluator in pool.evaluators:
            family.add_metric([evaluator.name, evaluator.provider], read(evaluator))
        yield family
    yield from _caches(pool)


def _workers(workers: WorkerStatistics) -> Iterator[Metric]:
    """Metrics of the workers that the server can reach."""
    yield _gauge("plyhouse_workers", "Workers that are alive.", workers.workers)
    yield _gauge("plyhouse_worker_sessions_limit", "Sessions of all workers together.", workers.sessions)
    yield _gauge("plyhouse_worker_sessions_free", "Free sessions of all workers together.", workers.free)
    yield _gauge("plyhouse_worker_jobs", "Evaluations of this server that workers run.", workers.jobs)
    yield _counter("plyhouse_worker_evaluations", "Evaluations by workers.", workers.evaluations)
    yield _counter("plyhouse_worker_failures", "Jobs that a worker did not finish.", workers.failures)


_OF_EVALUATOR: Sequence[tuple[str, str, Callable[[EvaluatorStatistics], int]]] = (
    ("evaluations", "Finished evaluations.", lambda one: one.evaluations),
    ("simulations", "Simulations.", lambda one: one.simulations),
    (
        "batches",
        "Calls of a network; for evaluators in the core, turns of a worker.",
        lambda one: one.batches,
    ),
    ("rows", "Rows evaluated by a network; for evaluators in the core, simulations.", lambda one: one.rows),
)


def _caches(pool: PoolStatistics) -> Iterator[Metric]:
    found = CounterMetricFamily(
        "plyhouse_pool_cache_lookups", "Lookups in evaluation caches.", labels=["evaluator", "result"]
    )
    caches = {evaluator.name: evaluator.cache for evaluator in pool.evaluators if evaluator.cache}
    for name, cache in caches.items():
        found.add_metric([name, "hit"], cache.hits)
        found.add_metric([name, "miss"], cache.misses)
    yield found
    sizes = {name: cache.size for name, cache in caches.items()}
    yield _gauges("plyhouse_pool_cache_entries", "Entries in caches.", "evaluator", sizes)
    limits = {name: cache.capacity for name, cache in caches.items()}
    yield _gauges("plyhouse_pool_cache_limit", "Maximum entries in caches.", "evaluator", limits)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(name, text, value=value)


def _gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    return _labelled(GaugeMetricFamily(name, text, labels=[label]), values)


def _counters(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    return _labelled(CounterMetricFamily(name, text, labels=[label]), values)


def _labelled(family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, float]) -> Metric:
    """The family with a series for each value of its label."""
    for label, value in values.items():
        family.add_metric([label], value)
    return family
