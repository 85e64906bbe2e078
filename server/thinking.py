"""Composes everything that thinks: the engine pool, the bots, and those who show what an engine thinks.

Called by ``server.app``, which has made the games before and takes everything down afterwards.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from time import monotonic

from engines import Position, games, networks
from engines.book import Book, read_book
from engines.inference import Model
from engines.pool import UNLIMITED_BYTES, EnginePool, Limits, Priority
from protocols.bgs.attach import AttachPolicy
from protocols.bgs.boards import attachable, terms_of, whole_offer
from protocols.bgs.messages import ClientInfo, VariantOffer
from server.adapters.pool_analyst import PoolAnalyst
from server.adapters.pool_searches import SearchSettings
from server.domain.bots import HOUSE
from server.ports import Bus, ClientIdStore
from server.services.admission import Admission, Quotas
from server.services.analyses import Analyses
from server.services.around import Around, Patience
from server.services.bgs import BgsHost
from server.services.bots import Bots
from server.services.client_ids import ClientIds
from server.services.evaluations import Evaluations
from server.services.games import Games
from server.services.presence import Presence
from server.services.remote_analyst import Terms
from server.services.roster import Roster
from server.services.session_places import Use
from server.services.study import Bounds
from server.settings import Settings


@dataclass(frozen=True, slots=True)
class Engines:
    """The pool, and who may ask it for what."""

    pool: EnginePool
    settings: SearchSettings
    sessions: int
    roster: Roster
    host: BgsHost

    def models(self) -> list[str]:
        """Who evaluates positions, and where it computes."""
        return [f"{one.name} ({one.provider})" for one in self.pool.statistics().evaluators]

    def analyst(self, name: str, settings: SearchSettings) -> PoolAnalyst:
        """A client of the pool with sessions of its own."""
        return PoolAnalyst(self.pool, settings, analyst_id=name, max_sessions=self.sessions)

    def study_analyst(self, name: str, lines: int) -> PoolAnalyst:
        """A client that analyses, with so many candidate moves per position."""
        return self.analyst(name, replace(self.settings, priority=Priority.INTERACTIVE, lines=lines))


@dataclass(frozen=True, slots=True)
class Thinkers:
    """The services that think."""

    bots: Bots
    evaluations: Evaluations
    analyses: Analyses
    bot_terms: Terms


@asynccontextmanager
async def open_engines(settings: Settings, models: Sequence[Model] | None = None) -> AsyncIterator[Engines]:
    """The pool with its threads, and the roster of bots. ``models``: the networks of the settings, if loaded already.

    BadBook, ModelError.
    """
    if models is None:
        models = load_models(settings)
    limits = None if settings.samples is None else Limits(samples=settings.samples)
    searches = SearchSettings(limits)
    pool = EnginePool(
        models=models,
        sessions=settings.sessions,
        limits=limits,
        batch_size=settings.batch_size,
        cache_size=settings.cache_size,
        book=Book() if settings.book is None else read_book(settings.book),
        ponder=settings.ponder,
        session_bytes=settings.session_megabytes << 20 or UNLIMITED_BYTES,
    )
    try:
        house = PoolAnalyst(pool, searches, analyst_id="house", max_sessions=settings.sessions)
        admission = Admission(quotas_of(settings), monotonic)
        roster = Roster(house, _house_offers(pool), monotonic, admission, settings.bot_clients)
        yield Engines(pool, searches, settings.sessions, roster, BgsHost(admission))
    finally:
        pool.stop()


def quotas_of(settings: Settings) -> Quotas:
    """How many there may be at once of everything that uses the engines."""
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
        clients=settings.bot_clients_per_address,
        analysis_megabytes=settings.analyses_megabytes,
    )


def load_models(settings: Settings) -> Sequence[Model]:
    """The networks that the settings name. ModelError."""
    places = () if settings.models is None else (settings.models,)
    return networks.load(networks.find(places), settings.provider)


@asynccontextmanager
async def open_thinkers(
    settings: Settings,
    engines: Engines,
    service: Games,
    bus: Bus,
    presence: Presence,
    client_ids: ClientIdStore,
) -> AsyncIterator[Thinkers]:
    """The services, started; taken down in the opposite order."""
    patience = Patience(rejoin=settings.bot_rejoin_seconds)
    around = Around(service, engines.roster, engines.host, presence, patience, monotonic)
    bots = Bots(around, bus, ClientIds(client_ids, service.now))
    eval_pool = engines.analyst("eval bar", replace(engines.settings, priority=Priority.EVAL_BAR))
    evaluations = Evaluations(around, bots, bus, eval_pool)

    bounds = Bounds(settings.analysis_cost, settings.session_megabytes)
    analyses = Analyses(
        service,
        engines.host,
        engines.study_analyst,
        engines.pool,
        settings.samples,
        bounds,
        settings.analysis_look_seconds,
    )
    evaluations.start()
    await bots.start()
    try:
        yield Thinkers(bots, evaluations, analyses, _terms(settings, service))
    finally:
        await analyses.stop()
        await evaluations.stop()
        await bots.stop()
        await engines.host.stop()


def _terms(settings: Settings, service: Games) -> Terms:
    offered = [game for game in games() if game.listed or settings.unlisted_games]
    policy = AttachPolicy(settings.official_bot_token, attachable(offered), HOUSE)
    return Terms(
        policy, ClientInfo("plyhouse", version("plyhouse")), settings.bot_timeout_seconds, service.now
    )


def _house_offers(pool: EnginePool) -> dict[str, dict[str, VariantOffer]]:
    """By game, what our own bots offer: every variant and board of the games that the pool evaluates."""
    return {
        game.name: {name: whole_offer(boards) for name, boards in terms_of(game).items()}
        for game in games()
        if game.listed and pool.can_evaluate(Position(game.name))
    }
