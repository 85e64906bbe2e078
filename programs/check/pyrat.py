"""Checks a PyRat bot of the text protocol: what it answers, and when, as rat and as python."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from engines import Position, games
from engines.bots import random_move
from programs.check.conversation import Conversation, Launch, NoAnswer, ProcessChannel, ProgramEnded
from programs.check.findings import Finding, NotClaimed, Rule, Said, SlowAnswer, WrongAnswer
from programs.check.positions import random_moves
from programs.check.steps import Effort, Step, run_steps
from programs.pyrat.process import GREETING_SECONDS
from programs.pyrat.program import GRACE_SECONDS, READY_SECONDS
from protocols.pyrat.text.board import BotTimes, board_lines, recovery_lines
from protocols.pyrat.text.host import BEFORE_FIRST
from protocols.pyrat.text.lines import GAME, SEAT_NAMES, BadLine, per_seat_text, read_direction, score_text
from protocols.pyrat.text.options import BotIdentity, BotOptionType, read_option
from protocols.uhp.lines import Line, LineTooLong

TEXT = "docs/pyrat.md#text-protocol"
BOTS = "docs/pyrat.md#bots-of-the-text-protocol"

SEED = 1
TINY = "tiny"
"""The variant of most steps."""

TIMES = BotTimes(move=100, preprocessing=200, postprocessing=100)
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


class PyratUnderCheck:
    """The bot. ``identity`` is from its handshake; it has ``reply_seconds`` for what needs no search."""

    def __init__(self, launch: Launch[str, Line], effort: Effort, reply_seconds: float) -> None:
        self.said: list[Said] = []
        self.effort = effort
        self.reply_seconds = reply_seconds
        self.identity = BotIdentity()
        self.unexpected: list[str] = []
        self.late = 0.0
        """The most seconds after its time that a move came."""
        self.slowest = 0.0, ""
        """The longest time for an answer that needs no search, in seconds, and its keyword."""
        self.walls = 0
        """Moves into walls."""
        self._launch = launch
        self._conversation: Conversation[str, Line] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self._conversation is not None

    @property
    def conversation(self) -> Conversation[str, Line]:
        """The current run."""
        if self._conversation is None:
            raise WrongAnswer("The bot is not running.")
        return self._conversation

    async def start(self) -> None:
        """Starts it, up to the end of the handshake. Raises OSError or Objection."""
        self._conversation = Conversation(self.said, str, str)
        await self._conversation.open(self._launch)
        await self.say("pyrat")
        identity = BotIdentity()
        while (words := await self._words(max(GREETING_SECONDS, self.reply_seconds)))[0] != "pyratready":
            identity = _identified(identity, words)
        self.identity = identity

    async def stop(self) -> None:
        """Ends it, if it runs."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation.close()

    # ---- lines -----------------------------------------------------------------------------------

    async def say(self, *lines: str) -> None:
        """Sends lines."""
        for line in lines:
            await self.conversation.say(line)

    async def hear(self, keyword: str, seconds: float | None = None) -> Sequence[str]:
        """Waits for a line that begins with ``keyword``; returns its other words. Raises WrongAnswer.

        ``seconds``: None for what needs no search.
        """
        loop = asyncio.get_running_loop()
        begin = loop.time()
        try:
            async with asyncio.timeout(self.reply_seconds if seconds is None else seconds):
                while (words := await self._words(None))[0] != keyword:
                    if words[0] != "info":
                        self.unexpected.append(" ".join(words)[:100])
        except TimeoutError:
            raise NoAnswer(f"No “{keyword}” in time.") from None
        if seconds is None:
            self.slowest = max(self.slowest, (loop.time() - begin, keyword))
        return words[1:]

    async def _words(self, seconds: float | None) -> Sequence[str]:
        while True:
            line = await self.conversation.hear(self.reply_seconds * 100 if seconds is None else seconds)
            if isinstance(line, LineTooLong):
                raise WrongAnswer(f"{line}.")
            if words := line.split():
                return words

    async def is_ready(self) -> None:
        """Asks whether it listens."""
        await self.say("isready")
        await self.hear("readyok")


@dataclass
class PyratGame:
    """A game in which the bot has one seat, and the other moves at random."""

    bot: PyratUnderCheck
    position: Position
    seat: int
    rng: random.Random
    times: BotTimes = TIMES
    told: str = BEFORE_FIRST
    """The moves that the bot was not told yet."""

    @classmethod
    async def begin(
        cls, bot: PyratUnderCheck, variant: str = TINY, seat: int = 0, times: BotTimes = TIMES
    ) -> "PyratGame":
        """Describes a game, and lets the bot prepare."""
        position = Position(GAME, variant, {"seed": SEED})
        await bot.say("newgame", *board_lines(position, seat, times), "startpreprocessing")
        await bot.hear("preprocessingdone", (times.preprocessing or 0) / 1000 + bot.reply_seconds)
        return cls(bot, position, seat, random.Random(SEED), times)

    async def turn(self) -> None:
        """Asks the bot for its move, and plays the turn."""
        await self.ask()
        self.play(await self.answer())

    async def ask(self) -> None:
        """Tells the last moves, and asks."""
        await self.bot.say(_moves_line(self.told), "go")

    async def answer(self) -> str:
        """The bot's move, which may be late. Raises WrongAnswer."""
        limit = (self.times.move or 0) / 1000
        loop = asyncio.get_running_loop()
        begin = loop.time()
        words = await self._move_words(limit)
        self.bot.late = max(self.bot.late, loop.time() - begin - limit)
        try:
            if len(words) != 1:
                raise BadLine("a move is one direction")
            return read_direction(words[0])
        except BadLine as error:
            raise WrongAnswer(f"Its move “{' '.join(words)}” counts as STAY: {error}.") from None

    async def _move_words(self, limit: float) -> Sequence[str]:
        with suppress(NoAnswer):
            return await self.bot.hear("move", limit)
        await self.bot.say("stop")
        try:
            return await self.bot.hear("move")
        except NoAnswer:
            raise WrongAnswer(f"No move within {limit:g} s, and none after stop.") from None

    def play(self, direction: str) -> None:
        """Plays the bot's move and one of the other seat."""
        if direction not in (*self.position.legal_moves(self.seat), "STAY"):
            self.bot.walls += not self.position.view()["players"][self.seat]["mud"]
        other = random_move(self.position, 1 - self.seat, self.rng)
        parts = {self.seat: self.position.check(direction, self.seat), 1 - self.seat: other}
        self.told = f"{parts[0]}/{parts[1]}"
        self.position.play(self.told)

    async def end(self) -> None:
        """Tells the result, and gives it time to learn."""
        rat, python = (score_text(player["score"]) for player in self.position.view()["players"])
        await self.bot.say(
            _moves_line(self.told), f"gameover winner:draw score:{rat}-{python}", "startpostprocessing"
        )
        await self.bot.hear(
            "postprocessingdone", (self.times.postprocessing or 0) / 1000 + self.bot.reply_seconds
        )


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


def _identified(identity: BotIdentity, words: Sequence[str]) -> BotIdentity:
    """Adds a line of the handshake. Raises WrongAnswer."""
    try:
        match words:
            case ["id", "name", *name] if name:
                return replace(identity, name=" ".join(name))
            case ["id", "author", *author] if author:
                return replace(identity, author=" ".join(author))
            case ["option", *rest]:
                option = read_option(rest)
                return replace(identity, options={**identity.options, option.name.lower(): option})
    except BadLine as error:
        raise WrongAnswer(f"“{' '.join(words)}”: {error}.") from None
    raise WrongAnswer(f"“{' '.join(words)[:100]}” is none of id, option and pyratready.")


def _moves_line(turn: str) -> str:
    rat, python = turn.split("/")
    return f"moves {per_seat_text(rat, python)}"


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
    game = PyratGame(bot, position, 1, random.Random(SEED))
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
        await game.end()
    return f"{rounds} games"


async def follows_a_long_game(bot: PyratUnderCheck) -> str:
    """Many turns are told before it is asked."""
    game = await PyratGame.begin(bot, "medium")
    turns = random_moves(game.position, bot.effort.long, random.Random(SEED))
    await bot.say(_moves_line(game.told), *map(_moves_line, turns[:-1]))
    game.position.play(*turns)
    game.told = turns[-1]
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
    if bot.late > 0:
        raise SlowAnswer(f"Its latest move came {bot.late * 1000:.0f} ms after its time.")
    return f"{bot.walls} moves were into walls" if bot.walls else "none was late"


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
        Rule("After gameover and postprocessingdone, newgame begins another game.", TEXT),
        plays_game_after_game,
    ),
    Step("takes its options", Rule("setoption sets an option of the handshake.", TEXT), takes_its_options),
    Step(
        "moves in time",
        Rule("A move later than its time gets stop, and then counts as STAY.", BOTS),
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
