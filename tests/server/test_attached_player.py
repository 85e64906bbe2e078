"""Bots of a running server in the arena: real games at a real server, and what can go wrong there."""

import asyncio
import json
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from engines import BadConfig, Position
from engines.arena import Contender, Match, Played, play_match
from engines.bots import Bot as NamedBot
from engines.bots import UnknownBot, random_move
from engines.pool import Limits
from plyhouse import wire
from programs.arena import attached_player
from programs.arena.attached_player import AttachedBot, ServerFailed
from tests.server.bot_peers import Bot, a_bot
from tests.server.serving import Served
from tests.server.test_arena_command import arena

EASY = "plyhouse:easy"
SMALL = {"boardWidth": 3, "boardHeight": 3}
PATIENT = Limits(None, 60_000)


def match(served: Served, bot: str, others: str = "random", game: str = "wallwars", games: int = 2) -> Match:
    named = [NamedBot.parse(text) for text in others.split(",")]
    bots: list[Contender] = [AttachedBot.parse(f"{bot}@{served.url}"), *named]
    config = SMALL if game == "wallwars" else None
    return Match(game, bots, games, PATIENT, "standard", config, opening_plies=0)


def finished(served: Served, game: str) -> list[list[str]]:
    """The moves of all finished games of the server."""
    listed = httpx.get(f"{served.url}/api/games", params={"status": "finished", "game": game}).json()["games"]
    games = [httpx.get(f"{served.url}/api/games/{row['gameId']}").json()["position"] for row in listed]
    assert {game["status"] for game in games} <= {"finished"}
    return [game["history"] for game in games]


def live(served: Served) -> list[object]:
    return list(httpx.get(f"{served.url}/api/games", params={"status": "live"}).json()["games"])


async def answer_all(bot: Bot) -> None:
    """A bot with random moves that keeps positions of its own."""
    positions: dict[str, Position] = {}
    while True:
        asked = json.loads(await bot.connection.recv())
        session = asked.get("bgsId", "")
        match asked["type"]:
            case "start_game_session":
                config = asked["config"]
                positions[session] = Position(config["game"], config["variant"], config)
                await bot.answer("game_session_started", asked)
            case "evaluate_position":
                position = positions[session]
                best = random_move(position, position.to_act[0], random.Random(position.ply))
                await bot.answer(
                    "evaluate_response", asked, ply=asked["expectedPly"], bestMove=best, evaluation=0.0
                )
            case "apply_move":
                positions[session].play(asked["move"])
                await bot.answer("move_applied", asked, ply=positions[session].ply)
            case "end_game_session":
                await bot.answer("game_session_ended", asked)


async def played(every: Match, jobs: int = 1) -> list[Played]:
    return await asyncio.to_thread(play_match, every, jobs)


def test_a_bot_of_a_server_plays_in_every_seat(served: Served) -> None:
    games = play_match(match(served, EASY, games=4), 2)
    assert [game.takes for game in games[:2]] == [(0, 1), (1, 0)]
    assert all(game.note == "" and game.position.outcome for game in games)
    assert sorted(finished(served, "wallwars")) == sorted(list(game.moves) for game in games)
    assert live(served) == []


async def test_three_seats_and_a_hidden_order(served: Served) -> None:
    """The server deals from the seed of the arena, and reveals to the bot only what its seat may know."""
    async with a_bot(served) as bot:
        await bot.attach("draw", {"game": "toy-draw", "variants": {"standard": {}}})
        answering = asyncio.create_task(answer_all(bot))
        games = await played(match(served, "draw:b1", "montecarlo:time=5,random", "toy-draw", games=6))
        answering.cancel()
    assert all(game.scores and game.note == "" for game in games)
    assert sorted(finished(served, "toy-draw")) == sorted(list(game.moves) for game in games)


MAZE = {"width": 5, "height": 5, "cheese": [[2, 1], [1, 3], [3, 3]], "maxTurns": 12}


def test_simultaneous_moves(served: Served) -> None:
    every = replace(match(served, EASY, "montecarlo:time=5", "pyrat"), variant="open", config=MAZE)
    games = play_match(every, 1)
    assert [game.takes for game in games] == [(0, 1), (1, 0)]
    assert all(game.note == "" and game.position.outcome for game in games)
    assert sorted(finished(served, "pyrat")) == sorted(list(game.moves) for game in games)
    assert live(served) == []


async def test_a_bot_that_leaves_before_a_simultaneous_move_loses(served: Served) -> None:
    async with a_bot(served) as bot:
        await bot.attach("quitter", {"game": "toy-goofspiel", "variants": {"standard": {}}})
        playing = asyncio.create_task(played(match(served, "quitter:b1", game="toy-goofspiel", games=1)))
        await bot.started()
        await bot.expect("evaluate_position")
    (game,) = await playing
    assert (list(game.values), game.reason) == ([-1, 1], "resignation")
    assert live(served) == []


async def test_one_of_three_leaves_and_the_others_play_on(served: Served) -> None:
    async with a_bot(served) as first, a_bot(served) as second:
        await first.attach("stays", {"game": "toy-draw", "variants": {"standard": {}}})
        await second.attach("goes", {"game": "toy-draw", "variants": {"standard": {}}})
        answering = asyncio.create_task(answer_all(first))
        every = match(served, "stays:b1", "random,random", "toy-draw", games=1)
        bots = [every.bots[0], AttachedBot.parse(f"goes:b1@{served.url}"), every.bots[2]]
        playing = asyncio.create_task(played(replace(every, bots=bots)))
        await second.started()
        await second.connection.close()
        (game,) = await playing
        answering.cancel()
    assert "!1" in game.moves
    assert (game.reason, game.places[1]) == ("points", 3)
    assert "left its game on the server (resignation)" in game.note
    assert live(served) == []


async def test_bots_of_a_server_meet(served: Served) -> None:
    every = match(served, EASY, games=2)
    games = await played(replace(every, bots=[every.bots[0], every.bots[0]]))
    assert all(game.note == "" and game.position.outcome for game in games)
    assert live(served) == []


async def test_a_bot_without_an_answer_loses(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attached_player, "GRACE_SECONDS", 0.3)
    async with a_bot(served) as bot:
        await bot.attach("silent")
        every = replace(match(served, "silent:b1"), limits=Limits(None, 1))
        for game in await played(every):
            assert list(game.values) == [-1, 1]
            assert (game.reason, game.note) == ("timeout", "No move within 0.301 seconds.")
    assert live(served) == []


async def test_a_bot_that_leaves_loses(served: Served) -> None:
    async with a_bot(served) as bot:
        await bot.attach("leaver")
        playing = asyncio.create_task(played(match(served, "leaver:b1", games=1)))
        await bot.started()
        await bot.expect("evaluate_position")
    (game,) = await playing
    assert list(game.values) == [-1, 1]
    assert game.reason == "resignation"
    assert "left its game on the server" in game.note


async def test_a_server_that_goes_away_ends_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PAUSES", (0.01, 0.01))
    with Served(tmp_path) as served:
        async with a_bot(served) as bot:
            await bot.attach("patient")
            playing = asyncio.create_task(played(match(served, "patient:b1", games=1)))
            await bot.started()
            served.stop(signal.SIGKILL)
            with pytest.raises(ServerFailed, match="patient:b1"):
                await playing


def test_bots_that_cannot_play_are_refused(served: Served) -> None:
    with pytest.raises(UnknownBot, match="did you mean 'plyhouse:easy'"):
        AttachedBot.parse(f"plyhouse:esy@{served.url}").check("wallwars", "standard")
    with pytest.raises(UnknownBot, match="does not play lost"):
        AttachedBot.parse(f"{EASY}@{served.url}").check("wallwars", "lost")
    with pytest.raises(BadConfig, match="no opening plies"):
        play_match(replace(match(served, EASY), opening_plies=2), 1)
    every = match(served, EASY, game="toy-goofspiel")
    with pytest.raises(BadConfig, match="cannot meet in a game in which seats move simultaneously"):
        play_match(replace(every, bots=[every.bots[0], every.bots[0]]), 1)
    with pytest.raises(ServerFailed, match="no bot"):
        play_match(match(served, "nobody:b1"), 1)
    assert live(served) == []


@pytest.mark.parametrize(
    "text", ["a@b", "a@localhost:8000", "@http://x", "a@ftp://x", "a@http://", "a@b@http://x"]
)
def test_an_address_is_needed(text: str) -> None:
    with pytest.raises(UnknownBot, match="is not ID@URL"):
        AttachedBot.parse(text)


@contextmanager
def answering(body: bytes) -> Iterator[str]:
    """A server of something else."""
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"bots": [{}]}'])
def test_an_address_of_something_else(body: bytes) -> None:
    with answering(body) as url, pytest.raises(ServerFailed, match=url):
        AttachedBot.parse(f"a@{url}").check("wallwars", "standard")


def test_the_command(served: Served, tmp_path: Path) -> None:
    bot, log = f"{EASY}@{served.url}", tmp_path / "match.log"
    done = arena("--bots", f"{bot},random", "--games", "2", "--time", "2000", "--resume", str(log), "--json")
    assert done.returncode == 0, done.stderr
    assert "cannot be repeated with a seed" in done.stderr
    assert json.loads(done.stdout)["bots"][0]["name"] == bot
    again = arena("--bots", f"{bot},random", "--games", "2", "--time", "2000", "--resume", str(log), "--json")
    assert again.stdout == done.stdout
