"""The configuration of ``plyhouse bot``: the server's address, the bots, and the command of each engine."""

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
from programs.background_loop import wait_for
from programs.seat_programs import ProgramFailed, SeatProgramCommand, TurnTimes, UnsuitableProgram
from protocols.bgs.attach import AttachError, AttachPolicy, read_attach
from protocols.bgs.boards import Terms, attachable, terms_of, whole_offer
from protocols.bgs.codec import offer_json
from protocols.bgs.messages import PROTOCOL_VERSION, Attach
from protocols.dialects import game_named
from protocols.names import begins_like, name_fault
from protocols.values import BUILT_IN_CLIENT

SOCKET_PATH = "/ws/custom-bot"
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
MEMBERS = ("server", "bots", "engineCommands", "worker", "sessions", "readySeconds")

READY_SECONDS = 60.0
"""How long an engine may take until it has answered its trial game, by default."""

MOST_READY_SECONDS = 86_400

OWN_ENGINE = (sys.executable, "-c", "from commands.cli import app; app()", "engine")
"""The engine of a bot without a command: our own."""

SINGLE_BOT = "engine"
"""The id of the bot that ``--engine`` or ``--uhp`` creates."""


class BotConfigError(Exception):
    """The configuration is invalid; the text says why."""


@dataclass(frozen=True, slots=True)
class BotConfig:
    """A valid configuration. ``commands`` has one entry per bot; ``url`` is the socket's address.

    ``ready_seconds``: how long an engine may take until it has answered its trial game.
    """

    url: str
    attach: Attach
    commands: Mapping[str, tuple[str, ...]]
    ready_seconds: float = READY_SECONDS


@dataclass(frozen=True, slots=True)
class ClientIdentity:
    """The client's identity, and what its only bot says of itself, unless a file has that of each bot.

    ``username`` is the only user who sees the bot. ``ladder``: whether it plays on the ladder, as this ``version``.
    ``analyses``: whether anybody can have positions analysed by it; ``tournaments``: whether anybody can enter it.
    ``retries``: how often it is asked again after an illegal move.
    """

    client_id: str
    official_token: str | None
    username: str | None = None
    ladder: bool = False
    version: str | None = None
    analyses: bool = False
    tournaments: bool = True
    retries: int = 0


def of_file(path: Path, server: str | None, identity: ClientIdentity) -> BotConfig:
    """The configuration in a file ``{server?, bots, engineCommands?, worker?, sessions?, readySeconds?}``.

    ``server`` overrides the file's.
    """
    content = _read(path)
    unknown = sorted(set(content) - set(MEMBERS))
    if unknown:
        raise BotConfigError(f"{path}: unknown member {unknown[0]!r}; known are {', '.join(MEMBERS)}")
    entries = content.get("bots")
    if isinstance(entries, list) and any(isinstance(bot, dict) and "officialToken" in bot for bot in entries):
        raise BotConfigError(f"{path}: officialToken does not belong in the file; use --official-token")
    address = server or content.get("server")
    if not isinstance(address, str):
        raise BotConfigError("no server: use --server, or the member server of the file")
    attach = _attach(entries, identity, {name: content.get(name) for name in ("worker", "sessions")})
    ready = content.get("readySeconds", READY_SECONDS)
    if isinstance(ready, bool) or not isinstance(ready, int | float) or not 0 < ready <= MOST_READY_SECONDS:
        raise BotConfigError(f"{path}: readySeconds must be a number over 0, at most {MOST_READY_SECONDS}")
    commands = _commands(content.get("engineCommands", {}), attach)
    return BotConfig(socket_url(address), attach, commands, ready)


def of_engine(
    command: str, server: str, identity: ClientIdentity, game: str | None = None, *, is_timed: bool = False
) -> BotConfig:
    """One bot, played by ``command`` in all variants and on all boards of ``game`` (default: the protocol's game).

    ``is_timed``: the engine observes the clock in its requests.
    """
    words = _split("--engine", command)
    game = game_named(game or None)
    terms = attachable(one for one in games() if one.listed)
    if game not in terms:
        raise BotConfigError(f"--game: there is no game {game!r}, only {', '.join(terms)}")
    attach = _attach_one(Path(words[0]).name, game, terms[game], identity, is_timed=is_timed)
    return BotConfig(socket_url(server), attach, {SINGLE_BOT: words})


def of_program(
    command: SeatProgramCommand, options: Sequence[str], server: str, identity: ClientIdentity
) -> BotConfig:
    """One bot, played by a program of one seat in all variants that it supports, under the name that it reports.

    The program is started once to find this out. ``options`` are those of ``plyhouse engine``, first the program's.
    Raises OSError.
    """
    try:
        known = wait_for(command.identify(TurnTimes(1000)))
    except (ProgramFailed, UnsuitableProgram) as error:
        raise BotConfigError(f"{options[0]}: {error}") from None
    terms = attachable(games())[command.game]
    offered = {variant: boards for variant, boards in terms.items() if variant not in known.lacks}
    attach = _attach_one(known.name, command.game, offered, identity)
    return BotConfig(socket_url(server), attach, {SINGLE_BOT: (*OWN_ENGINE, *options)})


def _attach_one(
    name: str, game: str, terms: Terms, identity: ClientIdentity, *, is_timed: bool = True
) -> Attach:
    """One bot with the name of its program, or with the client's id if the server would refuse that name.

    Programs play with a clock, since ``plyhouse engine`` passes that on to them.
    """
    is_refused = begins_like(name, BUILT_IN_CLIENT) or name_fault(name) is not None
    bot: dict[str, Any] = {
        "botId": SINGLE_BOT,
        "name": identity.client_id if is_refused else name,
        "username": identity.username,
        "timed": is_timed,
        "game": game,
        "variants": {variant: offer_json(whole_offer(boards)) for variant, boards in terms.items()},
    }
    if identity.ladder:
        bot |= {"ladder": True, "version": identity.version or ""}
    if identity.analyses:
        bot |= {"analyses": True}
    if not identity.tournaments:
        bot |= {"tournaments": False}
    if identity.retries:
        bot |= {"retries": identity.retries}
    return _attach([bot], identity)


def socket_url(address: str) -> str:
    """The address of a server's bot socket; only scheme, host and port of ``address`` are used."""
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        is_usable = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise BotConfigError(
            f"{address!r} is not a server address: use http(s)://host[:port] or ws(s)://host[:port]"
        )
    return urlunsplit((SCHEMES[parts.scheme], parts.netloc.rpartition("@")[2], SOCKET_PATH, "", ""))


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BotConfigError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BotConfigError(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise BotConfigError(f"{path}: not a JSON object")
    return content


def _attach(entries: object, identity: ClientIdentity, more: Mapping[str, Any] | None = None) -> Attach:
    """Validates the bots as the server will, for a better error message. ``more``: further members."""
    token = identity.official_token
    if isinstance(entries, list) and token is not None:
        entries = [{**bot, "officialToken": token} if isinstance(bot, dict) else bot for bot in entries]
    fields = {
        "protocolVersion": PROTOCOL_VERSION,
        "clientId": identity.client_id,
        "client": {"name": "plyhouse bot", "version": version("plyhouse")},
        "bots": entries,
        "results": True,
        **(more or {}),
    }
    every = {game.name: terms_of(game) for game in games()}
    try:
        return read_attach(fields, AttachPolicy(token, attachable(games()), BUILT_IN_CLIENT, every))
    except AttachError as error:
        raise BotConfigError(str(error)) from None


def _commands(given: object, attach: Attach) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, dict) or not all(isinstance(command, str) for command in given.values()):
        raise BotConfigError("engineCommands must be an object of botId: command")
    bots = [bot.bot_id for bot in attach.bots]
    unknown = sorted(set(given) - set(bots))
    if unknown:
        raise BotConfigError(f"engineCommands names {unknown[0]!r}, which is not one of the bots")
    return {bot: _split(f"engineCommands.{bot}", given[bot]) if bot in given else OWN_ENGINE for bot in bots}


def _split(what: str, command: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotConfigError(f"{what}: {error}") from None
    if not words:
        raise BotConfigError(f"{what} is empty")
    return tuple(words)
