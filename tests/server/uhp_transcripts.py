"""Replays transcripts of games over UHP (``tests/golden/uhp/README.md``), on one stage or another."""

import re
from typing import Protocol

from tests.protocols.transcripts import lines_of

_LINE = re.compile(r"([A-Z]+)([:?<>.!]) ?(.*)")
_NAME = re.compile(r"\{(\w+)\}")


class Stage(Protocol):
    """Where a transcript is replayed. Peers have names of one letter."""

    async def open(self, peer: str, handshake: str) -> None:
        """Connects a peer."""

    async def say(self, peer: str, line: str) -> None:
        """The peer sends a line."""

    async def hear(self, peer: str) -> str | None:
        """The next line that the peer is sent; None once it is disconnected."""

    async def leave(self, peer: str) -> None:
        """The peer disconnects."""

    async def act(self, word: str, rest: list[str]) -> dict[str, str]:
        """Does what a line of the transcript says that names no peer; returns what later lines may name."""

    def unheard(self, peer: str) -> list[str]:
        """What has been sent to the peer and not been read, as far as is known."""


async def replay(name: str, stage: Stage) -> None:
    """Replays a transcript; AssertionError where it is not true."""
    known: dict[str, str] = {}
    peers: set[str] = set()
    for line in lines_of(name):
        found = _LINE.fullmatch(line)
        if found is None:
            word, *rest = _filled(line, known).split()
            known |= await stage.act(word, rest)
            continue
        names, way, text = found.groups()
        for peer in names:
            peers.add(peer)
            await _step(stage, peer, way, text, known, f"{name}: {line}")

    assert {peer: said for peer in peers if (said := stage.unheard(peer))} == {}, name


async def _step(stage: Stage, peer: str, way: str, text: str, known: dict[str, str], where: str) -> None:
    match way:
        case ":" | "?":
            await stage.open(peer, _filled(text, known))
            assert way == "?" or await stage.hear(peer) == "ok", where
        case ">":
            for line in text.split(" | "):
                await stage.say(peer, _filled(line, known))
        case "<":
            for line in text.split(" | "):
                heard = await stage.hear(peer)
                found = None if heard is None else re.fullmatch(_pattern(line, known), heard)
                assert found is not None, f"{where}\n{heard}"
                known.update(found.groupdict())
        case ".":
            heard = await stage.hear(peer)
            assert heard is None, f"{where}\n{heard}"
        case "!":
            await stage.leave(peer)


def _filled(text: str, known: dict[str, str]) -> str:
    return _NAME.sub(lambda part: known[part[1]], text)


def _pattern(text: str, known: dict[str, str]) -> str:
    """The lines meant by a line of the transcript: ``…`` is anything, an unknown name what stands there."""
    pattern, unknown = "", set[str]()
    for part in re.split(r"(…|\{\w+\})", text):
        name = part[1:-1] if _NAME.fullmatch(part) else ""
        if part == "…":
            pattern += ".*"
        elif not name or name in known:
            pattern += re.escape(known[name] if name else part)
        else:
            pattern += f"(?P={name})" if name in unknown else f"(?P<{name}>.*)"
            unknown.add(name)
    return pattern
