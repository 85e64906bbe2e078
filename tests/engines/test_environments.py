"""The environments, with the tests of the libraries whose interfaces they have, and as the games that they are."""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test

import plyhouse
from engines import BadConfig, IllegalMove, known_members
from engines.bots import UnknownBot

CONFIGS: Mapping[str, tuple[str | None, dict[str, Any]]] = {
    "wallwars": (None, {"boardWidth": 4, "boardHeight": 4}),
    "hive": ("Base+P", {"plyLimit": 40}),
    "carcassonne": (None, {"seats": 3, "tileCount": 12}),
    "pyrat": ("tiny", {"maxTurns": 20}),
}
"""Short games, by name: a variant and a configuration."""

GAMES = list(CONFIGS)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
"""The libraries' tests warn of dictionaries as observations, and a lost game is a warning."""


def made(game: str, **options: Any) -> Any:
    return plyhouse.env(game, *CONFIGS[game], **options)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_every_game(game: str) -> None:
    api_test(made(game, max_cycles=50), num_cycles=120)
    seed_test(partial(made, game), num_cycles=30)
    render_test(lambda render_mode=None: made(game, render_mode=render_mode))


def test_pettingzoo_accepts_turns_in_which_all_act() -> None:
    options = CONFIGS["pyrat"]
    module = SimpleNamespace(
        env=partial(plyhouse.env, "pyrat", *options),
        parallel_env=partial(plyhouse.parallel_env, "pyrat", *options),
    )
    max_cycles_test(module)
    parallel_api_test(module.parallel_env(max_cycles=15), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_accepts_every_game(game: str) -> None:
    variant, config = CONFIGS[game]
    check_env(plyhouse.gymnasium_env(game, variant, config, render_mode="rgb_array"))
    by_name = gymnasium.make(
        f"plyhouse.rl:plyhouse/{game}-v0", variant=variant, config=config, opponent="greedy"
    )
    observation, _ = by_name.reset(seed=4)
    assert by_name.observation_space.contains(observation)


def legal(observation: Mapping[str, np.ndarray]) -> list[int]:
    return np.flatnonzero(observation["action_mask"]).tolist()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rewards", ["result", "points", "lead"])
def test_a_game_of_agents_is_a_game(game: str, rewards: Any) -> None:
    """What the agents get adds up to the outcome of the game that they have played."""
    if rewards != "result" and game in ("wallwars", "hive"):
        with pytest.raises(BadConfig, match="no points"):
            made(game, rewards=rewards)
        return
    env = made(game, rewards=rewards)
    rng = np.random.default_rng(1)
    for seed in range(3):
        env.reset(seed=seed)
        got = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, is_over, is_cut, _ = env.last()
            got[agent] += reward
            assert env.observation_space(agent).contains(observation)
            for other in env.agents:
                assert other == agent or game == "pyrat" or not legal(env.observe(other)), "others do not act"
            env.step(None if is_over or is_cut else int(rng.choice(legal(observation))))
        outcome = env.unwrapped.position.outcome
        assert outcome is not None
        scores = outcome.scores or []
        leads = [own - max(scores[:seat] + scores[seat + 1 :]) for seat, own in enumerate(scores)]
        assert list(got.values()) == {"result": outcome.values, "points": scores, "lead": leads}[rewards]


def test_a_choice_of_the_same_turn_stays_hidden() -> None:
    env = made("pyrat")
    env.reset(seed=3)
    before = env.observe("seat_1")["observation"]
    env.step(legal(env.observe("seat_0"))[0])
    assert env.agent_selection == "seat_1"
    assert np.array_equal(env.observe("seat_1")["observation"], before)


def test_whoever_walks_into_a_wall_stays() -> None:
    env = plyhouse.parallel_env("pyrat", "open", {"width": 3, "height": 3, "cheese": [[1, 1]]})
    before, _ = env.reset(seed=0)
    mask = before["seat_0"]["action_mask"]
    assert mask.sum() < 5
    after, *_ = env.step({"seat_0": int(np.argmin(mask)), "seat_1": 4})
    assert np.array_equal(after["seat_0"]["observation"][0], before["seat_0"]["observation"][0])
    with pytest.raises(IllegalMove, match="action 5 is not legal"):
        env.step({"seat_0": 4, "seat_1": 5})


def test_an_illegal_action_loses() -> None:
    env = made("hive")
    env.reset()
    env.step(env.action_space("seat_0").n - 1)  # a pass
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": -1, "seat_1": 0}
    single = plyhouse.gymnasium_env("hive")
    single.reset()
    _, reward, is_over, _, info = single.step(np.int64(single.flat_game.actions - 1))
    assert (reward, is_over) == (-1, True)
    assert "not legal" in info["illegal"]


@pytest.mark.parametrize("game", GAMES)
def test_one_seat_plays_against_bots(game: str) -> None:
    """From every seat; the same seed and actions give the same game."""
    seats = 3 if game == "carcassonne" else 2
    for seat in range(seats):
        histories = []
        for _ in range(2):
            env = plyhouse.gymnasium_env(
                game, *CONFIGS[game], seat=seat, opponent=["greedy", "random"][: seats - 1], rewards="result"
            )
            rng = np.random.default_rng(5)
            observation, _ = env.reset(seed=9)
            total, is_over = 0.0, False
            while not is_over:
                assert (env.action_masks() == observation["action_mask"]).all()
                observation, reward, is_over, _, _ = env.step(rng.choice(legal(observation)))
                total += reward
            outcome = env.position.outcome
            assert outcome is not None
            assert total == outcome.values[seat]
            histories.append(env.position.history)
            env.close()
        assert histories[0] == histories[1]


@pytest.mark.parametrize("seat", [0, 2])
def test_an_agent_gets_what_bots_won_before_it_acts(seat: int) -> None:
    for seed in range(8):
        env = plyhouse.gymnasium_env("carcassonne", *CONFIGS["carcassonne"], seat=seat, rewards="lead")
        observation, _ = env.reset(seed=seed)
        total, is_over = 0.0, False
        while not is_over:
            observation, reward, is_over, _, _ = env.step(np.int64(legal(observation)[-1]))
            total += reward
        outcome = env.position.outcome
        assert outcome is not None
        assert outcome.scores is not None
        others = outcome.scores[:seat] + outcome.scores[seat + 1 :]
        assert total == outcome.scores[seat] - max(others)


def test_a_game_that_is_over_needs_a_reset() -> None:
    single = plyhouse.gymnasium_env("hive")
    with pytest.raises(ResetNeeded):
        single.step(np.int64(0))
    single.reset()
    for wrong in (-1, 2**40):
        single.reset()
        assert single.step(np.int64(wrong))[1:3] == (-1, True)
        with pytest.raises(ResetNeeded):
            single.step(np.int64(0))
    single.reset()
    with pytest.raises(TypeError):
        single.step(1.7)  # type: ignore[arg-type]
    together = plyhouse.parallel_env("pyrat", "tiny", max_cycles=1)
    together.reset(seed=1)
    with pytest.raises(TypeError):
        together.step({"seat_0": 4, "seat_1": 1.9})
    together.step({"seat_0": 4, "seat_1": 4})
    with pytest.raises(ResetNeeded):
        together.step({"seat_0": 4, "seat_1": 4})


@pytest.mark.parametrize("game", GAMES)
def test_batches_are_reproducible(game: str) -> None:
    variant, config = CONFIGS[game]
    batches = [
        plyhouse.batch_env(game, 5, variant, config, max_cycles=30, threads=threads) for threads in (1, 2)
    ]
    rng = np.random.default_rng(2)
    steps = [batch.reset(seed=7) for batch in batches]
    terminated = ended = 0
    for _ in range(80):
        for one, other in zip(*(vars_of(step) for step in steps), strict=True):
            assert np.array_equal(one, other)
        actions = batches[0].sample(rng)
        steps = [batch.step(actions) for batch in batches]
        ended += int((steps[0].terminated | steps[0].truncated).sum())
        terminated += int(steps[0].terminated.sum())
    assert ended >= 5
    assert terminated or game in ("wallwars", "hive"), "random moves end these games before they are cut off"


@pytest.mark.parametrize("game", GAMES)
def test_batches_tell_what_seats_saw_at_the_end(game: str) -> None:
    """Of the games that ended or were cut off in the last step; the first one is played beside them."""
    variant, config = CONFIGS[game]
    fixed = {**config, **known_members(game, {"seed": 1})}
    batch = plyhouse.batch_env(game, 3, variant, fixed, max_cycles=25)
    env: Any = plyhouse.env(game, variant, fixed).unwrapped
    env.reset()
    batch.reset(seed=3)
    assert batch.final_observations().games.size == 0
    rng = np.random.default_rng(4)
    cut = ended = 0
    for _ in range(60):
        actions = batch.sample(rng)
        for action in np.atleast_1d(actions[0]):
            env.step(int(action))
        step = batch.step(actions)
        final = batch.final_observations()
        is_last = step.terminated | step.truncated
        assert np.array_equal(final.games, np.flatnonzero(is_last))
        assert np.array_equal(final.masks.any(axis=(1, 2)), step.truncated[is_last])
        if is_last[0]:
            for seat, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)
                assert np.array_equal(final.observations[0, seat], seen["observation"])
                assert np.array_equal(final.masks[0, seat], seen["action_mask"])
            env.reset()
        cut += int(step.truncated.sum())
        ended += int(step.terminated.sum())
    assert cut if game in ("wallwars", "hive") else ended
    batch.reset()
    assert batch.final_observations().games.size == 0


def vars_of(step: Any) -> list[np.ndarray]:
    return [getattr(step, name) for name in step.__slots__]


def test_batches_refuse_what_cannot_be() -> None:
    batch = plyhouse.batch_env("hive", 2)
    batch.reset()
    with pytest.raises(IllegalMove, match="game 1: action 25200 is not legal here"):
        batch.step(np.array([int(batch.sample(np.random.default_rng(0))[0]), 25200]))
    with pytest.raises(ValueError, match=r"actions have the shape \(3,\), not \(2,\)"):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match=r"actions have the shape \(\), not \(2,\)"):
        batch.step(np.array(1))
    with pytest.raises(TypeError, match="whole numbers, not float64"):
        batch.step(np.zeros(2))  # type: ignore[arg-type]
    with pytest.raises(BadConfig, match="games is -1"):
        plyhouse.batch_env("hive", -1)
    for options, text in (
        ({"rewards": "money"}, "one of result, points, lead"),
        ({"size": 5}, "from 8 to 30"),
        ({"variant": "Base+X"}, "unknown variant"),
    ):
        with pytest.raises(BadConfig, match=text):
            plyhouse.batch_env("hive", 1, **options)


def test_environments_refuse_what_cannot_be() -> None:
    with pytest.raises(BadConfig, match="use env"):
        plyhouse.parallel_env("hive")
    with pytest.raises(BadConfig, match="there is no seat 2 in a game of 2"):
        plyhouse.gymnasium_env("hive", seat=2)
    with pytest.raises(BadConfig, match="2 opponents are not 1"):
        plyhouse.gymnasium_env("hive", opponent=["random", "greedy"])
    with pytest.raises(UnknownBot, match="did you mean 'greedy'"):
        plyhouse.gymnasium_env("hive", opponent="greeedy")


def test_a_missing_extra_is_named() -> None:
    program = """
import sys
sys.modules |= {"PIL": None, "pettingzoo": None}
import plyhouse
plyhouse.batch_env("hive", 1).reset()
try:
    plyhouse.env("hive")
except plyhouse.MissingExtra as missing:
    print(missing)
"""
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert (
        shown == "environments need the extra rl: pip install 'plyhouse[rl]' (pettingzoo is not installed)\n"
    )
