"""Matches about an opening book: what a bot wins by having it."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial

from engines import Position
from engines.arena import Match, Played, play_game, standings
from engines.book import Book
from engines.bots import Bot, Player
from engines.executors.executor import LocalExecutor, TaskExecutor, in_order
from engines.inference import Model
from engines.pool.job import Limits
from engines.standings import Standing

LEAST_SAMPLES, MOST_SAMPLES = 0.5, 1.5
"""The range of samples in a match, compared with the match's own number: with the same number, games would be equal."""


@dataclass(frozen=True)
class BookBot:
    """A contender that plays from a book as long as it can, and then as ``bot`` does."""

    bot: Bot
    book: Book

    @property
    def text(self) -> str:
        """The bot's name, and that it has a book."""
        return f"{self.bot.text} with the book"

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model]) -> Player:
        """See ``Bot.player``."""
        return _BookPlayer(self.bot.player(position, limits, seed, models), self.book)


class _BookPlayer:
    """See :class:`BookBot`."""

    def __init__(self, player: Player, book: Book) -> None:
        self._player = player
        self._book = book

    def choose(self, position: Position, seat: int) -> str:
        """The book's move, or else the player's."""
        found = self._book.find(position)
        return found.move if found else self._player.choose(position, seat)

    def played(self, move: str) -> None:
        """Tells the player."""
        self._player.played(move)

    def close(self) -> None:
        """Closes the player."""
        self._player.close()


def play_with_and_without(
    match: Match, watch: Callable[[int], None] = lambda done: None, executor: TaskExecutor | None = None
) -> Standing:
    """Plays a match of a ``BookBot`` against the same bot without a book; returns the former's standing.

    Each two games have the seats swapped and the same number of samples, from half to one and a half of the match's.
    ``executor``: what plays the games, by default one after the other.
    """
    played = []
    with ExitStack() as stack:
        using = executor or stack.enter_context(LocalExecutor(1))
        games = in_order(using, partial(_play_one, match), range(match.games))
        for game in stack.enter_context(closing(games)):
            played.append(game)
            watch(len(played))
    return standings(match.bots, played)[0]


def _play_one(match: Match, number: int) -> Played:
    part = (number // 2) / max(1, (match.games - 1) // 2)
    share = LEAST_SAMPLES + (MOST_SAMPLES - LEAST_SAMPLES) * part
    limits = Limits(int((match.limits.samples or 0) * share))
    return play_game(replace(match, limits=limits), number)
