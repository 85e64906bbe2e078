"""Checks an engine that answers V3 requests in lines, as ``plyhouse bot --engine`` runs it."""

from collections.abc import Iterator, Sequence

from programs.bot.config import READY_SECONDS
from programs.check.conversation import Launch, NoAnswer, ProcessChannel, ProgramEnded
from programs.check.findings import Finding, NotClaimed, Rule, SlowAnswer
from programs.check.session_steps import TRIAL, session_steps
from programs.check.sessions import ANSWER_SECONDS, SessionProgram
from programs.check.steps import Effort, Step, run_steps
from protocols.bgs import messages as bgs
from protocols.uhp.lines import Line

LINES = "docs/bots.md#plyhouse-engine"

EXIT_SECONDS = 5.0

UNREADABLE = (
    "hello",
    "{",
    "[]",
    '{"type":"hello"}',
    '{"type":"apply_move","bgsId":"unreadable"}',
    '{"type":"evaluate_position","bgsId":5,"expectedPly":0}',
)
"""Lines that are no requests."""


class EngineUnderCheck(SessionProgram):
    """The engine. It says nothing about itself: ``bot`` is what ``plyhouse bot`` would attach it as."""

    def __init__(
        self, launch: Launch[str, Line], bot: bgs.BotEntry, effort: Effort, answer_seconds: float
    ) -> None:
        super().__init__(launch, effort, answer_seconds, max(READY_SECONDS, answer_seconds))
        self.bots = (bot,)

    async def greet(self) -> None:
        """An engine is asked at once."""


async def check_engine(
    launch: Launch[str, Line], bot: bgs.BotEntry, effort: Effort, answer_seconds: float = ANSWER_SECONDS
) -> Sequence[Finding]:
    """Runs the script. Raises CannotStart."""
    program = EngineUnderCheck(launch, bot, effort, answer_seconds)
    return await run_steps(program, [TRIAL], _steps, effort)


def _steps(program: SessionProgram) -> Iterator[Step[SessionProgram]]:
    yield Step(
        "survives lines that are no requests",
        Rule("A request that cannot be read is refused, or ignored; the engine goes on.", LINES),
        survives_unreadable_lines,
    )
    yield from session_steps(program)
    yield Step(
        "exits at the end of its input",
        Rule("At the end of its input, an engine exits; one that does not is killed.", LINES),
        exits_at_the_end,
    )


async def survives_unreadable_lines(program: SessionProgram) -> None:
    """Answers the next request as if nothing had happened. What it says to such lines does not matter."""
    known = len(program.unexpected)
    for line in UNREADABLE:
        await program.conversation.say(line)
    await program.ask(bgs.EndGameSession("none"))
    del program.unexpected[known:]


async def exits_at_the_end(program: SessionProgram) -> None:
    """Closes its input, and waits for it to exit."""
    channel = program.conversation.channel
    if not isinstance(channel, ProcessChannel):
        raise NotClaimed("It is not a process.")
    channel.end_input()
    try:
        await program.conversation.hear(EXIT_SECONDS)
    except NoAnswer:
        raise SlowAnswer(f"It still runs {EXIT_SECONDS:g} s after the end of its input.") from None
    except ProgramEnded:
        await program.stop()
