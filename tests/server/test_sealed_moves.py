"""Sealed parts of simultaneous moves: nothing that leaves the server depends on a part before the move is complete."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from protocols.play import events as ev
from protocols.play.game_session import GameSocket
from protocols.play.position import position_json
from protocols.records import formats
from protocols.session import Send
from protocols.values import Attendance, OfferKind, Status, Table, TimeControl
from server.bus.codec import write_message
from server.domain import commands as c
from server.domain.decide import answered_at
from server.domain.errors import ApiError
from server.domain.events import Recorded
from server.domain.public_table import past_table, table_of
from server.domain.records import record_of
from server.routes import game_answers
from server.services.bots.bgs import line_of, setup_of
from server.services.cluster.changes import Change, GamesChanged, LogGrown, notices_of
from server.services.error_body import error_body
from tests.server.test_decide import maze

DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT", "STAY")
Step = tuple[int, c.Command]
"""Milliseconds to wait, and a command."""


class World:
    """A game with everything that anybody can see of it: two players, two spectators, lists, records and bots."""

    def __init__(self, control: TimeControl | None) -> None:
        self.table = maze(control)
        self.now = 0
        self.seen: list[str] = []
        """All that has left the server so far."""
        self.sealed: int | None = None
        """The index of the command whose part is sealed now."""
        seats = (0, 0, 1, None, None)
        self._sockets = [
            GameSocket(seat, with_extensions=bool(index % 2)) for index, seat in enumerate(seats)
        ]
        for socket in self._sockets:
            socket.notify(ev.Opened("s", ev.GameUpdate(self._table()), Attendance()))

    def _table(self) -> Table:
        return table_of(self.table.state, self.now)

    def run(self, index: int, step: Step) -> None:
        wait, command = step
        self.now += wait
        version = self.table.state.version
        try:
            known = answered_at(self.table.state, command)
            if known is None:
                self.table.do(command, self.now)
            self._answer(command, known)
        except ApiError as refusal:
            self.seen.append(json.dumps(error_body(refusal)))
        if self.table.state.version > version:
            self._publish(tuple(self.table.log[version:]))
        pending = self.table.state.pending
        if isinstance(command, c.Move) and command.seat in pending and self.sealed is None:
            self.sealed = index
        if not pending:
            self.sealed = None
        self._look()

    def _answer(self, command: c.Command, known: int | None) -> None:
        state = self.table.state
        if isinstance(command, c.Move) and (known is not None or command.seat in state.pending):
            self.seen.append(json.dumps({"ply": state.ply, "pending": state.to_act}))

    def _publish(self, recorded: tuple[Recorded, ...]) -> None:
        change = Change(self.table.state, recorded)
        for socket in self._sockets:
            self.seen += [
                frame.text for frame in socket.notify(ev.Changed(change.update)) if isinstance(frame, Send)
            ]
        grown = LogGrown("w", "g", recorded[0].seq, change.state.version)
        changed = GamesChanged("w", {"g": change.state.version}, (change.listing,))
        self.seen += [write_message(grown).decode(), write_message(changed).decode(), repr(change.listing)]

    def _look(self) -> None:
        """What requests, viewers and bots get at this moment."""
        state, table = self.table.state, self._table()
        self.seen += [json.dumps(position_json(table, "", seat)) for seat in (None, 0, 1)]
        self.seen += [json.dumps(position_json(past_table(state, ply, self.now))) for ply in range(state.ply)]
        self.seen.append(json.dumps(game_answers.game_json(table)))
        self.seen.append(formats.write(record_of(state, self.table.log), "json"))
        self.seen += [repr(line_of(state)), repr(setup_of(state)), repr(notices_of(self.table.log))]
        self.seen += [re.sub(" at 0x[0-9a-f]+", "", repr(state)), repr(self.table.log)]


def commands() -> st.SearchStrategy[c.Command]:
    seat, kind = st.integers(0, 1), st.sampled_from([OfferKind.TAKEBACK, OfferKind.DRAW])
    move = st.sampled_from(DIRECTIONS)
    ids, plies = st.none() | st.sampled_from(["a", "b", "c"]), st.none() | st.integers(0, 3)
    bad = st.sampled_from(["up", "UP/UP", "", "UP STAY", "!0"])
    return st.one_of(
        st.builds(c.Move, seat, move),
        st.builds(c.Move, seat, move),
        st.builds(c.Move, seat, move, plies, ids),
        st.builds(c.Move, seat, bad),
        st.builds(c.Propose, seat, kind, plies),
        st.builds(c.Accept, seat, kind),
        st.builds(c.Reject, seat, kind),
        st.builds(c.AddTime, seat, st.just(1)),
        st.builds(c.Leave, seat),
        st.just(c.Expire()),
    )


def played(control: TimeControl | None, steps: Sequence[Step]) -> World:
    world = World(control)
    for index, step in enumerate(steps):
        world.run(index, step)
    return world


CONTROLS = (None, TimeControl(2, 0), TimeControl(0, 0, move_ms=900), TimeControl(0, 1))


@given(
    st.sampled_from(CONTROLS),
    st.lists(st.tuples(st.integers(0, 500), commands()), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 500), commands()), max_size=4),
)
def test_what_is_seen_does_not_depend_on_a_sealed_part(
    control: TimeControl | None, steps: list[Step], more: list[Step]
) -> None:
    """Another part is sealed in the same game; as long as it is not played, both games look the same to everyone."""
    world = played(control, steps)
    while world.sealed is None:
        if world.table.state.status is not Status.PLAYING:
            return
        steps = [*steps, (0, c.Move(world.table.state.to_act[0], "STAY"))]
        world.run(len(steps) - 1, steps[-1])
    index = world.sealed
    waited, sealed = steps[index]
    assert isinstance(sealed, c.Move)
    for text in DIRECTIONS:
        other = played(control, [*steps[:index], (waited, replace(sealed, text=text)), *steps[index + 1 :]])
        assert other.seen == world.seen
    ahead = played(control, steps)
    other = played(control, [*steps[:index], (waited, replace(sealed, text=text)), *steps[index + 1 :]])
    for number, step in enumerate(more, start=len(steps)):
        ply = ahead.table.state.ply
        ahead.run(number, step)
        other.run(number, step)
        if ahead.table.state.ply > ply:
            break
        assert other.seen == ahead.seen


def test_a_completed_move_is_seen_by_everyone() -> None:
    """The law above compares games that differ: here they do so as soon as the move is complete."""
    steps: list[Step] = [(0, c.Move(0, "UP")), (0, c.Move(1, "LEFT"))]
    world, other = played(None, steps), played(None, [(0, c.Move(0, "RIGHT")), steps[1]])
    assert world.table.state.moves == ("UP/LEFT",)
    assert world.seen != other.seen
    assert not any("UP/LEFT" in text for text in other.seen)


# ---- discarded parts -----------------------------------------------------------------------------


def test_a_repeated_message_does_not_bring_a_discarded_part_back() -> None:
    table = maze()
    table.do(c.Move(0, "UP"))
    table.do(c.Move(1, "DOWN"))
    table.do(c.Move(0, "RIGHT", 1, "a"))
    table.do(c.Propose(0, OfferKind.TAKEBACK))
    table.do(c.Accept(1, OfferKind.TAKEBACK))
    assert answered_at(table.state, c.Move(0, "RIGHT", 1, "a")) == 4
    assert table.state.pending == {}
