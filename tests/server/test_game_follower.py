"""Following a game."""

from contextlib import aclosing
from pathlib import Path

from protocols.values import Seat, SeatKind
from server.services.cluster.bus import Bus
from server.services.cluster.changes import game_topic
from server.services.games.game_factory import GameFactory, NewGame
from server.services.games.game_follower import follow_tables
from server.services.games.games import Games
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore
from tests.server.services import Botless

DRAW = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), config={"seed": 5})


async def test_leaving_early_ends_the_subscription_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    store, bus = SqlStore(url), Bus()
    games = Games(store, bus, GameFactory(Botless(), with_unlisted=True))
    game = (await games.create(DRAW)).state.id
    async with aclosing(follow_tables(games, bus, game)) as tables:
        assert (await anext(tables)).ply == 0
        await games.move(game, 0, "take")
        assert (await anext(tables)).ply == 1
        assert bus.has_subscribers(game_topic(game))
    assert not bus.has_subscribers(game_topic(game))
    await store.close()
