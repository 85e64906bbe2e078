"""A tournament of two servers: one plays it, and the other one goes on when that dies."""

import signal
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.server.bot_peers import http
from tests.server.databases import template
from tests.server.serving import Served
from tests.server.test_tournaments import create, games_of, has_over, is_finished, levels, start, until
from tools.services.postgres import PostgresServer


async def test_the_other_server_goes_on_with_a_tournament(tmp_path: Path, postgres: PostgresServer) -> None:
    database = postgres.new_database(template(postgres))
    (tmp_path / "other").mkdir()
    folders = (tmp_path, tmp_path / "other")
    one, other = (Served(folder, "--database", database) for folder in folders)
    with one, other:
        async with http(one) as here, http(other) as there:
            made = await create(here, *levels("beginner", "novice", "easy", "medium"), gamesPerPair=1)
            await start(there, made)
            await until(there, made, has_over(1))
        is_played_by_one = f"of tournament {made['id']}" in one.log
        dead, alive = (one, other) if is_played_by_one else (other, one)
        dead.stop(signal.SIGKILL)
        async with http(alive) as client:
            found = await until(client, made, is_finished)
    assert f"of tournament {made['id']}" in alive.log
    assert (len(games_of(found)), sum(row["points"] for row in found["table"])) == (6, 6)
    engine = create_engine(database)
    with engine.connect() as connection:
        stored = set(connection.scalars(text("SELECT game_id FROM games")))
    engine.dispose()
    assert stored == {game["gameId"] for game in games_of(found)}
