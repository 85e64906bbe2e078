"""Attacks with WebSockets, and by bots and searches. Part of ``benchmarks.attacks``."""

import asyncio
import json
from contextlib import suppress
from itertools import count

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from benchmarks.attack_client import AGAIN_SECONDS, Attacker, Json, control_frame, text_of
from benchmarks.attack_requests import PREPARING, imported
from benchmarks.live_games import NEW_GAME
from engines import Position
from programs.bot.config import SOCKET_PATH

STRONG: Json = {"kind": "bot", "bot": "plyhouse:strong"}
HUMAN: Json = {"kind": "human"}
SIZES: Json = {"boardWidth": {"min": 3, "max": 9}, "boardHeight": {"min": 3, "max": 9}}
OFFER: Json = {**SIZES, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}
PLACES = 10
"""The bot clients that a server accepts by default."""
ANSWER_SECONDS = 10.0
PING = 9
CHAT = text_of({"type": "chat-message", "channel": "audience", "text": "buy " * 60})


async def largest_sockets(attacker: Attacker) -> None:
    """Twenty times a second, from four addresses, the socket of a largest game."""
    games = await imported(attacker)
    await attacker.begin()
    await attacker.every(
        0.05,
        lambda number: _look(
            attacker, f"/ws/games/{games[number % len(games)][0]}?ext=1&since=0", number % 4
        ),
    )


async def largest_bars(attacker: Attacker) -> None:
    """Ten times a second, from four addresses, the bar of a largest game."""
    games = await imported(attacker)
    positions = [Position(largest.game, largest.variant, largest.config) for _, largest in games]
    frames = [handshake(game, position) for (game, _), position in zip(games, positions, strict=True)]

    async def look(number: int) -> None:
        game, _ = games[number % len(games)]
        await _look(attacker, f"/ws/eval/{game}", number % 4, frames[number % len(games)])

    await attacker.begin()
    await attacker.every(0.1, look)


def handshake(game: str, position: Position) -> str:
    """The first frame of an evaluation bar."""
    sizes: Json = {
        name: position.config[name] for name in ("boardWidth", "boardHeight") if name in position.config
    }
    return text_of({"type": "eval-handshake", "gameId": game, "variant": position.variant, **sizes})


async def _look(attacker: Attacker, path: str, address: int, first: str = "") -> None:
    """Opens a socket, sends a frame if there is one, and leaves after the first answer."""
    async with attacker.socket(path, address) as socket:
        if socket is None:
            return
        if first:
            await socket.send(first)
        async with asyncio.timeout(ANSWER_SECONDS):
            await socket.recv()


# ---- bots ----------------------------------------------------------------------------------------


def attach(client_id: str, **members: str) -> str:
    """The first frame of a bot client."""
    bot = {"botId": "b", "name": "B", "username": None, "variants": {"standard": OFFER}}
    return text_of(
        {
            "type": "attach",
            "protocolVersion": 3,
            "clientId": client_id,
            "client": {"name": "attack", "version": "1"},
            "bots": [bot],
            **members,
        }
    )


async def attaches(attacker: Attacker) -> None:
    """Forty times a second a bot client with another id."""

    async def one(number: int) -> None:
        async with attacker.socket(SOCKET_PATH) as socket:
            if socket is not None:
                await socket.send(attach(f"attack-{number}"))
                await _answer(attacker, socket)

    await attacker.begin()
    await attacker.every(0.025, one)


async def bot_places(attacker: Attacker) -> None:
    """All places of bots are taken, and their owners try for more; somebody with a secret comes back every second."""
    secret = ""
    async with attacker.socket(SOCKET_PATH, PREPARING) as socket:
        if socket is not None:
            await socket.send(attach("owner"))
            secret = json.loads(await socket.recv()).get("resumeSecret", "")

    async def squat(number: int) -> None:
        async with attacker.socket(SOCKET_PATH, number // 4) as socket:
            if socket is not None:
                await socket.send(attach(f"squatter-{number}"))
                await _answer(attacker, socket)
                await socket.wait_closed()
        await asyncio.sleep(AGAIN_SECONDS)

    async def come_back(_: int) -> None:
        async with attacker.socket(SOCKET_PATH, PREPARING) as socket:
            if socket is not None:
                await socket.send(attach("owner", resumeSecret=secret))
                await _answer(attacker, socket, "owner: ")
        await asyncio.sleep(4.0)

    await attacker.begin()
    squatting = asyncio.ensure_future(attacker.at_once(PLACES + 10, squat))
    await asyncio.sleep(1.0)
    await asyncio.gather(squatting, attacker.at_once(1, come_back))


async def long_attaches(attacker: Attacker) -> None:
    """Ten times a second an attachment that is too long; each is answered or closed."""

    async def one(_: int) -> None:
        async with attacker.socket(SOCKET_PATH) as socket:
            if socket is not None:
                await socket.send(attach("long", padding="a" * 70_000))
                await _answer(attacker, socket)

    await attacker.begin()
    await attacker.every(0.1, one)


async def _answer(attacker: Attacker, socket: ClientConnection, who: str = "") -> None:
    """Counts the first frame of the server."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            frame = json.loads(await socket.recv())
    except TimeoutError:
        attacker.answers[f"{who}no answer"] += 1
        return
    attacker.answers[f"{who}{frame.get('code') or frame['type']}"] += 1


# ---- games ---------------------------------------------------------------------------------------


async def chat(attacker: Attacker) -> None:
    """A hundred sockets of one address that write ten messages a second each about another's game."""
    path = f"/ws/games/{attacker.target.games[-1]}?ext=1"
    await attacker.begin()

    async def talk(_: int) -> None:
        async with attacker.socket(path) as socket:
            if socket is not None:
                reading = asyncio.ensure_future(_count_chat(attacker, socket))
                try:
                    while True:
                        await socket.send(CHAT)
                        await asyncio.sleep(0.1)
                finally:
                    reading.cancel()
        await asyncio.sleep(AGAIN_SECONDS)

    await attacker.at_once(100, talk)


async def _count_chat(attacker: Attacker, socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for frame in socket:
            if '"chat-' in str(frame[:200]):
                attacker.answers["chat-error" if "chat-error" in str(frame) else "chat received"] += 1


async def spectators(attacker: Attacker) -> None:
    """A thousand sockets from eight addresses that watch the games of two people."""
    games = attacker.target.games
    await attacker.begin()

    async def watch(number: int) -> None:
        path = f"/ws/games/{games[number % len(games)]}?ext=1"
        async with attacker.socket(path, number % 8) as socket:
            if socket is not None:
                await socket.wait_closed()
        await asyncio.sleep(1.0)

    await attacker.at_once(1000, watch)


async def pings(attacker: Attacker) -> None:
    """Eight sockets that send pings as fast as they can."""
    request = attacker.upgrade("/ws/live-games", 1)
    await attacker.begin()
    await attacker.at_once(
        8, lambda _: attacker.send_without_end(request, control_frame(PING, b"12345678") * 500)
    )


async def bot_games(attacker: Attacker) -> None:
    """Two addresses with 64 games each between strong bots."""
    await attacker.begin()
    await attacker.every(0.02, lambda number: _open(attacker, [STRONG, STRONG], number % 2))


async def abandoned_games(attacker: Attacker) -> None:
    """256 games against a strong bot from four addresses, whose bot moves first; nobody comes back."""
    await attacker.begin()
    await attacker.every(0.02, lambda number: _open(attacker, [STRONG, HUMAN], number % 4))


async def _open(attacker: Attacker, seats: list[Json], address: int) -> None:
    await attacker.post("/api/games", {**NEW_GAME, "seats": seats}, address)


async def bars(attacker: Attacker) -> None:
    """256 bars of as many games from eight addresses."""
    opened = [
        (await attacker.prepared("/api/games", NEW_GAME, number % 8))["gameId"] for number in range(256)
    ]
    position = Position("wallwars")
    await attacker.begin()

    async def watch(number: int) -> None:
        async with attacker.socket(f"/ws/eval/{opened[number]}", number % 8) as socket:
            if socket is not None:
                await socket.send(handshake(opened[number], position))
                async for frame in socket:
                    attacker.answers[json.loads(frame)["type"]] += 1
        await asyncio.sleep(1.0)

    await attacker.at_once(len(opened), watch)


async def many_analyses(attacker: Attacker) -> None:
    """32 analyses at once from sixteen addresses."""
    samples = count(1000)
    await attacker.begin()

    async def analyse(number: int) -> None:
        body = {"game": "wallwars", "moves": ["---"] * 60, "samples": next(samples)}
        await attacker.post("/api/analysis?wait=1", body, number // 2)
        await asyncio.sleep(AGAIN_SECONDS)

    await attacker.at_once(32, analyse)


ATTACKS = {
    "sockets of the largest games, 20/s": largest_sockets,
    "bars of the largest games, 10/s": largest_bars,
    "attachments with changing ids, 40/s": attaches,
    "all bot places taken": bot_places,
    "attachments that are too long, 10/s": long_attaches,
    "chat from 100 sockets": chat,
    "1,000 spectators from 8 addresses": spectators,
    "ping floods, 8 sockets": pings,
    "128 games between bots from 2 addresses": bot_games,
    "256 abandoned games against a strong bot": abandoned_games,
    "256 idle bars": bars,
    "32 analyses at once": many_analyses,
}
NEEDED = {
    "all bot places taken": ("owner: attached", "owner: no answer"),
    "attachments that are too long, 10/s": ("INVALID_MESSAGE", "no answer"),
}
"""What the attackers of some attacks must have been answered at least once, and never."""
