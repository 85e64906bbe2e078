"""Old games are deleted, archived and restored, and players renamed; lists and counts stay right."""

import gzip
import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from commands.pace import Pace
from protocols.values import Seat, SeatKind
from server.domain.events import Created, Event, Imported, Moved, Recorded, RematchStarted, SeatTaken
from server.ports.store import (
    Append,
    DeletedGames,
    EndedGames,
    EndedKind,
    Listing,
    PageQuery,
    PastFilter,
    Store,
    TokenHash,
)
from server.services.retention import Retention
from server.store.sql_engine import open_engine
from server.store.sql_store import SqlStore
from tests.server.databases import ON_SQLITE
from tests.server.program import run_command
from tests.server.services import bearer, opened, post, settings
from tests.server.serving import Served
from tests.server.test_store import a_store

DAY = 86_400_000
TABLES = ("games", "events", "tokens", "chat_lines", "past_games", "row_counts")

ADA, BO = "Ada Love", "Bo"


def ended(
    game_id: str,
    day: int,
    status: str = "finished",
    *,
    names: Sequence[str] = (ADA, BO),
    is_imported: bool = False,
    rematch: str | None = None,
) -> Append:
    """A game that was created and last changed on this day. The second player joined later."""
    at = day * DAY
    seats = (Seat(SeatKind.HUMAN, name=names[0]), Seat(SeatKind.OPEN))
    created = Created("toy-draw", "standard", {"seats": 2}, {}, seats, host=0)
    events: list[Event] = [created, SeatTaken(1, names[1]), Moved(0, "take")]
    events += [Imported()] if is_imported else []
    events += [] if rematch is None else [RematchStarted(0, rematch)]
    log = tuple(Recorded(seq, at, event) for seq, event in enumerate(events, start=1))
    summary = {"seats": [{"kind": "human", "name": name} for name in names], "matchType": "friend"}
    listing = Listing(
        game_id, "toy-draw", "standard", status, is_timed=False, has_bot=False, created_at=at, updated_at=at,
        ply=1, summary=summary,
    )  # fmt: skip
    return Append(game_id, 0, log, listing, (TokenHash(f"hash of {game_id}", 0),))


GAMES = (
    ended("old", 1),
    ended("import", 1, is_imported=True),
    ended("aborted", 1, "aborted"),
    ended("resultless", 0, "aborted", is_imported=True),
    ended("playing", 1, "playing"),
    ended("needed", 1, rematch="playing"),
    ended("middle", 5, rematch="new"),
    ended("new", 9, names=("ADA  love", "Cy")),
)


async def fill(url: str, games: Sequence[Append] = GAMES) -> None:
    async with a_store(url) as store:
        for game in games:
            await store.append(game)


def rows(url: str) -> dict[str, Counter[str]]:
    """All rows of the tables with games."""
    engine = open_engine(url)
    with engine.begin() as connection:
        found = {
            name: Counter(str(tuple(row)) for row in connection.execute(text(f"SELECT * FROM {name}")))  # noqa: S608 - a constant
            for name in TABLES
        }
    engine.dispose()
    found["row_counts"] = Counter(row for row in found["row_counts"] if not row.endswith(", 0)"))
    return found


def bytes_of(url: str, suffix: str = "") -> int:
    """The size of a file of a SQLite database."""
    return Path(url.removeprefix("sqlite:///") + suffix).stat().st_size


async def ids(store: Store, **past: Any) -> list[str]:
    query = PageQuery(("public",), 100, status="finished", past=PastFilter(**past))
    return sorted(listing.game_id for listing in await store.page(query))


def command(url: str, *arguments: str, status: int = 0) -> str:
    """The output of a command, in one line."""
    done = run_command(*arguments, "--database", url)
    assert done.returncode == status, done.stdout + done.stderr
    return " ".join((done.stdout + done.stderr).split())


async def test_a_deleted_game_leaves_no_row_behind(database: str, tmp_path: Path) -> None:
    await fill(database)
    chatting = SqlStore(database)
    for game_id in ("old", "playing", "unknown"):
        await chatting.keep_chat_line(game_id, "game", 1, {"text": "hi"})
    await chatting.close()
    assert len(rows(database)["chat_lines"]) == 2
    for game in ("old", "import", "needed", "middle", "new", "aborted", "playing", "resultless"):
        command(database, "games", "delete", game)
    assert not sum(rows(database).values(), Counter())


@pytest.mark.parametrize(
    ("kind", "deleted"),
    [
        (EndedKind.FINISHED, ["middle", "old"]),
        (EndedKind.ABORTED, ["aborted"]),
        (EndedKind.IMPORTED, ["import", "resultless"]),
    ],
)
async def test_games_are_deleted_by_kind_and_age(database: str, kind: EndedKind, deleted: list[str]) -> None:
    others = [game for game in GAMES if game.game_id not in deleted]
    await fill(database)
    deleting = SqlStore(database)
    retention = Retention(deleting, {kind: 3}, None, lambda: 9 * DAY)
    try:
        assert await retention.delete_old() == len(deleted)
        assert await retention.delete_old() == 0
    finally:
        await deleting.close()
    assert set(rows(database)["tokens"]) == {
        str((game.game_id, f"hash of {game.game_id}", 0)) for game in others
    }
    async with a_store(database) as store:
        assert await ids(store) == sorted(g.game_id for g in others if g.listing.status == "finished")
        assert await ids(store, players=("ada love", "bo")) == sorted(
            g.game_id for g in others if g.listing.status == "finished" and g.game_id != "new"
        )
        assert await store.counts() == Counter(game.listing.status for game in others)


async def test_a_batch_looks_at_so_many_games_and_the_next_goes_on_after_them(database: str) -> None:
    """However many games of other kinds there are: moves wait for the end of a batch."""
    await fill(database, [ended(f"g{n}", n, is_imported=n < 6) for n in range(10)])
    store, batches = SqlStore(database), list[DeletedGames]()
    which: EndedGames | None = EndedGames(EndedKind.FINISHED, 9 * DAY, 4)
    while which is not None:
        batches.append(await store.delete_ended(which))
        last = batches[-1].last
        which = None if last is None else replace(which, after=last)
    async with a_store(database) as left:
        assert await ids(left) == ["g0", "g1", "g2", "g3", "g4", "g5", "g9"]
    await store.close()
    assert batches == [
        DeletedGames(0, (3 * DAY, "g3")),
        DeletedGames(2, (7 * DAY, "g7")),
        DeletedGames(1, None),
    ]


def long_games(count: int) -> list[Append]:
    """Games of about 200 kB each, the oldest first."""
    log = tuple(Recorded(seq, 1, Moved(0, "x" * 4000)) for seq in range(1, 51))
    return [replace(ended(f"g{number:03}", number), events=log) for number in range(count)]


@ON_SQLITE
async def test_a_server_deletes_the_oldest_games_of_a_large_database(database: str) -> None:
    await fill(database, [*long_games(20), ended("playing", 0, "playing"), ended("aborted", 0, "aborted")])
    store = SqlStore(database)
    retention = Retention(store, {}, 2 * 2**20, lambda: 99 * DAY)
    count = await retention.delete_to_size(2 * 2**20)
    used, left = await store.used_bytes(), await ids(store)
    assert await retention.delete_to_size(2 * 2**20) == 0
    await store.close()
    assert 2**20 < used <= 2 * 2**20
    assert left == [f"g{number:03}" for number in range(count - 1, 20)]


@ON_SQLITE
async def test_running_games_stay_in_a_database_that_is_too_large(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    await fill(database)
    store = SqlStore(database)
    assert await Retention(store, {}, 1, lambda: 99 * DAY).delete_to_size(1) == 6
    assert await store.counts() == Counter({"playing": 1, "finished": 1})
    await store.close()
    assert "no more games can be deleted" in caplog.text


async def test_what_is_archived_and_pruned_can_be_restored(database: str, tmp_path: Path) -> None:
    await fill(database)
    before, archive = rows(database), tmp_path / "old.jsonl.gz"
    would = "would delete 3 finished games, 1 aborted games, 2 imported games"
    pruning = ("prune", "--older-than", "0")
    assert command(database, *pruning, "--dry-run") == would
    assert rows(database) == before
    assert command(database, *pruning, "--archive", str(archive)) == would.replace("would delete", "deleted")
    assert command(database, "games", "restore", str(archive)).startswith("restored 6 games; 0 were")
    assert rows(database) == before
    assert command(database, "games", "restore", str(archive)).startswith("restored 0 games; 6 were")
    assert rows(database) == before


@ON_SQLITE
async def test_an_archive_has_every_ended_game(database: str, tmp_path: Path) -> None:
    await fill(database)
    file = tmp_path / "all.gz"
    assert command(database, "games", "archive", str(file)) == "archived 6 games"
    assert "File exists" in command(database, "games", "archive", str(file), status=1)
    header, *lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    assert json.loads(header) == {"format": "plyhouse-games", "version": 1}
    assert {json.loads(line)["game_id"] for line in lines} == {
        "old",
        "import",
        "aborted",
        "resultless",
        "middle",
        "new",
    }


FAULTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "another file": (lambda _: b"{}\n", "line 2: not an archive of games"),
    "no JSON": (lambda lines: lines + b"{\n", "line 8: not a game"),
    "no game": (lambda lines: lines + b"{}\n", "line 8: unknown event or missing member: 'events'"),
    "another event": (lambda lines: lines.replace(b'"Moved"', b'"Danced"'), "missing member: 'Danced'"),
    "running": (lambda lines: lines.replace(b'"finished"', b'"playing"'), "not a game that has ended"),
    "a text for a number": (lambda lines: lines.replace(b'"ply":1', b'"ply":"x"'), "ply: Input should be a valid int"),
}  # fmt: skip


@ON_SQLITE
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_bad_archive_is_refused_by_line(database: str, tmp_path: Path, fault: str) -> None:
    await fill(database)
    file = tmp_path / "all.gz"
    command(database, "games", "archive", str(file))
    change, reason = FAULTS[fault]
    file.write_bytes(gzip.compress(change(gzip.decompress(file.read_bytes()))))
    assert reason in command(database, "games", "restore", str(file), status=1)


@ON_SQLITE
async def test_the_games_before_the_end_of_a_cut_archive_are_restored(database: str, tmp_path: Path) -> None:
    await fill(database, [ended(f"g{number}", number) for number in range(300)])
    before, file = rows(database), tmp_path / "all.gz"
    command(database, "games", "archive", str(file))
    file.write_bytes(file.read_bytes()[:-20])
    command(database, "prune", "--older-than", "0")
    assert "Compressed file ended" in command(database, "games", "restore", str(file), status=1)
    after = rows(database)["games"]
    assert set(after) < set(before["games"])
    assert len(after) >= 200


@ON_SQLITE
async def test_the_newest_games_are_kept(database: str) -> None:
    await fill(database)
    assert command(database, "prune", "--keep", "1", "--kind", "finished") == "deleted 2 finished games"
    async with a_store(database) as store:
        assert await ids(store) == ["import", "needed", "new"]


@ON_SQLITE
async def test_a_database_is_pruned_to_a_size(database: str) -> None:
    await fill(database, long_games(20))
    assert bytes_of(database) > 3 * 2**20
    command(database, "prune", "--max-megabytes", "2", "--vacuum")
    assert 2**20 < bytes_of(database) <= 2 * 2**20
    async with a_store(database) as store:
        left = await ids(store)
    assert left == [f"g{number:03}" for number in range(20 - len(left), 20)]


def test_transactions_are_as_long_as_they_should_be() -> None:
    pace = Pace(50)
    assert pace.size == 20
    pace.rest_after(20, 0.12, is_shared=True)
    assert pace.size == 10
    for _ in range(3):
        pace.rest_after(pace.size, 0.01, is_shared=False)
    assert pace.size == 50
    pace.rest_after(50, 600.0, is_shared=False)
    assert pace.size == 1


@ON_SQLITE
async def test_many_games_of_another_kind_do_not_make_transactions_longer(
    database: str, tmp_path: Path
) -> None:
    """To look at them takes no time, but the next games are deleted: few at first. Each batch is a gzip member."""
    await fill(database, [ended(f"g{n:03}", n, is_imported=n < 140) for n in range(200)])
    file = tmp_path / "old.gz"
    command(database, "prune", "--kind", "finished", "--older-than", "0", "--archive", str(file))
    sizes = [member.count(b"\n") for member in members(file.read_bytes())][1:]  # The first is the header.
    assert sum(sizes) == 60
    assert all(size <= max(20, 2 * before) for before, size in pairwise([0, *sizes]))


def members(packed: bytes) -> Iterator[bytes]:
    """The contents of the members of a gzip file."""
    while packed:
        member = zlib.decompressobj(wbits=31)
        yield member.decompress(packed)
        packed = member.unused_data


@ON_SQLITE
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("prune",), "give a limit"),
        (("prune", "--max-megabytes", "1", "--dry-run"), "--dry-run cannot say"),
        (("games", "rename", "Ada"), "give a new name"),
        (("games", "rename", "Ada", "Bo", "--delete"), "give a new name"),
        (("games", "rename", "Ada", "\t"), "the new name must"),
    ],
)
def test_bad_options_are_refused(database: str, arguments: tuple[str, ...], reason: str) -> None:
    assert reason in command(database, *arguments, status=2)


@ON_SQLITE
def test_a_missing_game_file_or_database_is_named(database: str, tmp_path: Path) -> None:
    for what in ("show", "export", "delete"):
        assert f"games {what}: there is no game nogame" in command(
            database, "games", what, "nogame", status=1
        )
    assert "No such file" in command(database, "games", "restore", str(tmp_path / "none"), status=1)
    missing = tmp_path / "missing.db"
    assert f"there is no database {missing}" in command(
        f"sqlite:///{missing}", "games", "show", "x", status=1
    )
    assert not missing.exists()


@pytest.mark.parametrize(("arguments", "name"), [(("Countess",), "Countess"), (("--delete",), None)])
async def test_a_player_is_renamed_everywhere(
    database: str, arguments: tuple[str, ...], name: str | None
) -> None:
    await fill(database)
    await fill(database, [ended("other", 2, names=("Cy", "Dee")), ended("joined", 3, names=("Cy", ADA))])
    others = {row for row in rows(database)["events"] if "other" in row}
    assert command(database, "games", "rename", " ada LOVE ", *arguments).endswith("in 9 games")
    found = rows(database)
    assert "ada" not in str(found).lower()
    assert others <= set(found["events"])
    async with a_store(database) as store:
        theirs = ["import", "joined", "middle", "needed", "new", "old"]
        assert await ids(store) == sorted([*theirs, "other"])
        assert await ids(store, players=("ada love",)) == []
        assert await ids(store, players=("bo",)) == ["import", "middle", "needed", "old"]
        assert await ids(store, players=("cy",)) == ["joined", "new", "other"]
        if name is not None:
            assert await ids(store, players=("countess",)) == theirs
        created, taken = (await store.events("joined"))[0].event, (await store.events("joined"))[1].event
        assert isinstance(created, Created)
        assert taken == SeatTaken(1, name)


async def test_a_game_of_a_server_is_shown_exported_and_restored(tmp_path: Path) -> None:
    """A restored game answers all requests as before, to the holder of its token too."""
    wanted = settings(tmp_path)
    archive = tmp_path / "archive.gz"
    async with opened(wanted) as client:
        game = await finished_game(client)
        seen = await everything(client, game)
    shown = command(wanted.database, "games", "show", game["gameId"])
    assert "game: wallwars standard status: finished" in shown
    assert f'"gameId": "{game["gameId"]}"' not in shown
    record = run_command("games", "export", game["gameId"], "--database", wanted.database).stdout
    assert json.loads(record)["game"] == "wallwars"
    assert "no format" in command(
        wanted.database, "games", "export", game["gameId"], "--format", "x", status=1
    )
    command(wanted.database, "prune", "--older-than", "0", "--archive", str(archive))
    async with opened(wanted) as client:
        assert (await client.get(f"/api/games/{game['gameId']}")).status_code == 404
        assert (await client.get("/api/games/past")).json()["games"] == []
    command(wanted.database, "games", "restore", str(archive))
    async with opened(wanted) as client:
        assert await everything(client, game) == seen


async def test_a_server_that_remembers_a_deleted_game_forgets_it_at_the_next_command(tmp_path: Path) -> None:
    wanted = settings(tmp_path)
    async with opened(wanted) as client:
        game = await finished_game(client)
        command(wanted.database, "games", "delete", game["gameId"])
        status, refusal = await post(client, game, "rematch", 0)
        assert (status, refusal["code"]) == (404, "not-found")
        assert (await client.get(f"/api/games/{game['gameId']}")).status_code == 404


async def finished_game(client: httpx.AsyncClient) -> dict[str, Any]:
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bo"}]
    answer = await client.post("/api/games", json={"game": "wallwars", "seats": seats})
    game: dict[str, Any] = answer.json()
    assert (await post(client, game, "resign", 0))[0] == 200
    return game


async def everything(client: httpx.AsyncClient, game: dict[str, Any]) -> list[Any]:
    path = f"/api/games/{game['gameId']}"
    answers = [
        await client.get(path, headers=bearer(game, 0)),
        await client.get(f"{path}/record"),
        await client.get("/api/games/past?player1=ada"),
    ]
    assert [answer.status_code for answer in answers] == [200] * 3, [answer.text for answer in answers]
    return [answer.json() for answer in answers]


def test_beside_a_server_only_ended_games_change(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    with Served(tmp_path) as server, httpx.Client(base_url=server.url) as client:
        game = client.post("/api/games", json={"game": "wallwars", "seats": [{"kind": "human"}] * 2}).json()
        alone = "needs the database for itself: stop the servers first"
        assert alone in command(url, "games", "rename", "Ada", "Bo", status=1)
        assert alone in command(url, "prune", "--older-than", "1", "--vacuum", status=1)
        assert "is not over" in command(url, "games", "delete", game["gameId"], status=1)
        assert command(url, "prune", "--older-than", "0").startswith("deleted 0 finished games")
        resigned = client.post(f"/api/games/{game['gameId']}/resign", headers=bearer(game, 0))
        assert resigned.status_code == 200, resigned.text
        assert command(url, "games", "delete", game["gameId"]) == f"deleted game {game['gameId']}"
        assert client.get("/api/games/past").json()["games"] == []
        assert client.get("/readyz").status_code == 200


@ON_SQLITE
async def test_the_write_ahead_log_shrinks_after_a_long_read(database: str) -> None:
    big = [
        replace(ended(f"g{number}", 1), events=(Recorded(1, 1, Moved(0, "x" * 400_000)),))
        for number in range(30)
    ]
    reader = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM games").fetchall()
    async with a_store(database) as store:
        for game in big:
            await store.append(game)
        peak = bytes_of(database, "-wal")
        reader.close()
        for number in range(3):
            await store.append(ended(f"later{number}", 2))
            size = bytes_of(database, "-wal")
        assert size <= 5 * 2**20 < peak


SIZE_SETTING = {"PLYHOUSE_PRUNE_MEGABYTES": "1"}


@ON_SQLITE
@pytest.mark.parametrize(
    ("arguments", "environment", "printed"),
    [
        ((), {"PLYHOUSE_PRUNE_ABORTED_DAYS": "7"}, "would delete 1 aborted games\n"),
        ((), {"PLYHOUSE_PRUNE_ABORTED_DAYS": "7", **SIZE_SETTING}, "would delete 1 aborted games\n"),
        (("--kind", "imported"), {"PLYHOUSE_PRUNE_ABORTED_DAYS": "7", **SIZE_SETTING}, "give a limit"),
        ((), SIZE_SETTING, "give a limit"),
    ],
)
async def test_the_ages_of_the_settings_are_the_limits_of_the_command(
    database: str, arguments: tuple[str, ...], environment: dict[str, str], printed: str
) -> None:
    await fill(database)
    done = run_command("prune", "--dry-run", *arguments, "--database", database, environment=environment)
    assert printed in done.stdout + done.stderr
