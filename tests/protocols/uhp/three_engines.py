"""A table of model A without a server: two engine seats, an optional main viewer, and their shared game.

Lists take the place of the server's sockets and event log, so that transcripts can be compared.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from engines import Position
from protocols.session import Close, Effect, Event, Send
from protocols.uhp.game_string import GAME, play
from protocols.uhp.remote import main_viewer as mv
from protocols.uhp.remote.effects import GiveUp, PlayMove, Seated, Seek, TableChanged
from protocols.uhp.remote.engine_seat import (
    Deadline,
    EngineSeat,
    GameNow,
    MoveChosen,
    Settled,
)
from protocols.uhp.remote.game_lines import ending, is_over
from protocols.uhp.remote.seek_criteria import SeekCriteria
from protocols.values import ClockReading, Result, Status, Table

NAMES = "WB"


def table_at(position: Position) -> Table:
    """A game as seen by the sessions."""
    return Table(
        game_id="g",
        seq=1,
        position=position,
        config={},
        status=Status.PLAYING,
        to_act=(0,),
        seats=(),
        host=0,
        match_type="friend",
        created_at=0,
        updated_at=0,
        last_move_at=0,
    )


@dataclass
class ThreeEngines:
    """The table. ``said`` has the lines sent to each of ``W``, ``B`` and ``V``, in order."""

    start: Position = field(default_factory=lambda: Position(GAME))
    clock: ClockReading | None = field(default_factory=lambda: ClockReading(60_000, 1000))
    with_main: bool = False
    is_analysis: bool = False

    def __post_init__(self) -> None:
        self.said: dict[str, list[str]] = {name: [] for name in "WBV"}
        self.closed: dict[str, str] = {}
        self.deadlines: dict[str, Deadline] = {}
        self.lost: list[tuple[str, str]] = []
        self.sought: dict[str, SeekCriteria] = {}
        self._settled = [-1, -1]
        self.table = table_at(self.start.copy())
        self.seats: list[EngineSeat] = []
        self.main = mv.MainViewer("Plyhouse", is_analysis=self.is_analysis) if self.with_main else None
        if self.main is not None:
            self._do("V", self.main.start())
            self._do("V", self.main.notify(TableChanged(self.table)))
        for name in NAMES:
            self.seats.append(EngineSeat(SeekCriteria(type=self.start.variant)))
            self._do(name, self.seats[-1].start())

    def hear(self, name: str, *lines: str) -> list[str]:
        """Receives lines from a peer; returns the lines sent to it in answer."""
        before = len(self.said[name])
        for line in lines:
            peer: Any = self.main if name == "V" else self.seats[NAMES.index(name)]
            self._do(name, peer.receive(line))
        return self.said[name][before:]

    def tell(self, name: str, event: Event) -> None:
        """Passes an event to a peer's session."""
        peer: Any = self.main if name == "V" else self.seats[NAMES.index(name)]
        self._do(name, peer.notify(event))

    def take_back(self, ply: int) -> None:
        """Takes back moves on behalf of the players."""
        position = self.table.position.copy()
        while position.ply > ply:
            position.undo()
        self.table = replace(self.table, seq=self.table.seq + 1, position=position)
        self._show_all()

    def reconnect(self, name: str) -> None:
        """Replaces a lost connection by a new one."""
        seat = NAMES.index(name)
        self.seats[seat] = EngineSeat(SeekCriteria(type=self.start.variant))
        self._do(name, self.seats[seat].start())

    @property
    def moves(self) -> list[str]:
        """The moves of the game."""
        return self.table.position.history

    # ---- the driver ------------------------------------------------------------------------------

    def _do(self, name: str, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self.said[name] += text.split("\n")
                case Close(reason=reason):
                    self.closed[name] = reason
                case Deadline():
                    self.deadlines[name] = effect
                case _:
                    self._do_own(name, effect)

    def _do_own(self, name: str, effect: Effect) -> None:
        match effect:
            case Seek(criteria=criteria):
                self.sought[name] = criteria
                self.tell(name, Seated(NAMES.index(name), "g", "s"))
                self._show(name)
            case Settled(ply=ply):
                self._settled[NAMES.index(name)] = ply
                if self._settled == [ply, ply] and self.main is not None:
                    self.main.lead.agreed = ply
                    self._tell_main(mv.EnginesAnswered())
            case MoveChosen():
                self._choose(effect)
            case PlayMove(text=text):
                self._play(text)
            case GiveUp(reason=reason):
                self.lost.append((name, reason))
                self._end(Result((1 - NAMES.index(name),), reason))
            case mv.ViewerDecided():
                for seat in NAMES:
                    self._show(seat)

    def _choose(self, chosen: MoveChosen) -> None:
        """Plays the move if there is no main viewer and the game has not changed."""
        if self.main is not None:
            self.main.lead.asked = None
            self.main.lead.named = chosen.move, len(chosen.moves)
            self._tell_main(mv.EnginesAnswered())
        elif chosen.moves == tuple(self.moves):
            self._play(chosen.move)

    def _play(self, move: str) -> None:
        position = self.table.position.copy()
        play(position, move)
        outcome = position.outcome
        self.table = replace(self.table, seq=self.table.seq + 1, position=position)
        if outcome is not None:
            self.table = replace(
                self.table, status=Status.FINISHED, result=Result(tuple(outcome.winners), outcome.reason)
            )
        self._show_all()

    def _end(self, result: Result) -> None:
        self.table = replace(self.table, seq=self.table.seq + 1, status=Status.FINISHED, result=result)
        self._show_all()

    def _show_all(self) -> None:
        self._tell_main(TableChanged(self.table))
        for name in NAMES:
            self._show(name)

    def _show(self, name: str) -> None:
        lead = None if self.main is None else self.main.lead
        if (lead is None or lead.has_begun) and name in self.sought:
            end = ending(self.table) if is_over(self.table) else None
            asked = None if lead is None else lead.asked
            limit = asked[0] if asked is not None and asked[1] == self.table.ply else None
            self.tell(
                name, GameNow(self.table.position, self.clock, end, is_led=lead is not None, limit=limit)
            )

    def _tell_main(self, event: Event) -> None:
        if self.main is not None:
            self._do("V", self.main.notify(event))
