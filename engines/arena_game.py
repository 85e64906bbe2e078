"""One game of a match: asks the players for their moves until the rules, an adjudication or a forfeit end it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engines import BadConfig, Position
from engines.adjudication import Adjudication, Adjudicator
from engines.bots import Player
from engines.executors.executor import check_wanted

PLY_LIMIT = "ply-limit"

RESIGNATION = "resignation"


class Forfeit(Exception):
    """``player`` cannot continue. The text describes what happened; ``reason`` is one word for results ("timeout")."""

    def __init__(self, player: Player, reason: str, text: str) -> None:
        super().__init__(text)
        self.player = player
        self.reason = reason


@runtime_checkable
class LastToMove(Player, Protocol):
    """A player of simultaneous moves that can choose its own part only once it has the parts of all others."""

    def choose_last(self, position: Position, seat: int, others: Mapping[int, str]) -> str:
        """Returns the part of ``seat``; ``others`` are those of all other acting seats. Raises as ``choose`` does."""


@runtime_checkable
class JudgingPlayer(Player, Protocol):
    """A player that says how it judges the game. Only games between such players can be adjudicated by agreement."""

    def expected_score(self, seat: int) -> float:
        """The expected score of ``seat``, in [0, 1], as the player judged it when it last chose a move for it."""


@dataclass(frozen=True)
class Fault:
    """Why a bot, an index into ``Match.bots``, has left a game: the reason of its ``Forfeit``."""

    bot: int
    reason: str

    @property
    def is_failure(self) -> bool:
        """Whether the bot could not continue, rather than resigned."""
        return self.reason != RESIGNATION


class ArenaGame:
    """A game in progress, and how many entries of its history each player has received."""

    def __init__(
        self,
        position: Position,
        takes: Sequence[int],
        players: Sequence[Player],
        adjudication: Adjudication | None,
    ) -> None:
        """``takes``: which bot plays each seat."""
        self._position = position
        self._takes = takes
        self._players = players
        self._told = dict.fromkeys(range(len(players)), len(position.history))
        """By seat, without those that have forfeited."""
        self._adjudicator = Adjudicator(adjudication, len(players)) if adjudication else None
        self.faults: list[Fault] = []

    def play_out(self, most: int | None) -> tuple[str, str]:
        """Plays the game to its end. Returns the reason it ended, and what forfeiting players did.

        Raises Unwanted if nobody waits for that any more.
        """
        position = self._position
        notes: list[str] = []
        while position.to_act and (most is None or position.ply < most):
            check_wanted()
            try:
                self._play_turn()
            except Forfeit as why:
                self._forfeit(why)
                notes.append(str(why))
                if not position.to_act:
                    return why.reason, "; ".join(notes)
            if reason := self._adjudicated():
                return reason, "; ".join(notes)
        return (position.outcome.reason if position.outcome else PLY_LIMIT), "; ".join(notes)

    def _play_turn(self) -> None:
        """Reports new moves to the players and plays their next ones. Raises Forfeit or BadConfig."""
        for seat in self._told:
            while self._told[seat] < len(self._position.history):
                self._told[seat] += 1
                self._players[seat].played(self._position.history[self._told[seat] - 1])
        acting = self._position.to_act
        parts = self._simultaneous_parts(acting) if len(acting) > 1 else self._parts(acting)
        self._note_scores(acting)
        self._position.play("/".join(parts[seat] for seat in acting))

    def _parts(self, seats: Sequence[int]) -> dict[int, str]:
        return {seat: self._players[seat].choose(self._position, seat) for seat in seats}

    def _simultaneous_parts(self, acting: Sequence[int]) -> dict[int, str]:
        last = {seat: player for seat in acting if isinstance(player := self._players[seat], LastToMove)}
        if len(last) > 1:
            raise BadConfig(
                "bots of running servers cannot meet in a game in which seats move simultaneously"
            )
        parts = self._parts([seat for seat in acting if seat not in last])
        for seat, player in last.items():
            parts[seat] = player.choose_last(self._position, seat, dict(parts))
        return parts

    def _note_scores(self, acting: Sequence[int]) -> None:
        if self._adjudicator is None:
            return
        for seat in acting:
            player = self._players[seat]
            if isinstance(player, JudgingPlayer):
                self._adjudicator.note(seat, player.expected_score(seat))

    def _adjudicated(self) -> str | None:
        """The reason if the game is adjudicated now, unless it is over. The loser of one forfeits it."""
        position = self._position
        if self._adjudicator is None or not position.to_act:
            return None
        ending = self._adjudicator.ending(position.ply)
        if ending is None:
            return None
        if ending.loser is not None:
            position.forfeit(ending.loser)
        return ending.reason

    def _forfeit(self, why: Forfeit) -> None:
        """The player leaves the game."""
        seat = self._players.index(why.player)
        self.faults.append(Fault(self._takes[seat], why.reason))
        del self._told[seat]
        self._position.forfeit(seat)
