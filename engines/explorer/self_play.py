"""Plays games between equal bots and records their openings, for the trees that come with Plyhouse."""

import random
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from engines import Position, known_members
from engines.arena import MOST_PLIES
from engines.bots import Bot, Player
from engines.effort import noise_for, samples_for
from engines.executors.executor import LocalExecutor, TaskExecutor, check_wanted, in_order
from engines.explorer.opening_tree import Node
from engines.explorer.places import seen_from_one_side
from engines.explorer.tally import GameEnd, OpeningTally
from engines.pool.job import Limits

SEEDS: Final = 2**31


@dataclass(frozen=True)
class OpeningGames:
    """How the games of a tree are played: by the search and the errors of a level, with the native evaluator.

    ``depth``: how many plies of each game are recorded.
    """

    game: str
    variant: str
    config: Mapping[str, Any] = field(default_factory=dict)
    level: str = "medium"
    games: int = 1000
    depth: int = 12
    seed: int = 0

    @property
    def samples(self) -> int:
        """The samples of each search."""
        return samples_for(self.game, self.level, 60)

    @property
    def noise(self) -> float:
        """The noise of each search."""
        return noise_for(self.game, self.level, 0.1)

    @property
    def start(self) -> Position:
        """The start of all games."""
        return Position(self.game, self.variant, self.config)

    def head(self) -> dict[str, Any]:
        """The first line of the file."""
        made = {name: getattr(self, name) for name in ("level", "samples", "noise", "games", "depth", "seed")}
        shared = {"config": dict(self.config)} if self.config else {}
        return {"game": self.game, "variant": self.variant, **shared, "made": made}


def play_openings(
    plan: OpeningGames,
    watch: Callable[[int], None] = lambda done: None,
    executor: TaskExecutor | None = None,
) -> Node:
    """Plays the games; ``watch`` is called with their number. Raises RuleError.

    ``executor``: what plays them, by default one after the other; the games are the same.
    """
    start = plan.start
    root = Node(OpeningTally.none(start))
    with ExitStack() as stack:
        using = executor or stack.enter_context(LocalExecutor(1))
        games = in_order(using, partial(_played, plan), range(plan.games))
        for number, (moves, ended) in enumerate(stack.enter_context(closing(games))):
            root.add(moves, OpeningTally.of(ended, start))
            watch(number + 1)
    return root


def _played(plan: OpeningGames, number: int) -> tuple[tuple[str, ...], GameEnd]:
    """The first moves of a game, and how it ended."""
    start = plan.start
    rng = random.Random(f"{plan.seed}/{number}")
    position = _played_out(plan, _dealt(plan, start, rng), rng)
    outcome = position.outcome
    points = outcome.scores if outcome else None
    ended = GameEnd(tuple(outcome.winners) if outcome else (), tuple(points) if points else None)
    return seen_from_one_side(start, position.history[: plan.depth]), ended


def _dealt(plan: OpeningGames, start: Position, rng: random.Random) -> Position:
    """A start whose hidden order, if it has one, is drawn; the first tile and the like stay."""
    if not start.secret:
        return start.copy()
    while True:
        seed = {**plan.config, **known_members(plan.game, {"seed": rng.randrange(SEEDS)})}
        position = Position(plan.game, plan.variant, seed)
        if position.information_key(0) == start.information_key(0):
            return position


def _played_out(plan: OpeningGames, position: Position, rng: random.Random) -> Position:
    bot = Bot.parse(f"native:evaluation_noise={plan.noise}")
    with ExitStack() as stack:
        players: list[Player] = []
        for _ in range(position.seats):
            player = bot.player(position, Limits(plan.samples), rng.randrange(SEEDS))
            players.append(stack.enter_context(closing(player)))
        while position.to_act and position.ply < MOST_PLIES:
            check_wanted()
            seats = position.to_act
            position.play("/".join(players[seat].choose(position, seat) for seat in seats))
            if position.to_act:
                for player in players:
                    player.played(position.history[-1])
    return position
