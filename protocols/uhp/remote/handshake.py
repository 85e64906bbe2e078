"""The first line of a connection, or the query of a WebSocket's address: who comes, and what for.

    plyhouse/1 role=seat type=Base+MLP color=white tc=300+5
    plyhouse/1 role=seat game=g7Kd token=…
    ws://…/uhp?role=seat&game=g7Kd&token=…

Read by the server's drivers, which answer ``ok`` or ``err <text>``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from protocols.uhp.lines import shown
from protocols.uhp.remote.wish import WISH_NAMES, BadWish, Wish, read_wish

MAGIC: Final = "plyhouse/1"
"""What every handshake line begins with: the protocol and its version."""


class BadHandshake(ValueError):
    """The connection cannot begin; the text is one sentence."""


class Role(StrEnum):
    """What a connection is for."""

    ENGINE = "engine"
    """A UHP 1.0 engine that the server drives (model A)."""
    MAIN = "main"
    """The main viewer of a game between two such engines."""
    SEAT = "seat"
    """A player that reads GameStrings and answers with moves (model B)."""
    VIEWER = "viewer"
    """A UHP viewer, to which the server is the engine (model C)."""
    WATCH = "watch"
    """Somebody who looks on."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """``token`` opens a seat, of ``game`` if that is named; ``resume=<id>:<secret>`` is another way to say both.

    ``wish`` is what to look for without a token. ``has_clock``: GameStrings come with the clocks; ``has_secret``:
    the ``seat`` line comes with what to resume by. ``is_analysis``: a main viewer plays moves of its own.
    """

    role: Role
    token: str | None = field(default=None, repr=False)
    game: str | None = None
    wish: Wish = field(default_factory=Wish)
    has_clock: bool = False
    has_secret: bool = False
    is_analysis: bool = False


def read_line(line: str) -> Handshake:
    """The handshake in a line. BadHandshake."""
    magic, *words = line.split() or [""]
    if magic != MAGIC:
        raise BadHandshake(f"the first line must be: {MAGIC} role=<{'|'.join(Role)}> …")
    pairs = (word.partition("=") for word in words)
    return read_parameters((name, value) for name, _, value in pairs)


def read_query(pairs: Iterable[tuple[str, str]]) -> Handshake:
    """The handshake in the query of an address, where a ``+`` that was not escaped has become a blank. BadHandshake."""
    return read_parameters(
        (name, value.replace(" ", "+") if name in _WITH_PLUS else value) for name, value in pairs
    )


def read_parameters(pairs: Iterable[tuple[str, str]]) -> Handshake:
    """The handshake of these parameters. BadHandshake."""
    given: dict[str, str] = {}
    for name, value in pairs:
        if name not in _NAMES:
            raise BadHandshake(f'there is no parameter "{shown(name)}": {", ".join(_NAMES)}')
        if name in given:
            raise BadHandshake(f"{name} is given twice")
        given[name] = value
    game, token = _place(given)
    try:
        wish = read_wish(given)
    except BadWish as refusal:
        raise BadHandshake(str(refusal)) from None
    clock, secret, analysis = (_flag(given, name) for name in _FLAGS)
    return Handshake(
        _role(given), token, game, wish, has_clock=clock, has_secret=secret, is_analysis=analysis
    )


def _role(given: Mapping[str, str]) -> Role:
    try:
        return Role(given.get("role", ""))
    except ValueError:
        raise BadHandshake(f"role must be one of {', '.join(Role)}") from None


def _place(given: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The game and the token of a seat, from either form."""
    if "resume" not in given:
        return given.get("game"), given.get("token")
    if "game" in given or "token" in given:
        raise BadHandshake("resume names the game and its secret: leave out game and token")
    game, _, secret = given["resume"].partition(":")
    if not game or not secret:
        raise BadHandshake("resume must be <id>:<secret>")
    return game, secret


def _flag(given: Mapping[str, str], name: str) -> bool:
    if given.get(name, "0") not in ("0", "1"):
        raise BadHandshake(f"{name} must be 0 or 1")
    return given.get(name) == "1"


_WITH_PLUS: Final = ("type", "tc")
_FLAGS: Final = ("clock", "secret", "analysis")
_NAMES: Final = ("role", "token", "game", *WISH_NAMES, "resume", *_FLAGS)
