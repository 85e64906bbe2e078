"""The file of a SQLite database is moved or replaced while the server runs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.game_peers import SMALL
from tests.server.services import opened, opening, play, settings


def _rename(file: Path) -> None:
    file.rename(file.with_suffix(".moved"))


def _delete(file: Path) -> None:
    file.unlink()


def _replace(file: Path) -> None:
    """As a restored backup does."""
    copy = file.with_suffix(".copy")
    shutil.copy(file, copy)
    copy.replace(file)


@pytest.mark.parametrize("change", [_rename, _delete, _replace])
async def test_no_move_is_acknowledged_once_the_file_is_another(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    async with opened(settings(tmp_path)) as client:
        game = await opening(client, config=SMALL)
        assert (await client.get("/readyz")).status_code == 200
        change(tmp_path / "plyhouse.sqlite3")
        status, refusal = await play(client, game, 0, "Cb2")
        assert (status, refusal["code"]) == (503, "unavailable")
        assert "was moved or replaced" in refusal["error"]
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert "was moved or replaced" in answer.json()["parts"]["store"]
        assert (await client.get(f"/api/games/{game['gameId']}")).json()["position"]["ply"] == 0


async def test_a_file_that_is_back_is_used_again(tmp_path: Path) -> None:
    file = tmp_path / "plyhouse.sqlite3"
    async with opened(settings(tmp_path)) as client:
        game = await opening(client, config=SMALL)
        moved = file.rename(tmp_path / "moved")
        assert (await play(client, game, 0, "Cb2"))[0] == 503
        moved.rename(file)
        assert (await play(client, game, 0, "Cb2"))[0] == 200
        assert (await client.get("/readyz")).status_code in (200, 503)  # The last trial may have failed.
