"""Evaluations that one server has and another one shows: whatever changes, and whatever is lost, both know the same."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Evaluation
from protocols.values import Entry, GameLine, Status
from server.domain.game import GameState
from server.services.bots.bgs import Listeners
from server.services.cluster.announcements import AnnouncementChange, Announcements
from server.services.cluster.bus import Bus
from server.services.cluster.server_messages import SERVERS, AllAnnounced, Announced, EntriesShared
from server.services.evaluation import eval_sharing
from server.services.evaluation.eval_feed import Feed
from server.services.evaluation.eval_sharing import EvalSharing, SharedSource


class Game:
    """The feed of the game "g", with one entry for each position that is evaluated."""

    id = "g"

    def __init__(self) -> None:
        self.state = self
        self.line = GameLine()
        self.entries: tuple[Entry, ...] = ()
        self.failure = None
        self.listeners = Listeners()
        self.viewers = 0

    def resume(self) -> None:
        """Counts a viewer."""
        self.viewers += 1

    def rest(self, now: float) -> None:
        """Counts one less."""
        self.viewers -= 1

    def change(self, moves: tuple[str, ...], evaluated: int) -> None:
        """The game has these moves now, and entries for at most so many positions."""
        pairs = zip(moves, self.line.moves, strict=False)
        shared = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
        shared = min(len(moves), len(self.line.moves)) if shared is None else shared
        kept = self.entries[: shared + 1]
        new = [
            Entry(ply, Evaluation((0.0, 0.0), "".join(moves[:ply]))) for ply in range(len(kept), evaluated)
        ]
        self.line, self.entries = GameLine(moves), (*kept, *new)[: len(moves) + 1]
        self.listeners.tell()


class LossyBus(Bus):
    """Loses the next evaluations if ``is_losing``, and tells of the gap afterwards, as a relay does."""

    is_losing = False

    async def publish(self, topic: str, message: object) -> None:
        """Delivers a message, or loses it."""
        if isinstance(message, EntriesShared) and self.is_losing:
            self.is_losing = False
            self.miss(SERVERS)
        else:
            await super().publish(topic, message)


class Two:
    """A server that has evaluations, and one that shows them."""

    def __init__(self) -> None:
        self.bus, self.game, self.silences = LossyBus(), Game(), 0
        self.parts: list[Any] = []
        self.sharings = [self._sharing(server) for server in ("has", "shows")]
        self.source = SharedSource(self.sharings[1], "has", "g", Listeners(), self._silent)

    def _sharing(self, server: str) -> EvalSharing:
        async def is_member(_: str) -> bool:
            return True

        async def feed(game_id: str) -> Feed | None:
            return cast("Feed", self.game) if game_id == "g" else None

        announcements = Announcements(self.bus, server, is_member, lambda: None)
        sharing = EvalSharing(self.bus, announcements, feed, lambda: 0.0)
        self.parts += [announcements, sharing]
        return sharing

    def _silent(self) -> None:
        self.silences += 1

    async def start(self) -> None:
        """Starts all parts."""
        for announcements in self.parts[::2]:
            await announcements.start()
        for sharing in self.sharings:
            sharing.start()

    async def stop(self) -> None:
        """Stops them."""
        for part in self.parts:
            await part.stop()

    async def agree(self) -> None:
        """Waits until both know the same."""
        async with asyncio.timeout(10):
            while self.source.entries_for(self.game.line) != self.game.entries:  # noqa: ASYNC110 - no event tells it
                await asyncio.sleep(0)


LINES = st.lists(st.sampled_from("ab"), max_size=6).map(tuple)


@given(st.lists(st.tuples(LINES, st.integers(0, 7), st.booleans()), min_size=1, max_size=8))
def test_both_servers_know_the_same(changes: list[tuple[tuple[str, ...], int, bool]]) -> None:
    async def run() -> None:
        two = Two()
        await two.start()
        two.source.resume()
        for moves, evaluated, is_lost in changes:
            two.bus.is_losing |= is_lost
            two.game.change(moves, evaluated)
            await asyncio.sleep(0)
        await two.agree()
        two.source.rest()
        async with asyncio.timeout(10):
            while two.game.viewers:  # noqa: ASYNC110 - no event tells it
                await asyncio.sleep(0)
        await two.stop()

    asyncio.run(run())


async def test_a_server_that_does_not_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_sharing, "PATIENCE_SECONDS", 0.01)
    two = Two()
    two.source.resume()  # The other server is not there.
    async with asyncio.timeout(10):
        while not two.silences:  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(0.01)
    await two.stop()


async def test_a_server_that_falls_silent_later_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_sharing, "PATIENCE_SECONDS", 0.05)
    two = Two()
    await two.start()
    two.source.resume()
    two.game.change(("a",), 2)
    await two.agree()
    known = SimpleNamespace(status=Status.PLAYING, moves=("a",))
    two.source.follow(cast("GameState", known))
    await asyncio.sleep(0.1)
    assert two.silences == 0, "nothing is expected while the game stands still"
    two.source.follow(cast("GameState", SimpleNamespace(status=Status.PLAYING, moves=("a", "b"))))
    async with asyncio.timeout(10):
        while not two.silences:  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(0.01)
    await two.stop()


async def test_a_missed_withdrawal_counts_as_a_loss() -> None:
    """Whoever is only missing after a gap may be back at another server: nobody loses a game for it."""
    two, changes = Two(), []
    await two.start()

    async def listen(change: AnnouncementChange) -> None:
        changes.append((change.key, change.value, change.is_lost))

    two.parts[2].listen("clients", listen)
    await two.bus.publish(SERVERS, Announced("has", "clients", "c", {"bots": []}))
    await two.bus.publish(SERVERS, AllAnnounced("has"))
    await two.bus.publish(SERVERS, Announced("has", "clients", "d", {"bots": []}))
    await two.bus.publish(SERVERS, Announced("has", "clients", "d", None))
    async with asyncio.timeout(10):
        while len(changes) < 4:  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(0)
    assert [is_lost for _, value, is_lost in changes if value is None] == [True, False]
    await two.stop()
