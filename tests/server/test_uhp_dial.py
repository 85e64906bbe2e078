"""Addresses of servers, and programs that are let go, as ``plyhouse uhp`` meets them."""

import asyncio
import os
import signal
import sys
from contextlib import suppress

import pytest

from programs.child_process import ChildEndpoint
from programs.uhp.dial import BadServer, CannotConnect, dial, server_address


@pytest.mark.parametrize(
    "address",
    ["http://[bad", "ws://host:99999", "tcp://host:abc", "tcp://host", "ftp://host", "localhost", ""],
)
async def test_what_is_no_address(address: str) -> None:
    with pytest.raises(BadServer):
        server_address(address)
    with pytest.raises(BadServer):
        await dial(address, {})


@pytest.mark.parametrize("address", ["tcp://a..b:1", "ws://a..b:1"])
async def test_what_is_no_name_of_a_host(address: str) -> None:
    server_address(address)
    with pytest.raises(BadServer, match="invalid host name"):
        await dial(address, {})


async def test_nobody_is_there() -> None:
    with pytest.raises(CannotConnect, match=r"cannot connect to tcp://127\.0\.0\.1:1: "):
        await dial("tcp://127.0.0.1:1", {})


@pytest.mark.parametrize("way", ["", "start_new_session=True"])
async def test_what_a_program_has_started_holds_nobody_up(way: str) -> None:
    """It has our pipe, and may have left the group; the program itself ends at once."""
    script = f"import subprocess; print(subprocess.Popen(['sleep', '20'], {way}).pid)"
    child = await ChildEndpoint.start([sys.executable, "-c", script])
    lines = child.lines()
    started = int(str(await anext(lines)))
    try:
        async with asyncio.timeout(60):
            await child.close()
    finally:
        with suppress(ProcessLookupError):
            os.kill(started, signal.SIGKILL)
    assert [line async for line in lines] == []
