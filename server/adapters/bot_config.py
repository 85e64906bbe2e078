"""What ``plyhouse bot`` is told: the server's address, the bots it attaches, and the command of each engine."""

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from engines import games
from protocols.bgs.attach import AttachError, AttachPolicy, read_attach
from protocols.bgs.boards import attachable, whole_offer
from protocols.bgs.codec import offer_json
from protocols.bgs.messages import DEFAULT_GAME, PROTOCOL_VERSION, Attach
from protocols.jsontext import JsonDict
from protocols.names import begins_like, name_fault
from protocols.uhp.game_string import GAME, TYPES
from server.adapters.uhp_command import BadCommand, UhpCommand
from server.adapters.uhp_engine import EngineFailed, identify
from server.domain.bots import HOUSE

SOCKET_PATH = "/ws/custom-bot"
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
MEMBERS = ("server", "bots", "engineCommands")

OWN_ENGINE = (sys.executable, "-c", "from server.cli import app; app()", "engine")
"""What plays for a bot without a command: our own engine."""

SINGLE_BOT = "engine"
"""The id of the bot that ``--engine`` or ``--uhp`` makes."""


class ConfigError(Exception):
    """The configuration cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class BotConfig:
    """A usable configuration. ``commands`` has one entry per bot; ``url`` is the socket's."""

    url: str
    attach: Attach
    commands: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the client is to the server. ``username``: who alone sees the bot of ``--engine`` or ``--uhp``."""

    client_id: str
    official_token: str | None
    username: str | None = None


def of_file(path: Path, server: str | None, identity: Identity) -> BotConfig:
    """The configuration in a file ``{server?, bots, engineCommands?}``; ``server`` wins over the file's."""
    content = _read(path)
    unknown = sorted(set(content) - set(MEMBERS))
    if unknown:
        raise ConfigError(f"{path}: unknown member {unknown[0]!r}; known are {', '.join(MEMBERS)}")
    entries = content.get("bots")
    if isinstance(entries, list) and any(isinstance(bot, dict) and "officialToken" in bot for bot in entries):
        raise ConfigError(f"{path}: officialToken does not belong into the file: use --official-token")
    address = server or content.get("server")
    if not isinstance(address, str):
        raise ConfigError("no server: give --server, or server in the file")
    attach = _attach(entries, identity)
    return BotConfig(socket_url(address), attach, _commands(content.get("engineCommands", {}), attach))


def of_engine(command: str, server: str, identity: Identity, game: str | None = None) -> BotConfig:
    """One bot, played by ``command`` in every variant and on every board of ``game``, the protocol's default."""
    words = _split("--engine", command)
    game = game or DEFAULT_GAME
    terms = attachable(one for one in games() if one.listed)
    if game not in terms:
        raise ConfigError(f"--game: there is no game {game!r}, only {', '.join(terms)}")
    variants = {name: offer_json(whole_offer(boards)) for name, boards in terms[game].items()}
    attach = _attach([_single(Path(words[0]).name, game, variants, identity)], identity)
    return BotConfig(socket_url(server), attach, {SINGLE_BOT: words})


def of_uhp(engine: str, server: str, identity: Identity, settings: Sequence[str]) -> BotConfig:
    """One bot, played by a UHP engine in every type of Hive that it says it knows, under the name that it gives.

    The engine is started once for that. ``settings`` are further options of ``plyhouse engine``. OSError.
    """
    try:
        known = identify(UhpCommand.parse(engine))
    except (BadCommand, EngineFailed) as error:
        raise ConfigError(f"--uhp: {error}") from None
    variants: dict[str, JsonDict] = {name: {} for name in TYPES if not known.lacks(name)}
    attach = _attach([_single(known.name, GAME, variants, identity)], identity)
    words = (*OWN_ENGINE, "--uhp", engine, *settings)
    return BotConfig(socket_url(server), attach, {SINGLE_BOT: words})


def _single(name: str, game: str, variants: Mapping[str, JsonDict], identity: Identity) -> JsonDict:
    """A bot with the name of its program, or that of the client where the server would refuse the first."""
    is_refused = begins_like(name, HOUSE) or name_fault(name) is not None
    return {
        "botId": SINGLE_BOT,
        "name": identity.client_id if is_refused else name,
        "username": identity.username,
        "game": game,
        "variants": variants,
    }


def socket_url(address: str) -> str:
    """The bot socket of a server; only scheme, host and port of ``address`` count."""
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        is_usable = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise ConfigError(
            f"{address!r} is no address of a server: http(s)://host[:port] or ws(s)://host[:port]"
        )
    return urlunsplit((SCHEMES[parts.scheme], parts.netloc.rpartition("@")[2], SOCKET_PATH, "", ""))


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: not a JSON object")
    return content


def _attach(entries: object, identity: Identity) -> Attach:
    """Judged here as the server will judge it, for a better message."""
    token = identity.official_token
    if isinstance(entries, list) and token is not None:
        entries = [{**bot, "officialToken": token} if isinstance(bot, dict) else bot for bot in entries]
    fields = {
        "protocolVersion": PROTOCOL_VERSION,
        "clientId": identity.client_id,
        "client": {"name": "plyhouse bot", "version": version("plyhouse")},
        "bots": entries,
        "results": True,
    }
    try:
        return read_attach(fields, AttachPolicy(token, attachable(games()), HOUSE))
    except AttachError as error:
        raise ConfigError(str(error)) from None


def _commands(given: object, attach: Attach) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, dict) or not all(isinstance(command, str) for command in given.values()):
        raise ConfigError("engineCommands must be an object of botId: command")
    bots = [bot.bot_id for bot in attach.bots]
    unknown = sorted(set(given) - set(bots))
    if unknown:
        raise ConfigError(f"engineCommands names {unknown[0]!r}, which is none of the bots")
    return {bot: _split(f"engineCommands.{bot}", given[bot]) if bot in given else OWN_ENGINE for bot in bots}


def _split(what: str, command: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"{what}: {error}") from None
    if not words:
        raise ConfigError(f"{what} is empty")
    return tuple(words)
