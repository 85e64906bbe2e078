"""How many processor cores this process may use."""

import os


def usable_cores() -> int:
    """Number of cores that the process may run on, which can be fewer than the machine has; at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
