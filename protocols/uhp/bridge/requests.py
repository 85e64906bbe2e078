"""Requests to end the game: to resign, to offer a draw or accept one, and to claim the end against an absent opponent.

A request is sent at once, even while another command waits for the server. Its own command is answered in its turn.
"""

from typing import Final

from protocols.uhp.lines import Command
from protocols.uhp.options import Option, choice, flag
from protocols.uhp.remote.effects import MAX_FORFEIT_REASON, agreement_request, is_forfeit

FORFEIT, DRAW, CLAIM = "forfeit", "draw", "claim"
"""The kinds of requests: first words of lines to the server."""

ASKING_OPTIONS: Final = (
    flag("Resign", default=False),
    flag("OfferDraw", default=False),
    choice("Claim", "Nothing", ("Nothing", "Win", "Draw")),
)
"""Options that make a request when they are set, and are reset at once."""

_BY_OPTION: Final = {
    ("resign", "true"): FORFEIT,
    ("offerdraw", "true"): DRAW,
    ("claim", "win"): "claim win",
    ("claim", "draw"): "claim draw",
}


def request_of(command: Command) -> str | None:
    """The line to the server for a command that makes a request; None for any other command."""
    words = command.rest.lower().split()
    if is_forfeit(command):
        return f"{FORFEIT} {' '.join(command.words[1:])[:MAX_FORFEIT_REASON]}".strip()
    match command.keyword, words:
        case "play", _ if agreement_request(command.rest) is not None:
            return " ".join(words)
        case "options", ["set", name, value]:
            return _BY_OPTION.get((name, value))
    return None


def request_by_option(option: Option) -> str | None:
    """The same for the value of an option."""
    return _BY_OPTION.get((option.name.lower(), str(option.value).lower()))


class GameRequest:
    """The answer to one kind of request, of which one is made at a time."""

    def __init__(self) -> None:
        self._outcome: str | None = None
        """The server's refusal, or an empty text if there is none, until the command is answered."""
        self._waiting: str | None = None
        """The answer to the command that waits for the outcome; an empty one is the GameString."""

    @property
    def is_waiting(self) -> bool:
        """Whether the command waits."""
        return self._waiting is not None

    @property
    def is_settled(self) -> bool:
        """Whether the outcome is known, but the command not answered yet."""
        return self._outcome is not None

    def settle(self, refusal: str = "") -> None:
        """Records that the server has refused the request, or that there is nothing to wait for any more."""
        self._outcome = refusal

    def wait(self, answer: str) -> None:
        """Lets the command wait, whose answer is ``answer`` unless the request is refused."""
        self._waiting = answer

    def take_answer(self, board: str) -> str | None:
        """Returns the answer to the waiting command, once, if it is due; ``board`` is the GameString."""
        if self._waiting is None or self._outcome is None:
            return None
        answer = self._outcome or self._waiting or board
        self.drop()
        return answer

    def drop(self) -> None:
        """Forgets the request."""
        self._outcome = self._waiting = None
