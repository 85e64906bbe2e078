"""``plyhouse mcp``: lets a language model play at a server, with tools over MCP on stdin and stdout."""

import asyncio
import signal
from typing import Annotated

import typer

from commands.failure import fail

RETRIES = 3
"""As in ``plyhouse.agents.agent_table``, which is imported only when the command runs."""


def mcp(
    server: Annotated[str, typer.Option(help="Address of the server: http(s).")] = "http://127.0.0.1:8000",
    retries: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000,
            help="Further tries after an illegal move in a turn; then the seat resigns.",
        ),
    ] = RETRIES,
) -> None:
    """Let a language model play at a server: tools over MCP on stdin and stdout. Needs the extra mcp."""
    if not server.startswith(("http://", "https://")):
        raise typer.BadParameter(f"{server!r} does not begin with http:// or https://", param_hint="--server")
    try:
        import mcp_types  # noqa: F401
    except ModuleNotFoundError as error:
        fail("mcp", f"needs the extra mcp: pip install 'plyhouse[mcp]' ({error.name} is not installed)")
    # Ctrl-C ends it at once: the thread that waits for stdin cannot be interrupted in another way.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_run(server, retries))


async def _run(server: str, retries: int) -> None:
    from plyhouse.agents.agent_client import AgentClient
    from plyhouse.agents.agent_table import AgentTable
    from plyhouse.agents.mcp_server import mcp_server

    async with AgentClient(server) as client:
        await mcp_server(AgentTable(client, retries)).run_stdio_async()
