"""The programs over UHP of ``benchmarks.faults``; their moves are acknowledged by the GameString that contains them."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from benchmarks.fault_players import HIVE, HUMAN, PLIES, REST_SECONDS, RETRY_SECONDS, Player
from protocols.uhp.game_string import COLORS, moves_of, parse, replay

PLAYING = ("NotStarted", "InProgress")
"""The states of unfinished games in a GameString."""


@dataclass
class _Seat:
    """The seat of a program, -1 until it has one, and how many moves it has been shown.

    ``query`` is that of its next connection.
    """

    query: Mapping[str, str]
    game: str = ""
    seat: int = -1
    moves: int = 0

    def take(self, line: str) -> None:
        """Reads a seat line. Later connections resume the seat if the line has its secret."""
        _, color, *rest = line.split()
        members = dict(one.split("=", 1) for one in rest)
        self.game, self.seat = members["game"], COLORS.index(color)
        if "resume" in members:
            self.query = {"role": "seat", "secret": "1", "resume": members["resume"]}


class UhpPlayer(Player):
    """What both kinds of programs have in common."""

    async def _sit(self, seat: _Seat) -> None:
        """Plays one game, over as many connections as it takes."""
        for attempt in count(self._home):
            url = self._urls[attempt % len(self._urls)].replace("http", "ws", 1)
            with suppress(OSError, TimeoutError, WebSocketException):
                async with connect(f"{url}/uhp?{urlencode(seat.query)}", compression=None) as socket:
                    if await self._converse(seat, socket):
                        return
            await asyncio.sleep(RETRY_SECONDS)

    async def _converse(self, seat: _Seat, socket: ClientConnection) -> bool:
        """Plays over one connection; returns whether the game is over."""
        move = None
        async for message in socket:
            for line in str(message).splitlines():
                if line.startswith("seat "):
                    seat.take(line)
                    self._game, self._refusal = seat.game, ""
                    continue
                if line.startswith("end "):
                    return True
                if line.startswith("err "):
                    self._refusal = line
                if line.startswith("Base;"):
                    move = self._answer(seat, line)
                # Anything else refuses the last move, for example while the database is unavailable.
                if move is not None and line != "ok":
                    await asyncio.sleep(REST_SECONDS)
                    with suppress(
                        ConnectionClosed
                    ):  # What was sent before, such as the end, is still to be read.
                        await socket.send(move)
        return False

    def _answer(self, seat: _Seat, line: str) -> str | None:
        """Records what a GameString acknowledges; the move that follows it, if it is our turn."""
        position = replay(parse(line))
        moves = moves_of(position)
        if len(moves) > seat.moves:
            seat.moves = len(moves)
            self.done += 1
            self._acknowledged.show(seat.game, moves)
        # The moves do not show that somebody has resigned.
        is_over = line.split(";")[1] not in PLAYING
        if is_over or position.to_act[0] != seat.seat:
            return None
        return "forfeit" if len(moves) >= PLIES else self._rng.choice(position.legal_moves())


class UhpOpponents(UhpPlayer):
    """Two programs in a game that was opened for them."""

    async def _play(self) -> None:
        table = await self._open(HIVE, HUMAN, HUMAN)
        resumes = [f"{table['gameId']}:{seat['token']}" for seat in table["seats"]]
        seats = [
            asyncio.ensure_future(self._sit(_Seat({"role": "seat", "resume": resume}))) for resume in resumes
        ]
        try:
            await asyncio.wait(seats, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for seat in seats:
                seat.cancel()
            await asyncio.gather(*seats, return_exceptions=True)


class UhpSeeker(UhpPlayer):
    """A program that plays whoever waits for an opponent at any of the servers, one game after the other."""

    async def _play(self) -> None:
        self._home += 1
        await self._sit(_Seat({"role": "seat", "type": "Base", "tc": "-", "secret": "1"}))
