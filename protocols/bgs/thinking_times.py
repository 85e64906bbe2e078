"""How long the engines of a bot client have thought in each session, and what they said last: for their author.

The times are those between a request for an evaluation and its answer, in seconds. Called by ``client``.
"""

import re
from dataclasses import dataclass

MOST_SESSIONS = 1024
"""How many sessions are remembered, as most servers tell no results."""


@dataclass(slots=True)
class SessionThinking:
    """What an engine has done in one session."""

    evaluations: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    last_answer: str = ""
    asked_at: float = 0.0
    """When it was asked last."""

    def __str__(self) -> str:
        noun = "evaluation" if self.evaluations == 1 else "evaluations"
        mean = self.seconds / max(1, self.evaluations)
        return f"{self.evaluations} {noun}, {mean:.2f} s on average, {self.longest:.2f} s at most"


class ThinkingTimes:
    """The sessions by their ids, the oldest first."""

    def __init__(self) -> None:
        self._sessions: dict[str, SessionThinking] = {}

    def ask(self, bgs_id: str, now: float) -> None:
        """An engine was asked for an evaluation."""
        self._session(bgs_id).asked_at = now

    def answer(self, bgs_id: str, line: str, now: float) -> None:
        """It has answered; ``line`` is the answer as it was written."""
        session = self._session(bgs_id)
        seconds = now - session.asked_at
        session.evaluations += 1
        session.seconds += seconds
        session.longest = max(session.longest, seconds)
        session.last_answer = line

    def of_game(self, game_id: str, seat: int) -> SessionThinking | None:
        """The latest session of a game's seat; those of the seat are forgotten. None if there was no evaluation.

        The id of a session is that of its game, with ``~s`` and the seat if several seats have bots, and a number if
        an earlier one was given up.
        """
        own = re.compile(rf"{re.escape(game_id)}(~s{seat})?(~\d+)?")
        ids = [bgs_id for bgs_id in self._sessions if own.fullmatch(bgs_id)]
        sessions = [self._sessions.pop(bgs_id) for bgs_id in ids]
        return sessions[-1] if sessions and sessions[-1].evaluations else None

    def _session(self, bgs_id: str) -> SessionThinking:
        """The session with this id, which may be new: then the oldest one is forgotten if there are too many."""
        if bgs_id not in self._sessions and len(self._sessions) >= MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return self._sessions.setdefault(bgs_id, SessionThinking())
