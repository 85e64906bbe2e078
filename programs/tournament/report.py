"""The output of ``plyhouse tournament``: a cross table for people, JSON and CSV."""

import json
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from engines.cross_table import cells, cross_table_csv, points_against
from engines.tournament_table import Row
from programs.arena.report import failures_table
from programs.tournament.results import PlayedRound, Tournament


def print_tournament(tournament: Tournament) -> None:
    """Prints the places, the points of each against each in the same order, and what bots failed at."""
    console = Console()
    console.print(_places(tournament))
    console.print(_cross_table(tournament))
    failed = {
        (name, reason): count
        for player, name in enumerate(tournament.names)
        for reason, count in tournament.failures(player).items()
    }
    if failed:
        console.print(failures_table(failed))


def _places(tournament: Tournament) -> Table:
    rows = tournament.table()
    byes = ("byes",) if any(row.byes for row in rows) else ()
    table = Table("", Column("bot", overflow="fold"), "points", *tournament.tie_breaks, *byes)
    for row in rows:
        figures = [f"{figure:g}" for figure in (row.points, *row.tie_breaks.values())]
        name = escape(tournament.names[row.player])
        table.add_row(str(row.place), name, *figures, *([str(row.byes)] if byes else []))
    return table


def _cross_table(tournament: Tournament) -> Table:
    rows, points = tournament.table(), points_against(tournament.meetings())
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    table = Table("against", *(Column(number, no_wrap=True) for number in numbers))
    for number, row in zip(numbers, rows, strict=True):
        table.add_row(number, *cells(row, rows, points))
    return table


def tournament_json(tournament: Tournament) -> str:
    """The settings, all rounds and the table as one JSON object."""
    match = tournament.match
    return json.dumps(
        {
            "game": match.game,
            "variant": match.variant,
            "system": tournament.system.name,
            "seats": tournament.system.seats,
            "gamesPerPair": match.games,
            "seed": match.seed,
            "rounds": [_round(tournament, one) for one in tournament.rounds],
            "table": [_row(tournament, row) for row in tournament.table()],
        }
    )


def _round(tournament: Tournament, one: PlayedRound) -> dict[str, Any]:
    names, byes = tournament.names, [tournament.names[player] for player in one.round.byes]
    tables = [
        {
            "bots": [names[player] for player in table],
            "points": one.points(table),
            "reasons": [game.reason for game in games],
        }
        for table, games in one.games.items()
    ]
    if tournament.system.seats > 2:
        return {"tables": tables, "byes": byes}
    return {"pairs": tables, "bye": next(iter(byes), None)}


def tournament_csv(tournament: Tournament) -> str:
    """The cross table, a line for each bot."""
    rows = tournament.table()
    return cross_table_csv("bot", tournament.names, rows, tournament.meetings(), tournament.tie_breaks)


def _row(tournament: Tournament, row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "name": tournament.names[row.player],
        "points": row.points,
        "byes": row.byes,
        "tieBreaks": dict(row.tie_breaks),
        "failures": tournament.failures(row.player),
    }
