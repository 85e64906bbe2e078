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

    Subscribes before reading the game, so no change is missed in between. Close the generator when leaving it early.
    """
    subscription = bus.subscribe(game_topic(game_id))
    try:
        state = await games.get(game_id)
        yield state
        async for message in subscription:
            if isinstance(message, Change) and message.state.version > state.version:
                state = message.state
                yield state
    finally:
        subscription.close()


async def follow_tables(games: Games, bus: Bus, game_id: str) -> AsyncGenerator[Table, None]:
    """Like ``follow``, with the public tables: the first one has the clocks of the moment, later ones of the change."""
    now = games.now()
    async with aclosing(follow(games, bus, game_id)) as states:
        async for state in states:
            yield table_of(state, max(now, state.updated_at))
