"""A database of the first version can be opened, and its games continue."""

import hashlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from server.store.sql_migrate import newest_revision
from tests.server.databases import bring, provide
from tests.server.program import ROOT
from tests.server.services import opened, settings

SEATS = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bo"}]
PAWNS = {"p1": {"cat": [0, 0], "mouse": [2, 0]}, "p2": {"cat": [0, 2], "mouse": [2, 2]}}
CREATED = {
    "game": "wallwars",
    "variant": "standard",
    "config": {"boardWidth": 3, "boardHeight": 3, "initialState": {"pawns": PAWNS, "walls": []}},
    "secret": {},
    "seats": SEATS,
    "host": 0,
}
MOVED = {"seat": 0, "move": "Cb3", "message_id": "m1"}


def first_version(database: Path) -> None:
    """A database created by the first version, with one game in which one move was played."""
    bring(database, command.upgrade, "0001")
    with sqlite3.connect(database) as rows:
        summary = json.dumps({"seats": [{"seat": seat, **who} for seat, who in enumerate(SEATS)]})
        game = ("old", 2, "wallwars", "standard", "playing", False, False, 1000, 2000, 1, summary)
        rows.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", game)
        for seq, kind, data in ((1, "Created", CREATED), (2, "Moved", MOVED)):
            rows.execute("INSERT INTO events VALUES ('old', ?, ?, ?, ?)", (seq, seq, kind, json.dumps(data)))
        for seat in (0, 1):
            digest = hashlib.sha256(f"token{seat}".encode()).hexdigest()
            rows.execute("INSERT INTO tokens VALUES (?, 'old', ?)", (digest, seat))
    rows.close()


async def post(client: httpx.AsyncClient, path: str, seat: int, **body: Any) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer token{seat}"}
    answer = await client.post(f"/api/games/{path}", headers=headers, json=body or None)
    assert answer.is_success, answer.text
    return dict(answer.json())


async def test_games_of_the_first_version_continue_and_have_rematches(tmp_path: Path) -> None:
    first_version(tmp_path / "plyhouse.sqlite3")
    async with opened(settings(tmp_path)) as client:
        listed = (await client.get("/api/games?status=live")).json()["games"]
        assert [(one["gameId"], one["ply"]) for one in listed] == [("old", 1)]
        assert (await post(client, "old/moves", 0, move="Cb3", clientMsgId="m1"))["ply"] == 1
        assert (await post(client, "old/moves", 1, move="Cb3", expectedPly=1))["ply"] == 2
        await post(client, "old/resign", 0)
        assert await post(client, "old/rematch", 0) == {"offer": "rematch"}
        new = (await post(client, "old/rematch", 1))["gameId"]
        assert (await post(client, f"{new}/moves", 1, move="---"))["ply"] == 1
        assert (await client.get(f"/api/games/{new}")).json()["config"] == CREATED["config"]


async def test_a_friend_game_of_the_first_version_is_only_in_the_sites_lists(tmp_path: Path) -> None:
    database = tmp_path / "plyhouse.sqlite3"
    first_version(database)
    seats = [{"kind": "open"}, SEATS[1]]
    with sqlite3.connect(database) as rows:
        rows.execute("UPDATE events SET data = ? WHERE seq = 1", [json.dumps({**CREATED, "seats": seats})])
        rows.execute("UPDATE events SET kind = 'SeatTaken', data = '{\"seat\": 0}' WHERE seq = 2")
    rows.close()
    async with opened(settings(tmp_path)) as client:
        assert (await client.get("/api/games?status=live")).json()["games"] == []
        await post(client, "old/resign", 0)
        for query, shown in (("", ["old"]), ("?ext=1", [])):
            past = (await client.get(f"/api/games/past{query}")).json()["games"]
            assert [one["gameId"] for one in past] == shown


def test_the_newest_migration_is_found_by_its_file_name() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "server" / "migrations"))
    assert newest_revision() == ScriptDirectory.from_config(config).get_current_head()


def test_a_current_database_is_opened_without_alembic(tmp_path: Path) -> None:
    provide(tmp_path / "plyhouse.sqlite3")
    program = (
        "import sys; from server.store.sql_migrate import migrate; "
        "migrate(sys.argv[1]); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", program, f"sqlite:///{tmp_path}/plyhouse.sqlite3"]
    assert subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout == "False\n"
