"""A complete bot: attaches to a Plyhouse server and plays random legal moves until it is stopped.

    python random_bot.py ws://127.0.0.1:8000            plays Wallwars
    python random_bot.py ws://127.0.0.1:8000 hive
    python random_bot.py ws://127.0.0.1:8000 carcassonne
    python random_bot.py ws://127.0.0.1:8000 hive ada   with a clientId of your own; otherwise, each bot has another

It needs the package ``websockets``, and takes the rules of the game from ``engines``, a part of Plyhouse.
"""

import json
import random
import secrets
import sys
from typing import Any

from websockets.sync.client import connect

from engines import Position

SIDE = {"min": 3, "max": 20}
BOARDS = {"boardWidth": SIDE, "boardHeight": SIDE, "recommended": [{"boardWidth": 8, "boardHeight": 8}]}
OFFERS: dict[str, Any] = {
    "wallwars": {"standard": BOARDS, "classic": BOARDS},
    "hive": {"Base+MLP": {}, "Base": {}},
    "carcassonne": {"standard": {}, "meeple_compat": {}},
}
RESPONSES = {
    "start_game_session": "game_session_started",
    "evaluate_position": "evaluate_response",
    "apply_move": "move_applied",
    "end_game_session": "game_session_ended",
}
CLIENT = {"name": "random_bot.py", "version": "1"}


def attach(game: str, client_id: str) -> dict[str, Any]:
    """The first message: the client, its bot, and what the bot plays. It needs no time, so it plays with a clock."""
    bot = {"botId": "random", "name": "Random", "username": None, "timed": True}
    bot |= {"game": game, "variants": OFFERS[game]}
    return {"type": "attach", "protocolVersion": 3, "clientId": client_id, "client": CLIENT, "bots": [bot]}


def random_move(position: Position) -> str:
    """A random move. Where moves are not listed, as in Wallwars, actions are added while any is legal."""
    if position.lists_moves:
        return random.choice(position.legal_moves())
    move = ""
    while choices := position.legal(staged=move):
        move = f"{move}.{random.choice(choices)}" if move else random.choice(choices)
    return move or "---"


def carry_out(sessions: dict[str, Position], asked: dict[str, Any]) -> dict[str, Any]:
    """Does what a request asks for, or raises ValueError; returns the members that only its response has."""
    bgs_id = asked["bgsId"]
    if asked["type"] == "start_game_session":
        config = asked["config"]
        sessions[bgs_id] = Position(config.get("game", "wallwars"), config["variant"], config)
        return {}
    if bgs_id not in sessions:
        raise ValueError(f"there is no session {bgs_id}")
    if asked["type"] == "end_game_session":
        del sessions[bgs_id]
        return {}
    position = sessions[bgs_id]
    if asked["expectedPly"] != position.ply:
        raise ValueError(f"the session is at ply {position.ply}, not {asked['expectedPly']}")
    if asked["type"] == "apply_move":
        position.play(asked["move"])
        return {"ply": position.ply}
    return {"ply": position.ply, "bestMove": random_move(position), "evaluation": 0}


def answer(sessions: dict[str, Position], asked: dict[str, Any]) -> dict[str, Any]:
    """The response to one request; ``sessions`` has the position of every running game."""
    response = {"type": RESPONSES[asked["type"]], "bgsId": asked["bgsId"]}
    try:
        return {**response, **carry_out(sessions, asked), "success": True, "error": ""}
    except ValueError as error:
        ply = sessions[asked["bgsId"]].ply if asked["bgsId"] in sessions else 0
        no_move = {"ply": ply, "bestMove": "", "evaluation": 0}
        return {**response, **no_move, "success": False, "error": str(error)}


def main(server: str = "ws://127.0.0.1:8000", game: str = "wallwars", client_id: str = "") -> None:
    """Attaches, then answers requests until the server closes the connection."""
    with connect(f"{server}/ws/custom-bot") as socket:
        client_id = client_id or f"example-{secrets.token_hex(2)}"
        socket.send(json.dumps(attach(game, client_id)))
        print(f"{client_id}:random", socket.recv(), flush=True)
        sessions: dict[str, Position] = {}
        for frame in socket:
            socket.send(json.dumps(answer(sessions, json.loads(frame))))


if __name__ == "__main__":
    main(*sys.argv[1:4])
