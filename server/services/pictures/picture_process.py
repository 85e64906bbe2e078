"""The child process that draws, as a drawing keeps the interpreter lock of its process for as long as it takes.

Started when a picture is needed, and ended when none has been for a while, or when one takes too long.
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass

from engines.pictures import Order
from server.domain.errors import ApiError, Code

MOST_SECONDS = 60.0
"""How long one picture may take; the largest takes about two seconds of processor time."""

IDLE_SECONDS = 300.0

RETRY_MS = 5000

NEEDED = ("LD_LIBRARY_PATH", "PATH", "PYTHONPATH")
"""The environment variables that the process gets."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, or why there is none. ``seconds``: the processor time that it took."""

    content: bytes
    seconds: float
    error: str | None = None


class PictureProcess:
    """Draws one picture after the other."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-P", "-m", "engines.pictures")) -> None:
        self._command = command
        self._process: Process | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def draw(self, order: Order, *, png: bool) -> Drawn:
        """Returns the picture as PNG or SVG; ApiError ``unavailable`` if there will be none."""
        async with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            process = self._process or await self._start()
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    drawn = await _drawn(process, order, png)
            except BaseException as failure:
                # The rest of its answer must not be taken for the next one.
                await self._end()
                if isinstance(failure, OSError | EOFError | ValueError):  # a timeout is an OSError
                    raise _unavailable("The picture could not be drawn.") from None
                raise
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_idle)
            return drawn

    async def stop(self) -> None:
        """Ends the process."""
        if self._idle is not None:
            self._idle.cancel()
        await self._end()

    async def _start(self) -> Process:
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, env=_environment()
            )
        except OSError as failure:
            raise _unavailable(f"Pictures cannot be drawn: {failure}.") from None
        return self._process

    def _end_idle(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _drawn(process: Process, order: Order, png: bool) -> Drawn:  # noqa: FBT001 - a member of the request
    """Raises OSError, EOFError or ValueError if the process fails."""
    assert process.stdin is not None  # noqa: S101 - it has been started with pipes
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(json.dumps({"order": order.text, "png": png}).encode() + b"\n")
    await process.stdin.drain()
    told = json.loads(await process.stdout.readline() or b"null")
    if told is None:
        raise EOFError("the process has ended")
    if "error" in told:
        return Drawn(b"", told["seconds"], told["error"])
    return Drawn(await process.stdout.readexactly(told["bytes"]), told["seconds"])


def _environment() -> dict[str, str]:
    """What the interpreter needs to start, without the secrets of the server."""
    return {name: os.environ[name] for name in NEEDED if name in os.environ}


def _unavailable(text: str) -> ApiError:
    return ApiError(Code.UNAVAILABLE, text, retry_after_ms=RETRY_MS)
