"""Where searches run: sessions with a search tree each, lanes that work on them, admission and priorities.

* ``job.py``: one evaluation: its limits, its phases, its result
* ``queue.py``: which job is worked on next
* ``lanes.py``: the threads, and the workers for evaluators in the core
* ``model_lane.py``: the batching loop of a model
* ``session.py``: one session: its tree, its evaluation, its pondering
* ``pool.py``: ``EnginePool``, the sessions
* ``memory.py``: what ended sessions leave goes back to the system
* ``statistics.py``: what an operator may want to know of all this
"""

from engines.pool.job import UNLIMITED_BYTES, Cancelled, Evaluation, Job, Limits, Priority
from engines.pool.pool import EnginePool, PoolFull, SessionBusy, UnknownSession
from engines.pool.statistics import CacheStatistics, EvaluatorStatistics, PoolStatistics

__all__ = [
    "UNLIMITED_BYTES",
    "CacheStatistics",
    "Cancelled",
    "EnginePool",
    "Evaluation",
    "EvaluatorStatistics",
    "Job",
    "Limits",
    "PoolFull",
    "PoolStatistics",
    "Priority",
    "SessionBusy",
    "UnknownSession",
]
