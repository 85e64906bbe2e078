"""What a check finds out about a program: values for the table and the JSON object."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How the program did in one step."""

    RIGHT = "right"
    WRONG = "wrong"
    SLOW = "slow"
    """It answered, but so late that games may be lost."""
    NOT_CLAIMED = "not claimed"
    """It does not offer this, and need not."""
    NOT_RUN = "not run"
    """The time was over, or the program could not be started again."""


class Speaker(StrEnum):
    """Who has said something."""

    US = ">"
    PROGRAM = "<"
    STDERR = "!"


@dataclass(frozen=True, slots=True)
class Said:
    """A line, frame or packet as it was sent or received."""

    by: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """What the protocol says, in one sentence, and the section of our documentation with the rest."""

    text: str
    section: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One row: what was tried, how the program did, and for a wrong row also what was said."""

    name: str
    verdict: Verdict
    rule: Rule
    detail: str = ""
    said: tuple[Said, ...] = ()


class Objection(Exception):
    """Ends a step with another verdict than right. The text says what the program did.

    ``rule``: what it is about, if that is not the rule of the step.
    """

    verdict = Verdict.WRONG

    def __init__(self, text: str, rule: Rule | None = None) -> None:
        super().__init__(text)
        self.rule = rule


class WrongAnswer(Objection):
    """The program does not follow its protocol."""


class SlowAnswer(Objection):
    """The program is too late."""

    verdict = Verdict.SLOW


class NotClaimed(Objection):
    """The program does not offer what the step is about."""

    verdict = Verdict.NOT_CLAIMED
