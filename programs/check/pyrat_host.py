"""The script for bots of PyRat's host protocol: how they connect, their hashes, moves and times.

A bot plays each game in a process of its own, as it does for ``plyhouse arena``.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from engines import games
from programs.check.connecting import (
    CONNECT_SECONDS,
    ConnectingChild,
    ConnectingProcess,
)
from programs.check.conversation import NoAnswer, ProgramEnded
from programs.check.findings import Finding, Rule, SlowAnswer, WrongAnswer
from programs.check.positions import random_moves
from programs.check.pyrat_host_bot import PATIENCE_SECONDS, SEED, TIMES, HostBotUnderCheck, StartBot
from programs.check.steps import Effort, Step, run_steps
from programs.pyrat.host_bot import PyratHostBot
from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.board import GAME
from protocols.pyrat.host.match_messages import HostTimes

HOST = "docs/pyrat.md#bots-of-the-host-protocol"

LONG = replace(TIMES, move_ms=5000)
"""For a move that is not waited for."""

STOP_SECONDS = 0.2
"""How long a bot thinks until it is told to stop."""


def starting(bot: PyratHostBot) -> StartBot:
    """How a bot with a ``bot.toml`` is started."""

    async def start(port: int, log: Callable[[str], None]) -> ConnectingProcess:
        own = {"PYRAT_HOST_PORT": str(port), "PYRAT_AGENT_ID": bot.agent_id}
        return await ConnectingChild.start(["sh", "-c", bot.run_command], log, bot.folder, own)

    return start


async def check_pyrat_host(
    start_bot: StartBot,
    agent_id: str,
    effort: Effort,
    times: HostTimes = TIMES,
    connect_seconds: float = CONNECT_SECONDS,
) -> Sequence[Finding]:
    """Runs the script. Raises CannotStart."""
    bot = HostBotUnderCheck(start_bot, agent_id, effort, times, connect_seconds)
    return await run_steps(bot, [IDENTIFIES], _steps, effort)


def _steps(bot: HostBotUnderCheck) -> Iterator[Step[HostBotUnderCheck]]:
    yield from FIRST
    for variant in next(game.variants for game in games() if game.name == GAME):
        yield Step(f"plays {variant}", HASHES, partial(plays_variant, variant=variant))
    yield from LAST


# ---- the steps -----------------------------------------------------------------------------------


async def identifies(bot: HostBotUnderCheck) -> str:
    """Identify has the id that the program was given."""
    if bot.identity.agent_id != bot.agent_id:
        raise WrongAnswer(f"Its agent_id is {bot.identity.agent_id!r} instead of {bot.agent_id!r}.")
    return bot.identity.name or "without a name"


async def plays_as(bot: HostBotUnderCheck, slot: packets.Slot) -> str:
    """A game in one of the seats."""
    game = await bot.begin(seat=slot)
    while game.position.to_act and game.position.ply < 2 * bot.effort.plies:
        await game.turn()
    await game.end()
    return f"{game.position.ply} turns"


async def plays_variant(bot: HostBotUnderCheck, variant: str) -> None:
    """The first turns on a board of each variant."""
    game = await bot.begin(variant)
    for _ in range(3):
        await game.turn()


async def follows_a_long_game(bot: HostBotUnderCheck) -> str:
    """Many turns before the first move, as after random opening turns."""
    game = await bot.begin("medium", 1)
    turns = random_moves(game.position, bot.effort.long, random.Random(SEED))
    for turn in turns:
        await game.advance(turn)
    await game.turn()
    return f"{len(turns)} turns"


async def stops(bot: HostBotUnderCheck) -> str:
    """Stop ends the search for a move."""
    game = await bot.begin(times=LONG)
    await game.ask()
    with suppress(NoAnswer):
        game.check(await bot.hear(packets.ActionMessage, STOP_SECONDS))
        return "it had moved before"
    loop = asyncio.get_running_loop()
    begin = loop.time()
    await bot.conversation.say(packets.StopMessage())
    game.check(await bot.hear(packets.ActionMessage, PATIENCE_SECONDS))
    took = loop.time() - begin
    if took > bot.times.grace:
        raise SlowAnswer(
            f"Its move came {took * 1000:.0f} ms after Stop; it has {bot.times.grace * 1000:.0f} ms."
        )
    return f"{took * 1000:.0f} ms"


async def sees_the_end(bot: HostBotUnderCheck) -> str:
    """GameOver ends the program."""
    game = await bot.begin()
    game.position.play(*random_moves(game.position, 4, random.Random(SEED)))
    await game.end()
    with suppress(ProgramEnded):
        try:
            await bot.hear(packets.SyncOkMessage, PATIENCE_SECONDS)
        except NoAnswer:
            raise SlowAnswer(f"It still runs {PATIENCE_SECONDS:g} s after GameOver.") from None
    await bot.stop()
    return "it exits"


async def plays_game_after_game(bot: HostBotUnderCheck) -> str:
    """A process for each of several games."""
    rounds = max(2, bot.effort.rounds // 5)
    for number in range(rounds):
        game = await bot.begin(seat=number % 2)
        await game.turn()
        await game.end()
    return f"{rounds} games"


async def moves_in_time(bot: HostBotUnderCheck) -> str:
    """All moves so far."""
    if bot.late > bot.times.grace:
        raise SlowAnswer(f"Its latest move came {bot.late * 1000:.0f} ms after its time.")
    return "none was too late"


# ---- the script ----------------------------------------------------------------------------------

HASHES = Rule(
    "The bot has the host's hash of the start, in Ready, and of each turn, in SyncOk and Action.", HOST
)
MOVES = Rule("The bot answers Go with an Action for its own seat and this turn.", HOST)

IDENTIFIES: Step[HostBotUnderCheck] = Step(
    "identifies itself",
    Rule("The bot connects to PYRAT_HOST_PORT, and sends Identify with the id in PYRAT_AGENT_ID.", HOST),
    identifies,
)

FIRST: tuple[Step[HostBotUnderCheck], ...] = (
    Step("plays the rat", MOVES, partial(plays_as, slot=packets.Slot.RAT)),
    Step("plays the python", MOVES, partial(plays_as, slot=packets.Slot.PYTHON)),
    Step("stops", Rule("After Stop, the bot has another 50 ms to answer.", HOST), stops),
    Step("sees the end", Rule("GameOver ends the game, and with it the program.", HOST), sees_the_end),
)

LAST: tuple[Step[HostBotUnderCheck], ...] = (
    Step("follows a long game", HASHES, follows_a_long_game),
    Step(
        "plays game after game",
        Rule("For each game, the command is run again.", HOST),
        plays_game_after_game,
    ),
    Step(
        "moves in time",
        Rule("If a move is late, the last Provisional move of the turn is played, or else STAY.", HOST),
        moves_in_time,
    ),
)
