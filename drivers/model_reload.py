"""Reloads the networks of a process on SIGHUP. Used by the server and by workers.

New sessions then use what the files contain; open sessions keep their networks. If a network cannot be used, nothing
changes, and the log says why.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress

from engines import networks
from engines.inference import Model, ModelError
from engines.onnx_runtime import Provider
from engines.pool import EnginePool

STDIN = 0
"""The file descriptor, which may be closed."""

log = logging.getLogger(__name__)


class ModelReload:
    """The reaction of one process to SIGHUP."""

    def __init__(
        self,
        pool: EnginePool,
        load: Callable[[], Sequence[Model]],
        provider: Provider,
        stop: Callable[[], object],
    ) -> None:
        """``load`` loads the networks of the pool for ``provider``; it raises ModelError.

        ``stop`` ends the process: its terminal was closed, which the system reports with the same signal.
        """
        self._pool = pool
        self._load = load
        self._provider = provider
        self._stop = stop
        self._requested = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._has_terminal = _is_terminal()

    def start(self) -> None:
        """Handles the signal from now on. Only in the main thread."""
        self._task = asyncio.create_task(self._serve())
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._on_signal)

    async def stop(self) -> None:
        """Ignores the signal, so that a late one does not end the process before it has stopped."""
        asyncio.get_running_loop().remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _on_signal(self) -> None:
        if self._has_terminal and not _is_terminal():
            self._stop()
        else:
            self._requested.set()

    async def _serve(self) -> None:
        """One reload at a time; a signal meanwhile leads to another one."""
        while True:
            await self._requested.wait()
            self._requested.clear()
            await self._reload()

    async def _reload(self) -> None:
        try:
            models = await asyncio.to_thread(self._load)
        except ModelError as error:
            log.error("networks not reloaded: %s", error)
            return
        self._pool.replace_models(models)
        for line in networks.announce(models, self._provider):
            log.info("%s", line)
        log.info("networks reloaded: %d", len(models))


def _is_terminal() -> bool:
    """Whether stdin is a terminal that is still there."""
    return os.isatty(STDIN)
