"""Follows one game: its current state, and every later one."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from protocols.values import Table
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.services.cluster.bus import Bus
from server.services.cluster.changes import Change, game_topic
from server.services.games.games import Games


async def follow(games: Games, bus: Bus, game_id: str) -> AsyncGenerator[GameState, None]:
    """Yields the states endlessly. Raises ApiError, or OverrunError if changes were missed.

    Close the generator when leaving it early.
    """
    async with aclosing(_follow(games, bus, game_id)) as updates:
        async for update in updates:
            yield update.state if isinstance(update, Change) else update


async def follow_tables(games: Games, bus: Bus, game_id: str) -> AsyncGenerator[Table, None]:
    """Like ``follow``, with the public tables: the first one has the clocks of the moment, later ones of the change."""
    async with aclosing(_follow(games, bus, game_id)) as updates:
        async for update in updates:
            if isinstance(update, Change):
                yield update.table
            else:
                yield table_of(update, max(games.now(), update.updated_at))


async def _follow(games: Games, bus: Bus, game_id: str) -> AsyncGenerator[GameState | Change, None]:
    """Yields the current state, then every later change. Subscribes first, so no change is missed in between."""
    subscription = bus.subscribe(game_topic(game_id))
    try:
        state = await games.get(game_id)
        yield state
        async for message in subscription:
            if isinstance(message, Change) and message.state.version > state.version:
                state = message.state
                yield message
    finally:
        subscription.close()
