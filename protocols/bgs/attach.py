"""Validation of attach messages, member by member: the first error determines the code of the rejection.

Order: version, client, clientId, resume secret, bots present, each bot's members, duplicate ids, official tokens.
The server itself then checks the limit on clients and replaces an older connection. Called by ``bot_connection``.
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from protocols.bgs import messages as bgs
from protocols.bgs.boards import Boards, Terms
from protocols.bgs.ladder import ladder_terms, version
from protocols.bgs.tournaments import tournament_terms
from protocols.dialects import game_named
from protocols.jsontext import (
    JsonDict,
    MistypedError,
    count,
    filled,
    flag,
    mapping,
    optional,
    positive,
    string,
)
from protocols.names import begins_like, name_fault
from protocols.values import BoardSize, Range, VariantOffer

T = TypeVar("T")

MAX_SECRET = 64
"""The longest resume secret, in characters."""

MOST_RETRIES = 10
"""The largest number of retries that a bot may have for each request."""

MOST_LADDER_BOTS = 16
"""The most bots of a client that play on the ladder."""

_APPEARANCE = ("color", "catStyle", "mouseStyle", "homeStyle")


class RejectionCode(StrEnum):
    """Why an attachment is rejected."""

    NO_BOTS = "NO_BOTS"
    INVALID_BOT_CONFIG = "INVALID_BOT_CONFIG"
    INVALID_OFFICIAL_TOKEN = "INVALID_OFFICIAL_TOKEN"  # noqa: S105  a code of the protocol, no secret
    DUPLICATE_BOT_ID = "DUPLICATE_BOT_ID"
    TOO_MANY_CLIENTS = "TOO_MANY_CLIENTS"
    PROTOCOL_UNSUPPORTED = "PROTOCOL_UNSUPPORTED"
    INVALID_MESSAGE = "INVALID_MESSAGE"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class AttachError(Exception):
    """The attachment is rejected with ``code``; the text tells the bot's author why."""

    def __init__(self, code: RejectionCode, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class AttachPolicy:
    """What attachments are checked against.

    ``official_token`` is None or "" if no bot is official here. ``games``: what bots may offer, by game;
    ``worker_games``: what workers may. Ids and names that begin with ``reserved`` (lower case) belong to built-in bots;
    "" reserves none.
    """

    official_token: str | None
    games: Mapping[str, Terms]
    reserved: str = ""
    worker_games: Mapping[str, Terms] = field(default_factory=dict)


def read_attach(fields: JsonDict, policy: AttachPolicy) -> bgs.Attach:
    """Check the members of an attach message; AttachError for the first error."""
    _check_version(fields.get("protocolVersion"))
    client = _client(fields.get("client"))
    client_id = _client_id(fields.get("clientId"), policy.reserved)
    secret = _resume_secret(fields.get("resumeSecret"))
    is_worker = _member("worker", fields, flag) or False
    sessions = _member("sessions", fields, positive)
    entries = fields.get("bots")
    if is_worker:
        policy = replace(policy, games=policy.worker_games)
        entries = _known(entries, policy.games)
    if not isinstance(entries, list) or not entries:
        raise AttachError(RejectionCode.NO_BOTS, "bots must be a non-empty array")
    bots = tuple(_bot(entry, number, policy) for number, entry in enumerate(entries, start=1))
    _check_duplicates(bots)
    _check_tokens(bots, policy.official_token, is_needed=is_worker)
    wants_results = fields.get("results") is True
    return bgs.Attach(
        client_id,
        client,
        bots,
        resume_secret=secret,
        wants_results=wants_results,
        is_worker=is_worker,
        sessions=sessions,
    )


def is_official(bot: bgs.BotEntry) -> bool:
    """Whether a bot of a valid attachment is official; its token has already been checked."""
    return bot.official_token is not None


# ---- the client --------------------------------------------------------------------------------


def _check_version(version: object) -> None:
    if isinstance(version, bool) or version != bgs.PROTOCOL_VERSION:
        text = f"protocolVersion must be {bgs.PROTOCOL_VERSION}"
        raise AttachError(RejectionCode.PROTOCOL_UNSUPPORTED, text)


def _client(value: object) -> bgs.ClientInfo:
    try:
        client = mapping(value)
        return bgs.ClientInfo(filled(client.get("name")), filled(client.get("version")))
    except MistypedError:
        text = "client must have a name and a version, both non-empty strings"
        raise AttachError(RejectionCode.INVALID_MESSAGE, text) from None


def _client_id(value: object, reserved: str) -> str:
    try:
        client_id = filled(value)
    except MistypedError as error:
        raise AttachError(RejectionCode.INVALID_MESSAGE, f"clientId must be {error}") from None
    fault = "not contain ':'" if ":" in client_id else _name_fault(client_id, reserved)
    if fault is not None:
        raise AttachError(RejectionCode.INVALID_MESSAGE, f"clientId must {fault}")
    return client_id


def _resume_secret(value: object) -> str | None:
    if value is None or (isinstance(value, str) and len(value) <= MAX_SECRET):
        return value
    text = f"resumeSecret must be a string of at most {MAX_SECRET} characters"
    raise AttachError(RejectionCode.INVALID_MESSAGE, text)


def _member(name: str, fields: JsonDict, read: Callable[[object], T]) -> T | None:
    """Read an optional member of the message."""
    try:
        return optional(read)(fields.get(name))
    except MistypedError as error:
        raise AttachError(RejectionCode.INVALID_MESSAGE, f"{name} must be {error}") from None


def _name_fault(name: str, reserved: str) -> str | None:
    """The rule that ``name`` breaks, as the end of the sentence "a name must …"; None if it is valid."""
    if reserved and begins_like(name, reserved):
        return f"not begin with {reserved!r}: that is reserved for built-in bots"
    return name_fault(name)


def _known(entries: object, games: Mapping[str, Terms]) -> object:
    """The bots of a worker without the games and variants that this server does not have."""
    if not isinstance(entries, list):
        return entries
    named = [
        (entry, games.get(game_named(entry.get("game")))) for entry in entries if isinstance(entry, dict)
    ]
    return [
        {**entry, "variants": {name: offer for name, offer in variants.items() if name in terms}}
        for entry, terms in named
        if terms is not None and isinstance(variants := entry.get("variants"), dict)
    ]


# ---- one bot -----------------------------------------------------------------------------------


class _ConfigError(Exception):
    """A member of a bot's entry is wrong; the text says which and how."""


def _bot(value: object, number: int, policy: AttachPolicy) -> bgs.BotEntry:
    try:
        return _read_bot(value, policy)
    except _ConfigError as error:
        raise AttachError(RejectionCode.INVALID_BOT_CONFIG, f"bot {number}: {error}") from None


def _read_bot(value: object, policy: AttachPolicy) -> bgs.BotEntry:
    entry = _read("the entry", value, mapping)
    game = game_named(_optional(entry, "game", string) or None)
    username, variants = _username(entry), _variants(entry, game, policy)
    ladder = _optional(entry, "ladder", ladder_terms(variants))
    if ladder is not None and username is not None:
        raise _ConfigError("ladder must be false for a bot that only one user sees: set username to null")
    return bgs.BotEntry(
        bot_id=_name("botId", entry, policy.reserved),
        name=_name("name", entry, policy.reserved),
        username=username,
        variants=variants,
        game=game,
        official_token=_optional(entry, "officialToken", string),
        appearance=_optional(entry, "appearance", _appearance),
        is_timed=_optional(entry, "timed", flag) or False,
        version=_version(entry, is_needed=ladder is not None),
        ladder=ladder,
        tournaments=_read("tournaments", entry.get("tournaments", True), tournament_terms(variants, ladder)),
        analyses=_optional(entry, "analyses", flag) or False,
        retries=_optional(entry, "retries", _retries) or 0,
    )


def _retries(value: object) -> int:
    try:
        retries = count(value)
    except MistypedError:
        retries = MOST_RETRIES + 1
    if retries > MOST_RETRIES:
        raise MistypedError(f"a whole number from 0 to {MOST_RETRIES}")
    return retries


def _read(name: str, value: object, read: Callable[[object], T]) -> T:
    try:
        return read(value)
    except MistypedError as error:
        raise _ConfigError(f"{name} must be {error}") from None


def _name(member: str, entry: JsonDict, reserved: str = "") -> str:
    name = _read(member, entry.get(member), filled)
    fault = _name_fault(name, reserved)
    if fault is not None:
        raise _ConfigError(f"{member} must {fault}")
    return name


def _optional(entry: JsonDict, name: str, read: Callable[[object], T]) -> T | None:
    """Read a member that may be absent, but not null."""
    return _read(name, entry[name], read) if name in entry else None


def _username(entry: JsonDict) -> str | None:
    if "username" not in entry:
        raise _ConfigError("username is required: null or a non-empty string")
    return None if entry["username"] is None else _name("username", entry)


def _version(entry: JsonDict, *, is_needed: bool) -> str:
    """The version of a bot; an unusable one matters only on the ladder."""
    try:
        return _optional(entry, "version", version) or ""
    except _ConfigError:
        if is_needed:
            raise
        return ""


def _appearance(value: object) -> dict[str, str]:
    looks = mapping(value)
    return {name: _look(name, looks[name]) for name in _APPEARANCE if name in looks}


def _look(name: str, value: object) -> str:
    look = _read(f"appearance.{name}", value, string)
    fault = name_fault(look)
    if fault is not None:
        raise _ConfigError(f"appearance.{name} must {fault}")
    return look


def _variants(entry: JsonDict, game: str, policy: AttachPolicy) -> dict[str, VariantOffer]:
    allowed = policy.games.get(game)
    if allowed is None:
        raise _ConfigError(f"game {game[:40]!r} is not played here")
    offers = _read("variants", entry.get("variants"), mapping)
    if not offers:
        raise _ConfigError("variants must name at least one variant")
    for name in offers:
        if name not in allowed:
            raise _ConfigError(f"variants.{name[:40]} is not one of {', '.join(sorted(allowed))}")
    return {name: _offer(name, offer, allowed[name]) for name, offer in offers.items()}


def _offer(variant: str, value: object, boards: Boards | None) -> VariantOffer:
    path = f"variants.{variant}"
    offer = _read(path, value, mapping)
    if boards is None:
        return VariantOffer()
    width = _range(f"{path}.boardWidth", offer.get("boardWidth"), boards.width)
    height = _range(f"{path}.boardHeight", offer.get("boardHeight"), boards.height)
    sizes = offer.get("recommended")
    wanted = boards.recommended
    if not isinstance(sizes, list) or len(sizes) not in wanted:
        how_many = f"{wanted.min} to {wanted.max} sizes" if wanted.max else "no size: []"
        raise _ConfigError(f"{path}.recommended must be an array of {how_many}")
    return VariantOffer(width, height, tuple(_size(path, size, width, height) for size in sizes))


def _range(path: str, value: object, allowed: Range) -> Range:
    limits = _read(path, value, mapping)
    low = _read(f"{path}.min", limits.get("min"), count)
    high = _read(f"{path}.max", limits.get("max"), count)
    if low > high or low not in allowed or high not in allowed:
        raise _ConfigError(f"{path} must be within {allowed.min} to {allowed.max}, min first")
    return Range(low, high)


def _size(path: str, value: object, width: Range, height: Range) -> BoardSize:
    size = _read(f"{path}.recommended", value, mapping)
    board_width = _read(f"{path}.recommended.boardWidth", size.get("boardWidth"), count)
    board_height = _read(f"{path}.recommended.boardHeight", size.get("boardHeight"), count)
    if board_width not in width or board_height not in height:
        raise _ConfigError(f"{path}.recommended {board_width}x{board_height} is outside the offered range")
    return BoardSize(board_width, board_height)


# ---- all bots together -------------------------------------------------------------------------


def _check_duplicates(bots: tuple[bgs.BotEntry, ...]) -> None:
    seen: set[str] = set()
    for bot in bots:
        if bot.bot_id in seen:
            raise AttachError(RejectionCode.DUPLICATE_BOT_ID, f"botId {bot.bot_id!r} appears twice")
        seen.add(bot.bot_id)
    if sum(bot.ladder is not None for bot in bots) > MOST_LADDER_BOTS:
        text = f"ladder: a client has at most {MOST_LADDER_BOTS} bots on the ladder"
        raise AttachError(RejectionCode.INVALID_BOT_CONFIG, text)


def _check_tokens(bots: tuple[bgs.BotEntry, ...], secret: str | None, *, is_needed: bool) -> None:
    """Check the tokens that are given; a worker needs one for each bot."""
    for bot in bots:
        if is_needed and bot.official_token is None:
            text = f"bot {bot.bot_id!r} of a worker needs the officialToken of this server"
            raise AttachError(RejectionCode.INVALID_OFFICIAL_TOKEN, text)
        if bot.official_token is not None and not _same_secret(bot.official_token, secret):
            text = f"officialToken of bot {bot.bot_id!r} is not valid here"
            raise AttachError(RejectionCode.INVALID_OFFICIAL_TOKEN, text)


def _same_secret(token: str, secret: str | None) -> bool:
    return bool(secret) and hmac.compare_digest(token.encode(), (secret or "").encode())
