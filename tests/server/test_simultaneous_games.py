"""What nobody may see of a simultaneous move that is not complete, and a crash before it is."""

import signal
import sqlite3
from pathlib import Path
from typing import Any

import httpx

from tests.server.bot_peers import http
from tests.server.services import bearer, opening, play
from tests.server.serving import Served

Json = dict[str, Any]

CONFIG = {"width": 5, "height": 3, "walls": [], "mud": [], "cheese": [[2, 1], [4, 0], [0, 2]], "maxTurns": 9}
"""An open board: seat 0 starts at the bottom left, where it can go UP and RIGHT, seat 1 at the top right."""


async def a_game(client: httpx.AsyncClient, **more: Any) -> Json:
    return await opening(client, "pyrat", config=CONFIG, **more)


async def position(client: httpx.AsyncClient, game: Json, seat: int | None = None) -> Json:
    headers = {} if seat is None else bearer(game, seat)
    answer = await client.get(f"/api/games/{game['gameId']}", headers=headers)
    return dict(answer.json()["position"])


# ---- over HTTP -----------------------------------------------------------------------------------


async def test_nothing_but_the_database_contains_a_part(client: httpx.AsyncClient) -> None:
    """Answers with every direction as part differ only in what the clock and random ids decide."""
    seen = []
    for text in ("UP", "RIGHT", "STAY"):
        game = await a_game(client)
        await play(client, game, 0, text)
        game_id = game["gameId"]
        paths = [
            f"/api/games/{game_id}?staged=LEFT",
            f"/api/games/{game_id}?ply=0",
            f"/api/games/{game_id}/record",
            f"/api/games/{game_id}/record?format=prf",
        ]
        answers = [
            (await client.get(path, headers=bearer(game, seat))).text for path in paths for seat in (0, 1)
        ]
        assert "UP/" not in "".join(answers)
        refused = await play(client, game, 0, "LEFT")
        shown = await position(client, game)
        seen.append([shown, refused, *(len(answer) for answer in answers)])
        rows = [row for row in (await client.get("/api/games")).json()["games"] if row["gameId"] == game_id]
        assert [(row["ply"], row["status"]) for row in rows] == [(0, "playing")]
    assert seen[0] == seen[1] == seen[2]
    metrics = (await client.get("/metrics")).text
    assert not any(word in metrics for word in ("RIGHT", "STAY"))


# ---- crashes -------------------------------------------------------------------------------------


async def test_an_accepted_part_survives_a_crash(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with http(served) as client:
            game = await a_game(client)
            assert await play(client, game, 0, "RIGHT", clientMsgId="a") == (200, {"ply": 0, "pending": [1]})
        served.stop(signal.SIGKILL)
        assert "RIGHT" not in served.log
        served.start()
        async with http(served) as client:
            assert (await position(client, game))["pending"] == [1]
            assert (await play(client, game, 0, "UP"))[1]["code"] == "already-moved"
            assert await play(client, game, 0, "UP", clientMsgId="a") == (200, {"ply": 0, "pending": [1]})
            _, moved = await play(client, game, 1, "DOWN")
            assert moved["position"]["history"] == ["RIGHT/DOWN"]
        served.stop(signal.SIGTERM)
        assert "RIGHT" not in served.log
    with sqlite3.connect(tmp_path / "plyhouse.sqlite3") as database:
        kinds = [kind for (kind,) in database.execute("select kind from events order by seq")]
    assert kinds == ["Created", "Sealed", "Moved"]
