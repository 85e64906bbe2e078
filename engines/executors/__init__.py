"""Runs independent tasks at the same time: on threads of this process, or on a Ray cluster.

* ``executor.py``: the interface, and threads
* ``ray_cluster.py``: connecting to a cluster, and refusing one that cannot run our tasks
* ``placement.py``: which nodes of a cluster do which work
* ``ray_executor.py``: tasks on a cluster
* ``ray_model.py``: networks that processes of a cluster compute for all tasks, in common batches

Whoever needs many tasks takes a ``TaskExecutor``: matches, books, openings, puzzles, calibrations and training.
"""
