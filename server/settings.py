"""Everything that an operator can set, in one object: from ``PLYHOUSE_…`` variables or the command line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, Field, IPvAnyNetwork, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

import server
from server.domain.origins import read_origin
from server.domain.pace import PaceLimits

Origin = Annotated[str, AfterValidator(read_origin)]
"""A site: ``scheme://host[:port]``."""


class Settings(BaseSettings):
    """The settings of one server."""

    model_config = SettingsConfigDict(env_prefix="PLYHOUSE_", populate_by_name=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)
    uhp_host: str | None = None
    """Where UHP is served over TCP; None: where everything else is."""
    uhp_port: int | None = Field(default=None, ge=0, le=65_535)
    """The port of UHP over TCP; None: UHP comes over WebSockets alone."""
    uhp_grace_seconds: float = Field(default=120.0, ge=0)
    """How long an untimed game waits for a UHP player whose connection is gone."""
    uhp_patience_seconds: float = Field(default=600.0, gt=0)
    """How long a UHP player waits for an opponent."""
    database: str = "sqlite:///plyhouse.db"
    database_max_pages: int | None = Field(default=None, ge=1)
    """The size at which a SQLite file counts as full, in its pages."""
    redis: str | None = Field(default=None, repr=False)
    """Where the processes of one house tell each other what they do; None: this one is alone."""
    sessions: int = Field(default=256, ge=1)
    """Engine sessions at once."""
    reserved_for_bots: float = Field(default=0.5, ge=0, le=1)
    """The part of the engine sessions that is kept for the moves of bots."""
    reserved_for_bars: float = Field(default=0.125, ge=0, le=1)
    """The same for evaluation bars."""
    reserved_for_analyses: float = Field(default=0.0625, ge=0, le=1)
    """The same for analyses."""
    spare_seconds: float = Field(default=60.0, ge=0)
    """How long a session has been at rest when it may be ended for somebody else."""
    sessions_per_bot_client: int = Field(default=256, ge=0)
    """Sessions at once of one attached client; 0: any number."""
    bot_clients: int = Field(default=10, ge=0)
    """Bot clients at once, those with an official bot left out; 0: any number."""
    bot_clients_per_address: int = Field(default=4, ge=0)
    """The same from one client address."""
    bars_per_address: int = Field(default=32, ge=0)
    """Evaluation bars at once from one client address; 0: any number."""
    analyses_per_address: int = Field(default=2, ge=0)
    """Running analyses from one client address; 0: any number."""
    session_megabytes: int = Field(default=256, ge=0)
    """MiB that the search of one session may take; 0: any amount."""
    analyses_megabytes: int = Field(default=1024, ge=0)
    """MiB that all running analyses together may take; 0: any amount."""
    analysis_cost: int = Field(default=2_000_000, ge=0)
    """Samples of one analysis, in all its positions together; 0: any number."""
    analysis_look_seconds: float = Field(default=60.0, gt=0)
    """How long an analysis goes on after somebody asked for it or looked at its result."""
    connections_per_address: int = Field(default=256, ge=0)
    """Open connections of one client address; 0: any number. Those of trusted proxies are not limited."""
    games_per_address: int = Field(default=64, ge=0)
    """Unfinished games that one client address has opened in the last hour; 0: any number."""
    batch_size: int = Field(default=256, ge=1)
    """Leaves that an evaluator gets at once."""
    models: Path | None = None
    """A network, or a folder of them; None: those that come with Plyhouse."""
    provider: Literal["auto", "cpu", "cuda"] = "auto"
    """Where networks compute."""
    cache_size: int = Field(default=100_000, ge=0)
    """Evaluations that are kept for each network."""
    public_url: Origin | None = None
    """Where browsers find this server; None: wherever a request was sent to."""
    allow_origin: tuple[Origin, ...] = ()
    """Origins whose pages may open sockets, besides the server's own and any port of localhost."""
    trust_proxy: tuple[IPvAnyNetwork, ...] = ()
    """Networks of proxies whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed."""
    official_bot_token: str | None = Field(
        default=None, validation_alias=AliasChoices("official_bot_token", "OFFICIAL_BOT_TOKEN"), repr=False
    )
    """The secret that makes an attached bot an official one."""
    samples: int | None = Field(default=None, ge=1)
    """Samples of one evaluation, where nobody asks for another number; None: what is usual for the game."""
    book: Path | None = None
    """The opening book: positions that are answered without a search."""
    ponder: int = Field(default=0, ge=0)
    """Simulations at most that the search of a live bot's game goes on with while nobody asks it anything."""
    bot_timeout_seconds: float = Field(default=10.0, gt=0)
    """How long an attached bot may take for one answer."""
    bot_rejoin_seconds: float = Field(default=90.0, ge=0)
    """How long the games of an attached bot wait for it after a restart of the server."""
    unlisted_games: bool = False
    """Whether games can be opened that the catalogue does not offer."""
    lobby_games_per_client: int = Field(default=3, ge=0)
    """Games that a client may offer in the lobby without being connected to them; 0: any number."""
    abandoned_seconds: float = Field(default=300.0, ge=0.1)
    """How long a game is listed as live in which nobody moves and that nobody has open."""
    loaded_games: int = Field(default=5000, ge=1)
    """Games kept in memory."""
    messages_per_second: float = Field(default=50.0, ge=0)
    """The maximum rate of messages read from one socket; 0: no limit."""
    message_burst: int = Field(default=500, ge=1)
    """The maximum number of messages read at once after a pause."""
    message_patience_seconds: float = Field(default=10.0, gt=0)
    """How long a client may exceed that rate before its socket is closed."""
    web: Path = Path(server.__file__).parent.parent / "plyhouse" / "page"
    """The folder of the built page."""

    @model_validator(mode="after")
    def _can_be_reserved(self) -> "Settings":
        if self.reserved_for_bots + self.reserved_for_bars + self.reserved_for_analyses > 1:
            raise ValueError("reserved_for_bots, _bars and _analyses are more than 1 together")
        return self

    @property
    def pace(self) -> PaceLimits:
        """How fast clients may send over sockets."""
        return PaceLimits(self.messages_per_second, self.message_burst, self.message_patience_seconds)


def settings_with(given: Mapping[str, Any]) -> Settings:
    """The settings of the environment, where ``given`` says nothing else; pydantic's ValidationError."""
    return Settings(**given)
