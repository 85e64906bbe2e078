"""Runs test files in several processes, which are forked once all tests have been imported and collected.

Each file runs in one process, as its fixtures are created once per process. The processes take the files in the
order of the tests, and send their reports to the process that has forked them. They share the fork server of
commands.
"""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NoReturn

import pytest

Place = tuple[str, tuple[str, int | None, str]]
"""The id of a test and where it is."""


class Sender:
    """The plugin that sends what happens in a forked process: the place of each test, then its reports."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config = config
        self._connection = connection

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._connection.send((nodeid, location))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook = self._config.hook
        self._connection.send(hook.pytest_report_to_serializable(config=self._config, report=report))


class Process:
    """A forked process, as the one that has forked it sees it."""

    def __init__(self, session: pytest.Session, pid: int, connection: Connection) -> None:
        self._session = session
        self.pid = pid
        self.connection = connection
        self._running: Place | None = None

    def receive(self) -> bool:
        """Reports what the process has sent; returns False when it has ended."""
        hook = self._session.config.hook
        try:
            message = self.connection.recv()
        except EOFError:
            self._end()
            return False
        if isinstance(message, tuple):
            self._running = message
            return True
        report = hook.pytest_report_from_serializable(config=self._session.config, data=message)
        hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown" and self._running is not None:
            hook.pytest_runtest_logfinish(nodeid=self._running[0], location=self._running[1])
            self._running = None
        return True

    def _end(self) -> None:
        _, status = os.waitpid(self.pid, 0)
        if status != 0 or self._running is not None:
            nodeid, location = self._running or (f"process {self.pid}", ("", None, ""))
            cause = f"The process has ended with status {os.waitstatus_to_exitcode(status)}."
            report = pytest.TestReport(nodeid, location, {}, "failed", cause, "call")
            self._session.config.hook.pytest_runtest_logreport(report=report)


def run(session: pytest.Session, count: int, group_of: Callable[[pytest.Item], str]) -> None:
    """Runs the tests of a session in ``count`` processes, those of each group in one of them."""
    groups: dict[str, list[pytest.Item]] = {}
    for item in session.items:
        groups.setdefault(group_of(item), []).append(item)
    queue, writer = os.pipe()
    os.write(writer, b"".join(number.to_bytes(2, "big") for number in range(len(groups))))
    os.close(writer)
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    capture: Any = session.config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    sys.stdout.flush()
    processes: dict[object, Process] = {}
    for number in range(count):
        ours, theirs = Pipe(duplex=False)
        pid = os.fork()
        if pid == 0:
            _run_forked(session, number, list(groups.values()), queue, theirs)
        theirs.close()
        processes[ours] = Process(session, pid, ours)
    os.close(queue)
    capture.start_global_capturing()
    capture.suspend_global_capture()
    try:
        while processes:
            for connection in wait([process.connection for process in processes.values()]):
                if not processes[connection].receive():
                    del processes[connection]
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
    finally:
        for process in processes.values():
            os.kill(process.pid, signal.SIGINT)
        for process in processes.values():
            os.waitpid(process.pid, 0)


def _run_forked(
    session: pytest.Session, number: int, groups: list[list[pytest.Item]], queue: int, connection: Connection
) -> NoReturn:
    """Runs those groups in this process whose numbers it reads from the queue."""
    status = 1
    try:
        config = session.config
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(Sender(config, connection))
        capture: Any = config.pluginmanager.getplugin("capturemanager")
        capture.start_global_capturing()
        capture.suspend_global_capture()
        factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
        factory._basetemp = factory.getbasetemp() / str(number)
        factory._basetemp.mkdir()
        for group in _taken(groups, queue):
            # After the last test of a file, everything is torn down but what the session has.
            for item, following in zip(group, [*group[1:], session], strict=True):
                config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        session._setupstate.teardown_exact(None)
        status = 0
    except KeyboardInterrupt:
        with suppress(BaseException):
            session._setupstate.teardown_exact(None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _taken(groups: list[list[pytest.Item]], queue: int) -> Iterator[list[pytest.Item]]:
    while number := os.read(queue, 2):
        yield groups[int.from_bytes(number, "big")]
