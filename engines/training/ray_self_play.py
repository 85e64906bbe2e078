"""Self-play on a Ray cluster: a process for each core, whose examples come back game by game.

A game counts when its examples have arrived. A process that is lost begins anew on another node, with other games; only
its unfinished games are lost.
"""

import math
import os
import pickle
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from engines.executors.ray_cluster import ClusterFailed, check_nodes, packed, playing_nodes
from engines.training.boards import TrainingBoard
from engines.training.examples import Examples
from engines.training.producer import EndedGame, SelfPlayer, examples_of, player_seed
from engines.training.self_play import SelfPlayOptions
from engines.training.self_play_engines import Engines

PAUSE_SECONDS = 0.5
"""How long a process is left alone that was lost, before it is asked again."""

POLL_SECONDS = 0.5

LONGEST_SECONDS = 60.0
"""A process answers after so long even if none of its games has ended."""

LATE_SECONDS = 30.0
"""How long an answer is waited for before the time begins, and after its end; a process without a node gives none."""

Factory = Callable[[], Engines]


class SelfPlayActor:
    """A process of a cluster that plays games: a Ray actor."""

    def __init__(
        self, boards: Sequence[TrainingBoard], play: SelfPlayOptions, seed: str, together: int
    ) -> None:
        context = import_module("ray").get_runtime_context()
        if context.was_current_actor_reconstructed:
            seed = f"{seed} again {os.urandom(8).hex()}"  # not the same games once more
        self._player = SelfPlayer(boards, play, seed, together)
        self._engines: tuple[int, Engines] | None = None

    def play(self, number: int, factory: Sequence[Any], seconds: float) -> list[EndedGame]:
        """Plays until a game has ended, and at most for so long. ``number`` is that of the engines in ``factory``."""
        ends = time.monotonic() + seconds
        if self._engines is None or self._engines[0] != number:
            made: Factory = pickle.loads(import_module("ray").get(factory[0]))  # noqa: S301 - from our own run
            self._engines = number, made()
        ended: list[EndedGame] = []
        while not ended and time.monotonic() < ends:
            ended = self._player.step(self._engines[1])
        return ended


class RayProducer:
    """Plays on all cores of a cluster (implements ``ExampleProducer``)."""

    def __init__(
        self,
        ray: Any,  # noqa: ANN401 - without types if not installed
        boards: Sequence[TrainingBoard],
        play: SelfPlayOptions,
        seed: int,
        together: int,
    ) -> None:
        self._play = play
        self._ray = ray
        self._boards = boards
        self._seed = seed
        self._together = together
        self._actors: dict[str, list[Any]] = {}
        """By the node that they were made for."""
        self._made = 0
        self._factory: tuple[int, Factory | None, Any] = (0, None, None)
        """The engines, their number, and the reference to them in the cluster."""

    def produce(
        self,
        engines: Factory,
        seconds: float,
        watch: Callable[[float], None] = lambda done: None,
        games: int | None = None,
    ) -> tuple[int, list[Examples]]:
        """See ``ExampleProducer``. Raises ClusterFailed if no node plays."""
        self._follow_nodes()
        number, reference = self._stored(engines)
        actors = [actor for each in self._actors.values() for actor in each]
        ended: list[list[EndedGame]] = [[] for _ in actors]
        # Processes begin and load the network before the time counts.
        made_ready = [actor.play.remote(number, [reference], 0.0) for actor in actors]
        self._ray.wait(made_ready, num_returns=len(made_ready), timeout=LATE_SECONDS)
        began = time.monotonic()
        ends = math.inf if games is not None else seconds
        pending: dict[Any, int] = {}
        idle = [(0.0, index) for index in range(len(actors))]
        """When each process without anything to do can be asked, in seconds."""
        while (passed := time.monotonic() - began) < (ends + LATE_SECONDS if pending else ends):
            watch(
                min(1.0, passed / seconds if games is None else sum(map(len, ended)) / (games * len(actors)))
            )
            for ready, index in [one for one in idle if one[0] <= passed < ends]:
                idle.remove((ready, index))
                left = min(ends - passed, LONGEST_SECONDS)
                pending[actors[index].play.remote(number, [reference], left)] = index
            if not pending and not idle:
                break
            for answer in self._answers(list(pending)):
                index = pending.pop(answer)
                found, pause = self._games(answer)
                ended[index] += found
                if games is None or len(ended[index]) < games:
                    idle.append((time.monotonic() - began + pause, index))
        return examples_of(ended, len(self._boards))

    def _answers(self, pending: Sequence[Any]) -> Sequence[Any]:
        """Those that have come, as soon as there is one; after a while none."""
        if not pending:
            time.sleep(PAUSE_SECONDS)
            return ()
        answers: Sequence[Any] = self._ray.wait(pending, num_returns=1, timeout=POLL_SECONDS)[0]
        return answers

    def _games(self, answer: Any) -> tuple[list[EndedGame], float]:  # noqa: ANN401 - as above
        """What a process has answered, and how long to leave it alone. Raises what it raised."""
        try:
            return self._ray.get(answer), 0.0
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except self._ray.exceptions.RayError:
            return [], PAUSE_SECONDS

    def _stored(self, engines: Factory) -> tuple[int, Any]:
        number, known, reference = self._factory
        if known is None or known != engines:
            number, reference = number + 1, self._ray.put(packed(engines))
            self._factory = number, engines, reference
        return number, reference

    def _follow_nodes(self) -> None:
        """Makes processes for new nodes, and ends those of nodes that are gone, wherever they are now."""
        nodes = playing_nodes(self._ray)
        if nodes.keys() - self._actors.keys():
            check_nodes(self._ray)
        for node in self._actors.keys() - nodes.keys():
            for actor in self._actors.pop(node):
                self._ray.kill(actor)
        for node, cores in nodes.items():
            if node not in self._actors:
                self._actors[node] = [self._actor(node) for _ in range(cores)]
        if not any(self._actors.values()):
            raise ClusterFailed("no node of the Ray cluster plays")

    def _actor(self, node: str) -> Any:  # noqa: ANN401 - as above
        """A new process, on this node as long as it exists.

        It reserves no core: matches and fitting need them when self-play does not.
        """
        affinity = import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy(
            node, soft=True
        )
        options = {"num_cpus": 0, "max_restarts": -1, "scheduling_strategy": affinity}
        seed = player_seed(self._seed, self._made)
        self._made += 1
        actor = self._ray.remote(SelfPlayActor).options(**options)
        return actor.remote(self._boards, self._play, seed, self._together)
