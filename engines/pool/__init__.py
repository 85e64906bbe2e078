"""Runs searches: sessions with one search tree each, lanes that work on them, admission and priorities.

* ``job.py``: one evaluation: limits, phases, result
* ``queue.py``: the order of the jobs
* ``lanes.py``: worker threads, and the lane for native evaluators
* ``model_lane.py``: the batching loop of a model
* ``model_lanes.py``: the lanes of all models, which can be replaced
* ``search_session.py``: one session: its tree, its evaluation, its pondering
* ``pool.py``: ``EnginePool``, all sessions
* ``memory.py``: returns freed memory to the system
* ``statistics.py``: metrics for operators
"""

from engines.pool.job import UNLIMITED_BYTES, Cancelled, Job, Limits, Priority
from engines.pool.pool import EnginePool, PoolFull, SessionBusy, UnknownSession
from engines.pool.statistics import CacheStatistics, EvaluatorStatistics, PoolStatistics

__all__ = [
    "UNLIMITED_BYTES",
    "CacheStatistics",
    "Cancelled",
    "EnginePool",
    "EvaluatorStatistics",
    "Job",
    "Limits",
    "PoolFull",
    "PoolStatistics",
    "Priority",
    "SessionBusy",
    "UnknownSession",
]
