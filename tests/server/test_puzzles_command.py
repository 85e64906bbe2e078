"""``plyhouse puzzles``: files that grow, and games of a server."""

from pathlib import Path
from typing import Any

import httpx
from typer.testing import CliRunner

from commands.cli import app
from engines.puzzles.puzzle import read_puzzles
from engines.puzzles.self_play import GamePlan, played_game
from tests.server.services import opened, settings

SMALL = ("wallwars", "--board", "4x4", "--gap", "1", "--effort", "1", "--most-easy", "1")


def mined(*options: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["puzzles", *options])
    assert done.exit_code == code, done.output
    return str(done.output)


def test_a_search_that_was_stopped_goes_on(tmp_path: Path) -> None:
    at_once, in_steps = tmp_path / "at_once.jsonl", tmp_path / "in_steps.jsonl"
    mined(*SMALL, "--out", str(at_once), "--count", "2")
    for count in ("1", "2"):
        said = mined(*SMALL, "--out", str(in_steps), "--count", count)
    assert "puzzles of the variant" in said
    assert in_steps.read_text() == at_once.read_text()
    assert len(read_puzzles(at_once)[1]) >= 2


def test_the_number_of_games_ends_a_search(tmp_path: Path) -> None:
    out = tmp_path / "few.jsonl"
    mined(*SMALL, "--out", str(out), "--count", "1000", "--games", "3")
    assert {puzzle.source for puzzle in read_puzzles(out)[1]} <= {0, 1, 2}


def test_a_file_with_other_puzzles_stays_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "kept.jsonl"
    mined(*SMALL, "--out", str(out), "--count", "1")
    before = out.read_text()
    assert "made with other options" in mined(*SMALL, "--seed", "2", "--out", str(out), code=1)
    assert "has puzzles of wallwars, not of hive" in mined("hive", "--out", str(out), code=1)
    assert "hive" in mined("hvie", "--out", str(out), code=1)
    assert out.read_text() == before


async def test_puzzles_are_found_in_the_games_of_a_server(tmp_path: Path) -> None:
    ends = [
        played_game(GamePlan("wallwars", None, {"boardWidth": 4, "boardHeight": 4}), number)
        for number in range(4)
    ]
    chosen = settings(tmp_path)
    async with opened(chosen) as client:
        for end in ends:
            await play(client, end.history)
    from_server, from_search = tmp_path / "server.jsonl", tmp_path / "search.jsonl"
    mined(*SMALL, "--database", chosen.database, "--out", str(from_server), "--count", "100")
    mined(*SMALL, "--out", str(from_search), "--count", "100", "--games", "3")
    ids = [sorted(one.id for one in read_puzzles(file)[1]) for file in (from_server, from_search)]
    assert ids[0] == ids[1] != []
    assert "there is no database" in mined(
        "hive", "--database", f"sqlite:///{tmp_path}/none.db", "--out", str(tmp_path / "no.jsonl"), code=1
    )


async def play(client: httpx.AsyncClient, moves: list[str]) -> None:
    """A game between two people that ends like this."""
    seats = [{"kind": "human"}, {"kind": "human"}]
    config = {"boardWidth": 4, "boardHeight": 4}
    body: dict[str, Any] = {"game": "wallwars", "config": config, "seats": seats}
    made = (await client.post("/api/games", json=body)).json()
    tokens = [seat["token"] for seat in made["seats"]]
    for ply, move in enumerate(moves):
        headers = {"Authorization": f"Bearer {tokens[ply % 2]}"}
        path = f"/api/games/{made['gameId']}/moves"
        answer = await client.post(path, json={"move": move, "expectedPly": ply}, headers=headers)
        assert answer.status_code == 200, answer.text
