"""How many processor cores this process may use."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def usable_cores() -> int:
    """Number of cores that the process may use, by its affinity and the quota of its container; at least 1.

    A quota of 2.5 cores counts as 2: with more threads, all of them would be stopped for a part of the time.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = quota_cores()
    return cores if quota is None else max(1, min(cores, int(quota)))


def quota_cores(root: Path = Path("/")) -> float | None:
    """How many cores the control groups (version 1 or 2) of the process allow it; None: no limit, or no such groups.

    ``root`` contains ``proc`` and ``sys``.
    """
    quotas = (_quota(folder) for folder in _folders(root))
    return min((quota for quota in quotas if quota is not None), default=None)


def _folders(root: Path) -> Iterator[Path]:
    """The folders of the process's groups and of those around them. In a container, some may not be visible."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        mounted = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        group = PurePosixPath(path.lstrip("/"))
        for one in (group, *group.parents):
            yield mounted / one


def _quota(folder: Path) -> float | None:
    """The quota of one group: ``cpu.max`` of version 2, or the two files of version 1."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        return int(quota) / int(period) if quota != "max" and int(quota) > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None
