"""A bot of PyRat's host protocol: ``python -m tests.server.pyrat_host_script MANNER``, or in a thread.

It keeps the game with our rules, computes the hashes itself, and says what it sees. Its manner is ``honest``, or what
it does wrong or otherwise; ``resyncing`` asks for the full state in every turn, ``never-in-sync`` again after it,
``late`` does not move but names a provisional move in odd turns, ``twofold`` connects a second time, and ``lingers``
stays when the game is over.
"""

import os
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from engines import Position
from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.board import board_of, state_of
from protocols.pyrat.host.codec import decode_host, encode_bot
from protocols.pyrat.host.framing import framed
from protocols.pyrat.host.state_hash import changing_hash, maze_hash
from tests.server.scripted import Exits


def play(manner: str, environment: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Connects, and plays one game; ``say`` writes a line to stdout. Raises Exits."""
    if manner == "absent":
        raise Exits(1, "cannot start")
    connection = socket.create_connection(("127.0.0.1", int(environment["PYRAT_HOST_PORT"])))
    with connection, connection.makefile("rb") as stream:
        bot = HostBot(manner, environment, say, connection, stream)
        if manner in ("silent", "refused"):
            bot.receive()
        bot.play()


class HostBot:
    """One bot and its connection."""

    def __init__(
        self,
        manner: str,
        environment: Mapping[str, str],
        say: Callable[[str], None],
        connection: socket.socket,
        stream: Any,
    ) -> None:
        self.manner = manner
        self.environment = environment
        self.say = say
        self.connection = connection
        self.stream = stream
        self.position = Position("pyrat")
        self.seat = 0
        self.maze_hash = 0

    def send(self, message: packets.BotMessage) -> None:
        self.connection.sendall(framed(encode_bot(message)))

    def receive(self) -> Any:
        length = self.stream.read(4)
        if len(length) < 4:
            raise Exits(0)
        message = decode_host(self.stream.read(int.from_bytes(length, "big")))
        if isinstance(message, packets.ProtocolErrorMessage):
            if self.manner == "refused":
                self.say(message.reason)
            raise Exits(1, f"refused: {message.reason}")
        return message

    def play(self) -> None:
        if self.manner == "noisy":
            for stream in (sys.stdout, sys.stderr):
                print("\n".join(["x" * 100] * 2000), file=stream, flush=True)
        agent = "somebody else" if self.manner == "wrong-agent" else self.environment["PYRAT_AGENT_ID"]
        self.send(packets.IdentifyMessage("Script", "nobody", (), agent))
        self.seat = self.receive().player_slot
        self.position = Position("pyrat", None, config_of(self.receive().match_config))
        self.maze_hash = maze_hash(board_of(self.position))
        match self.manner:
            case "malformed" | "empty":
                packet = b"\xff" * 40 if self.manner == "malformed" else b""
                self.connection.sendall(len(packet).to_bytes(4, "big") + packet)
            case "twofold":
                with suppress(Exits):
                    play("refused", self.environment, self.say)
        self.send(packets.ReadyMessage(self.hash() ^ (self.manner == "wrong-hash")))
        self.receive()
        self.send(packets.PreprocessingDoneMessage())
        while True:
            self.answer(self.receive())

    def answer(self, message: packets.HostMessage) -> None:
        match message:
            case packets.GameOverMessage() if self.manner == "lingers":
                pass
            case packets.GameOverMessage(result, first, second):
                self.say(f"game over {int(result)} {first:g} {second:g} {self.position.ply}")
                raise Exits(0)
            case packets.AdvanceMessage(first, second, turn, told):
                self.position.play(f"{first.name}/{second.name}")
                if (turn, told) != (self.position.ply, self.hash()):
                    raise Exits(1, "another hash")
                is_in_sync = self.manner not in ("resyncing", "never-in-sync")
                self.send(packets.SyncOkMessage(self.hash()) if is_in_sync else packets.ResyncMessage(5))
            case packets.FullStateMessage(config, turn):
                self.compare(config_of(config), turn)
                is_in_sync = self.manner != "never-in-sync"
                self.send(packets.SyncOkMessage(self.hash()) if is_in_sync else packets.ResyncMessage(5))
            case packets.GoMessage(told):
                if told != self.hash():
                    raise Exits(1, "go with another hash")
                self.go()
            case packets.StopMessage() if self.manner == "stopped-in-time":
                self.act(self.choice())
            case packets.StopMessage():
                self.say(f"stopped in turn {self.position.ply}")

    def compare(self, config: dict[str, Any], turn: packets.TurnState) -> None:
        """Compares the full state with ours."""
        state = state_of(self.position)
        if any(config[name] != self.position.config[name] for name in ("walls", "mud")):
            raise Exits(1, "another maze")
        cells = tuple(player.cell for player in state.players)
        if (turn.turn, turn.player1_position, turn.player2_position) != (state.turn, *cells):
            raise Exits(1, "another state")
        self.say(f"full state {state.turn}")

    def go(self) -> None:
        ply = self.position.ply
        match self.manner:
            case "dying" if ply == 2:
                raise Exits(3, "no more ideas")
            case "late":
                if ply:
                    self.act(packets.Direction.UP, turn=ply - 1)
                for direction in (packets.Direction.DOWN, self.choice()) if ply % 2 else ():
                    self.send(
                        packets.ProvisionalMessage(direction, packets.Slot(self.seat), ply, self.hash())
                    )
            case "stopped-in-time":
                pass
            case "wrong-turn-hash":
                self.act(self.choice(), state_hash=self.hash() ^ 1)
            case "other-seat":
                self.act(self.choice(), player=packets.Slot(1 - self.seat))
            case _:
                self.act(self.choice())

    def choice(self) -> packets.Direction:
        """A move that depends on the turn only."""
        moves = self.position.legal_moves(self.seat)
        return packets.Direction[moves[(7 * self.position.ply) % len(moves)]]

    def act(self, direction: packets.Direction, **changes: Any) -> None:
        own = {"player": packets.Slot(self.seat), "turn": self.position.ply, "state_hash": self.hash()}
        self.send(packets.ActionMessage(direction, think_ms=1, **(own | changes)))

    def hash(self) -> int:
        return self.maze_hash ^ changing_hash(state_of(self.position))


def config_of(match: packets.MatchConfig) -> dict[str, Any]:
    """The configuration of the game, as our rules read it."""
    return {
        "width": match.width,
        "height": match.height,
        "maxTurns": match.max_turns,
        "walls": [[list(wall.pos1), list(wall.pos2)] for wall in match.walls],
        "mud": [[list(mud.pos1), list(mud.pos2), mud.value] for mud in match.mud],
        "cheese": [list(cell) for cell in match.cheese],
        "starts": [list(match.player1_start), list(match.player2_start)],
    }


if __name__ == "__main__":
    try:
        play(sys.argv[1], os.environ, partial(print, flush=True))
    except Exits as end:
        print(end.last, end="\n" if end.last else "", file=sys.stderr, flush=True)
        sys.exit(end.status)
