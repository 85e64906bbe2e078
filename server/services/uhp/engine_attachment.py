"""What a UHP engine attaches with as a bot: the message that a client of V3 bots would send, checked alike."""

from collections.abc import Iterable

from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachPolicy, read_attach
from protocols.names import begins_like, name_fault
from protocols.uhp.answers import Identity
from protocols.uhp.game_string import GAME
from protocols.uhp.lines import shown
from protocols.uhp.remote.ladder_entry import LadderEntry
from server.services.uhp.seat_access import NoSeatError

BOT_ID = "engine"
"""The bot of such a client; ``plyhouse bot --engine`` calls its bot the same."""

PREFIX = "bot 1: "
"""Begins the errors about a bot's entry; an engine is the only one."""


def check_entry(entry: LadderEntry, policy: AttachPolicy) -> None:
    """Checks what the handshake states. Raises AttachError."""
    _attachment(entry, entry.name or entry.client_id, policy.games[GAME], policy)


def attachment(entry: LadderEntry, engine: Identity, policy: AttachPolicy) -> bgs.Attach:
    """The attachment of an engine, for the variants that it can play. Raises AttachError or NoSeatError."""
    name = shown(engine.name)
    if entry.type is not None and (lacking := engine.lacks(entry.type)):
        raise NoSeatError(f"{name} does not play {entry.type}: it lacks {', '.join(lacking)}")
    types = [one for one in policy.games[GAME] if not engine.lacks(one) and entry.type in (None, one)]
    is_refused = begins_like(name, policy.reserved) or name_fault(name) is not None
    return _attachment(entry, entry.name or (entry.client_id if is_refused else name), types, policy)


def _attachment(entry: LadderEntry, name: str, types: Iterable[str], policy: AttachPolicy) -> bgs.Attach:
    bot: dict[str, object] = {
        "botId": BOT_ID,
        "name": name,
        "username": None,
        "game": GAME,
        "variants": {one: {} for one in types},
        "timed": True,
        "ladder": True,
        "version": entry.version,
    }
    fields = {
        "protocolVersion": bgs.PROTOCOL_VERSION,
        "clientId": entry.client_id,
        "resumeSecret": entry.secret,
        "client": {"name": name, "version": "UHP 1.0"},
        "bots": [bot],
    }
    return read_attach(fields, policy)
