"""The script for PyRat bots of the text protocol: what they answer, and when, as rat and as python."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from engines import Position, games
from programs.check.conversation import Launch, NoAnswer, ProcessChannel, ProgramEnded
from programs.check.findings import Finding, NotClaimed, Rule, SlowAnswer, WrongAnswer
from programs.check.positions import random_moves
from programs.check.pyrat_bot import SEED, TIMES, TINY, PyratGame, PyratUnderCheck, moves_line
from programs.check.steps import Effort, Step, run_steps
from programs.pyrat.program import GRACE_SECONDS, READY_SECONDS
from protocols.pyrat.text.board import recovery_lines
from protocols.pyrat.text.lines import GAME, SEAT_NAMES, BadLine
from protocols.pyrat.text.options import BotOptionType
from protocols.uhp.lines import Line

TEXT = "docs/pyrat.md#text-protocol"
BOTS = "docs/pyrat.md#bots-of-the-text-protocol"

LONG = replace(TIMES, move=5000)
"""For moves that are not waited for."""

STOP_SECONDS = 0.2
"""How long a bot thinks until it is told to stop."""

EXIT_SECONDS = 5.0

REPLY_SECONDS = 10.0
"""How long a bot is waited for; after ``READY_SECONDS`` it is slow, and would be started again in a game."""

NO_COMMANDS = (
    "hello",
    "moves",
    "moves rat:NORTH python:UP",
    "setoption name NoSuchOption value 1",
    "youare nobody",
)
"""Lines that a bot cannot carry out."""


async def check_pyrat(
    launch: Launch[str, Line], effort: Effort, reply_seconds: float = REPLY_SECONDS
) -> Sequence[Finding]:
    """Runs the script. Raises CannotStart."""
    return await run_steps(PyratUnderCheck(launch, effort, reply_seconds), [GREETS], _steps, effort)


def _steps(bot: PyratUnderCheck) -> Iterator[Step[PyratUnderCheck]]:
    yield from FIRST
    for variant in next(game.variants for game in games() if game.name == GAME):
        yield Step(f"plays {variant}", PLAYS, partial(plays_variant, variant=variant))
    yield from LAST


# ---- the steps -----------------------------------------------------------------------------------


async def greets(bot: PyratUnderCheck) -> str:
    """The handshake has been read at the start."""
    if not bot.identity.name:
        raise WrongAnswer("There is no line “id name”.")
    for option in bot.identity.options.values():
        try:
            option.accept(option.default)
        except BadLine as error:
            raise WrongAnswer(f"The default of its own option: {error}.") from None
    return bot.identity.name


async def is_ready(bot: PyratUnderCheck) -> None:
    """``isready`` at any time."""
    await bot.is_ready()


async def plays_as(bot: PyratUnderCheck, seat: int) -> str:
    """A game in one of the seats."""
    game = await PyratGame.begin(bot, seat=seat)
    while game.position.to_act and game.position.ply < 2 * bot.effort.plies:
        await game.turn()
    await game.end()
    return f"{game.position.ply} turns"


async def answers_while_it_thinks(bot: PyratUnderCheck) -> None:
    """``isready`` during a search is answered at once."""
    game = await PyratGame.begin(bot, times=LONG)
    await game.ask()
    await bot.say("isready")
    before = len(bot.unexpected)
    await bot.hear("readyok")
    if not any(line.startswith("move ") for line in bot.unexpected[before:]):
        await bot.say("stop")
        await bot.hear("move")
    del bot.unexpected[before:]


async def stops(bot: PyratUnderCheck) -> str:
    """``stop`` ends a search, with the best move so far."""
    game = await PyratGame.begin(bot, times=LONG)
    await game.ask()
    with suppress(NoAnswer):
        await bot.hear("move", STOP_SECONDS)
        return "it had moved before"
    loop = asyncio.get_running_loop()
    begin = loop.time()
    await bot.say("stop")
    await bot.hear("move")
    took = loop.time() - begin
    if took > GRACE_SECONDS:
        raise SlowAnswer(f"Its move came {took * 1000:.0f} ms after stop.")
    return f"{took * 1000:.0f} ms"


async def gives_up_a_late_move(bot: PyratUnderCheck) -> None:
    """After ``timeout`` the move is not answered any more, and ``ready?`` is."""
    game = await PyratGame.begin(bot, times=LONG)
    await game.ask()
    await bot.say("timeout move:STAY", "ready?")
    before = len(bot.unexpected)
    await bot.hear("ready")
    game.play("STAY")
    await game.ask()
    try:
        await bot.hear("move", STOP_SECONDS)
    except NoAnswer:
        await bot.say("stop")
        await bot.hear("move")
    del bot.unexpected[before:]
    await bot.is_ready()
    if any(line.startswith("move ") for line in bot.unexpected[before:]):
        raise WrongAnswer("It still answers the go that has timed out.")


async def recovers(bot: PyratUnderCheck) -> None:
    """A new process goes on with a game."""
    await bot.stop()
    await bot.start()
    position = Position(GAME, TINY, {"seed": SEED})
    position.play(*random_moves(position, 10, random.Random(SEED)))
    await bot.say("recover", *recovery_lines(position, 1, TIMES))
    game = bot.playing = PyratGame(bot, position, 1, random.Random(SEED), untold=None)
    await bot.say("go")
    game.play(await game.answer())
    await game.turn()


async def survives_no_commands(bot: PyratUnderCheck) -> None:
    """Lines that it cannot carry out are ignored."""
    game = await PyratGame.begin(bot)
    before = len(bot.unexpected)
    await bot.say(*NO_COMMANDS)
    await bot.is_ready()
    del bot.unexpected[before:]
    await game.turn()


async def plays_game_after_game(bot: PyratUnderCheck) -> str:
    """One process plays several games."""
    rounds = max(2, bot.effort.rounds // 5)
    for number in range(rounds):
        game = await PyratGame.begin(bot, seat=number % 2)
        await game.turn()
        await game.turn()
    return f"{rounds} games"


async def learns_from_a_game(bot: PyratUnderCheck) -> None:
    """Time for postprocessing after a game."""
    game = await PyratGame.begin(bot)
    await game.turn()
    await game.end()
    await game.learn()


async def follows_a_long_game(bot: PyratUnderCheck) -> str:
    """Many turns are told that it was not asked about, after a first question."""
    game = await PyratGame.begin(bot, "medium")
    await game.ask()
    await game.answer()
    turns = random_moves(game.position, bot.effort.long, random.Random(SEED))
    await bot.say(*map(moves_line, turns[:-1]))
    game.position.play(*turns)
    game.untold = turns[-1]
    await game.turn()
    return f"{len(turns)} turns"


async def takes_its_options(bot: PyratUnderCheck) -> str:
    """Each option can be set to its default."""
    options = list(bot.identity.options.values())
    if not options:
        raise NotClaimed("It has no options.")
    for option in options:
        if option.type is not BotOptionType.BUTTON:
            await bot.say(f"setoption name {option.name} value {option.default}")
    await bot.is_ready()
    game = await PyratGame.begin(bot)
    await game.turn()
    return ", ".join(option.name for option in options)


async def plays_variant(bot: PyratUnderCheck, variant: str) -> None:
    """The first turns on a board of each variant, in both seats."""
    for seat in range(len(SEAT_NAMES)):
        game = await PyratGame.begin(bot, variant, seat)
        await game.turn()
        await game.turn()


async def moves_in_time(bot: PyratUnderCheck) -> str:
    """All moves so far."""
    if bot.late > GRACE_SECONDS:
        raise SlowAnswer(f"Its latest move came {bot.late * 1000:.0f} ms after its time.")
    return f"{bot.walls} moves were into walls" if bot.walls else "none was too late"


async def answers_at_once(bot: PyratUnderCheck) -> str:
    """The slowest answer that needs no search."""
    seconds, keyword = bot.slowest
    text = f"the slowest took {seconds:.2f} s: {keyword}"
    if seconds > READY_SECONDS:
        raise SlowAnswer(text)
    return text


async def says_nothing_else(bot: PyratUnderCheck) -> None:
    """Nothing was written that nobody asked for."""
    await bot.is_ready()
    if bot.unexpected:
        raise WrongAnswer(f"{len(bot.unexpected)} unexpected, the first: {bot.unexpected[0]}")


async def exits_at_the_end(bot: PyratUnderCheck) -> None:
    """Closes its input, and waits for it to exit."""
    channel = bot.conversation.channel
    if not isinstance(channel, ProcessChannel):
        raise NotClaimed("It is not a process.")
    channel.end_input()
    try:
        await bot.conversation.hear(EXIT_SECONDS)
    except NoAnswer:
        raise SlowAnswer(f"It still runs {EXIT_SECONDS:g} s after the end of its input.") from None
    except ProgramEnded:
        await bot.stop()


# ---- the script ----------------------------------------------------------------------------------

PLAYS = Rule("After go, the bot answers with one direction for its own seat: move UP.", TEXT)

GREETS: Step[PyratUnderCheck] = Step(
    "greets",
    Rule("The bot answers pyrat with id name, id author, its options, and pyratready.", TEXT),
    greets,
)

FIRST: tuple[Step[PyratUnderCheck], ...] = (
    Step("answers isready", Rule("The bot answers isready with readyok.", TEXT), is_ready),
    Step("plays the rat", PLAYS, partial(plays_as, seat=0)),
    Step("plays the python", PLAYS, partial(plays_as, seat=1)),
    Step(
        "stops",
        Rule("stop ends the search; a move within 250 ms counts.", BOTS),
        stops,
    ),
    Step(
        "answers while it thinks",
        Rule("While it searches, the bot answers isready.", TEXT),
        answers_while_it_thinks,
    ),
    Step(
        "gives up a late move",
        Rule(
            "On timeout, the bot abandons the search without an answer; it answers ready? within 2 seconds.",
            BOTS,
        ),
        gives_up_a_late_move,
    ),
    Step("recovers", Rule("A bot that was started again gets recover and the game so far.", BOTS), recovers),
    Step(
        "ignores what it cannot do",
        Rule("A bot ignores commands that are unknown, unreadable or out of place.", TEXT),
        survives_no_commands,
    ),
)

LAST: tuple[Step[PyratUnderCheck], ...] = (
    Step("follows a long game", Rule("The host sends the moves of each turn.", TEXT), follows_a_long_game),
    Step(
        "plays game after game",
        Rule("After gameover, newgame begins another game.", TEXT),
        plays_game_after_game,
    ),
    Step(
        "learns from a game",
        Rule(
            "After gameover and startpostprocessing, the bot answers postprocessingdone; "
            "hosts that give it no time do not ask.",
            TEXT,
        ),
        learns_from_a_game,
    ),
    Step("takes its options", Rule("setoption sets an option of the handshake.", TEXT), takes_its_options),
    Step(
        "moves in time",
        Rule("A late move gets stop; later than 250 ms after its time, it counts as STAY.", BOTS),
        moves_in_time,
    ),
    Step(
        "answers at once",
        Rule("A bot that does not answer ready? within 2 seconds is started again.", BOTS),
        answers_at_once,
    ),
    Step(
        "says nothing else",
        Rule("Lines that are unknown or unrequested are ignored and reported.", BOTS),
        says_nothing_else,
    ),
    Step(
        "exits at the end of its input",
        Rule("The process is killed if it does not exit.", BOTS),
        exits_at_the_end,
    ),
)
