"""The first line of a connection, or the query of a WebSocket's address: the client's role and its parameters.

    plyhouse/1 role=seat type=Base+MLP color=white tc=300+5
    plyhouse/1 role=seat game=g7Kd token=…
    plyhouse/1 role=engine ladder=1 client=lab-1:…
    ws://…/uhp?role=seat&game=g7Kd&token=…

Read by the server's drivers, which answer ``ok`` or ``err <text>``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from protocols.uhp.lines import shown
from protocols.uhp.remote.ladder_entry import MEMBERS, BadLadderEntry, LadderEntry, read_ladder_entry
from protocols.uhp.remote.seek_criteria import (
    CRITERIA_NAMES,
    BadSeekCriteria,
    SeekCriteria,
    read_seek_criteria,
)

MAGIC: Final = "plyhouse/1"
"""The first word of every handshake line: the protocol and its version."""


class BadHandshake(ValueError):
    """The handshake was refused; the text is one sentence."""


class Role(StrEnum):
    """The purpose of a connection."""

    ENGINE = "engine"
    """A UHP 1.0 engine that the server drives (model A)."""
    MAIN = "main"
    """The main viewer of a game between two such engines."""
    SEAT = "seat"
    """A player that receives GameStrings and answers with moves (model B)."""
    VIEWER = "viewer"
    """A UHP viewer that uses the server as its engine (model C)."""
    WATCH = "watch"
    """A spectator."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """``token`` gives access to a seat, of ``game`` if given; ``resume=<id>:<secret>`` is another way to write both.

    Without a token, ``criteria`` describe the game to look for. ``has_clock``: GameStrings come with clocks;
    ``has_secret``: the ``seat`` line includes the secret to resume; ``is_analysis``: a main viewer may play any move.
    ``ladder``: how an engine joins the ladder, if it does.
    """

    role: Role
    token: str | None = field(default=None, repr=False)
    game: str | None = None
    criteria: SeekCriteria = field(default_factory=SeekCriteria)
    has_clock: bool = False
    has_secret: bool = False
    is_analysis: bool = False
    ladder: LadderEntry | None = None


def read_line(line: str) -> Handshake:
    """Parses a handshake line. Raises BadHandshake."""
    magic, *words = line.split() or [""]
    if magic != MAGIC:
        raise BadHandshake(f"the first line must be: {MAGIC} role=<{'|'.join(Role)}> …")
    pairs = (word.partition("=") for word in words)
    return read_parameters((name, value) for name, _, value in pairs)


def read_query(pairs: Iterable[tuple[str, str]]) -> Handshake:
    """Parses the query of an address, in which an unescaped ``+`` was decoded as a space. Raises BadHandshake."""
    return read_parameters(
        (name, value.replace(" ", "+") if name in _WITH_PLUS else value) for name, value in pairs
    )


def read_parameters(pairs: Iterable[tuple[str, str]]) -> Handshake:
    """Builds a handshake from parameters. Raises BadHandshake."""
    given: dict[str, str] = {}
    for name, value in pairs:
        if name not in _NAMES:
            raise BadHandshake(f'there is no parameter "{shown(name)}": {", ".join(_NAMES)}')
        if name in given:
            raise BadHandshake(f"{name} is given twice")
        given[name] = value
    game, token = _place(given)
    try:
        criteria = read_seek_criteria(given)
    except BadSeekCriteria as refusal:
        raise BadHandshake(str(refusal)) from None
    clock, secret, analysis, _ = (_flag(given, name) for name in _FLAGS)
    role = _role(given)
    return Handshake(
        role,
        token,
        game,
        criteria,
        has_clock=clock,
        has_secret=secret,
        is_analysis=analysis,
        ladder=_ladder(given, role, criteria.type),
    )


def _role(given: Mapping[str, str]) -> Role:
    try:
        return Role(given.get("role", ""))
    except ValueError:
        raise BadHandshake(f"role must be one of {', '.join(Role)}") from None


def _place(given: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The game and the token of a seat, given in either form."""
    if "resume" not in given:
        return given.get("game"), given.get("token")
    if "game" in given or "token" in given:
        raise BadHandshake("resume names the game and its secret: leave out game and token")
    game, _, secret = given["resume"].partition(":")
    if not game or not secret:
        raise BadHandshake("resume must be <id>:<secret>")
    return game, secret


def _ladder(given: Mapping[str, str], role: Role, game_type: str) -> LadderEntry | None:
    """How the engine joins the ladder; None if it does not."""
    if not _flag(given, "ladder"):
        if unsuitable := [name for name in MEMBERS if name in given]:
            raise BadHandshake(f"only an engine with ladder=1 has {' and '.join(unsuitable)}")
        return None
    if role is not Role.ENGINE:
        raise BadHandshake(f"ladder=1 is for role={Role.ENGINE}")
    try:
        return read_ladder_entry(given, game_type)
    except BadLadderEntry as refusal:
        raise BadHandshake(str(refusal)) from None


def _flag(given: Mapping[str, str], name: str) -> bool:
    if given.get(name, "0") not in ("0", "1"):
        raise BadHandshake(f"{name} must be 0 or 1")
    return given.get(name) == "1"


_WITH_PLUS: Final = ("type", "tc", "client")
_FLAGS: Final = ("clock", "secret", "analysis", "ladder")
_NAMES: Final = ("role", "token", "game", *CRITERIA_NAMES, "resume", *_FLAGS, *MEMBERS)
