"""All settings of a server, from ``PLYHOUSE_…`` environment variables and the command line."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, Field, IPvAnyNetwork, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

import server
from server.domain.origins import read_origin
from server.domain.token_bucket import MessageLimits
from server.ports.store import EndedKind

Origin = Annotated[str, AfterValidator(read_origin)]
"""A site: ``scheme://host[:port]``."""


class Settings(BaseSettings):
    """The settings of one server."""

    model_config = SettingsConfigDict(env_prefix="PLYHOUSE_", populate_by_name=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)
    uhp_host: str | None = None
    """The address to serve UHP over TCP on; None: that of ``host``."""
    uhp_port: int | None = Field(default=None, ge=0, le=65_535)
    """The TCP port for UHP; None: UHP is served over WebSockets only."""
    uhp_grace_seconds: float = Field(default=120.0, ge=0)
    """How long an untimed game waits for a disconnected UHP player."""
    uhp_patience_seconds: float = Field(default=600.0, gt=0)
    """How long a UHP player waits for an opponent."""
    database: str = "sqlite:///plyhouse.db"
    database_max_pages: int | None = Field(default=None, ge=1)
    """The maximum size of a SQLite database, in pages."""
    prune_finished_days: int | None = Field(default=None, ge=1)
    """After how many days without a change finished games are deleted, except imported ones; None: never."""
    prune_aborted_days: int | None = Field(default=None, ge=1)
    """The same for aborted games."""
    prune_imported_days: int | None = Field(default=None, ge=1)
    """The same for imported games."""
    prune_megabytes: int | None = Field(default=None, ge=1)
    """The size of the data in a SQLite database, in MiB, beyond which the oldest ended games are deleted; None: any."""
    redis: str | None = Field(default=None, repr=False)
    """The Redis through which the processes of one server exchange messages; None: a single process."""
    sessions: int = Field(default=256, ge=1)
    """The maximum number of concurrent engine sessions."""
    reserved_for_bots: float = Field(default=0.5, ge=0, le=1)
    """The fraction of the engine sessions reserved for bot moves."""
    reserved_for_bars: float = Field(default=0.125, ge=0, le=1)
    """The fraction reserved for evaluation bars."""
    reserved_for_analyses: float = Field(default=0.0625, ge=0, le=1)
    """The fraction reserved for analyses."""
    spare_seconds: float = Field(default=60.0, ge=0)
    """How long a session must have been idle before it can be reassigned."""
    sessions_per_bot_client: int = Field(default=256, ge=0)
    """The maximum number of concurrent sessions of one attached client; 0: no limit."""
    bot_clients: int = Field(default=10, ge=0)
    """The maximum number of attached bot clients, not counting those with an official bot; 0: no limit."""
    bot_clients_per_address: int = Field(default=4, ge=0)
    """The same limit per client address."""
    ladder_clients: int = Field(default=1000, ge=0)
    """The maximum number of attached bot clients with a bot on the ladder, who do not count otherwise; 0: no limit."""
    ladder_clients_per_address: int = Field(default=16, ge=0)
    """The same limit per client address."""
    event_streams_per_address: int = Field(default=16, ge=0)
    """The maximum number of event streams of bot clients per client address; 0: no limit."""
    bars_per_address: int = Field(default=32, ge=0)
    """The maximum number of open evaluation bars per client address; 0: no limit."""
    analyses_per_address: int = Field(default=2, ge=0)
    """The maximum number of running analyses per client address; 0: no limit."""
    session_megabytes: int = Field(default=256, ge=0)
    """The maximum memory of one session's search, in MiB; 0: no limit."""
    analyses_megabytes: int = Field(default=1024, ge=0)
    """The maximum memory of all running analyses together, in MiB; 0: no limit."""
    analysis_cost: int = Field(default=2_000_000, ge=0)
    """The maximum number of samples of one analysis, summed over its positions; 0: no limit."""
    analysis_look_seconds: float = Field(default=60.0, gt=0)
    """How long an analysis continues after it was last requested or its result last read."""
    connections: int | None = Field(default=None, ge=0)
    """The maximum number of open connections; 0: no limit; None: as many as the limit on open files allows."""
    connections_per_address: int = Field(default=256, ge=0)
    """The maximum number of open connections per client address (behind a trusted proxy: WebSockets); 0: no limit."""
    connections_per_second: float = Field(default=20.0, ge=0)
    """The maximum rate of new connections per client address, after a burst of ten seconds' worth; 0: no limit."""
    games_per_address: int = Field(default=64, ge=0)
    """The maximum number of unfinished games opened within an hour per client address; 0: no limit."""
    imports_per_address: int = Field(default=2, ge=0)
    """The maximum number of concurrent record imports per client address; 0: no limit."""
    stored_megabytes_per_day: float = Field(default=100.0, ge=0)
    """How much imports and new games of one client address may add to the database each day, in MiB; 0: no limit."""
    reserve_megabytes: int = Field(default=256, ge=0)
    """The free space, in MiB, that imports leave on the disk of a SQLite database, for the moves of running games."""
    work_seconds_per_minute: float = Field(default=6.0, ge=0)
    """The processor time per client address and minute for large records and positions; 0: no limit."""
    batch_size: int = Field(default=256, ge=1)
    """The maximum number of leaves that an evaluator gets at once."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least severe records of the log."""
    log_format: Literal["text", "json"] = "text"
    """How each record is written as a line."""
    access_log: bool = True
    """Whether every request and socket is logged."""
    models: Path | None = None
    """A network file or a folder of them, or ``none``; None: the networks included with Plyhouse."""
    provider: Literal["auto", "cpu", "cuda"] = "auto"
    """The device that networks run on."""
    cache_size: int = Field(default=100_000, ge=0)
    """The number of cached evaluations per network."""
    public_url: Origin | None = None
    """The address at which browsers reach this server; None: the address of each request."""
    allow_origin: tuple[Origin, ...] = ()
    """Origins whose pages may open sockets, besides the server's own and any port of localhost."""
    trust_proxy: tuple[IPvAnyNetwork, ...] = ()
    """Networks of proxies whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` headers are trusted."""
    official_bot_token: str | None = Field(
        default=None, validation_alias=AliasChoices("official_bot_token", "OFFICIAL_BOT_TOKEN"), repr=False
    )
    """The secret with which a client attaches official bots, or itself as a worker."""
    samples: int | None = Field(default=None, ge=1)
    """The default number of samples per evaluation; None: the default of each game."""
    bot_seed: int | None = Field(default=None, ge=0)
    """The seed of the built-in bots' variations, for every game; None: each game has its own."""
    book: Path | None = None
    """The opening book; its positions are answered without a search."""
    ponder: int = Field(default=0, ge=0)
    """The maximum number of simulations with which a bot's search continues on its opponent's time."""
    bot_timeout_seconds: float = Field(default=10.0, gt=0)
    """The time limit of an attached bot for one answer."""
    bot_rejoin_seconds: float = Field(default=90.0, ge=0)
    """How long the games of an attached bot wait for it after a restart of the server."""
    ladder_megabytes_per_day: float = Field(default=200.0, ge=0)
    """How much the games of the ladder of one address's bots may add to the database each day, in MiB; 0: no limit."""
    ladder_level_games: int = Field(default=2, ge=0)
    """How many games of the ladder the built-in levels play at the same time; 0: none."""
    tournaments: int = Field(default=200, ge=0)
    """The maximum number of tournaments that are not over; 0: no limit."""
    tournaments_per_address: int = Field(default=4, ge=0)
    """The same limit for those that one client address has created."""
    tournament_level_games: int = Field(default=4, ge=1)
    """How many games of tournaments the built-in levels play at the same time."""
    tournament_wait_seconds: float = Field(default=120.0, gt=0)
    """How long a game of a tournament waits for a bot that is away or busy, and for each player's first move."""
    mcp: bool = False
    """Whether language models can play over MCP, at ``/mcp``."""
    mcp_retries: int = Field(default=3, ge=0, le=1_000)
    """How often a seat may try again in a turn after an illegal move over MCP, before it resigns."""
    mcp_calls_per_address: int = Field(default=16, ge=0)
    """The maximum number of calls over MCP that are answered at a time per client address; 0: no limit."""
    unlisted_games: bool = False
    """Whether games that the catalogue does not list can be opened."""
    lobby_games_per_client: int = Field(default=3, ge=0)
    """The number of games that a client may offer in the lobby without being connected to them; 0: no limit."""
    abandoned_seconds: float = Field(default=300.0, ge=0.1)
    """How long a game without moves and connections stays in the list of live games."""
    claim_after_seconds: float = Field(default=60.0, gt=0)
    """How long a player must have been away from a game without a clock until the others may claim its end."""
    bots_wait_seconds: float = Field(default=86_400.0, ge=0)
    """How long a game with bots and without a clock waits for a move while its people are away; 0: for ever."""
    loaded_games: int = Field(default=20_000, ge=1)
    """The number of games kept in memory."""
    messages_per_second: float = Field(default=50.0, ge=0)
    """The maximum rate of messages read from one socket; 0: no limit."""
    message_burst: int = Field(default=500, ge=1)
    """The maximum number of messages read at once after a pause."""
    message_patience_seconds: float = Field(default=10.0, gt=0)
    """How long a client may exceed that rate before its socket is closed."""
    web: Path = Path(server.__file__).parent.parent / "plyhouse" / "page"
    """The folder of the page's build."""

    @model_validator(mode="after")
    def _can_be_reserved(self) -> "Settings":
        if self.reserved_for_bots + self.reserved_for_bars + self.reserved_for_analyses > 1:
            raise ValueError("PLYHOUSE_RESERVED_FOR_BOTS, _BARS and _ANALYSES are more than 1 together")
        return self

    @model_validator(mode="after")
    def _can_be_measured(self) -> "Settings":
        if self.prune_megabytes is not None and not self.database.startswith("sqlite"):
            raise ValueError(
                "PLYHOUSE_PRUNE_MEGABYTES is for SQLite: Postgres does not say what its rows take"
            )
        return self

    @model_validator(mode="after")
    def _has_mcp(self) -> "Settings":
        if self.mcp and find_spec("mcp") is None:
            raise ValueError("PLYHOUSE_MCP needs the extra mcp: pip install 'plyhouse[mcp]'")
        return self

    @property
    def prune_bytes(self) -> int | None:
        """How many bytes the data may take; None: any number."""
        return None if self.prune_megabytes is None else self.prune_megabytes * 2**20

    @property
    def prune_days(self) -> dict[EndedKind, int]:
        """After how many days games are deleted, for the kinds that have a limit."""
        days = {
            EndedKind.FINISHED: self.prune_finished_days,
            EndedKind.ABORTED: self.prune_aborted_days,
            EndedKind.IMPORTED: self.prune_imported_days,
        }
        return {kind: most for kind, most in days.items() if most is not None}

    @property
    def pace(self) -> MessageLimits:
        """The rate limits of sockets."""
        return MessageLimits(self.messages_per_second, self.message_burst, self.message_patience_seconds)
