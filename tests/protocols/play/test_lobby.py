"""The feed of live games for one client: what it is shown, and what it may say."""

import json
from dataclasses import replace
from typing import Any

import pytest

from protocols.play.events import TimeTold
from protocols.play.lists import past_json, read_summary, summary_json
from protocols.play.lobby import Gallery, GoneGame, LiveGame, LobbySocket
from protocols.play.table import Control, Listed, Player, Result
from protocols.play.wishes import AskTime
from protocols.session import Close, Effect, Log, Send

CLOCK = Control(180, 2, "blitz")
ADA, BOT = Player("human", "Ada", appearance={"pawnColor": "red"}), Player("bot", bot_id="plyhouse:easy")
WALLS = Listed("a", "wallwars", "classic", {"boardWidth": 5, "boardHeight": 4}, "playing", 3, (ADA, BOT), 1,
               "friend", 10, 30, 20, control=CLOCK)  # fmt: skip
TOY = replace(WALLS, game_id="b", game="toy-draw", config={}, control=None, ply=0)


def frames(effects: list[Effect]) -> list[Any]:
    return [json.loads(effect.text) for effect in effects if isinstance(effect, Send)]


def test_the_sites_entry() -> None:
    (frame,) = frames(LobbySocket().notify(LiveGame(WALLS, 7)))
    assert frame == {
        "type": "upsert",
        "game": {
            "id": "a",
            "variant": "classic",
            "rated": False,
            "timeControl": {"initialSeconds": 180, "incrementSeconds": 2, "preset": "blitz"},
            "boardWidth": 5,
            "boardHeight": 4,
            "players": [
                {"playerId": 1, "displayName": "Ada", "role": "joiner"},
                {"playerId": 2, "displayName": "Player 2", "role": "host"},
            ],
            "status": "in-progress",
            "moveCount": 3,
            "averageElo": 1500,
            "lastMoveAt": 20,
            "spectatorCount": 7,
        },
    }


def test_only_clients_with_extensions_see_other_games() -> None:
    site, ours = LobbySocket(), LobbySocket(with_extensions=True)
    gallery = Gallery((LiveGame(WALLS, 0), LiveGame(TOY, 0)))
    assert [game["id"] for game in frames(site.notify(gallery))[0]["games"]] == ["a"]
    shown = frames(ours.notify(gallery))[0]["games"]
    assert [(game["id"], game["game"], len(game["seats"])) for game in shown] == [
        ("a", "wallwars", 2),
        ("b", "toy-draw", 2),
    ]
    assert (shown[1]["status"], shown[1]["timeControl"]["initialSeconds"]) == ("ready", 86_400)
    assert "boardWidth" not in shown[1]
    for event in (LiveGame(TOY, 0), GoneGame(TOY)):
        assert site.notify(event) == []
        assert len(ours.notify(event)) == 1
    assert frames(site.notify(GoneGame(WALLS))) == [{"type": "remove", "gameId": "a"}]


def test_games_between_friends_are_seen_by_the_sites_clients_and_unlisted_ones_by_nobody() -> None:
    friends = LiveGame(replace(WALLS, visibility="site"), 0)
    unlisted = LiveGame(replace(WALLS, visibility="unlisted"), 0)
    for socket, shown in ((LobbySocket(), 1), (LobbySocket(with_extensions=True), 0)):
        assert len(frames(socket.notify(Gallery((friends, unlisted))))[0]["games"]) == shown
        assert len(socket.notify(friends)) == len(socket.notify(GoneGame(friends.game))) == shown
        assert socket.notify(unlisted) == socket.notify(GoneGame(unlisted.game)) == []


def test_frames_are_written_once_for_everybody() -> None:
    live = LiveGame(WALLS, 0)
    assert LobbySocket().notify(live)[0] is LobbySocket().notify(live)[0]


def test_a_ping_is_answered_with_the_time() -> None:
    session = LobbySocket()
    assert session.receive('{"type":"ping"}') == [AskTime()]
    assert frames(session.notify(TimeTold(5))) == [{"type": "pong", "timestamp": 5}]


@pytest.mark.parametrize("frame", ["{", "[]", "{}", '{"type":7}', '{"type":"resign"}'])
def test_the_hundredth_bad_message_is_the_last(frame: str) -> None:
    session = LobbySocket()
    kinds = [type(effect) for _ in range(99) for effect in session.receive(frame)]
    assert kinds == [Log] * 10
    assert session.receive(frame)[-1] == Close(1008, "Too many unexpected messages")


def test_a_summary_is_read_as_it_was_written() -> None:
    over = replace(WALLS, status="finished", result=Result((0,), "capture", (3.0, 1.0)))
    for game in (WALLS, over, replace(TOY, result=Result((), "draw-agreement"))):
        kept = json.loads(json.dumps(summary_json(game)))
        columns = ("game_id", "game", "variant", "status", "ply", "created_at", "updated_at")
        assert read_summary(kept, **{name: getattr(game, name) for name in columns}) == game


@pytest.mark.parametrize(("winners", "ranks"), [((0,), [1, 2]), ((1,), [2, 1]), ((), [1, 1])])
def test_ranks_of_a_finished_game(winners: tuple[int, ...], ranks: list[int]) -> None:
    entry = past_json(replace(WALLS, status="finished", result=Result(winners, "capture")))
    assert [player["outcomeRank"] for player in entry["players"]] == ranks
    assert {player["outcomeReason"] for player in entry["players"]} == {"capture"}
    assert (entry["timeControl"], entry["startedAt"], entry["movesCount"]) == ("blitz", 10, 3)
