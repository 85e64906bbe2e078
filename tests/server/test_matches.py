"""A rematch of a game whose configuration was drawn at random."""

import httpx
import pytest

from tests.server.services import opening, post


@pytest.mark.parametrize(("game", "variant"), [("wallwars", "freestyle"), ("toy-draw", "standard")])
async def test_random_configurations_are_drawn_again(
    client: httpx.AsyncClient, game: str, variant: str
) -> None:
    old = await opening(client, game, variant=variant, config={"seed": 5})
    await post(client, old, "resign", 0)
    await post(client, old, "rematch", 0)
    _, new = await post(client, old, "rematch", 1)
    await post(client, {**old, "gameId": new["gameId"]}, "resign", 0)
    before, after = [(await client.get(f"/api/games/{one['gameId']}")).json()["config"] for one in (old, new)]
    assert before != after
    assert before.keys() == after.keys()
