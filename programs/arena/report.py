"""The output of ``plyhouse arena``: tables for people, a JSON object for programs, and one line per game."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from engines.arena import Match, Played, standings
from engines.ratings import Finish, Rating, ratings
from engines.sprt import PairCounts, SequentialTest, pair_counts
from engines.standings import Interval, Standing
from programs.arena.sprt_report import sprt_json, sprt_table
from protocols.records import formats

DRAW = "draw"

FAILURES = {
    "crash": "crashed",
    "timeout": "lost on time",
    "illegal-move": "made an illegal move",
    "protocol": "broke its protocol",
    "desync": "lost track of the game",
    "disconnect": "disconnected",
}
"""What tables say of the reasons of failures. Others are shown as they are."""


@dataclass(frozen=True)
class Combination:
    """The games that some bots played together, one in each seat. ``games`` are by number, in order."""

    names: Sequence[str]
    match: Match
    games: Mapping[int, Played]
    test: SequentialTest | None = None
    """The test that could end the match before all games were played."""

    @property
    def played(self) -> Sequence[Played]:
        """The games in order."""
        return list(self.games.values())

    def standings(self) -> list[Standing]:
        """The results of all bots."""
        results = standings(self.match.bots, self.played)
        return [replace(result, name=name) for name, result in zip(self.names, results, strict=True)]

    def reasons(self) -> Counter[str]:
        """Number of games by ending, "draw (repetition)" or "nokamute wins (board)", most frequent first."""
        return Counter(f"{_winner(self.names, game)} ({game.reason})" for game in self.played)

    def failures(self) -> Counter[tuple[str, str]]:
        """Number of games that a bot failed to finish, by its name and the reason."""
        return Counter(
            (self.names[fault.bot], fault.reason)
            for game in self.played
            for fault in game.faults
            if fault.is_failure
        )

    def pair_counts(self) -> PairCounts:
        """The pairs of games by what they were worth to the first bot."""
        return pair_counts([game.values[0] for game in self.played])


def failures(combinations: Sequence[Combination]) -> Counter[tuple[str, str]]:
    """Number of games that a bot failed to finish, by its name and the reason."""
    return sum((one.failures() for one in combinations), Counter[tuple[str, str]]())


def totals(combinations: Sequence[Combination]) -> list[Standing]:
    """The result of each bot over all its games, in the order given by the user."""
    found: dict[str, Standing] = {}
    for result in (result for combination in combinations for result in combination.standings()):
        earlier = found.get(result.name)
        found[result.name] = result if earlier is None else earlier.and_also(result)
    return list(found.values())


def elo_table(combinations: Sequence[Combination]) -> dict[str, Rating]:
    """The ratings of all bots, in the order given by the user; empty for two, as their difference is enough."""
    called = [bot.name for bot in totals(combinations)]
    if len(called) < 3:
        return {}
    finishes = [
        Finish([called.index(name) for name in combination.names], game.places)
        for combination in combinations
        for game in combination.played
    ]
    return dict(zip(called, ratings(len(called), finishes), strict=True))


def record_line(names: Sequence[str], game: Played) -> str:
    """One game as a line of fields separated by tabs.

    The fields: the game (as a GameString or else the position's text), the players by seat, the points by seat, the
    reason for the end, and what forfeiting players did.
    """
    text = formats.line(game.position)
    seats = " - ".join(names[bot] for bot in game.takes)
    points = " - ".join(f"{(game.values[bot] + 1) / 2:g}" for bot in game.takes)
    return "\t".join((text, seats, points, game.reason, game.note.replace("\t", " ")))


def report(combinations: Sequence[Combination]) -> str:
    """All results as JSON."""
    match, test, failed = combinations[0].match, combinations[0].test, failures(combinations)
    games = [game for combination in combinations for game in combination.played]
    elo = [
        {"name": name, "elo": round(rating.elo, 1), "error": round(rating.error, 1)}
        for name, rating in elo_table(combinations).items()
    ]
    return json.dumps(
        {
            "game": match.game,
            "variant": match.variant,
            "seats": len(match.bots),
            "games": len(combinations[0].games),
            "seed": match.seed,
            "bots": [
                {
                    **_result(bot),
                    "failures": {why: count for (name, why), count in failed.items() if name == bot.name},
                }
                for bot in totals(combinations)
            ],
            "pairs": [_combination(combination) for combination in combinations],
            **({"elo": elo} if elo else {}),
            **({"sprt": sprt_json(test, combinations[0].pair_counts())} if test else {}),
            "secondsPerGame": round(sum(game.seconds for game in games) / len(games), 4),
        }
    )


def print_tables(combinations: Sequence[Combination]) -> None:
    """Prints the results of all bots, their ratings, those of the combinations, and the endings of the games."""
    console = Console()
    console.print(_totals_table(totals(combinations)))
    if elo := elo_table(combinations):
        console.print(_elo_table(elo))
    if len(combinations[0].names) == 2:
        console.print(_pairs_table(combinations))
    elif len(combinations) > 1:
        console.print(_combinations_table(combinations))
    if test := combinations[0].test:
        console.print(sprt_table(test, combinations[0].pair_counts()))
    if failed := failures(combinations):
        console.print(failures_table(failed))
    for reason, count in sum((one.reasons() for one in combinations), Counter[str]()).most_common():
        console.print(f"{count:6} {reason}", markup=False, highlight=False, soft_wrap=True)


def _totals_table(bots: Sequence[Standing]) -> Table:
    table = Table(_name_column("bot"), "wins", "draws", "losses", "score", Column("95 %", no_wrap=True))
    has_points = any(bot.points for bot in bots)
    if has_points:
        table.add_column("points ± sd", no_wrap=True)
    for bot in bots:
        points = (_mean_and_deviation(bot),) if has_points else ()
        table.add_row(escape(bot.name), *_counts(bot), f"{bot.score:.3f}", _interval(bot.wilson95), *points)
    return table


def _elo_table(elo: Mapping[str, Rating]) -> Table:
    table = Table(_name_column("bot"), "Elo", "95 %")
    for name, rating in sorted(elo.items(), key=lambda item: -item[1].elo):
        table.add_row(escape(name), f"{rating.elo:+.0f}", f"± {rating.error:.0f}")
    return table


def _pairs_table(pairs: Sequence[Combination]) -> Table:
    table = Table(_name_column("first against second"), "wins", "draws", "losses", "Elo", "95 %")
    for pair in pairs:
        first, second = pair.standings()
        low, high = first.elo95
        table.add_row(
            escape(f"{first.name} - {second.name}"),
            *_counts(first),
            _points(first.elo),
            f"{_points(low)} .. {_points(high)}",
        )
    return table


def _combinations_table(combinations: Sequence[Combination]) -> Table:
    table = Table(_name_column("bots"), "wins", "draws")
    for combination in combinations:
        results = combination.standings()
        drawn = sum(max(game.values) <= 0 for game in combination.played)
        wins = " - ".join(str(bot.wins) for bot in results)
        table.add_row(escape(" - ".join(combination.names)), wins, str(drawn))
    return table


def failures_table(failed: Mapping[tuple[str, str], int]) -> Table:
    """Number of games by bot and reason, for people."""
    table = Table(_name_column("failures"), "", "games")
    for (name, reason), count in sorted(failed.items()):
        table.add_row(escape(name), FAILURES.get(reason, escape(reason)), str(count))
    return table


def _name_column(title: str) -> Column:
    """A column of untruncated names, since names with the same beginning would look alike."""
    return Column(title, overflow="fold")


def _winner(names: Sequence[str], game: Played) -> str:
    winners = [name for name, value in zip(names, game.values, strict=True) if value > 0]
    return f"{winners[0]} wins" if winners else DRAW


def _combination(combination: Combination) -> dict[str, object]:
    """The results of the first bot, and of every bot if there are more than two."""
    results = combination.standings()
    row = _result(results[0])
    del row["name"]
    return {
        "bots": [bot.name for bot in results],
        **row,
        **(
            _difference(results[0]) if len(results) == 2 else {"standings": [_result(bot) for bot in results]}
        ),
        "endings": dict(combination.reasons().most_common()),
    }


def _difference(first: Standing) -> dict[str, object]:
    return {"elo": _finite(first.elo), "elo95": [_finite(bound) for bound in first.elo95]}


def _result(bot: Standing) -> dict[str, object]:
    return {
        "name": bot.name,
        "wins": bot.wins,
        "draws": bot.draws,
        "losses": bot.losses,
        "score": round(bot.score, 4),
        "wilson95": [round(bound, 4) for bound in bot.wilson95],
        "meanPoints": None if bot.mean_points is None else round(bot.mean_points, 4),
        "sdPoints": None if bot.sd_points is None else round(bot.sd_points, 4),
    }


def _mean_and_deviation(bot: Standing) -> str:
    if bot.mean_points is None:
        return ""
    deviation = "" if bot.sd_points is None else f" ± {bot.sd_points:.1f}"
    return f"{bot.mean_points:.1f}{deviation}"


def _counts(bot: Standing) -> tuple[str, str, str]:
    return str(bot.wins), str(bot.draws), str(bot.losses)


def _interval(bounds: Interval) -> str:
    low, high = bounds
    return f"{low:.3f} .. {high:.3f}"


def _points(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else ("+∞" if elo > 0 else "-∞")


def _finite(elo: float) -> float | None:
    return round(elo, 1) if math.isfinite(elo) else None
