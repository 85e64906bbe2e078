"""Invariants of the list of live games and of its followers, without a server."""

import json
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocols.play.lobby import LiveGame, LobbySocket, RemovedGame
from protocols.values import Attendance, Listed, Seat, SeatKind, Status
from server.routes.sockets.outbox import Outbox
from server.services.broadcast import Broadcast
from server.services.lobby.live_list import STILL_MS, LiveList
from server.services.lobby.waiting_list import HOST_AWAY_MS, WaitingList
from tests.server.memory_connection import MemoryConnection

PLAYERS = (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.OPEN))
GAME = Listed(
    game_id="g",
    game="wallwars",
    variant="standard",
    config={},
    status=Status.PLAYING,
    ply=0,
    seats=PLAYERS,
    host=0,
    match_type="matchmaking",
    created_at=0,
    updated_at=0,
    last_move_at=0,
)
IDS = "abcdef"
STEP_MS = STILL_MS // 3
"""The time between two steps: some games have not changed for long, others have."""
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from(IDS), st.integers(0, 3), st.integers(0, 2)),
        st.tuples(st.just("drop"), st.sampled_from(IDS)),
        st.tuples(st.just("sweep"), st.integers(0, 40), st.sets(st.sampled_from(IDS))),
        st.tuples(st.just("tell")),
        st.tuples(st.just("read")),
    ),
    max_size=40,
)


class Client(MemoryConnection):
    """A follower that folds the frames it reads."""

    def __init__(self, live: LiveList, limit: int, *, extensions: bool) -> None:
        super().__init__()
        session = LobbySocket(extensions)
        self.outbox = Outbox(limit)
        self.outbox.snapshot = lambda: session.snapshot(live.contents).text
        self.outbox.put(self.outbox.snapshot())
        self.broadcast = Broadcast(session.notify)
        self.games: dict[str, Any] = {}

    def send(self, text: str, key: Hashable = None) -> None:
        self.outbox.put(text, key)

    def tell(self, news: dict[str, Any]) -> None:
        with self.broadcast.joined(self):
            for game_id, one in news.items():
                self.broadcast.send(one, game_id)

    def read(self) -> list[Any]:
        """Reads all frames and returns them."""
        frames = []
        while (text := self.outbox.take()) is not None:
            frames.append(json.loads(text))
            self._fold(frames[-1])
        return frames

    def _fold(self, frame: Any) -> None:
        match frame["type"]:
            case "snapshot":
                self.games = {game["id"]: game for game in frame["games"]}
            case "upsert":
                self.games[frame["game"]["id"]] = frame["game"]
            case "remove":
                self.games.pop(frame["gameId"], None)


def change(live: LiveList, step: Any, now: int) -> dict[str, Any]:
    match step:
        case ("put", game_id, ply, spectators):
            kind = "toy-draw" if game_id == "f" else "wallwars"
            game = replace(GAME, game_id=game_id, game=kind, ply=ply, updated_at=now, last_move_at=now)
            news = live.put(LiveGame(game, spectators))
        case ("drop", game_id):
            news = live.drop(game_id)
        case ("sweep", oldest, attended):
            news = live.sweep(oldest * STEP_MS, attended.__contains__)
        case _:
            news = []
    return {one.game_id: one for one in news}


@given(STEPS, st.integers(1, 6), st.integers(1, 6))
def test_folding_the_frames_gives_the_list(steps: list[Any], games: int, limit: int) -> None:
    live = LiveList(games)
    clients = [Client(live, limit, extensions=extensions) for extensions in (False, True)]
    untold: dict[str, Any] = {}
    for now, step in enumerate([*steps, ("tell",)]):
        untold |= change(live, step, now * STEP_MS)
        for client in clients:
            if step[0] == "tell":
                client.tell(untold)
            if step[0] == "read":
                client.read()
        if step[0] == "tell":
            untold = {}
    for client, shown in zip(clients, (live.contents.plain, live.contents.extended), strict=True):
        client.read()
        assert client.games == {game["id"]: game for game in json.loads(shown)}


def test_a_slow_follower_gets_the_last_of_many_changes() -> None:
    live = LiveList(10)
    client = Client(live, 10, extensions=False)
    client.read()
    for now in range(500):
        client.tell(change(live, ("put", "a", now, 0), now))
    assert [frame["game"]["moveCount"] for frame in client.read()] == [499]


def test_a_follower_that_missed_too_much_gets_a_new_snapshot() -> None:
    live = LiveList(100)
    client = Client(live, 3, extensions=False)
    client.read()
    for now, game_id in enumerate(IDS[:5]):
        client.tell(change(live, ("put", game_id, 1, 0), now))
    assert [frame["type"] for frame in client.read()] == ["snapshot"]
    assert sorted(client.games) == list(IDS[:5])


def test_only_a_game_that_has_long_not_changed_makes_room() -> None:
    live = LiveList(2)
    for now, game_id in enumerate("aba"):
        change(live, ("put", game_id, now, 0), now)
    least = live.find("b")
    assert least is not None
    assert change(live, ("put", "c", 0, 0), STILL_MS) == {}
    assert change(live, ("put", "a", 7, 0), STILL_MS) == {"a": live.find("a")}
    assert change(live, ("put", "c", 0, 0), STILL_MS + 1) == {
        "b": RemovedGame(least.game),
        "c": live.find("c"),
    }


def test_an_invisible_change_is_not_sent() -> None:
    live = LiveList(2)
    change(live, ("put", "a", 0, 0), 5)
    known = live.find("a")
    assert known is not None
    assert live.put(replace(known, game=replace(known.game, updated_at=6))) == []
    assert live.put(replace(known, game=replace(known.game, updated_at=4, ply=9))) == []
    assert live.contents.games[0].game.ply == 0


def test_a_waiting_game_is_offered_until_its_host_is_away_too_long() -> None:
    waiting, here, gone = WaitingList(), Attendance(frozenset({0})), Attendance(frozenset({1}))
    waiting.put(GAME, Attendance(), 0)
    assert waiting.present(HOST_AWAY_MS)
    waiting.put(GAME, here, HOST_AWAY_MS)
    assert waiting.present(10 * HOST_AWAY_MS)
    waiting.put(GAME, gone, 10 * HOST_AWAY_MS)
    waiting.put(GAME, gone, 11 * HOST_AWAY_MS)
    assert waiting.present(11 * HOST_AWAY_MS)
    assert waiting.present(11 * HOST_AWAY_MS + 1) == []
    assert waiting.find("g") is None
