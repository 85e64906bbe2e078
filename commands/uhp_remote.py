"""``plyhouse uhp --server URL``: the bridge for a viewer or, with ``--raw``, a direct connection in some role."""

import asyncio
import getpass
import logging.config
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, Never

from commands.failure import fail, failing
from commands.signals import run_until_signal
from programs.child_process import ChildEndpoint
from programs.endpoints import Endpoint, StdioEndpoint
from programs.uhp.dial import BadServer, CannotConnect, server_address
from protocols.uhp.answers import EngineFailed
from protocols.uhp.remote.handshake import Role

COMPANY: Final = ("name", "vs")
PLACE: Final = ("game", "token", "resume")
"""Handshake parameters that a viewer cannot set as options: for all games, and for the first one."""

OF_BRIDGE: Final = ("allow-engine", "new")
"""Options that the bridge alone has."""

NO_PARAMETERS: Final = ("raw", "simple", "engine-option", *OF_BRIDGE)
"""Options that are no handshake parameters."""

Given = Mapping[str, Any]
"""The options of the command line by name, without those that were not given."""


def remote(server: str, given: Given, command: Sequence[str]) -> None:
    """Runs until the peer has gone; on errors, prints a sentence and exits with status 1.

    ``command`` is a program to start.
    """
    from commands.logs import CLIENT_LINE, configuration
    from programs.uhp.raw import PeerDied, RefusedByServer

    logging.config.dictConfig(configuration(CLIENT_LINE))
    with failing("uhp", BadServer, EngineFailed, CannotConnect, RefusedByServer, PeerDied, OSError):
        server_address(server)
        run = _raw if "raw" in given else _bridge
        asyncio.run(run(server, given, command))


async def _bridge(server: str, given: Given, command: Sequence[str]) -> None:
    from engines.licences import name_and_licences
    from programs.uhp.bridge import BridgeProgram
    from programs.uhp.kept_seats import KeptSeats, state_folder
    from protocols.uhp.bridge.session import Bridge
    from protocols.uhp.engine import Product, UhpEngineSession
    from protocols.uhp.engine_options import engine_options

    if command:
        fail("uhp", "a command needs --raw: the bridge serves the viewer that started it")
    if others := [f"--{name}" for name in given if name not in (*COMPANY, *PLACE, *OF_BRIDGE)]:
        fail("uhp", f"{', '.join(others)} without --raw: the viewer sets this by options and newgame")
    _check_resumed(given, PLACE)
    seats = KeptSeats(server, state_folder())
    place = {name: given[name] for name in PLACE if name in given}
    kept = None if place or "new" in given else seats.find()
    who = f"Plyhouse bridge v{version('plyhouse')} ({getpass.getuser()}@{socket.gethostname()})"
    bridge = Bridge(
        UhpEngineSession(Product(who, name_and_licences()[1]), engine_options(1)),
        server,
        words={name: given[name] for name in COMPANY if name in given},
        place=place if kept is None else {"resume": kept},
        is_kept=kept is not None,
        is_engine="allow-engine" in given,
    )
    program = BridgeProgram(bridge, seats)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, program.interrupt)
    await program.run()


def _check_resumed(given: Given, others: Sequence[str]) -> None:
    """Exits if options were given that would be ignored when a game is resumed."""
    ignored = [f"--{name}" for name in given if name in others and name != "resume"]
    if "resume" in given and ignored:
        fail("uhp", f"--resume names the game and its secret: leave out {', '.join(ignored)}")


async def _raw(server: str, given: Given, command: Sequence[str]) -> None:
    from programs.uhp.raw import RawProgram

    words = {"role": Role.VIEWER.value} | {
        name: value for name, value in given.items() if name not in NO_PARAMETERS
    }
    may_return = words["role"] == Role.ENGINE and bool(command)
    if others := [f"--{name}" for name in OF_BRIDGE if name in given]:
        fail("uhp", f"for the bridge, so leave out --raw: {', '.join(others)}")
    if "simple" in given and not may_return:
        fail("uhp", "--simple is for the command of an AI, with --role engine")
    if "engine-option" in given and ("simple" in given or not may_return):
        fail("uhp", "--engine-option is for the command of a UHP engine, with --role engine")
    if words["role"] == Role.WATCH and "game" not in words:
        fail("uhp", "--role watch needs --game")
    _check_resumed(given, [name for name in words if name != "role"])
    if may_return:
        words |= {"secret": "1"}
    await run_until_signal(RawProgram(server, words, _endpoint_opener(given, command), may_return).run())


def _endpoint_opener(given: Given, command: Sequence[str]) -> Callable[[], Awaitable[Endpoint]]:
    async def open_end() -> Endpoint:
        from programs.uhp.setup import ConfiguredEndpoint
        from programs.uhp.simple import SimpleEndpoint

        if not command:
            return StdioEndpoint[Never]()
        if "engine-option" in given:
            return await ConfiguredEndpoint.open(command, given["engine-option"])
        kind = SimpleEndpoint if "simple" in given else ChildEndpoint
        return await kind.start(command)

    return open_end
