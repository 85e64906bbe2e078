"""When garbage is collected."""

import asyncio
import gc
import weakref

from hypothesis import given
from hypothesis import strategies as st

from server.garbage import IdleCollection

SECONDS = st.floats(0.5, 2.0)


@given(st.lists(st.tuples(SECONDS, st.booleans()), max_size=1000))
def test_old_generations_are_collected_when_idle_and_at_last_in_any_case(
    steps: list[tuple[float, bool]],
) -> None:
    collected: list[int] = []
    collection = IdleCollection(collected.append)
    now = start = min(one.collected_at for one in collection._generations)
    last = start
    for seconds, is_idle in steps:
        now += seconds
        before = len(collected)
        collection.look(now, is_idle=is_idle)
        if len(collected) > before:
            assert now - last >= (10 if is_idle else 600)
            last = now
        else:
            assert now - last < (10 if is_idle else 600)


def test_a_collection_of_the_oldest_counts_for_the_younger_ones() -> None:
    collected: list[int] = []
    collection = IdleCollection(collected.append)
    start = max(one.collected_at for one in collection._generations)
    for seconds in (700, 705, 715):
        collection.look(start + seconds, is_idle=True)
    assert collected == [2, 1]


class Cycle:
    """Garbage that only a collection frees."""

    def __init__(self) -> None:
        self.itself = self


async def test_young_garbage_is_collected_although_nothing_is_allocated() -> None:
    before = gc.get_threshold()
    collection = IdleCollection()
    collection.start()
    try:
        garbage = weakref.ref(Cycle())
        async with asyncio.timeout(60):
            while garbage() is not None:  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.01)
    finally:
        collection.stop()
        gc.set_threshold(*before)
