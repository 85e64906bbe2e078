"""Attacks with HTTP requests, and with bytes that are not quite requests. Part of ``benchmarks.attacks``."""

import asyncio
import json
from itertools import cycle

from benchmarks.attack_client import Attacker, Json, Target, cut
from benchmarks.largest_inputs import LargestGame, largest_games
from engines import Position

PREPARING = 2000
"""The attackers' addresses from here on only prepare attacks."""
MUD = 2500
"""What fits into a body of 64 KiB."""
PLIES = 1000
SGF_BYTES = 421_000
CELLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CENTRE = 13
LISTS = (
    "/api/games",
    "/api/games?game=hive&limit=100",
    "/api/games/live",
    "/api/games/past?page=3",
    "/api/games/matchmaking",
    "/api/games/showcase",
)
FOREVER = 50_000_000
ABORT_SECONDS = 0.01


def position_of(largest: LargestGame) -> Json:
    """The largest start of this kind, with the most moves, that ``POST /api/positions`` and analyses read."""
    mud = largest.config.get("mud", [])[:MUD]
    config = {**largest.config, "mud": mud} if mud else largest.config
    return {**largest.start, "config": config, "moves": largest.moves[:PLIES]}


def record_of(largest: LargestGame) -> str:
    """The game as a record in JSON."""
    return json.dumps({**largest.start, "moves": largest.moves}, separators=(",", ":"))


async def imported(attacker: Attacker) -> list[tuple[str, LargestGame]]:
    """Imports the largest game of each kind; returns their ids."""
    found = list[tuple[str, LargestGame]]()
    for number, largest in enumerate(largest_games()):
        body = {"text": record_of(largest)}
        answer = await attacker.prepared("/api/games/import", body, PREPARING + number)
        found.append((answer["gameId"], largest))
    return found


async def analyses(attacker: Attacker) -> None:
    """Four analyses a second of the largest board."""
    body = {**position_of(largest_games()[0]), "toPly": 1}
    await attacker.begin()
    await attacker.every(
        0.25, lambda number: _posted(attacker, "/api/analysis", {**body, "samples": 1 + number})
    )


async def positions(attacker: Attacker) -> None:
    """Ten times a second a position of a largest game."""
    bodies = [position_of(largest) for largest in largest_games()]
    await attacker.begin()
    await attacker.every(
        0.1, lambda number: _posted(attacker, "/api/positions", bodies[number % len(bodies)])
    )


async def records(attacker: Attacker) -> None:
    """Twenty times a second a record, a position or the state of a largest game."""
    games = await imported(attacker)
    paths = [
        path
        for game, largest in games
        for path in (
            f"/api/games/{game}/record",
            f"/api/games/{game}?ply={len(largest.moves) // 2}",
            f"/api/games/{game}",
        )
    ]
    await attacker.begin()
    await attacker.every(0.05, lambda number: attacker.get(paths[number % len(paths)]))


async def large_reads(attacker: Attacker) -> None:
    """A hundred times a second the state of a largest game."""
    paths = [f"/api/games/{game}" for game, _ in await imported(attacker)]
    await attacker.begin()
    await attacker.every(0.01, lambda number: attacker.get(paths[number % len(paths)]))


async def json_imports(attacker: Attacker) -> None:
    """Two imports at once of 60 to 70 KB: a game of 10,000 plies."""
    body = {"text": record_of(largest_games()[2])}
    await attacker.begin()
    await attacker.at_once(2, lambda _: _posted(attacker, "/api/games/import", body))


async def sgf_imports(attacker: Attacker) -> None:
    """Two imports at once of 421 KB: a game of Hive in SGF."""
    body = {"text": long_sgf()}
    await attacker.begin()
    await attacker.at_once(2, lambda _: _posted(attacker, "/api/games/import", body))


async def lists(attacker: Attacker) -> None:
    """A hundred lists of games a second."""
    await attacker.begin()
    await attacker.every(0.01, lambda number: attacker.get(LISTS[number % len(LISTS)]))


async def one_byte_chunks(attacker: Attacker) -> None:
    """Four connections that send bodies in chunks of one byte."""
    head = attacker.head("POST /api/positions HTTP/1.1", 1, *_JSON, "Transfer-Encoding: chunked")
    await attacker.begin()
    await attacker.at_once(4, lambda _: attacker.send_without_end(head + b"\r\n", b"1\r\na\r\n" * 1000))


async def refused_bodies(attacker: Attacker) -> None:
    """Four connections that go on sending a body that is too long."""
    chunked = attacker.head("POST /api/games HTTP/1.1", 1, *_JSON, "Transfer-Encoding: chunked")
    known = attacker.head("POST /api/games HTTP/1.1", 1, *_JSON, f"Content-Length: {FOREVER}")
    kinds = ((chunked + b"\r\n", b"10000\r\n" + b"a" * 0x10000 + b"\r\n"), (known + b"\r\n", b"a" * 0x10000))
    await attacker.begin()
    await attacker.at_once(4, lambda number: attacker.send_without_end(*kinds[number % 2]))


async def endless_headers(attacker: Attacker) -> None:
    """Four connections that send headers without an end."""
    head = attacker.head("GET /api/games HTTP/1.1", 1)
    await attacker.begin()
    await attacker.at_once(4, lambda _: attacker.send_without_end(head, b"x-more: of the same\r\n" * 50))


async def slow_bodies(attacker: Attacker) -> None:
    """Two hundred connections that send a byte of a body each second."""
    head = attacker.head("POST /api/games HTTP/1.1", 1, *_JSON, "Content-Length: 60000")
    await attacker.begin()
    await attacker.at_once(200, lambda _: attacker.send_without_end(head + b"\r\n", b"a", pause=1.0))


async def endless_lines(attacker: Attacker) -> None:
    """Four UHP connections over TCP that send a line without an end."""
    port = attacker.target.uhp_port
    await attacker.begin()
    await attacker.at_once(4, lambda _: attacker.send_without_end(b"", b"a" * 0x10000, port=port))


async def aborted_connections(attacker: Attacker) -> None:
    """Two hundred times a second a connection that asks for a WebSocket and is gone."""
    target, request = attacker.target, attacker.upgrade("/ws/live-games", 1)
    await attacker.begin()
    await attacker.every(0.005, lambda _: _abort(attacker, target, request))


async def _abort(attacker: Attacker, target: Target, request: bytes) -> None:
    try:
        _, writer = await asyncio.open_connection(target.host, target.port)
    except OSError as error:
        attacker.answers[type(error).__name__] += 1
        return
    attacker.answers["opened"] += 1
    try:
        writer.write(request)
        await asyncio.sleep(ABORT_SECONDS)
    finally:
        await cut(writer)


async def _posted(attacker: Attacker, path: str, body: Json) -> None:
    await attacker.post(path, body)


_JSON = ("Content-Type: application/json",)


def long_sgf() -> str:
    """A game of Hive in the format of boardspace.net, in which two Queens walk to and fro."""
    position = Position("hive", "Base", {"drawByRepetition": False})
    opening = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
    steps = ("wQ \\wS1", "bQ bS1/", "wQ -wS1", "bQ bS1-")
    played = list[str]()
    for move in (*opening, *steps):
        position.play(move)
        played.append(_action(position))
    nodes, size = list[str](), 0
    walk = cycle(played[4:])
    while size < SGF_BYTES:
        action = played[len(nodes)] if len(nodes) < len(opening) else next(walk)
        player = f"P{len(nodes) % 2}"
        nodes.append(f"; {player}[{2 * len(nodes) + 1} {action}]\n; {player}[{2 * len(nodes) + 2} Done]")
        size += len(nodes[-1]) + 1
    head = '(;\nGM[27]VV[1]\nSU[hive 2 0 101]\nP0[id "Ada"]\nP1[id "Bo"]\nRE[]\n; P0[0 Start P0]\n'
    return head + "\n".join(nodes) + "\n)\n"


def _action(position: Position) -> str:
    """The last move as an action."""
    moved = position.view()["lastMove"]
    column, row = CELLS[CENTRE + moved["to"]["q"]], CENTRE - moved["to"]["r"] + 1
    return f"Move {moved['piece'][0].upper()} {moved['piece']} {column} {row} ."


ATTACKS = {
    "analyses of the largest board, 4/s": analyses,
    "positions of the largest games, 10/s": positions,
    "records of the largest games, 20/s": records,
    "the largest games, 100/s": large_reads,
    "imports of 70 KB, two at once": json_imports,
    "imports of 421 KB of SGF, two at once": sgf_imports,
    "lists, 100/s": lists,
    "chunks of one byte, 4 connections": one_byte_chunks,
    "bodies after 413, 4 connections": refused_bodies,
    "headers without end, 4 connections": endless_headers,
    "slow bodies, 200 connections": slow_bodies,
    "UHP lines without end, 4 connections": endless_lines,
    "sockets opened and aborted, 200/s": aborted_connections,
}
