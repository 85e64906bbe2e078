"""Composes the parts that use engines: the pool, the bots, the evaluation bars and the analyses.

Called by ``server.app``, which creates the games service first and shuts everything down.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from time import monotonic

from engines import Position, games, networks
from engines.book import Book, read_book
from engines.inference import Model
from engines.pool import UNLIMITED_BYTES, EnginePool, Limits, Priority
from protocols.bgs.attach import AttachPolicy
from protocols.bgs.boards import attachable, terms_of, whole_offer
from protocols.bgs.messages import ClientInfo
from protocols.values import BUILT_IN_CLIENT, VariantOffer
from server.analysts.pool_analyst import PoolAnalyst, SearchSettings
from server.analysts.worker_analyst import WorkerAnalyst
from server.ports.analysts import Analyst, WorkerStatistics
from server.ports.store import ClientIdStore
from server.services.bots.admission import UNLIMITED, Admission, Quotas
from server.services.bots.attached_analyst import Terms
from server.services.bots.bgs import BgsHost
from server.services.bots.bot_clients import BotClients
from server.services.bots.bot_context import BotContext
from server.services.bots.bot_places import BotPlaces
from server.services.bots.bot_registry import BotRegistry
from server.services.bots.bot_seats import BotSeats
from server.services.bots.client_ids import ClientIds
from server.services.bots.session_slots import Use
from server.services.bots.wait_times import WaitTimes
from server.services.bots.workers import Workers
from server.services.cluster.announcements import Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.presence import Presence
from server.services.evaluation.analysis_plan import PlanBounds
from server.services.evaluation.analysis_service import Analyses
from server.services.evaluation.evaluations import Evaluations
from server.services.games.games import Games
from server.services.heavy_work import HeavyWork
from server.settings import Settings


@dataclass(frozen=True, slots=True)
class Engines:
    """The engine pool, its default search settings, the workers, the bots, and the host of their sessions.

    ``takes_workers``: whether workers can attach.
    """

    pool: EnginePool
    settings: SearchSettings
    workers: Workers
    registry: BotRegistry
    host: BgsHost
    takes_workers: bool

    @property
    def work(self) -> HeavyWork:
        """The threads for work that may take long."""
        return self.host.admission.work

    def models(self) -> list[str]:
        """The evaluators, each with the device it runs on."""
        return evaluators_of(self.pool)

    def worker_statistics(self) -> WorkerStatistics | None:
        """The workers that are attached to this server; None if it takes none."""
        return self.workers.statistics() if self.takes_workers else None

    def analyst(self, name: str, settings: SearchSettings) -> Analyst:
        """Returns an analyst backed by the workers and the pool, with its own session ids."""
        return _analyst(self.pool, self.workers, name, settings, self.work)

    def study_analyst(self, name: str, lines: int) -> Analyst:
        """Returns an analyst for analyses that reports ``lines`` candidate moves per position."""
        return self.analyst(name, replace(self.settings, priority=Priority.INTERACTIVE, lines=lines))


@dataclass(frozen=True, slots=True)
class EngineServices:
    """The services that use the engine pool."""

    bots: BotSeats
    bot_clients: BotClients
    evaluations: Evaluations
    analyses: Analyses
    bot_terms: Terms


def evaluators_of(pool: EnginePool) -> list[str]:
    """The evaluators of a pool, each with the device it runs on."""
    return [f"{one.name} ({one.provider})" for one in pool.statistics().evaluators]


def _analyst(
    pool: EnginePool, workers: Workers, name: str, settings: SearchSettings, work: HeavyWork
) -> Analyst:
    return WorkerAnalyst(workers, PoolAnalyst(pool, settings, analyst_id=name, work=work))


@contextmanager
def open_pool(
    settings: Settings,
    models: Sequence[Model] | None = None,
    *,
    threads: int | None = None,
    threads_per_search: int = 1,
) -> Iterator[EnginePool]:
    """Starts the engine pool of the settings and stops it on exit.

    ``models``: the networks of the settings, if already loaded. ``threads`` and ``threads_per_search`` as in
    ``EnginePool``. Raises BadBook or ModelError.
    """
    pool = EnginePool(
        models=load_models(settings) if models is None else models,
        threads=threads,
        threads_per_search=threads_per_search,
        sessions=settings.sessions,
        limits=_limits(settings),
        batch_size=settings.batch_size,
        cache_size=settings.cache_size,
        book=Book() if settings.book is None else read_book(settings.book),
        ponder=settings.ponder,
        session_bytes=settings.session_megabytes << 20 or UNLIMITED_BYTES,
    )
    try:
        yield pool
    finally:
        pool.stop()


def _limits(settings: Settings) -> Limits | None:
    return None if settings.samples is None else Limits(samples=settings.samples)


@asynccontextmanager
async def open_engines(
    settings: Settings,
    models: Sequence[Model] | None = None,
    *,
    threads_per_search: int = 1,
) -> AsyncIterator[Engines]:
    """Starts the engine pool, and stops it on exit. Arguments and errors as in ``open_pool``.

    The pool runs only what no worker can.
    """
    searches = SearchSettings(_limits(settings))
    workers = Workers(settings.sessions_per_bot_client or UNLIMITED)
    with open_pool(settings, models, threads_per_search=threads_per_search) as pool:
        admission = Admission(quotas_of(settings), monotonic)
        built_in = _analyst(pool, workers, "house", searches, admission.work)
        registry = BotRegistry(built_in, _built_in_offers(pool), monotonic, admission)
        takes_workers = bool(settings.official_bot_token)
        try:
            yield Engines(pool, searches, workers, registry, BgsHost(admission), takes_workers)
        finally:
            await workers.stop()
            admission.work.stop()


def quotas_of(settings: Settings) -> Quotas:
    """Returns the limits on everything that uses the engines."""
    return Quotas(
        sessions=settings.sessions,
        reserved={
            Use.BOT_MOVE: settings.reserved_for_bots,
            Use.EVAL_BAR: settings.reserved_for_bars,
            Use.ANALYSIS: settings.reserved_for_analyses,
        },
        spare_seconds=settings.spare_seconds,
        sessions_per_client=settings.sessions_per_bot_client,
        bars=settings.bars_per_address,
        analyses=settings.analyses_per_address,
        games=settings.games_per_address,
        imports=settings.imports_per_address,
        clients=settings.bot_clients_per_address,
        ladder_clients=settings.ladder_clients_per_address,
        analysis_megabytes=settings.analyses_megabytes,
        work_seconds=settings.work_seconds_per_minute,
    )


def load_models(settings: Settings) -> Sequence[Model]:
    """Loads the networks that the settings name, as ``networks.load_available``. Raises ModelError."""
    return networks.load_available(_places(settings), settings.provider)


def reload_models(settings: Settings) -> Sequence[Model]:
    """Loads them again. Raises ModelError also if ONNX Runtime cannot be used any more."""
    return networks.load(networks.find(_places(settings)), settings.provider)


def _places(settings: Settings) -> Sequence[Path]:
    return () if settings.models is None else (settings.models,)


@asynccontextmanager
async def open_engine_services(
    settings: Settings,
    engines: Engines,
    service: Games,
    bus: Bus,
    presence: Presence,
    announcements: Announcements,
    client_ids: ClientIdStore,
) -> AsyncIterator[EngineServices]:
    """Starts the services, and stops them in reverse order."""
    wait_times = WaitTimes(rejoin=settings.bot_rejoin_seconds)
    context = BotContext(
        service,
        engines.registry,
        engines.host,
        presence,
        announcements,
        wait_times,
        monotonic,
        settings.bot_seed,
    )
    bots = BotSeats(context, bus)
    admission = engines.host.admission
    places, of_ladder = (
        BotPlaces(most, of_address, monotonic, lambda client: bots.plays(client.id))
        for most, of_address in (
            (settings.bot_clients, admission.clients),
            (settings.ladder_clients, admission.ladder_clients),
        )
    )
    ids = ClientIds(client_ids, service.now, service.leases.is_alive)
    clients = BotClients(context, bots, ids, engines.workers, places, of_ladder)
    eval_pool = engines.analyst("eval bar", replace(engines.settings, priority=Priority.EVAL_BAR))
    evaluations = Evaluations(context, bots, bus, eval_pool)

    bounds = PlanBounds(settings.analysis_cost, settings.session_megabytes)
    analyses = Analyses(
        service,
        engines.host,
        engines.study_analyst,
        engines.pool,
        engines.registry,
        settings.samples,
        bounds,
        settings.analysis_look_seconds,
    )
    evaluations.start()
    await bots.start()
    try:
        yield EngineServices(bots, clients, evaluations, analyses, _terms(settings, service))
    finally:
        await analyses.stop()
        await evaluations.stop()
        await bots.stop()
        await clients.stop()
        await engines.host.stop()


def _terms(settings: Settings, service: Games) -> Terms:
    offered = [game for game in games() if game.listed or settings.unlisted_games]
    every = {game.name: terms_of(game) for game in offered}
    policy = AttachPolicy(settings.official_bot_token, attachable(offered), BUILT_IN_CLIENT, every)
    return Terms(
        policy, ClientInfo("plyhouse", version("plyhouse")), settings.bot_timeout_seconds, service.now
    )


def _built_in_offers(pool: EnginePool) -> dict[str, dict[str, VariantOffer]]:
    """The built-in bots' offers by game: every variant and board of the games that the pool can evaluate."""
    return {
        game.name: {name: whole_offer(boards) for name, boards in terms_of(game).items()}
        for game in games()
        if game.listed and pool.can_evaluate(Position(game.name))
    }
