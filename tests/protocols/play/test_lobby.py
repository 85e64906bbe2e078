"""The feed of live games for one client: what it is sent, and what it may send."""

import json
from dataclasses import replace
from typing import Any

import pytest

from protocols.play.client_frames import AskTime
from protocols.play.events import ServerTime
from protocols.play.lists import past_json, read_summary, summary_json
from protocols.play.lobby import LiveGame, LobbyContents, LobbySocket, RemovedGame
from protocols.session import Close, Effect, Log, Send
from protocols.values import Listed, Result, Seat, SeatKind, Status, TimeControl, Visibility

CLOCK = TimeControl(180, 2, "blitz")
ADA, BOT = (
    Seat(SeatKind.HUMAN, "Ada", appearance={"pawnColor": "red"}),
    Seat(SeatKind.BOT, bot_id="plyhouse:easy"),
)
WALLS = Listed(
    game_id="a",
    game="wallwars",
    variant="classic",
    config={"boardWidth": 5, "boardHeight": 4},
    status=Status.PLAYING,
    ply=3,
    seats=(ADA, BOT),
    host=1,
    match_type="friend",
    created_at=10,
    updated_at=30,
    last_move_at=20,
    time_control=CLOCK,
)
TOY = replace(WALLS, game_id="b", game="toy-draw", config={}, time_control=None, ply=0)


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
    contents = LobbyContents((LiveGame(WALLS, 0), LiveGame(TOY, 0)))
    assert [game["id"] for game in frames(site.notify(contents))[0]["games"]] == ["a"]
    shown = frames(ours.notify(contents))[0]["games"]
    assert [(game["id"], game["game"], len(game["seats"])) for game in shown] == [
        ("a", "wallwars", 2),
        ("b", "toy-draw", 2),
    ]
    assert (shown[1]["status"], shown[1]["timeControl"]["initialSeconds"]) == ("ready", 86_400)
    assert "boardWidth" not in shown[1]
    for event in (LiveGame(TOY, 0), RemovedGame(TOY)):
        assert site.notify(event) == []
        assert len(ours.notify(event)) == 1
    assert frames(site.notify(RemovedGame(WALLS))) == [{"type": "remove", "gameId": "a"}]


def test_only_the_sites_clients_see_games_between_friends() -> None:
    friends = LiveGame(replace(WALLS, visibility=Visibility.SITE), 0)
    unlisted = LiveGame(replace(WALLS, visibility=Visibility.UNLISTED), 0)
    for socket, shown in ((LobbySocket(), 1), (LobbySocket(with_extensions=True), 0)):
        assert len(frames(socket.notify(LobbyContents((friends, unlisted))))[0]["games"]) == shown
        assert len(socket.notify(friends)) == len(socket.notify(RemovedGame(friends.game))) == shown
        assert socket.notify(unlisted) == socket.notify(RemovedGame(unlisted.game)) == []


def test_frames_are_encoded_once() -> None:
    live = LiveGame(WALLS, 0)
    assert LobbySocket().notify(live)[0] is LobbySocket().notify(live)[0]


def test_a_ping_is_answered_with_the_time() -> None:
    session = LobbySocket()
    assert session.receive('{"type":"ping"}') == [AskTime()]
    assert frames(session.notify(ServerTime(5))) == [{"type": "pong", "timestamp": 5}]


@pytest.mark.parametrize("frame", ["{", "[]", "{}", '{"type":7}', '{"type":"resign"}'])
def test_the_hundredth_bad_message_closes_the_feed(frame: str) -> None:
    session = LobbySocket()
    kinds = [type(effect) for _ in range(99) for effect in session.receive(frame)]
    assert kinds == [Log] * 10
    assert session.receive(frame)[-1] == Close(1008, "Too many unexpected messages")


def test_summaries_round_trip() -> None:
    over = replace(WALLS, status=Status.FINISHED, result=Result((0,), "capture", (3.0, 1.0)))
    for game in (WALLS, over, replace(TOY, result=Result((), "draw-agreement"))):
        kept = json.loads(json.dumps(summary_json(game)))
        columns = ("game_id", "game", "variant", "status", "ply", "created_at", "updated_at")
        assert read_summary(kept, **{name: getattr(game, name) for name in columns}) == game


@pytest.mark.parametrize(("winners", "ranks"), [((0,), [1, 2]), ((1,), [2, 1]), ((), [1, 1])])
def test_ranks_of_a_finished_game(winners: tuple[int, ...], ranks: list[int]) -> None:
    entry = past_json(replace(WALLS, status=Status.FINISHED, result=Result(winners, "capture")))
    assert [player["outcomeRank"] for player in entry["players"]] == ranks
    assert {player["outcomeReason"] for player in entry["players"]} == {"capture"}
    assert (entry["timeControl"], entry["startedAt"], entry["movesCount"]) == ("blitz", 10, 3)
