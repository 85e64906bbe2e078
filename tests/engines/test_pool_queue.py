"""The order of the engine pool's jobs: priorities, shapes, and threads that share them."""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product

from engines import Search
from engines.inference import Signature
from engines.pool import Job, Limits, Priority
from engines.pool.job import Pondering
from engines.pool.lanes import Inbox
from engines.pool.queue import AGING, JobQueue
from tests.engines.pools import FIVE, board


def test_a_thread_that_leaves_jobs_wakes_another_thread() -> None:
    inbox = Inbox(threads=2)
    jobs = [Job(Search(board()), Limits(1), Priority.BATCH, "native") for _ in range(2)]
    with ThreadPoolExecutor(1) as executor:
        other = executor.submit(inbox.take, 1)
        time.sleep(0.05)  # until it waits
        mine = inbox.exchange(0, jobs, 1)
        try:
            assert {*mine, *other.result(10)} == set(jobs)
        finally:
            inbox.stop()


def test_a_thread_keeps_its_jobs_while_no_others_wait() -> None:
    inbox = Inbox(threads=2)
    jobs = [Job(Search(board()), Limits(1), Priority.BATCH, "native") for _ in range(4)]
    a, b, c, d = jobs
    inbox.put(a)
    assert inbox.take(8) == [a]
    assert inbox.exchange(1, [a], 8) == [a]
    inbox.put(b)
    assert inbox.exchange(1, [a], 8) == [b], "others come first"
    assert inbox.take(8) == [a]
    a.future.cancel()
    assert inbox.exchange(1, [a], 8) == []
    for job in (c, d):
        inbox.put(job)
    assert inbox.exchange(1, [b], 8) == [c, d], "half of the jobs"
    inbox.stop()
    assert inbox.exchange(2, [c, d], 8) == []
    assert c.future.cancelled()
    assert d.future.cancelled()


def test_urgent_work_comes_first_and_nothing_starves() -> None:
    queue = JobQueue()
    search = Search(board())
    patient = Job(search, Limits(1), Priority.BATCH, "native")
    queue.push(patient)
    taken = []
    for _ in range(2 * AGING):
        queue.push(Job(search, Limits(1), Priority.BOT_MOVE, "native"))
        taken += queue.take(1)
    assert taken[0] is not patient
    assert patient in taken


def test_jobs_taken_together_have_one_shape_and_each_shape_gets_its_turn() -> None:
    queue = JobQueue()
    search = Search(board())
    eight = Signature(planes=9, dim2=8, dim3=8, policy=136)
    shapes = [FIVE, FIVE, eight, FIVE]
    for shape, priority in product(shapes, (Priority.BOT_MOVE, Priority.BATCH)):
        queue.push(Job(search, Limits(1), priority, "net", shape))
    taken = [queue.take(4) for _ in range(3)]
    assert [{job.shape for job in jobs} for jobs in taken] == [{FIVE}, {eight}, {FIVE}]
    assert [len(jobs) for jobs in taken] == [4, 2, 2]
    assert [job.priority for job in taken[0]] == [Priority.BOT_MOVE] * 3 + [Priority.BATCH]
    assert len(queue) == 0
    for _ in range(AGING):
        queue.push(Job(search, Limits(1), Priority.BOT_MOVE, "net", FIVE))
    queue.push(Job(search, Limits(1), Priority.BATCH, "net", eight))
    turns = []
    for _ in range(2 * AGING):
        turns.append(queue.take(1)[0])
        queue.push(Job(search, Limits(1), Priority.BOT_MOVE, "net", FIVE))
    assert eight in {job.shape for job in turns}, "no shape starves"


def test_pondering_waits_for_all_other_jobs() -> None:
    queue = JobQueue()
    search = Search(board())
    idle = [Pondering(search, Limits(1), Priority.PONDER, "native") for _ in range(2)]
    for job in idle:
        queue.push(job)
    batch = Job(search, Limits(1), Priority.BATCH, "native")
    queue.push(batch)
    for _ in range(2 * AGING):
        assert queue.take(3) == [batch]
        queue.push(batch)
    assert queue.take(1) == [batch]
    assert queue.take(3) == idle
    assert queue.take(3) == []
