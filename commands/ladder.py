"""``plyhouse ladder``: the ratings of bots in a database, and making them again from the games."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from commands.databases import READING, DatabaseOption, database_or_exit
from commands.failure import fail

if TYPE_CHECKING:
    from server.domain.ladder.rating_pool import Pool, PoolKey

ladder = typer.Typer(add_completion=False)

JsonOption = Annotated[bool, typer.Option("--json/--table", help="Print one JSON object, or tables.")]


@ladder.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    variant: Annotated[str | None, typer.Option(help="Only this variant.")] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Print the ratings of bots on the ladder, or make them again from the games."""
    if context.invoked_subcommand is not None:
        return
    pools = {
        key: pool
        for key, pool in _read(database).items()
        if game in (None, key[0]) and variant in (None, key[1])
    }
    if as_json:
        typer.echo(json.dumps({"pools": [_json(pool) for pool in pools.values()]}))
    elif not pools:
        fail("ladder", "no bot has played there" if game or variant else "no bot has played on the ladder")
    else:
        _print(pools)


@ladder.command()
def rebuild(database: DatabaseOption = None) -> None:
    """Make the results of all games of the ladder again from their logs.

    Servers may be running; they show what has changed once they have started again.
    """
    from server.store.ladder_rebuild import compare, store_again

    with database_or_exit("ladder rebuild", database, READING) as engine, engine.connect() as connection:
        done = compare(connection)
    with database_or_exit("ladder rebuild", database) as engine:
        for result in done.changed:
            store_again(engine, result)
    typer.echo(f"made {done.made:,} results again, of which {len(done.changed):,} were missing or different")
    if done.left:
        typer.echo(f"left {done.left:,} results of games that have been deleted")


def _read(database: str | None) -> "dict[PoolKey, Pool]":
    from server.domain.ladder.rating_pool import Pool
    from server.store.sql_ladder import results_in_order

    pools: dict[PoolKey, Pool] = {}
    with database_or_exit("ladder", database, READING) as engine, engine.connect() as connection:
        for result in results_in_order(connection):
            key = result.game, result.variant
            pools.setdefault(key, Pool(key)).add(result)
    return dict(sorted(pools.items()))


def _json(pool: "Pool") -> dict[str, object]:
    rated = pool.comparisons().rated()
    best = sorted(pool.tallies, key=rated.elo, reverse=True)
    return {
        "game": pool.key[0],
        "variant": pool.key[1],
        "players": [
            {
                "player": player,
                "rating": round(rated.elo(player), 1),
                "error": round(rated.error(player), 1),
                **{name: getattr(pool.tallies[player], name) for name in ("games", *COUNTS)},
            }
            for player in best
        ],
    }


COUNTS = ("wins", "draws", "losses", "void", "errors")


def _print(pools: "dict[PoolKey, Pool]") -> None:
    from rich.console import Console
    from rich.table import Table

    for (game, variant), pool in pools.items():
        table = Table(title=f"{game}, {variant}", title_justify="left")
        table.add_column("player", overflow="fold")
        for name in ("rating", "95 %", *COUNTS):
            table.add_column(name, justify="right")
        rated = pool.comparisons().rated()
        for player in sorted(pool.tallies, key=rated.elo, reverse=True):
            counts = (str(getattr(pool.tallies[player], name)) for name in COUNTS)
            table.add_row(player, f"{rated.elo(player):.0f}", f"± {rated.error(player):.0f}", *counts)
        Console().print(table)
