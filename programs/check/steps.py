"""Runs a script against a program: one step after the other, each with a finding.

After a step that has gone wrong, the program is ended, and started again for the next one, so that each row stands for
itself. Steps that the time does not suffice for are listed as not run.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from programs.check.conversation import end_of
from programs.check.findings import Finding, Objection, Rule, Said, Speaker, Verdict


class Checked(Protocol):
    """A program that is checked."""

    @property
    def said(self) -> list[Said]:
        """What was said so far, in all of its runs."""
        ...

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        ...

    async def start(self) -> None:
        """Starts it, up to where steps can ask it. Raises OSError or Objection."""
        ...

    async def stop(self) -> None:
        """Ends it."""
        ...


P = TypeVar("P", bound=Checked)
Q = TypeVar("Q", bound=Checked, contravariant=True)

MOST_NOTED = 5
"""Lines of its stderr that are shown of a program that does not start."""


@dataclass(frozen=True, slots=True)
class Step(Generic[Q]):
    """One row. ``run`` returns what to say about a right program, and raises Objection for another."""

    name: str
    rule: Rule
    run: Callable[[Q], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried. ``seconds``: for everything together, once the program has started."""

    seconds: float = 30.0
    games: int = 1
    """Games in which every position is asked about."""
    plies: int = 10
    """Moves of each of them."""
    long: int = 120
    """Moves of a game whose moves are only told."""
    positions: int = 25
    """Random positions that are compared."""
    rounds: int = 20
    """Sessions, or games, one after another."""
    sizes: int = 3
    """Boards of a variant that has several: the smallest, the largest, and others in between."""


THOROUGH = Effort(seconds=1200.0, games=20, plies=60, long=500, positions=4000, rounds=1000, sizes=8)


ONLY = "Nothing else was tried, as all else depends on this."


class CannotStart(Exception):
    """The program does not start, so that nothing can be said about it."""


async def run_steps(
    program: P, greetings: Sequence[Step[P]], steps: Callable[[P], Iterator[Step[P]]], effort: Effort
) -> list[Finding]:
    """Runs a script: the greetings, and if these are right, the steps, which may depend on what the program offers.

    Raises CannotStart.
    """
    findings: list[Finding] = []
    try:
        for greeting in greetings:
            findings.append(await (_run(program, greeting) if findings else _greet(program, greeting)))
            if findings[-1].verdict is Verdict.WRONG:
                return [*findings[:-1], replace(findings[-1], detail=f"{findings[-1].detail} {ONLY}")]
        limit = _Limit(asyncio.get_running_loop().time() + effort.seconds, _advice(effort))
        return [*findings, *[await _find(program, step, limit) for step in steps(program)]]
    finally:
        await program.stop()


async def _greet(program: P, greeting: Step[P]) -> Finding:
    """Starts the program for the first time; loading it is not counted."""

    async def begin(started: P) -> str | None:
        await started.start()
        return await greeting.run(started)

    try:
        finding = await _run(program, Step(greeting.name, greeting.rule, begin))
    except OSError as error:
        raise CannotStart(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None
    if not program.is_running and not any(one.by is Speaker.PROGRAM for one in program.said):
        noted = [one.text for one in program.said if one.by is Speaker.STDERR]
        raise CannotStart("\n".join([finding.detail, *noted[-MOST_NOTED:]]))
    return finding


@dataclass(frozen=True, slots=True)
class _Limit:
    """When the time of a script is over, and what to say of a step that it did not suffice for."""

    deadline: float | None = None
    advice: str = ""


_UNLIMITED = _Limit()


def _advice(effort: Effort) -> str:
    return "" if effort.seconds >= THOROUGH.seconds else " --thorough has more."


async def _find(program: P, step: Step[P], limit: _Limit) -> Finding:
    """Runs a step, with a program that runs."""
    if limit.deadline is not None and asyncio.get_running_loop().time() >= limit.deadline:
        return Finding(step.name, Verdict.NOT_RUN, step.rule, f"The time is over.{limit.advice}")
    try:
        if not program.is_running:
            await program.start()
    except (OSError, Objection) as error:
        await program.stop()
        return Finding(step.name, Verdict.NOT_RUN, step.rule, f"The program does not start again: {error}")
    return await _run(program, step, limit)


async def _run(program: P, step: Step[P], limit: _Limit = _UNLIMITED) -> Finding:
    begin = len(program.said)
    try:
        async with asyncio.timeout_at(limit.deadline):
            detail = await step.run(program)
    except TimeoutError:
        await program.stop()
        detail = f"The time was over before it was done.{limit.advice}"
        return Finding(step.name, Verdict.NOT_RUN, step.rule, detail)
    except Objection as objection:
        if objection.verdict is Verdict.WRONG:
            await program.stop()
        is_shown = objection.verdict in (Verdict.WRONG, Verdict.SLOW)
        said = end_of(program.said[begin:]) if is_shown else ()
        return Finding(step.name, objection.verdict, objection.rule or step.rule, str(objection), said)
    return Finding(step.name, Verdict.RIGHT, step.rule, detail or "")


def is_sound(findings: Sequence[Finding]) -> bool:
    """Whether everything that the program offers was tried, and is right."""
    return not any(finding.verdict in (Verdict.WRONG, Verdict.NOT_RUN) for finding in findings)
