"""Kills the programs that this process has started once it has ended, also if it was killed itself.

A small shell process reads the process groups from a pipe that only we hold open for writing. At the end of the pipe,
it kills those that are left. Used by ``child_process``. (A parent-death signal would follow the thread that started the
program, and reach only its first process.)
"""

import os
from contextlib import suppress
from functools import cache

SCRIPT = """
groups=
while read -r word group; do
    case $word in
    add) groups="$groups $group" ;;
    drop)
        kept=
        for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
        groups=$kept
        ;;
    esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"""


class OrphanKiller:
    """The shell process. It ends with us; signals to our process group do not reach it."""

    def __init__(self) -> None:
        """Starts it. Raises OSError."""
        end, self._pipe = os.pipe()
        try:
            quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
            os.posix_spawn(
                "/bin/sh",
                ["sh", "-c", SCRIPT],
                os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, end, 0), *quiet],
                setsid=True,
            )
        finally:
            os.close(end)

    def add(self, group: int) -> None:
        """Has the processes of this group killed when we have ended."""
        self._tell("add", group)

    def drop(self, group: int) -> None:
        """Forgets a group whose processes have ended."""
        self._tell("drop", group)

    def _tell(self, word: str, group: int) -> None:
        with suppress(BrokenPipeError):  # Somebody has killed the shell.
            os.write(self._pipe, f"{word} {group}\n".encode())


def orphan_killer() -> OrphanKiller:
    """The one of this process, which starts with its first program. Raises OSError."""
    return _of_process(os.getpid())


@cache
def _of_process(_: int) -> OrphanKiller:
    return OrphanKiller()
