"""A short run of ``python -m benchmarks growth``: its database can be migrated, and each list has games."""

from pathlib import Path

from benchmarks.growth import CALLS, fill, middle_game
from server.store.sql_migrate import migrate
from tests.server.services import opened, settings

EMPTY = ("nobody", "live", "matchmaking", "page=10", "dateTo", "Player 77", "metrics", "large", "player2")
"""What is in the paths of calls that need not find one of so few games."""


async def test_each_list_of_the_benchmark_is_answered(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    fill(url, 400)
    migrate(url)
    middle = middle_game(url)
    async with opened(settings(tmp_path)) as client:
        for call in CALLS:
            answer = await client.get(call.format(middle=middle))
            assert answer.status_code == 200, answer.text
            assert any(part in call for part in EMPTY) or answer.json()["games"], call
        assert 'plyhouse_games{status="finished"} 380.0' in answer.text
