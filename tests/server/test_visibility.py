"""Which lists show a game: those between friends are in none, except for the Wallwars site's clients."""

from typing import Any

import httpx
import pytest

from protocols.values import Seat, SeatKind, Visibility
from server.domain.events import Created
from server.domain.list_visibility import visibility_of
from tests.server.services import SITE_BODY, Json, bearer, opening

HUMAN, OPEN, BOT = ({"kind": kind} for kind in ("human", "open", "bot"))


async def lists(client: httpx.AsyncClient, game: Json) -> set[str]:
    """Returns which lists show the game: the site's, with and without extensions, and Plyhouse's own."""
    found = set()
    for name in ("", "?status=open", "?status=live", "?status=finished"):
        games = (await client.get(f"/api/games{name}")).json()["games"]
        found |= {"ours" for one in games if one["gameId"] == game["gameId"]}
    for name in ("live", "past", "matchmaking"):
        for query in ("", "?ext=1"):
            games = (await client.get(f"/api/games/{name}{query}")).json()["games"]
            found |= {name + query for one in games if game["gameId"] in (one.get("id"), one.get("gameId"))}
    return found


async def stages(client: httpx.AsyncClient, game: Json) -> list[set[str]]:
    """Returns which lists show the game while a seat is open, while it is played, and when it is over."""
    shown = []
    path = f"/api/games/{game['gameId']}"
    if game["position"]["status"] == "open":
        shown.append(await lists(client, game))
        assert (await client.post(f"{path}/join")).status_code == 200
    shown.append(await lists(client, game))
    assert (await client.post(f"{path}/resign", headers=bearer(game, 0))).status_code == 200
    return [*shown, await lists(client, game)]


async def test_a_game_between_friends_is_not_listed(client: httpx.AsyncClient) -> None:
    assert await stages(client, await opening(client, seats=[HUMAN, OPEN])) == [set(), set(), set()]
    assert await stages(client, await opening(client, "toy-goofspiel", seats=[HUMAN, OPEN])) == [set()] * 3


async def test_a_matchmaking_game_is_in_every_list(client: httpx.AsyncClient) -> None:
    game = await opening(client, seats=[HUMAN, OPEN], listed=True)
    assert await stages(client, game) == [
        {"ours", "matchmaking", "matchmaking?ext=1"},
        {"ours", "live", "live?ext=1"},
        {"ours", "past", "past?ext=1"},
    ]


@pytest.mark.parametrize("second", [HUMAN, BOT])
async def test_a_game_without_open_seats_is_in_every_list(client: httpx.AsyncClient, second: Json) -> None:
    game = await opening(client, seats=[HUMAN, second])
    assert await stages(client, game) == [{"ours", "live", "live?ext=1"}, {"ours", "past", "past?ext=1"}]


@pytest.mark.parametrize(
    ("match_type", "expected"),
    [
        ("friend", [set(), {"live"}, {"past"}]),
        (
            "matchmaking",
            [
                {"ours", "matchmaking", "matchmaking?ext=1"},
                {"ours", "live", "live?ext=1"},
                {"ours", "past", "past?ext=1"},
            ],
        ),
    ],
)
async def test_the_sites_clients_find_their_games(
    client: httpx.AsyncClient, match_type: str, expected: list[set[str]]
) -> None:
    body = {**SITE_BODY, "matchType": match_type, "hostIsPlayer1": True}
    assert await stages(client, (await client.post("/api/games", json=body)).json()) == expected


async def test_a_rematch_is_listed_as_the_game_before_it_was(client: httpx.AsyncClient) -> None:
    for is_listed, expected in ((True, {"ours", "live", "live?ext=1"}), (False, set())):
        game = await opening(client, seats=[HUMAN, OPEN], listed=is_listed)
        path = f"/api/games/{game['gameId']}"
        friend = (await client.post(f"{path}/join")).json()["token"]
        await client.post(f"{path}/resign", headers=bearer(game, 0))
        for headers in (bearer(game, 0), {"Authorization": f"Bearer {friend}"}):
            begun = (await client.post(f"{path}/rematch", headers=headers)).json()
        assert await lists(client, begun) == expected


async def test_an_imported_game_is_found(client: httpx.AsyncClient) -> None:
    game = await opening(client)
    await client.post(f"/api/games/{game['gameId']}/resign", headers=bearer(game, 0))
    record = (await client.get(f"/api/games/{game['gameId']}/record")).text
    imported = (await client.post("/api/games/import", json={"text": record})).json()
    assert await lists(client, imported) == {"ours", "past", "past?ext=1"}


@pytest.mark.parametrize(
    ("match_type", "kinds", "expected"),
    [
        ("friend", ["human", "open"], Visibility.SITE),
        ("friend", ["human", "human"], Visibility.PUBLIC),
        ("friend", ["open", "bot"], Visibility.SITE),
        ("friend", ["human", "bot"], Visibility.PUBLIC),
        ("matchmaking", ["human", "open"], Visibility.PUBLIC),
    ],
)
def test_a_log_without_the_member(match_type: str, kinds: list[str], expected: Visibility) -> None:
    members: dict[str, Any] = {
        "game": "wallwars",
        "variant": "standard",
        "config": {},
        "secret": {},
        "host": 0,
    }
    seats = tuple(Seat(SeatKind(kind)) for kind in kinds)
    assert visibility_of(Created(**members, seats=seats, match_type=match_type)) is expected
