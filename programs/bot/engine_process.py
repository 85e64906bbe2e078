"""An engine that speaks JSON lines, as a child process that is restarted when it exits."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from programs.child_process import ChildEndpoint
from protocols.uhp.lines import LineTooLong

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 1 << 20
"""Longer lines are dropped; the session has a lower limit."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before restarting an engine that exited, doubled each time that it exits soon after its start."""

SOON_SECONDS = 60.0


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
        self._process: ChildEndpoint | None = None

    async def start(self) -> None:
        """Starts the process. OSError if that fails."""
        self._process = await ChildEndpoint.start(self._command, farewell=None, most=MAX_LINE_BYTES)
        log.info("engine of %s: started, process %d", self._bot_id, self._process.pid)

    def write(self, line: str) -> bool:
        """Writes a line; returns False if the engine is not running."""
        return self._process is not None and self._process.write(line)

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
        if process is not None:
            await process.close()

    async def _read_all(self) -> None:
        if self._process is not None:
            async for line in self._process.lines():
                if isinstance(line, LineTooLong):
                    log.warning("engine of %s: dropped a line that is too long", self._bot_id)
                else:
                    self._on_line(self._bot_id, line)
        await self.stop()
