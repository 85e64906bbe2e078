"""Attacks at the doors of the ladder: its bots, their pages, and the event streams. Part of ``benchmarks.attacks``."""

import asyncio
import json
from contextlib import suppress
from typing import Final

from websockets.asyncio.client import ClientConnection

from benchmarks.attack_client import AGAIN_SECONDS, Attacker, Json, cut, text_of
from benchmarks.attack_requests import PREPARING
from programs.bot.config import SOCKET_PATH

ANSWER_SECONDS: Final = 10.0
PLAY_SECONDS: Final = 6.0
"""How long two bots play before somebody reads their page."""
HELD_SECONDS: Final = 3.0
"""How long a stream is held open before it is opened again."""
BOTS: Final = 16
CLIENTS: Final = 16
STREAMS: Final = 64
SIZES: Final[Json] = {"boardWidth": {"min": 3, "max": 20}, "boardHeight": {"min": 3, "max": 20}}
OFFER: Final[Json] = {**SIZES, "recommended": [{"boardWidth": 8, "boardHeight": 8}]}
TERMS: Final[Json] = {"gamesAtOnce": 64}
ANSWERS: Final[dict[str, tuple[str, Json]]] = {
    "start_game_session": ("game_session_started", {}),
    "evaluate_position": ("evaluate_response", {"bestMove": "---", "evaluation": 0.0}),
    "apply_move": ("move_applied", {}),
    "end_game_session": ("game_session_ended", {}),
}
"""What a bot answers that always passes."""


def _attach(client_id: str, secret: str, *, is_on_ladder: bool) -> str:
    bot = {"botId": "b", "name": "B", "username": None, "variants": {"standard": OFFER}}
    return text_of(
        {
            "type": "attach",
            "protocolVersion": 3,
            "clientId": client_id,
            "client": {"name": "attack", "version": "1"},
            "bots": [{**bot, "ladder": TERMS} if is_on_ladder else bot],
            **({"resumeSecret": secret} if secret else {}),
        }
    )


async def _attached(socket: ClientConnection, frame: str) -> Json:
    """The answer to an attachment."""
    await socket.send(frame)
    async with asyncio.timeout(ANSWER_SECONDS):
        answer: Json = json.loads(await socket.recv())
    return answer


async def restless_bots(attacker: Attacker) -> None:
    """Sixteen bots of one address that attach to the ladder and leave, as fast as they may."""
    secrets = [""] * BOTS

    async def come_and_go(number: int) -> None:
        async with attacker.socket(SOCKET_PATH) as socket:
            if socket is not None:
                frame = _attach(f"restless-{number}", secrets[number], is_on_ladder=True)
                answer = await _attached(socket, frame)
                secrets[number] = answer.get("resumeSecret", secrets[number])
                attacker.answers[answer.get("code") or answer["type"]] += 1
        await asyncio.sleep(AGAIN_SECONDS)

    await attacker.begin()
    await attacker.at_once(BOTS, come_and_go)


async def pages(attacker: Attacker) -> None:
    """A hundred times a second what is known of a bot that has played."""
    await asyncio.gather(*(_play(attacker, name) for name in ("one", "other")))
    await attacker.begin()
    await attacker.every(0.01, lambda _: attacker.get("/api/ladder/bots/one:b"))


async def _play(attacker: Attacker, client_id: str) -> None:
    """Plays on the ladder for a while, before the attack."""
    async with attacker.socket(SOCKET_PATH, PREPARING) as socket:
        if socket is None:
            return
        answer = await _attached(socket, _attach(client_id, "", is_on_ladder=True))
        if answer["type"] != "attached":
            return
        async with asyncio.timeout(PLAY_SECONDS):
            async for frame in socket:
                asked = json.loads(frame)
                await socket.send(text_of(_passed(asked)))


def _passed(asked: Json) -> Json:
    kind, more = ANSWERS[asked["type"]]
    ply = {"ply": asked["expectedPly"] + (asked["type"] == "apply_move")} if "expectedPly" in asked else {}
    return {"type": kind, "bgsId": asked["bgsId"], "success": True, "error": "", **ply, **more}


async def unread_streams(attacker: Attacker) -> None:
    """64 event streams of 16 clients, of four addresses, that are never read, and opened again every three seconds."""
    secrets = [await _secret(attacker, number) for number in range(CLIENTS)]
    await attacker.begin()

    async def hold(number: int) -> None:
        client = number % CLIENTS
        line = f"Authorization: Bearer streams-{client}:{secrets[client]}"
        head = attacker.head("GET /api/stream/events HTTP/1.1", number % 4, line)
        await _hold(attacker, head + b"\r\n")

    await attacker.at_once(STREAMS, hold)


async def _secret(attacker: Attacker, number: int) -> str:
    """The secret of a client that has attached once."""
    async with attacker.socket(SOCKET_PATH, PREPARING + number) as socket:
        if socket is not None:
            answer = await _attached(socket, _attach(f"streams-{number}", "", is_on_ladder=False))
            return str(answer.get("resumeSecret", ""))
    return ""


async def _hold(attacker: Attacker, request: bytes) -> None:
    """Reads the status of an answer and nothing more."""
    target = attacker.target
    try:
        reader, writer = await asyncio.open_connection(target.host, target.port)
    except OSError as error:
        attacker.answers[type(error).__name__] += 1
        await asyncio.sleep(AGAIN_SECONDS)
        return
    try:
        with suppress(OSError, TimeoutError):
            writer.write(request)
            async with asyncio.timeout(ANSWER_SECONDS):
                status = (await reader.readline()).decode(errors="replace").split()
            attacker.answers[status[1] if len(status) > 1 else "cut"] += 1
            writer.transport.pause_reading()  # type: ignore[attr-defined]  # it reads as well
            await asyncio.sleep(HELD_SECONDS)
    finally:
        await cut(writer)


ATTACKS = {
    "16 ladder bots that come and go": restless_bots,
    "a bot's page, 100/s": pages,
    "64 event streams that are never read": unread_streams,
}
NEEDED = {
    "64 event streams that are never read": ("200", "500"),
    "a bot's page, 100/s": ("200", "500"),
}
"""What the attackers of some attacks must have been answered at least once, and never."""
