"""``plyhouse uhp --server URL``: the bridge for a viewer or, with ``--raw``, a direct connection in some role."""

import asyncio
import getpass
import logging.config
import signal
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Never

from protocols.uhp.remote.handshake import Role
from server.adapters.line_endpoints import ChildEndpoint, Endpoint, StdioEndpoint
from server.adapters.uhp_dial import BadServer, CannotConnect, server_address
from server.commands.failure import fail
from server.commands.signals import run_until_signal

COMPANY, PLACE = ("name", "vs"), ("game", "token")
"""Handshake parameters that a viewer cannot set as options: for all games, and for the first one."""


@dataclass(frozen=True, slots=True)
class Remote:
    """The command line. ``words`` are handshake parameters, ``command`` is a program to start.

    ``options`` are those of that program if it is an engine.
    """

    server: str
    words: Mapping[str, str]
    command: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    resume: str | None = None
    is_raw: bool = False
    is_simple: bool = False
    may_be_engine: bool = False


def remote(wanted: Remote) -> None:
    """Runs until the peer has gone; on errors, prints a sentence and exits with status 1."""
    from server.adapters.uhp_raw import PeerDied, RefusedByServer
    from server.adapters.uhp_setup import BadEngine
    from server.logs import CLIENT_LINE, configuration

    logging.config.dictConfig(configuration(CLIENT_LINE))
    try:
        server_address(wanted.server)
        asyncio.run(_raw(wanted) if wanted.is_raw else _bridge(wanted))
    except (BadEngine, BadServer, CannotConnect, RefusedByServer, PeerDied, OSError) as error:
        fail("uhp", error)


async def _bridge(wanted: Remote) -> None:
    from protocols.uhp.bridge.session import Bridge
    from protocols.uhp.engine import UhpEngineSession
    from protocols.uhp.engine_options import engine_options
    from server.adapters.uhp_bridge import BridgeProgram
    from server.adapters.uhp_product import product

    if wanted.command:
        fail("uhp", "a command needs --raw: the bridge serves the viewer that started it")
    switches = {"simple": wanted.is_simple, "engine-option": bool(wanted.options)}
    others = [
        *(word for word in wanted.words if word not in COMPANY + PLACE),
        *(name for name, is_on in switches.items() if is_on),
    ]
    if others:
        named = ", ".join(f"--{word}" for word in others)
        fail("uhp", f"{named} without --raw: the viewer sets this by options and newgame")
    who = f"Plyhouse bridge v{version('plyhouse')} ({getpass.getuser()}@{socket.gethostname()})"
    bridge = Bridge(
        UhpEngineSession(replace(product(), name=who), engine_options(1)),
        wanted.server,
        words={name: wanted.words[name] for name in COMPANY if name in wanted.words},
        place=_place(wanted),
        is_engine=wanted.may_be_engine,
    )
    program = BridgeProgram(bridge)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, program.interrupt)
    await program.run()


def _place(wanted: Remote) -> Mapping[str, str]:
    """The handshake parameters of a particular game."""
    named = {name: wanted.words[name] for name in PLACE if name in wanted.words}
    return named if wanted.resume is None else _resumed(wanted.resume, named)


def _resumed(resume: str, others: Iterable[str]) -> Mapping[str, str]:
    """The handshake parameters for resuming a game; exits if ``others``, which would be ignored, were given."""
    if left_out := ", ".join(f"--{name}" for name in others):
        fail("uhp", f"--resume names the game and its secret: leave out {left_out}")
    return {"resume": resume}


async def _raw(wanted: Remote) -> None:
    from server.adapters.uhp_raw import RawProgram

    role, words = wanted.words.get("role", Role.VIEWER.value), wanted.words
    if wanted.is_simple and (not wanted.command or role != Role.ENGINE):
        fail("uhp", "--simple is for the command of an AI, with --role engine")
    may_return = role == Role.ENGINE and bool(wanted.command)
    if wanted.options and (wanted.is_simple or not may_return):
        fail("uhp", "--engine-option is for the command of a UHP engine, with --role engine")
    if role == Role.WATCH and "game" not in words:
        fail("uhp", "--role watch needs --game")
    if wanted.resume is not None:
        words = _resumed(wanted.resume, (name for name in words if name != "role"))
    if may_return:
        words = {**words, "secret": "1"}
    program = RawProgram(wanted.server, {**words, "role": role}, _endpoint_opener(wanted), may_return)
    await run_until_signal(program.run())


def _endpoint_opener(wanted: Remote) -> Callable[[], Awaitable[Endpoint]]:
    async def open_end() -> Endpoint:
        from server.adapters.uhp_setup import ConfiguredEndpoint
        from server.adapters.uhp_simple import SimpleEndpoint

        if not wanted.command:
            return StdioEndpoint[Never]()
        if wanted.options:
            return await ConfiguredEndpoint.start(wanted.command, wanted.options)
        kind = SimpleEndpoint if wanted.is_simple else ChildEndpoint
        return await kind.start(wanted.command)

    return open_end
