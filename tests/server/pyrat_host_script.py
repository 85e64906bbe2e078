"""A scripted bot of PyRat's host protocol: ``python -m tests.server.pyrat_host_script BEHAVIOUR``, or in a thread.

Writes and reads FlatBuffers by the numbers of their slots, so that the tests do not rest on our own codec alone. Keeps
the game with our rules and computes the hashes itself. What it plays and sees is printed for the tests.
"""

import os
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flatbuffers import number_types as n
from flatbuffers.builder import Builder
from flatbuffers.table import Table

from engines import Position
from protocols.pyrat.host.board import board_of, state_of
from protocols.pyrat.host.state_hash import changing_hash, maze_hash
from tests.server.scripted import Exits

WELCOME, CONFIGURE, GO_PREPROCESS, ADVANCE, GO, _, STOP, GAME_OVER, FULL_STATE, PROTOCOL_ERROR = range(1, 11)
IDENTIFY, READY, PREPROCESSING_DONE, ACTION, _, _, PROVISIONAL, SYNC_OK, RESYNC = range(1, 10)
DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT", "STAY")
UP, RIGHT, DOWN, LEFT, STAY = range(5)


class Host:
    """The connection to the host."""

    def __init__(self, environment: Mapping[str, str], say: Callable[[str], None]) -> None:
        """``say`` writes a line to stdout."""
        self.environment = environment
        self.say = say
        self.socket = socket.create_connection(("127.0.0.1", int(environment["PYRAT_HOST_PORT"])))
        self.stream = self.socket.makefile("rb")

    def send_table(self, kind: int, *fields: tuple[Any, int]) -> None:
        """Sends a table of numbers: the type of each field, and its value."""
        builder = Builder(64)
        builder.StartObject(len(fields))
        for slot, (flags, value) in enumerate(fields):
            builder.PrependSlot(flags, slot, value, 0)
        self.send(builder, kind, builder.EndObject())

    def send(self, builder: Builder, kind: int, table: int) -> None:
        builder.StartObject(2)
        builder.PrependUint8Slot(0, kind, 0)
        builder.PrependUOffsetTRelativeSlot(1, table, 0)
        builder.Finish(builder.EndObject())
        self.send_bytes(bytes(builder.Output()))

    def send_bytes(self, packet: bytes) -> None:
        self.socket.sendall(len(packet).to_bytes(4, "big") + packet)

    def identify(self, agent_id: str) -> None:
        builder = Builder(64)
        texts = [builder.CreateString(text) for text in ("Script", "nobody", agent_id)]
        builder.StartObject(4)
        for slot, text in zip((0, 1, 3), texts, strict=True):
            builder.PrependUOffsetTRelativeSlot(slot, text, 0)
        self.send(builder, IDENTIFY, builder.EndObject())

    def receive(self) -> tuple[int, Table]:
        length = self.stream.read(4)
        if len(length) < 4:
            sys.exit(0)
        packet = self.stream.read(int.from_bytes(length, "big"))
        root = Table(packet, 0)
        root = Table(packet, root.Indirect(0))
        message = Table(packet, 0)
        root.Union(message, root.Offset(6))
        return number(root, 0, n.Uint8Flags), message

    def expect(self, kind: int) -> Table:
        found, message = self.receive()
        if found != kind:
            sys.exit(f"message {found} in place of {kind}")
        return message


def number(table: Table, slot: int, flags: Any) -> Any:
    return table.GetSlot(4 + 2 * slot, 0, flags)


def cell(table: Table, at: int) -> list[int]:
    return [table.Get(n.Uint8Flags, at), table.Get(n.Uint8Flags, at + 1)]


def field_cell(table: Table, slot: int) -> list[int]:
    return cell(table, table.Pos + table.Offset(4 + 2 * slot))


def subtable(table: Table, slot: int) -> Table:
    inner = Table(table.Bytes, 0)
    table.Union(inner, table.Offset(4 + 2 * slot))
    return inner


def vector(table: Table, slot: int, size: int) -> list[int]:
    """Where the elements of a vector are."""
    offset = table.Offset(4 + 2 * slot)
    if not offset:
        return []
    start = table.Vector(offset)
    return [start + size * index for index in range(table.VectorLen(offset))]


def tables(table: Table, slot: int) -> list[Table]:
    return [Table(table.Bytes, table.Indirect(at)) for at in vector(table, slot, 4)]


def text(table: Table, slot: int) -> str:
    return str(table.String(table.Pos + table.Offset(4 + 2 * slot)).decode())


def config_of(match: Table) -> dict[str, Any]:
    """The configuration of the game, as our rules read it."""
    return {
        "width": number(match, 0, n.Uint8Flags),
        "height": number(match, 1, n.Uint8Flags),
        "maxTurns": number(match, 2, n.Uint16Flags),
        "walls": [[field_cell(wall, 0), field_cell(wall, 1)] for wall in tables(match, 3)],
        "mud": [
            [field_cell(mud, 0), field_cell(mud, 1), number(mud, 2, n.Uint8Flags)] for mud in tables(match, 4)
        ],
        "cheese": [cell(match, at) for at in vector(match, 5, 2)],
        "starts": [field_cell(match, 6), field_cell(match, 7)],
    }


class ScriptedBot:
    """One game. The behaviours are methods that replace a step of an honest bot."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.position = Position("pyrat")
        self.seat = 0
        self.maze_hash = 0

    def play(self) -> None:
        self.identify()
        self.seat = number(self.host.expect(WELCOME), 0, n.Uint8Flags)
        configure = subtable(self.host.expect(CONFIGURE), 1)
        self.times = [number(configure, slot, n.Uint32Flags) for slot in (9, 10)]
        self.position = Position("pyrat", None, config_of(configure))
        self.maze_hash = maze_hash(board_of(self.position))
        self.ready()
        self.host.expect(GO_PREPROCESS)
        self.host.send_table(PREPROCESSING_DONE)
        while True:
            kind, message = self.host.receive()
            if kind == GAME_OVER:
                points = [f"{number(message, slot, n.Float32Flags):g}" for slot in (1, 2)]
                winner = number(message, 0, n.Uint8Flags)
                self.host.say(f"game over {winner} {' '.join(points)} {self.position.ply}")
                return
            if kind == PROTOCOL_ERROR:
                sys.exit(f"refused: {text(message, 0)}")
            {ADVANCE: self.advance, GO: self.go, FULL_STATE: self.load, STOP: self.stop}[kind](message)

    def identify(self) -> None:
        self.host.identify(self.host.environment["PYRAT_AGENT_ID"])

    def ready(self) -> None:
        self.host.send_table(READY, (n.Uint64Flags, self.hash()))

    def advance(self, message: Table) -> None:
        moves = [DIRECTIONS[number(message, slot, n.Uint8Flags)] for slot in (0, 1)]
        self.position.play("/".join(moves))
        told = (number(message, 2, n.Uint16Flags), number(message, 3, n.Uint64Flags))
        if told != (self.position.ply, self.hash()):
            sys.exit(f"told {told}, but it is {(self.position.ply, self.hash())}")
        self.sync()

    def sync(self) -> None:
        self.host.send_table(SYNC_OK, (n.Uint64Flags, self.hash()))

    def load(self, message: Table) -> None:
        """Compares the full state with ours."""
        config, turn = subtable(message, 0), subtable(message, 1)
        state = state_of(self.position)
        own = [list(state.players[seat].cell) for seat in (0, 1)]
        if any(config_of(config)[name] != self.position.config[name] for name in ("walls", "mud")):
            sys.exit("another maze")
        if (number(turn, 0, n.Uint16Flags), [field_cell(turn, 1), field_cell(turn, 2)]) != (state.turn, own):
            sys.exit("another state")
        self.host.say(f"full state {state.turn}")
        self.sync()

    def go(self, message: Table) -> None:
        if number(message, 0, n.Uint64Flags) != self.hash():
            sys.exit("go with another hash")
        self.act(self.choice())

    def stop(self, message: Table) -> None:
        self.host.say(f"stopped in turn {self.position.ply}")

    def choice(self) -> int:
        """A move that depends on the turn only."""
        moves = self.position.legal_moves(self.seat)
        return DIRECTIONS.index(moves[(7 * self.position.ply) % len(moves)])

    def act(self, direction: int, kind: int = ACTION, **changes: int) -> None:
        values = {"player": self.seat, "turn": self.position.ply, "hash": self.hash()} | changes
        fields = [
            (n.Uint8Flags, direction),
            (n.Uint8Flags, values["player"]),
            (n.Uint16Flags, values["turn"]),
        ]
        thought = [(n.Uint32Flags, 1)] if kind == ACTION else []
        self.host.send_table(kind, *fields, *thought, (n.Uint64Flags, values["hash"]))

    def hash(self) -> int:
        return self.maze_hash ^ changing_hash(state_of(self.position))


class WrongAgent(ScriptedBot):
    """Reports another agent_id than it was given."""

    def identify(self) -> None:
        self.host.identify("somebody else")


class WrongHash(ScriptedBot):
    """Has another hash of the start."""

    def ready(self) -> None:
        self.host.send_table(READY, (n.Uint64Flags, self.hash() ^ 1))


class WrongTurnHash(ScriptedBot):
    """Moves with another hash."""

    def act(self, direction: int, kind: int = ACTION, **changes: int) -> None:
        super().act(direction, kind, hash=self.hash() ^ 1)


class OtherSeat(ScriptedBot):
    """Moves for the other seat."""

    def act(self, direction: int, kind: int = ACTION, **changes: int) -> None:
        super().act(direction, kind, player=1 - self.seat)


class Resyncing(ScriptedBot):
    """Asks for the full state in every turn."""

    def advance(self, message: Table) -> None:
        moves = [DIRECTIONS[number(message, slot, n.Uint8Flags)] for slot in (0, 1)]
        self.position.play("/".join(moves))
        self.host.send_table(RESYNC, (n.Uint64Flags, 5))


class NeverInSync(ScriptedBot):
    """Asks for the full state again when it has got it."""

    def sync(self) -> None:
        self.host.send_table(RESYNC, (n.Uint64Flags, 5))


class Late(ScriptedBot):
    """Does not move; in odd turns it names a provisional move. Sends moves of the turn before, too."""

    def go(self, message: Table) -> None:
        if self.position.ply:
            super().act(UP, turn=self.position.ply - 1)
        if self.position.ply % 2:
            super().act(DOWN, PROVISIONAL)
            super().act(self.choice(), PROVISIONAL)


class StoppedInTime(ScriptedBot):
    """Moves when it is told to stop."""

    def go(self, message: Table) -> None:
        pass

    def stop(self, message: Table) -> None:
        self.act(self.choice())


class Dying(ScriptedBot):
    """Exits in the third turn."""

    def go(self, message: Table) -> None:
        if self.position.ply == 2:
            raise Exits(3, "no more ideas")
        super().go(message)


class Noisy(ScriptedBot):
    """Fills its outputs."""

    def identify(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            for _ in range(2000):
                print("x" * 100, file=stream, flush=True)
        super().identify()


class Twofold(ScriptedBot):
    """Connects a second time during the game."""

    def ready(self) -> None:
        other = Host(self.host.environment, self.host.say)
        with other.socket, other.stream:
            self.host.say(text(other.expect(PROTOCOL_ERROR), 0))
        super().ready()


class Malformed(ScriptedBot):
    """Sends bytes that are not FlatBuffers."""

    def ready(self) -> None:
        self.host.send_bytes(b"\xff" * 40)


class Empty(ScriptedBot):
    """Sends a packet of no bytes."""

    def ready(self) -> None:
        self.host.send_bytes(b"")


BEHAVIOURS: dict[str, Callable[[Host], ScriptedBot]] = {
    "honest": ScriptedBot,
    "wrong-agent": WrongAgent,
    "wrong-hash": WrongHash,
    "wrong-turn-hash": WrongTurnHash,
    "other-seat": OtherSeat,
    "resyncing": Resyncing,
    "never-in-sync": NeverInSync,
    "late": Late,
    "stopped-in-time": StoppedInTime,
    "dying": Dying,
    "noisy": Noisy,
    "twofold": Twofold,
    "malformed": Malformed,
    "empty": Empty,
}


def play(behaviour: str, environment: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Connects, and plays one game. Raises SystemExit or Exits."""
    if behaviour == "absent":
        sys.exit("cannot start")
    host = Host(environment, say)
    with host.socket, host.stream:
        if behaviour == "silent":
            host.expect(PROTOCOL_ERROR)
        else:
            BEHAVIOURS[behaviour](host).play()


if __name__ == "__main__":
    try:
        play(sys.argv[1], os.environ, partial(print, flush=True))
    except Exits as end:
        print(end.last, file=sys.stderr, flush=True)
        sys.exit(end.status)
