"""The figures that are read off a running server when somebody asks for ``/metrics``; see also ``services.meters``.

Names follow the conventions of Prometheus. No label holds an id or a token.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from engines.pool.statistics import EvaluatorStatistics, PoolStatistics
from server.domain.bots import HOUSE
from server.routes.house import House
from server.services.admission import Admission
from server.services.session_places import Use


class HouseFigures(Collector):
    """Reads the parts of a house."""

    def __init__(self, house: House) -> None:
        self._house = house

    def describe(self) -> list[Metric]:
        """Nothing beforehand: the registry would read everything to learn the names."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Everything as it is now."""
        house = self._house
        info = GaugeMetricFamily("plyhouse_info", "The version that runs.", labels=["version"])
        info.add_metric([version("plyhouse")], 1)
        yield info
        attached = [bot for bot in house.roster.bots if bot.client_id != HOUSE]
        yield _gauge("plyhouse_games_loaded", "Games in memory.", house.games.loaded)
        yield _gauge("plyhouse_bot_sessions", "Bot game sessions under way.", len(house.host))
        yield _gauge("plyhouse_analyses_running", "Analyses under way.", house.analyses.running)
        yield _gauge("plyhouse_attached_bots", "Bots of attached clients.", len(attached))
        yield from _sessions(house.host.admission)
        yield from self._sockets()
        yield from self._uhp()
        yield from self._bus()
        yield from pool_figures(house.pool.statistics())

    def _sockets(self) -> Iterator[Metric]:
        sockets = self._house.sockets
        family = GaugeMetricFamily("plyhouse_sockets", "Open sockets by address.", labels=["path"])
        for path, count in sockets.count_by_path().items():
            family.add_metric([path], count)
        yield family
        yield _counter(
            "plyhouse_slow_sockets", "Sockets closed because their peer read too slowly.", sockets.slow
        )

    def _uhp(self) -> Iterator[Metric]:
        uhp = self._house.uhp
        family = GaugeMetricFamily(
            "plyhouse_uhp_connections", "Open UHP connections by role.", labels=["role"]
        )
        for role, count in uhp.desk.connections.items():
            family.add_metric([role.value], count)
        yield family
        yield _gauge("plyhouse_uhp_waiting", "UHP players without an opponent.", uhp.desk.matchmaking.waiting)
        yield _counter(
            "plyhouse_uhp_slow", "UHP connections over TCP cut because their peer read too slowly.", uhp.slow
        )

    def _bus(self) -> Iterator[Metric]:
        state = self._house.bus.state()
        family = GaugeMetricFamily("plyhouse_bus_up", "Whether the bus has what it needs.", labels=["kind"])
        family.add_metric([state.kind], state.trouble is None)
        yield family
        yield _gauge("plyhouse_bus_waiting", "Messages that wait for other processes.", state.waiting)
        yield _counter("plyhouse_bus_sent", "Messages sent to other processes.", state.sent)
        yield _counter("plyhouse_bus_received", "Messages from other processes.", state.received)
        yield _counter("plyhouse_bus_lost", "Messages to other processes given up unsent.", state.lost)
        yield _counter("plyhouse_bus_gaps", "Gaps in what other processes told.", state.gaps)
        yield _counter("plyhouse_bus_overruns", "Subscribers that missed messages.", state.overruns)


def _sessions(admission: Admission) -> Iterator[Metric]:
    """The figures of admission to the engines."""
    places = admission.pool
    held = GaugeMetricFamily("plyhouse_sessions", "Sessions of the pool.", labels=["use"])
    waiting = GaugeMetricFamily("plyhouse_sessions_waiting", "Those who wait for one.", labels=["use"])
    short = CounterMetricFamily("plyhouse_sessions_short", "How often none was free.", labels=["use"])
    for use in Use:
        label = [use.name.lower()]
        held.add_metric(label, places.counts[use])
        waiting.add_metric(label, places.waiting[use])
        short.add_metric(label, admission.pressure.short[use])
    yield from (held, waiting, short)
    yield _gauge("plyhouse_sessions_at_rest", "Sessions of the pool that are not needed now.", places.at_rest)
    refused = CounterMetricFamily(
        "plyhouse_address_limits", "Refusals to client addresses that had as much as they may.", labels=["of"]
    )
    for name, count in admission.refused.items():
        refused.add_metric([name], count)
    yield refused


def pool_figures(pool: PoolStatistics) -> Iterator[Metric]:
    """The figures of the engine pool."""
    yield _gauge("plyhouse_pool_sessions", "Engine sessions open.", pool.sessions)
    yield _gauge("plyhouse_pool_sessions_limit", "Most engine sessions at once.", pool.capacity)
    waiting = GaugeMetricFamily(
        "plyhouse_pool_waiting", "Evaluations that wait for their next turn.", labels=["priority"]
    )
    for priority, count in pool.waiting.items():
        waiting.add_metric([priority.name.lower()], count)
    yield waiting
    for name, text, read in _OF_EVALUATOR:
        family = CounterMetricFamily(f"plyhouse_pool_{name}", text, labels=["evaluator", "provider"])
        for evaluator in pool.evaluators:
            family.add_metric([evaluator.name, evaluator.provider], read(evaluator))
        yield family
    yield from _caches(pool)


_OF_EVALUATOR: Sequence[tuple[str, str, Callable[[EvaluatorStatistics], int]]] = (
    ("evaluations", "Evaluations finished.", lambda one: one.evaluations),
    ("simulations", "Simulations.", lambda one: one.simulations),
    ("batches", "Calls of a model; turns of a worker in the core.", lambda one: one.batches),
    ("rows", "Rows that a model evaluated; simulations in the core.", lambda one: one.rows),
)


def _caches(pool: PoolStatistics) -> Iterator[Metric]:
    found = CounterMetricFamily(
        "plyhouse_pool_cache_lookups", "Lookups in evaluation caches.", labels=["evaluator", "result"]
    )
    size = GaugeMetricFamily("plyhouse_pool_cache_entries", "Entries of caches.", labels=["evaluator"])
    limit = GaugeMetricFamily("plyhouse_pool_cache_limit", "Most entries of caches.", labels=["evaluator"])
    for evaluator in pool.evaluators:
        cache = evaluator.cache
        if cache is not None:
            found.add_metric([evaluator.name, "hit"], cache.hits)
            found.add_metric([evaluator.name, "miss"], cache.misses)
            size.add_metric([evaluator.name], cache.size)
            limit.add_metric([evaluator.name], cache.capacity)
    yield from (found, size, limit)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(name, text, value=value)
