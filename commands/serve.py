"""``plyhouse serve``: runs the server until it is stopped."""

import gc
import logging
import logging.config
import socket
import sys
from ipaddress import ip_network
from typing import TYPE_CHECKING, Annotated

import typer

from commands.engine_options import (
    BatchSizeOption,
    BookOption,
    CacheSizeOption,
    ModelsOption,
    PonderOption,
    ProviderOption,
    SessionsOption,
    check_redis_or_exit,
    models_or_exit,
)
from commands.failure import failing, settings_or_exit
from commands.logs import configuration
from server.domain.origins import read_origin

if TYPE_CHECKING:
    from server.settings import Settings

log = logging.getLogger(__name__)

UNREAD_SECONDS = 30
"""How long sent data may remain unacknowledged by the peer's machine before the connection is closed."""


class CannotListen(Exception):
    """A port cannot be opened; the text is one sentence."""


def _origin(value: str | None) -> str | None:
    try:
        return None if value is None else read_origin(value)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _origins(values: list[str] | None) -> list[str] | None:
    for value in values or ():
        _origin(value)
    return values


def _networks(values: list[str] | None) -> list[str] | None:
    for value in values or ():
        try:
            ip_network(value)
        except ValueError as error:
            raise typer.BadParameter(f"{error}; write a network such as 10.0.0.0/8") from None
    return values


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.  \\[default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 takes a free one.  \\[default: 8000]")] = None,
    uhp_port: Annotated[
        int | None, typer.Option(help="Port of UHP over TCP; 0 takes a free one.  \\[default: none]")
    ] = None,
    uhp_host: Annotated[
        str | None, typer.Option(help="Address of UHP over TCP.  \\[default: that of --host]")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="Where games are kept: SQLite or Postgres.  \\[default: sqlite:///plyhouse.db]"),
    ] = None,
    redis: Annotated[
        str | None,
        typer.Option(
            help="Redis, for several servers on one database; Postgres does without.  \\[default: none]"
        ),
    ] = None,
    sessions: SessionsOption = None,
    batch_size: BatchSizeOption = None,
    models: ModelsOption = None,
    provider: ProviderOption = None,
    cache_size: CacheSizeOption = None,
    book: BookOption = None,
    ponder: PonderOption = None,
    mcp: Annotated[
        bool | None,
        typer.Option("--mcp/--no-mcp", help="Let language models play over MCP, at /mcp, or not."),
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(help="debug, info, warning or error.  \\[default: info]")
    ] = None,
    log_format: Annotated[str | None, typer.Option(help="text or json.  \\[default: text]")] = None,
    access_log: Annotated[
        bool | None,
        typer.Option("--access-log/--no-access-log", help="Log every request and socket, or none."),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            callback=_origin,
            help="Public address of the server, such as https://play.example.",
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", callback=_origins, help="Site whose pages may open sockets; may be repeated."
        ),
    ] = None,
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CIDR",
            callback=_networks,
            help="Network of trusted proxies that send the client's address; may be repeated.",
        ),
    ] = None,
) -> None:
    """Serve games, bots and analysis over HTTP and WebSockets. Every option is also a PLYHOUSE_ variable."""
    settings = settings_or_exit("serve", locals())
    with failing("serve", CannotListen):
        http, uhp = listen(settings.host, settings.port), listen_for_uhp(settings)
    _run(settings, http, uhp)


def _run(settings: "Settings", http: socket.socket, uhp: socket.socket | None) -> None:
    """Runs the server; ``uhp`` is the port of UHP over TCP, if that is enabled.

    Clients that connect during start-up wait in the listeners' queues. Garbage collection is off during start-up: it
    would find nothing and take an eighth of the time.
    """
    gc.disable()
    from engines.networks import announce
    from server.running import run
    from server.store.sql_engine import DatabaseError
    from server.store.sql_migrate import migrate

    logging.config.dictConfig(
        configuration(level=settings.log_level, layout=settings.log_format, with_access=settings.access_log)
    )
    with failing("serve", DatabaseError):
        migrate(settings.database)
    models = models_or_exit("serve", settings)
    if settings.redis is not None:
        check_redis_or_exit("serve", settings.redis)
    typer.echo(f"Plyhouse is at http://{_shown(http)}/")
    if uhp is not None:
        typer.echo(f"UHP is at {_shown(uhp)}")
    for line in announce(models, settings.provider):
        log.info("%s", line)
    run(settings, http, models, uhp)


def listen(host: str, port: int) -> socket.socket:
    """Opens a listener whose connections time out if their peers acknowledge no data for long.

    Otherwise a closed connection would keep its unsent data for as long as its peer likes. Raises CannotListen.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise CannotListen(f"cannot listen on {host} port {port}: {error.strerror}") from None
    if sys.platform == "linux":
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
    return listener


def listen_for_uhp(settings: "Settings") -> socket.socket | None:
    """The listener for UHP over TCP, or None if disabled. Raises CannotListen."""
    return (
        None if settings.uhp_port is None else listen(settings.uhp_host or settings.host, settings.uhp_port)
    )


def _shown(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
