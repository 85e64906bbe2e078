"""How an engine joins the ladder: ``ladder=1 client=<id>:<secret>`` in its handshake, and what it may add to that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from protocols.names import version_fault
from protocols.values import Range

SECRET_LENGTH: Final = Range(16, 64)
"""In characters. The client chooses the secret of an id that is new, and nothing else protects its rating."""

MEMBERS: Final = ("client", "version")
"""The parameters of the ladder alone."""

OF_ONE_GAME: Final = ("token", "game", "resume", "color", "tc", "vs", "clock", "secret", "analysis")
"""The parameters of one game, which the server chooses on the ladder."""


class BadLadderEntry(ValueError):
    """The parameters are invalid; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """``client_id`` and ``secret`` are those of a bot client; the secret becomes that of an id that is new.

    ``type``: the only one that the engine plays; None: all that it can. ``name``: None for its own. ``version``: "" if
    it states none.
    """

    client_id: str
    secret: str = field(repr=False)
    type: str | None = None
    name: str | None = None
    version: str = ""


def read_ladder_entry(given: Mapping[str, str], game_type: str) -> LadderEntry:
    """Reads the parameters of an engine that joins the ladder; ``game_type`` is the canonical ``type``, if it is given.

    Raises BadLadderEntry.
    """
    if unsuitable := [name for name in OF_ONE_GAME if name in given]:
        text = f"with ladder=1, the server chooses the games: leave out {', '.join(unsuitable)}"
        raise BadLadderEntry(text)
    client_id, secret = _client(given.get("client"))
    return LadderEntry(
        client_id,
        secret,
        type=game_type if "type" in given else None,
        name=given.get("name"),
        version=_version(given.get("version", "")),
    )


def _client(text: str | None) -> tuple[str, str]:
    if text is None:
        raise BadLadderEntry("ladder=1 needs client=<id>:<secret>")
    client_id, _, secret = text.partition(":")
    if not client_id or len(secret) not in SECRET_LENGTH:
        lengths = f"{SECRET_LENGTH.min} to {SECRET_LENGTH.max}"
        raise BadLadderEntry(f"client must be <id>:<secret>, with a secret of {lengths} characters")
    return client_id, secret


def _version(text: str) -> str:
    fault = version_fault(text)
    if fault is not None:
        raise BadLadderEntry(f"version must {fault}")
    return text
