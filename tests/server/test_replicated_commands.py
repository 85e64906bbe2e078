"""Commands at several processes: each decides on what the others have stored, and what it stores is published once."""

import asyncio

import pytest

from protocols.values import OfferKind, Seat, SeatKind
from server.domain.errors import ApiError, Code, store_unavailable
from server.ports.store import Append
from server.services.cluster.changes import (
    ALL_GAMES,
    log_topic,
)
from server.services.games.game_factory import NewGame
from tests.server.replicas import DRAW, TOGETHER, Pair, game_in_both, taken


async def test_parts_of_a_move_may_arrive_at_different_processes(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other, TOGETHER)
    changes, sent = other.bus.subscribe(ALL_GAMES), one.bus.subscribe(log_topic(game))
    assert (await one.games.move(game, 0, "3")).pending == (1,)
    (message,) = await taken(sent, 1)
    assert message.recorded == ()
    await other.bus.publish(log_topic(game), message)
    (change,) = await taken(changes, 1)
    sealed = (await one.store.events(game))[-1]
    assert (change.recorded[-1], change.table.pending, change.is_own) == (sealed, (1,), False)
    assert "'3'" not in repr(change)
    assert (await other.games.move(game, 1, "2", expected_ply=0)).state.moves == ("3/2",)
    assert (await one.games.move(game, 1, "4", expected_ply=1)).state.moves == ("3/2",)
    await other.hears_last_of(game)
    assert (await other.games.move(game, 0, "1", expected_ply=1)).state.moves == ("3/2", "1/4")


async def test_a_second_part_is_refused_by_a_process_that_has_heard_nothing(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other, TOGETHER)
    await one.games.move(game, 0, "3", client_msg_id="a")
    with pytest.raises(ApiError) as refused:
        await other.games.move(game, 0, "4")
    assert refused.value.code is Code.ALREADY_MOVED
    again = await other.games.move(game, 0, "4", client_msg_id="a")
    assert (again.ply, again.pending, again.state.pending) == (0, (1,), {0: "3"})


async def test_a_repeated_message_gets_the_answer_of_another_process(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    first = await one.games.move(game, 0, "take", client_msg_id="a")
    await one.games.move(game, 1, "take")
    repeated = await other.games.move(game, 0, "take", expected_ply=0, client_msg_id="a")
    assert (repeated.ply, repeated.state.version) == (first.ply, first.state.version) == (1, 2)
    assert (await other.games.get(game)).version == 3


async def test_commands_are_not_refused_on_an_outdated_state(servers: Pair) -> None:
    one, other = servers
    game = (await one.games.create(DRAW)).state.id
    for ply in range(6):
        mover, replication = (one, other) if ply % 2 else (other, one)
        await replication.games.get(game)
        assert (await mover.games.move(game, ply % 2, "take", expected_ply=ply)).ply == ply + 1
    await one.games.propose(game, 0, OfferKind.DRAW)
    assert (await other.games.accept(game, 1, OfferKind.DRAW)).status == "finished"
    with pytest.raises(ApiError) as refusal:
        await one.games.move(game, 0, "take")
    assert refusal.value.code is Code.FINISHED


async def test_a_token_issued_by_another_process_is_valid(servers: Pair) -> None:
    one, other = servers
    wish = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN)), config={"seed": 5})
    game = (await one.games.create(wish)).state.id
    assert await other.games.seat_of(game, "unknown") is None
    joined = await one.games.join(game)
    assert await other.games.seat_of(game, joined.token) == 1


async def test_a_host_who_leaves_does_not_abort_a_game_that_was_joined_at_another_process(
    servers: Pair,
) -> None:
    one, other = servers
    wish = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN)), config={"seed": 5})
    joined, left = [(await one.games.create(wish)).state.id for _ in range(2)]
    await other.games.join(joined)
    assert [(await one.games.withdraw(game, 0)).status for game in (joined, left)] == ["playing", "aborted"]


async def test_events_found_in_the_log_are_published_once(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    await one.games.move(game, 0, "take")
    changes = other.bus.subscribe(ALL_GAMES)
    await other.games.move(game, 1, "take", expected_ply=1)
    for recorded in (await one.store.events(game))[1:]:
        await other.hears(game, recorded)
    await one.games.move(game, 0, "take")
    await other.hears_last_of(game)
    told = await taken(changes, 3)
    assert [(change.state.version, change.is_own) for change in told] == [(2, False), (3, True), (4, False)]


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_change_that_is_stored_although_its_append_failed_is_published(
    servers: Pair, monkeypatch: pytest.MonkeyPatch, *, is_stored: bool
) -> None:
    one, _ = servers
    game = (await one.games.create(DRAW)).state.id
    changes, messages = one.bus.subscribe(ALL_GAMES), one.bus.subscribe(log_topic(game))
    append = one.store.append

    async def lose_connection(change: Append) -> None:
        if is_stored:
            await append(change)
        raise store_unavailable("the connection was lost")

    with monkeypatch.context() as patch:
        patch.setattr(one.store, "append", lose_connection)
        with pytest.raises(ApiError):
            await one.games.move(game, 0, "take")
    if is_stored:
        assert [(told.state.version, told.is_own) for told in await taken(changes, 1)] == [(2, True)]
        assert [(sent.first, sent.version) for sent in await taken(messages, 1)] == [(2, 2)]
    await one.games.move(game, 1 if is_stored else 0, "take")
    assert [told.is_own for told in await taken(changes, 1)] == [True]


async def test_a_change_whose_append_seemed_to_fail_is_published_before_the_next_one(
    servers: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes, messages = one.bus.subscribe(ALL_GAMES), one.bus.subscribe(log_topic(game))
    append = one.store.append

    async def lose_first_answer(change: Append) -> None:
        await append(change)
        if change.expected_version == 1:
            raise store_unavailable("the connection was lost")

    monkeypatch.setattr(one.store, "append", lose_first_answer)
    moves = (one.games.move(game, seat, "take") for seat in (0, 1))
    lost, stored = await asyncio.gather(*moves, return_exceptions=True)
    assert isinstance(lost, ApiError)
    assert not isinstance(stored, BaseException)
    assert [told.state.version for told in await taken(changes, 2)] == [2, 3]
    log = await one.store.events(game)
    heard = other.bus.subscribe(ALL_GAMES)
    for sent in await taken(messages, 2):
        await other.hears(game, *log[sent.first - 1 : sent.version])
    assert (await taken(heard, 1))[0].state.version in (2, 3)
    assert (await other.games.get(game)).version == 3
