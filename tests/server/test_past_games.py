"""Pages of lists from the database have the games that match, whatever the filters; and games are counted."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest

from server.domain.board_class import BoardClass
from server.ports.store import PRESETS, Append, Listing, PageQuery, PastFilter, Store, VersionConflictError
from server.store.past_games import RANGES, PastGameRows
from tests.server.test_store import a_store, creation, move

NAMES = ("Ada", "ada ", "Änne", "äNNE", "Bo", "Cy  Lee", "cy lee", "", None)

SIZES: Sequence[Mapping[str, int]] = (
    {},
    {"boardWidth": 6, "boardHeight": 6},
    {"boardWidth": 9, "boardHeight": 9},
    {"boardWidth": 20, "boardHeight": 20},
)

CLASSES = dict(zip(map(str, SIZES), (None, *BoardClass), strict=True))

CHOICES: Mapping[str, Sequence[Any]] = {
    "visibility": [("public",), ("public", "site")],
    "games": [None, ("wallwars",), ("wallwars", "hive")],
    "status": [None, "finished"],
    "created": [None, (3, 7)],
    "skip": [0, 2],
}

FILTERS: Mapping[str, Sequence[Any]] = {
    "variant": [None, "standard", "unheard of"],
    "preset": [None, "blitz"],
    "board": [None, BoardClass.MEDIUM],
    "is_rated": [None, True],
    "players": [(), ("ÄNNE",), ("ada", "bo"), ("bo", "Ada"), ("Ada", "ada")],
}


def a_game(number: int, chance: random.Random) -> Listing:
    """A game with members at random. Several begin in the same millisecond."""
    names = chance.choices(NAMES, k=chance.choice((2, 2, 2, 5)))
    preset = chance.choice((*PRESETS, "own", None))
    return creation(
        f"g{number * 37 % 101:03}",
        game=chance.choice(("wallwars", "hive", "pyrat")),
        variant=chance.choice(("standard", "classic")),
        status=chance.choice(("finished", "finished", "finished", "aborted", "playing")),
        created_at=number // 9,
        visibility=chance.choice(("public", "public", "site", "unlisted")),
        summary={
            "seats": [{"kind": "human", **({} if name is None else {"name": name})} for name in names],
            "config": chance.choice(SIZES),
            **({} if preset is None else {"timeControl": {"preset": preset}}),
            **({"ladder": {}} if number % 3 == 0 else {}),
        },
    ).listing


def games_at_random() -> list[Listing]:
    chance = random.Random(8)
    return [a_game(number, chance) for number in range(101)]


def as_append(game: Listing) -> Append:
    return replace(creation(game.game_id), listing=game)


def matches(game: Listing, query: PageQuery) -> bool:
    wanted = query.past or PastFilter()
    names = {" ".join(str(seat.get("name", "")).split()).casefold() for seat in game.summary["seats"]}
    return (
        game.visibility in query.visibility
        and (query.games is None or game.game in query.games)
        and (query.status is None or game.status == query.status)
        and (query.created is None or query.created[0] <= game.created_at <= query.created[1])
        and (wanted.variant is None or game.variant == wanted.variant)
        and (wanted.preset is None or game.summary.get("timeControl", {}).get("preset") == wanted.preset)
        and wanted.is_rated in (None, "ladder" in game.summary)
        and (wanted.board is None or CLASSES[str(game.summary["config"])] == wanted.board)
        and all(" ".join(name.split()).casefold() in names for name in wanted.players)
    )


def combinations_of(choices: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    return (dict(zip(choices, values, strict=True)) for values in product(*choices.values()))


def queries() -> Iterator[PageQuery]:
    """Each combination of conditions; those of past games alternate with those of all games."""
    for number, filters in enumerate(combinations_of(FILTERS)):
        for other, choice in enumerate(combinations_of(CHOICES)):
            if not any(filters.values()):
                yield PageQuery(limit=4, **choice)
            elif (number + other) % 5 == 0:
                yield PageQuery(limit=4, **{**choice, "status": "finished"}, past=PastFilter(**filters))


def test_each_condition_of_a_page_is_tested() -> None:
    assert {field.name for field in fields(PastFilter)} == set(FILTERS)
    assert {field.name for field in fields(PageQuery)} - set(CHOICES) == {"limit", "after", "past"}


async def all_pages(store: Store, query: PageQuery) -> list[str]:
    found: list[str] = []
    while page := await store.page(query):
        found += [game.game_id for game in page]
        query = replace(query, after=found[-1], skip=0)
    return found


@pytest.mark.slow
async def test_pages_have_the_games_that_match_in_order(database: str) -> None:
    games = sorted(games_at_random(), key=lambda game: (game.created_at, game.game_id), reverse=True)
    async with a_store(database) as store:
        for game in games:
            await store.append(as_append(game))
        for query in queries():
            wanted = [game.game_id for game in games if matches(game, query)]
            assert await all_pages(store, query) == wanted[query.skip :], query


async def test_a_long_page_has_the_newest_games_of_all_kinds(database: str) -> None:
    """Some kinds have many of the newest games, and others none. There are more kinds than one statement reads."""
    seats = {"seats": [{"kind": "human", "name": "Ada"}], "config": SIZES[1]}
    async with a_store(database) as store:
        kinds = [f"kind {number}" for number in range(RANGES[-1])]
        variants = ["few"] * 3 + ["none of them"] * 90 + kinds + ["many"] * 200 + ["few"] * 3
        some = {"many", *kinds[:7]}
        for age, variant in enumerate(variants):
            name = "hive" if variant in some else "wallwars"
            changes = {"game": name, "variant": variant, "status": "finished", "created_at": age}
            await store.append(creation(f"g{age:03}", summary=seats, **changes))
        query = PageQuery(("public",), 60, past=PastFilter(players=("Ada",)))
        newest = [f"g{age:03}" for age in reversed(range(len(variants)))]
        assert [game.game_id for game in await store.page(query)] == newest[:60]
        assert [game.game_id for game in await store.page(replace(query, skip=180))] == newest[180:240]
        assert await all_pages(store, query) == newest
        of_some = [game for game in newest if variants[int(game[1:])] in some]
        page = await store.page(replace(query, games=("hive",)))
        assert [game.game_id for game in page] == of_some[:60]


async def test_a_game_is_found_by_its_players_once_it_has_ended(database: str) -> None:
    query = PageQuery(("public",), 9, past=PastFilter(players=("ada",)))
    seats = {"seats": [{"kind": "human", "name": "Ada"}]}
    async with a_store(database) as store:
        await store.append(creation("a", summary={"seats": []}))
        await store.append(move("a", 2, summary=seats))
        assert await store.page(query) == []
        ended = move("a", 3, summary=seats, status="finished")
        await store.append(ended)
        assert [game.status for game in await store.page(query)] == ["finished"]
        with pytest.raises(VersionConflictError):
            await store.append(ended)
        await store.append(
            move("a", 4, summary=seats, status="finished")
        )  # Somebody offers a rematch, for instance.
        assert [game.game_id for game in await store.page(query)] == ["a"]


async def test_a_game_that_is_deleted_while_a_list_is_read_is_left_out(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = PastGameRows.find
    monkeypatch.setattr(PastGameRows, "find", lambda *given: [*find(*given), (0, "deleted")])
    async with a_store(database) as store:
        seats = {"seats": [{"kind": "human", "name": "Ada"}]}
        await store.append(creation("a", summary=seats, status="finished"))
        page = await store.page(PageQuery(("public",), 9, past=PastFilter(players=("ada",))))
        assert [game.game_id for game in page] == ["a"]


# ---- the numbers of games ------------------------------------------------------------------------


async def test_games_are_counted_as_they_change(database: str) -> None:
    chance = random.Random(5)
    versions: dict[str, int] = {}
    statuses: dict[str, str] = {}
    async with a_store(database) as store:
        for number in range(150):
            name, status = (
                chance.choice("abcdefgh"),
                chance.choice(("open", "playing", "finished", "aborted")),
            )
            version = versions.get(name, 0)
            change = move(name, version + 1, status=status) if version else creation(name, status=status)
            if number % 4 == 0:
                stale = replace(change, expected_version=version + 1)
                with pytest.raises(VersionConflictError):
                    await store.append(replace(change, also=stale) if number % 8 else stale)
                continue
            await store.append(change)
            versions[name], statuses[name] = version + 1, status
            assert await store.counts() == Counter(statuses.values())
