"""Where searches run: sessions with a search tree each, lanes that work on them, admission and priorities.

* ``job.py``: one evaluation: its limits, its phases, its result
* ``queue.py``: which job is worked on next
* ``lanes.py``: the threads: workers for evaluators in the core, one batching loop per model
* ``pool.py``: ``EnginePool``, the sessions
"""

from engines.pool.job import Cancelled, Evaluation, Job, Limits, Priority
from engines.pool.pool import EnginePool, PoolFull, SessionBusy, UnknownSession

__all__ = [
    "Cancelled",
    "EnginePool",
    "Evaluation",
    "Job",
    "Limits",
    "PoolFull",
    "Priority",
    "SessionBusy",
    "UnknownSession",
]
