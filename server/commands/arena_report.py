"""What ``plyhouse arena`` says: tables for people, one JSON object for programs, and a line for each game."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from engines.arena import Match, Played, standings
from engines.standings import Interval, Standing
from protocols.uhp import game_string

DRAW = "draw"


@dataclass(frozen=True)
class Pairing:
    """A match of two, played. ``names`` are what the bots are called; ``played`` is in the order of the games."""

    names: Sequence[str]
    match: Match
    played: Sequence[Played]

    def standings(self) -> list[Standing]:
        """Both results."""
        results = standings(self.match.bots, self.played)
        return [replace(result, name=name) for name, result in zip(self.names, results, strict=True)]

    def reasons(self) -> Counter[str]:
        """How many games ended how, "draw (repetition)" or "nokamute wins (board)", the most frequent first."""
        return Counter(f"{_winner(self.names, game)} ({game.reason})" for game in self.played)


def totals(pairings: Sequence[Pairing]) -> list[Standing]:
    """The result of each bot over all its games, in the order in which they were given."""
    found: dict[str, Standing] = {}
    for result in (result for pairing in pairings for result in pairing.standings()):
        earlier = found.get(result.name)
        found[result.name] = result if earlier is None else earlier.and_also(result)
    return list(found.values())


def record_line(names: Sequence[str], game: Played) -> str:
    """One game in one line, its fields divided by tabs.

    The game (a GameString, or else its position's text), who played it in the order of the seats, the points of each
    seat, why it ended, and what a player that forfeited did.
    """
    position = game.position
    text = game_string.write(position) if position.game == game_string.GAME else position.write()
    seats = " - ".join(names[bot] for bot in game.takes)
    points = " - ".join(f"{(game.values[bot] + 1) / 2:g}" for bot in game.takes)
    return "\t".join((text, seats, points, game.reason, game.note.replace("\t", " ")))


def report(pairings: Sequence[Pairing]) -> str:
    """Everything as JSON."""
    match = pairings[0].match
    games = [game for pairing in pairings for game in pairing.played]
    return json.dumps(
        {
            "game": match.game,
            "variant": match.variant,
            "games": match.games,
            "seed": match.seed,
            "bots": [{**_result(bot), "meanPoints": None, "sdPoints": None} for bot in totals(pairings)],
            "pairs": [_pair(pairing) for pairing in pairings],
            "secondsPerGame": round(sum(game.seconds for game in games) / len(games), 4),
        }
    )


def print_tables(pairings: Sequence[Pairing]) -> None:
    """The results of all bots, those of the pairs with the difference in Elo, and how the games ended."""
    console = Console()
    table = Table(_name_column("bot"), "wins", "draws", "losses", "score", "95 %")
    for bot in totals(pairings):
        table.add_row(escape(bot.name), *_counts(bot), f"{bot.score:.3f}", _interval(bot.wilson95))
    console.print(table)
    pairs = Table(_name_column("first against second"), "wins", "draws", "losses", "Elo", "95 %")
    for pairing in pairings:
        first, second = pairing.standings()
        low, high = first.elo95
        pairs.add_row(
            escape(f"{first.name} - {second.name}"),
            *_counts(first),
            _points(first.elo),
            f"{_points(low)} .. {_points(high)}",
        )
    console.print(pairs)
    for reason, count in sum((pairing.reasons() for pairing in pairings), Counter()).most_common():
        console.print(f"{count:6} {reason}", markup=False, highlight=False, soft_wrap=True)


def _name_column(title: str) -> Column:
    """A column of whole names: cut short, two with the same beginning would look the same."""
    return Column(title, overflow="fold")


def _winner(names: Sequence[str], game: Played) -> str:
    winners = [name for name, value in zip(names, game.values, strict=True) if value > 0]
    return f"{winners[0]} wins" if winners else DRAW


def _pair(pairing: Pairing) -> dict[str, object]:
    first, second = pairing.standings()
    row = _result(first)
    del row["name"]
    return {
        "bots": [first.name, second.name],
        **row,
        "elo": _finite(first.elo),
        "elo95": [_finite(bound) for bound in first.elo95],
        "endings": dict(pairing.reasons().most_common()),
    }


def _result(bot: Standing) -> dict[str, object]:
    return {
        "name": bot.name,
        "wins": bot.wins,
        "draws": bot.draws,
        "losses": bot.losses,
        "score": round(bot.score, 4),
        "wilson95": [round(bound, 4) for bound in bot.wilson95],
    }


def _counts(bot: Standing) -> tuple[str, str, str]:
    return str(bot.wins), str(bot.draws), str(bot.losses)


def _interval(bounds: Interval) -> str:
    low, high = bounds
    return f"{low:.3f} .. {high:.3f}"


def _points(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else ("+∞" if elo > 0 else "-∞")


def _finite(elo: float) -> float | None:
    return round(elo, 1) if math.isfinite(elo) else None
