"""What the viewers of a live game wait for."""

import asyncio

from engines import Evaluation
from protocols.values import Entry, GameLine
from server.domain import commands as c
from server.domain.game import GameState
from server.services.evaluation.eval_feed import Feed
from tests.server.test_decide import maze


class Known:
    """A source with as many entries as a test says."""

    failure = None

    def __init__(self) -> None:
        self.count = 0

    def entries_for(self, line: GameLine) -> tuple[Entry, ...]:
        return tuple(Entry(ply, Evaluation((0.0, 0.0))) for ply in range(self.count))

    def follow(self, state: GameState) -> None:
        pass

    def resume(self) -> None:
        pass

    def rest(self) -> None:
        pass

    def close(self) -> None:
        pass


async def test_a_history_that_grows_before_its_viewer_wakes_is_not_complete() -> None:
    table, source = maze(), Known()
    feed = Feed(table.state, 0.0, lambda _: source)
    waiting = asyncio.ensure_future(feed.complete_history())
    await asyncio.sleep(0)
    source.count = 1
    feed.resume()
    for seat in (0, 1):
        table.do(c.Move(seat, "STAY"))
    feed.take(table.state)
    for _ in range(3):
        await asyncio.sleep(0)
    assert not waiting.done()
    source.count = 2
    feed.resume()
    assert (await waiting).is_complete
