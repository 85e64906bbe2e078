"""A match over the game socket: rematches, chat, time, requests, and reconnecting."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.bot_peers import a_bot
from tests.server.game_peers import SMALL, Peer, joined, new_game
from tests.server.serving import Served

Json = dict[str, Any]


async def http(served: Served, path: str, token: str, how: str = "POST", **body: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=served.url, headers=headers, timeout=60) as client:
        return await client.request(how, f"/api/games/{path}", json=body or None)


async def over(served: Served, **more: Any) -> tuple[str, list[str]]:
    """A finished game: seat 0 has resigned."""
    game, tokens = await new_game(served, config=SMALL, **more)
    await http(served, f"{game}/resign", tokens[0])
    return game, tokens


async def ask(peer: Peer, request_id: str, action: str, **payload: Any) -> Json:
    await peer.send(type="action-request", requestId=request_id, action=action, payload=payload)
    while not (frame := await peer.next())["type"].startswith("action"):
        pass
    assert (frame["requestId"], frame["action"]) == (request_id, action)
    return frame


async def nothing_new(peer: Peer) -> None:
    """Expects nothing but presence frames, which are sent whenever a socket has closed."""
    await peer.send(type="ping")
    while (frame := await peer.next())["type"] != "pong":
        assert frame["type"] == "match-status"


# ---- rematches -----------------------------------------------------------------------------------


async def test_a_rematch_is_offered_rejected_and_started(served: Served) -> None:
    game, (first, second) = await over(served)
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
        joined(served, game) as spectator,
    ):
        for peer in (one, two, spectator):
            await peer.opening()
        await one.send(type="rematch-offer")
        assert (await two.until("rematch-offer"))["playerId"] == 1
        await two.send(type="rematch-reject")
        assert (await one.until("rematch-rejected"))["playerId"] == 2
        await two.send(type="rematch-offer")
        await one.until("rematch-offer")
        async with joined(served, game, f"?token={first}") as late:
            assert (await late.opening())[1]["offer"] == {"kind": "rematch", "seat": 1}
        await one.send(type="rematch-accept")
        begun = [await peer.until("rematch-started") for peer in (one, two, spectator)]
        new = begun[0]["newGameId"]
        assert [frame["newGameId"] for frame in begun] == [new] * 3
        assert [frame.get("seat", {}).get("token") for frame in begun] == [first, second, None]
        await two.send(type="rematch-offer")
        assert (await two.until("error"))["code"] == "rematch-decided"
    async with joined(served, new, f"?token={second}") as two:
        _, state, match = await two.opening()
        assert (state["state"]["status"], match["snapshot"]["matchScore"]) == ("playing", {"1": 1, "2": 0})
        await two.send(type="submit-move", move="---")
        assert (await two.until("state"))["state"]["moveCount"] == 1
    async with joined(served, game, "?since=0") as late:
        assert (await late.opening())[1]["rematch"] == new
        assert (await late.until("rematch-started"))["newGameId"] == new


async def test_an_attached_bot_plays_a_rematch_while_connected(served: Served) -> None:
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "again:b1"}]
    async with a_bot(served) as bot:
        await bot.attach("again")
        game, (first, *_) = await opened_against(served, seats)
        async with joined(served, game, f"?token={first}") as one:
            await one.opening()
            await bot.started()
            await bot.evaluated(0, "---")
            await one.send(type="resign")
            await bot.ended()
            await one.send(type="rematch-offer")
            new = (await one.until("rematch-started"))["newGameId"]
        async with joined(served, new, f"?token={first}") as one:
            await one.opening()
            assert (await bot.started())["bgsId"] == new
            await bot.evaluated(0, "---")
            await bot.applied(0, "---")
            await bot.evaluated(1, "---")
            assert (await one.until("state"))["state"]["moveCount"] == 1
            await one.send(type="resign")
            await bot.ended()
    async with joined(served, new, f"?token={first}") as one:
        await one.opening()
        refused = await ask(one, "r1", "offerRematch")
        assert (refused["type"], refused["code"]) == ("actionNack", "REMATCH_NOT_AVAILABLE")
        assert "again:b1" in refused["message"]
        await nothing_new(one)


async def opened_against(served: Served, seats: list[Json]) -> tuple[str, list[str]]:
    body = {"game": "wallwars", "seats": seats, "config": SMALL}
    async with httpx.AsyncClient(base_url=served.url, timeout=60) as client:
        answer = (await client.post("/api/games", json=body)).json()
    return answer["gameId"], [seat["token"] for seat in answer["seats"] if "token" in seat]


@pytest.mark.parametrize("step", ["offered", "begun"])
async def test_a_crash_leaves_either_an_offer_or_a_complete_game(tmp_path: Path, step: str) -> None:
    with Served(tmp_path) as services:
        game, (first, second) = await over(services)
        await http(services, f"{game}/rematch", first)
        if step == "begun":
            asking = asyncio.create_task(http(services, f"{game}/rematch", second))
            await asyncio.sleep(0.01)
            services.stop(signal.SIGKILL)
            await asyncio.gather(asking, return_exceptions=True)
        else:
            services.stop(signal.SIGKILL)
        services.start()
        async with joined(services, game, f"?token={second}&since=0") as two:
            state = (await two.opening())[1]
            assert (await two.until("rematch-offer"))["playerId"] == 1
            assert ("offer" in state) != ("rematch" in state)
        begun = (await http(services, f"{game}/rematch", second)).json()
        async with joined(services, begun["gameId"], f"?token={second}") as two:
            await two.opening()
            await two.send(type="submit-move", move="---")
            assert (await two.until("state"))["state"]["moveCount"] == 1
        async with httpx.AsyncClient(base_url=services.url, timeout=60) as client:
            listed = (await client.get("/api/games?status=live")).json()["games"]
        assert [one["gameId"] for one in listed] == [begun["gameId"]], "no unannounced game"


# ---- chat ----------------------------------------------------------------------------------------


async def test_chat_reaches_its_channel_and_is_not_stored(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
        joined(served, game) as spectator,
    ):
        welcome = (await one.opening())[0]
        await two.opening()
        await spectator.opening()
        await one.send(type="chat-message", channel="game", text="good luck <b>")
        for peer in (one, two, spectator):
            heard = await peer.until("chat-message")
            assert (heard["senderId"], heard["senderName"]) == (welcome["socketId"], "Player 1")
            assert (heard["channel"], heard["text"]) == ("game", "good luck <b>")
        await one.send(type="chat-message", channel="team", text="psst")
        assert (await one.until("chat-message"))["channel"] == "team"
        await spectator.send(type="chat-message", channel="audience", text="who wins?")
        assert (await spectator.until("chat-message"))["senderName"].startswith("Guest ")
        await nothing_new(two)
        await spectator.send(type="chat-message", channel="game", text="b2!")
        assert (await spectator.until("chat-error"))["code"] == "INVALID_CHANNEL"
        for _ in range(4):
            await spectator.send(type="chat-message", channel="audience", text="hello")
            await spectator.until("chat-message")
        await spectator.send(type="chat-message", channel="audience", text="hello")
        assert (await spectator.until("chat-error"))["code"] == "RATE_LIMITED"
        async with joined(served, game, "?since=0") as late:
            await late.opening()
            await nothing_new(late)


# ---- time and requests ---------------------------------------------------------------------------


async def test_time_is_given_and_shown_to_everybody(served: Served) -> None:
    clock = {"initialSeconds": 60, "incrementSeconds": 0}
    game, (first, _) = await new_game(served, config=SMALL, timeControl=clock)
    async with joined(served, game, f"?token={first}") as one, joined(served, game) as spectator:
        await one.opening()
        await spectator.opening()
        await one.send(type="give-time", seconds=15)
        for peer in (one, spectator):
            assert (await peer.until("state"))["state"]["timeLeft"] == {"1": 60, "2": 75}
        await one.send(type="give-time", seconds=601)
        assert (await one.until("error"))["code"] == "bad-seconds"
        await spectator.send(type="give-time", seconds=15)
        assert "Spectators" in (await spectator.until("error"))["message"]
        assert (await ask(one, "r", "giveTime", seconds=5))["type"] == "actionAck"
    async with joined(served, game) as again:
        assert (await again.opening())[1]["state"]["timeLeft"] == {"1": 60, "2": 80}


async def test_requests_are_answered_by_their_id(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with (
        joined(served, game, f"?token={first}") as one,
        joined(served, game, f"?token={second}") as two,
    ):
        await one.opening()
        await two.opening()
        assert (await ask(one, "r1", "giveTime", seconds=5))["code"] == "NOT_ALLOWED"
        assert (await ask(one, "r2", "giveTime"))["code"] == "INVALID_SECONDS"
        assert (await ask(one, "r3", "sing"))["code"] == "UNKNOWN_ACTION"
        assert (await ask(one, "r4", "requestTakeback"))["code"] == "NOT_ALLOWED"
        assert (await ask(one, "r5", "offerDraw"))["type"] == "actionAck"
        await two.until("draw-offer")
        assert (await ask(one, "r6", "respondRematch", decision="accepted"))[
            "code"
        ] == "REMATCH_NOT_AVAILABLE"
        assert (await ask(one, "r7", "resign"))["type"] == "actionAck"
        assert (await ask(one, "r8", "resign"))["code"] == "TOO_LATE"
        assert (await ask(two, "r9", "respondRematch", decision="maybe"))["code"] == "INVALID_PAYLOAD"
        assert (await ask(two, "r10", "respondRematch", decision="accepted"))[
            "code"
        ] == "REMATCH_NOT_AVAILABLE"
        assert (await ask(one, "r11", "offerRematch"))["type"] == "actionAck"
        assert (await ask(two, "r12", "respondRematch", decision="accepted"))["type"] == "actionAck"
        again = await ask(one, "r13", "respondRematch", decision="declined")
        assert (again["code"], again["retryable"]) == ("REMATCH_ALREADY_DECIDED", False)


async def test_an_abort_is_shown_to_all(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with joined(served, game, f"?token={second}") as two, joined(served, game) as spectator:
        for peer in (two, spectator):
            await peer.opening()
        await http(served, f"{game}/abort", first)
        for peer in (two, spectator):
            assert (await peer.until("state"))["state"]["status"] == "aborted"
            assert (await peer.until("match-status"))["snapshot"]["status"] == "aborted"


async def test_an_abort_ends_the_session_of_a_bot(served: Served) -> None:
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "off:b1"}]
    async with a_bot(served) as bot:
        await bot.attach("off")
        game, (first,) = await opened_against(served, seats)
        async with joined(served, game, f"?token={first}") as one:
            await one.opening()
            await bot.started()
            await bot.evaluated(0, "---")
            await http(served, f"{game}/abort", first)
            assert (await one.until("state"))["state"]["status"] == "aborted"
            await bot.ended()


async def test_a_settled_game_can_be_exported_and_imported(served: Served) -> None:
    clock = {"initialSeconds": 60, "incrementSeconds": 0}
    game, (first, second) = await new_game(served, config=SMALL, timeControl=clock)
    async with joined(served, game, f"?token={second}") as two:
        await two.opening()
        await two.send(type="give-time", seconds=15)
        await two.until("state")
    await http(served, f"{game}/moves", first, move="Cb3")
    await http(served, f"{game}/resign", second)
    for token in (first, second):
        await http(served, f"{game}/rematch", token)
    record = await http(served, f"{game}/record?format=json", first, "GET")
    assert (record.status_code, record.json()["moves"]) == (200, ["Cb3"])
    taken = await http(served, "import", first, format="json", text=record.text)
    assert taken.status_code == 201
    refused = await http(served, f"{taken.json()['gameId']}/rematch", first)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")


# ---- reconnecting --------------------------------------------------------------------------------


async def test_a_reconnecting_client_gets_what_it_missed(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with joined(served, game, f"?token={first}") as one:
        seen = (await one.opening())[1]["seq"]
    for how in ("POST", "DELETE", "POST"):
        await http(served, f"{game}/draw", second, how)
    async with joined(served, game, f"?token={first}&since={seen}") as one:
        assert [frame["type"] for frame in await one.opening()] == ["welcome", "state", "match-status"]
        for kind, seq in (("draw-offer", 2), ("draw-rejected", 3), ("draw-offer", 4)):
            assert (await one.until(kind))["seq"] == seq
        await nothing_new(one)
    async with joined(served, game, f"?token={first}&since=3") as one:
        await one.opening()
        assert (await one.until("draw-offer"))["seq"] == 4
    async with joined(served, game, f"?token={second}&since=0") as own:
        await own.opening()
        await nothing_new(own)


@pytest.mark.parametrize("since", ["4", "99999999999999999999", "-1", "soon", "", "1.5"])
async def test_a_number_from_the_future_misses_nothing(served: Served, since: str) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    await http(served, f"{game}/draw", second)
    async with joined(served, game, f"?token={first}&since={since}") as one:
        await one.opening()
        await nothing_new(one)


async def test_two_tabs_of_one_seat_both_follow_and_both_play(served: Served) -> None:
    game, (first, second) = await new_game(served, config=SMALL)
    async with (
        joined(served, game, f"?token={first}") as tab,
        joined(served, game, f"?token={first}&ext=1") as other_tab,
    ):
        await tab.opening()
        await other_tab.opening()
        await tab.send(type="submit-move", move="---", expectedPly=0)
        for peer in (tab, other_tab):
            assert (await peer.until("state"))["state"]["moveCount"] == 1
        await other_tab.send(type="submit-move", move="Cb3", expectedPly=0)
        assert (await other_tab.until("error"))["code"] == "stale-ply"
        await nothing_new(tab)
        await http(served, f"{game}/moves", second, move="---")
        for peer in (tab, other_tab):
            assert (await peer.until("state"))["state"]["moveCount"] == 2
        await other_tab.send(type="submit-move", move="Cb3", expectedPly=2)
        assert (await tab.until("state"))["state"]["moveCount"] == 3
