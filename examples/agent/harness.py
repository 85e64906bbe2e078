"""Lets a language model play a game: asks a function for each move, and plays it over MCP.

pip install 'plyhouse[mcp]'
python examples/agent/harness.py --server http://localhost:8000 --game hive --model scripted:first_move

A model is a function from a prompt to a reply. The whole reply is played: a model that writes anything but a move gets
the server's reason in its next prompt, and loses if it goes on like that.
"""

import argparse
import asyncio
import importlib
import json
import re
import sys
from collections.abc import Callable
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import TextContent

Model = Callable[[str], str]

TASK = """\
You play a board game. Answer with one move, written exactly as in the rules and the list of legal moves, and with
nothing else.
"""


class Refused(Exception):
    """A tool refused a call; the text says why."""


class Seat:
    """One seat of a game, played over MCP."""

    def __init__(self, client: Client, game_id: str, token: str) -> None:
        self._client = client
        self._access = {"game_id": game_id, "token": token}

    async def call(self, tool: str, **arguments: object) -> str:
        """Calls a tool for this seat."""
        return await call(self._client, tool, **self._access, **arguments)


async def call(client: Client, tool: str, **arguments: object) -> str:
    """The text that a tool answers. Raises Refused."""
    answer = await client.call_tool(tool, arguments)
    text = "\n".join(part.text for part in answer.content if isinstance(part, TextContent))
    if answer.is_error:
        raise Refused(text)
    return text


async def create(client: Client, game: str, **options: object) -> tuple[Seat, str]:
    """Creates a game; returns our seat and the position."""
    created = await call(client, "create_game", game=game, **options)
    game_id = re.search(r"^game_id: (.+)$", created, re.MULTILINE)
    token = re.search(r"^your token: (.+)$", created, re.MULTILINE)
    if game_id is None or token is None:
        raise ValueError(f"not what create_game answers: {created}")
    return Seat(client, game_id[1], token[1]), created


async def play(client: Client, model: Model, game: str, **options: object) -> str:
    """Plays a whole game with the model; returns the last position."""
    rules = await call(client, "rules", game=game)
    seat, _ = await create(client, game, **options)
    shown = await seat.call("wait_for_turn")
    while not is_over(shown):
        if not is_turn(shown):
            shown = await seat.call("wait_for_turn")
            continue
        move = await asyncio.to_thread(model, f"{TASK}\n{rules}\n\n{shown}")
        try:
            shown = await seat.call("play", move=move.strip())
        except Refused as refused:
            shown = str(refused)
    return shown


def is_turn(shown: str) -> bool:
    """Whether our seat is to move, as the position says. Other lines have names, which may say anything."""
    return re.search(r"^you are seat \d+; to move: .*\(you\)", shown, re.MULTILINE) is not None


def is_over(shown: str) -> bool:
    """Whether the game is over, as its position says."""
    return re.search(r"^you (are seat \d+|watch); the game is over$", shown, re.MULTILINE) is not None


async def main(server: str, game: str, model: Model, options: dict[str, Any]) -> None:
    """Plays one game with tools of ``plyhouse mcp``, and prints how it ended."""
    program = StdioServerParameters(command="plyhouse", args=["mcp", "--server", server])
    async with Client(program) as client:
        sys.stdout.write(f"{await play(client, model, game, **options)}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Let a model play a game.")
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--game", default="wallwars")
    parser.add_argument(
        "--model", default="scripted:first_move", help="module:function, from prompt to reply"
    )
    parser.add_argument(
        "--options", type=json.loads, default={}, help="further arguments of create_game, as JSON"
    )
    given = parser.parse_args()
    module, _, function = given.model.partition(":")
    chosen = getattr(importlib.import_module(module), function)
    asyncio.run(main(given.server, given.game, chosen, given.options))
