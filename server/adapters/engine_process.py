"""An engine that speaks JSON lines, as a child process that is restarted when it exits."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 1 << 20
"""Longer lines are dropped; the session has a lower limit."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before restarting an engine that exited, doubled each time that it exits soon after its start."""

SOON_SECONDS = 60.0
STOP_SECONDS = 5.0


class EngineProcess:
    """The engine of one bot. ``on_line`` is called with each line of its stdout, ``on_exit`` when it has exited."""

    def __init__(
        self,
        bot_id: str,
        command: Sequence[str],
        on_line: Callable[[str, str], None],
        on_exit: Callable[[str], None],
    ) -> None:
        self._bot_id = bot_id
        self._command = command
        self._on_line = on_line
        self._on_exit = on_exit
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Starts the process. OSError if that fails."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_LINE_BYTES,
        )
        log.info("engine of %s: started, process %d", self._bot_id, self._process.pid)

    def write(self, line: str) -> bool:
        """Writes a line; returns False if the engine is not running."""
        process = self._process
        if process is None or process.stdin is None or process.stdin.is_closing():
            return False
        process.stdin.write(line.encode() + b"\n")
        return True

    async def keep(self) -> None:
        """Reads the engine's output and restarts it whenever it exits, until cancelled."""
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE
        while True:
            began = loop.time()
            await self._read_all()
            self._on_exit(self._bot_id)
            pause = FIRST_PAUSE if loop.time() - began > SOON_SECONDS else pause
            log.warning("engine of %s: exited; restarting in %.1f s", self._bot_id, pause)
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)
            try:
                await self.start()
            except OSError as error:
                log.warning("engine of %s: %s", self._bot_id, error)

    async def stop(self) -> None:
        """Stops the engine: closes its input, and kills it if it does not exit."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _read_all(self) -> None:
        process = self._process
        if process is None or process.stdout is None:
            return
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:
                log.warning("engine of %s: dropped a line that is too long", self._bot_id)
                continue
            if not line:
                break
            self._on_line(self._bot_id, line.decode(errors="replace").rstrip("\r\n"))
        await self.stop()
