"""What is said about a game in a few words, where only a link or a picture of it is shown.

The page says more, in its own words. Names come from anyone: whoever shows a caption escapes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocols.values import Result, Seat, SeatKind, Status, Table

_REASONS = {
    "resignation": "by resignation",
    "timeout": "on time",
    "draw-agreement": "by agreement",
    "disconnect": "by disconnection",
    "illegal-move": "after an illegal move",
}
"""The reasons that all games share; a game's own ones come with its rules."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A game in words. ``points`` by seat; empty in games without points. ``status`` is a sentence."""

    game: str
    variant: str
    names: tuple[str, ...]
    points: tuple[str, ...]
    status: str

    @property
    def players(self) -> str:
        """The names of all players."""
        return " vs ".join(self.names)


def game_title(game: str, about: Mapping[str, Any]) -> str:
    """The name of a game in texts; ``about`` is what the catalogue says about it."""
    return str(about.get("title", game.capitalize()))


def variant_title(variant: str, about: Mapping[str, Any]) -> str:
    """The name of a variant in texts; ``about`` as in ``game_title``."""
    return str(about.get("variantTitles", {}).get(variant, variant.capitalize()))


def caption_of(table: Table, about: Mapping[str, Any]) -> Caption:
    """The caption of a game at one moment."""
    places = about.get("seats", ())
    names = tuple(_name(seat, number, places) for number, seat in enumerate(table.seats))
    scores = table.position.scores
    return Caption(
        game=game_title(table.game, about),
        variant=variant_title(table.variant, about),
        names=names,
        points=() if scores is None else tuple(f"{points:g}" for points in scores),
        status=_status(table, names, about),
    )


def _name(seat: Seat, number: int, places: tuple[str, ...]) -> str:
    if seat.kind is SeatKind.OPEN:
        return "Open seat"
    named = seat.name or seat.bot_id
    return named or (places[number] if number < len(places) else f"Player {number + 1}")


def _status(table: Table, names: tuple[str, ...], about: Mapping[str, Any]) -> str:
    if table.result is not None:
        return _outcome(table.result, names, _reasons(about, table.variant))
    if table.status is Status.ABORTED:
        return "Game aborted."
    if table.status is Status.OPEN:
        return "This game has an open seat."
    return f"{_listed([names[seat] for seat in table.to_act])} to move."


def _reasons(about: Mapping[str, Any], variant: str) -> Mapping[str, str]:
    return {**_REASONS, **about.get("reasons", {}), **about.get("variantReasons", {}).get(variant, {})}


def _outcome(result: Result, names: tuple[str, ...], reasons: Mapping[str, str]) -> str:
    winners = [names[seat] for seat in result.winners]
    verb = "wins" if len(winners) == 1 else "win"
    what = f"{_listed(winners)} {verb}" if winners else "Draw"
    return f"{what} {reasons.get(result.reason, '')}".rstrip() + "."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "Nobody"
