"""Messages between servers and workers are read as written, and equal searches have equal fingerprints."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Evaluation
from engines.evaluation import Candidate
from engines.pool import Limits, Priority
from server.analysts import worker_messages as wm

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
COUNTS = st.integers(0, 2**53)
NUMBERS = st.floats(-1, 1)
JSON = st.recursive(
    st.none() | st.booleans() | COUNTS | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.lists(TEXT, max_size=4).map(tuple)
LIMITS = st.builds(
    Limits, st.integers(1, 2**31), st.none() | st.floats(0.001, 1e9, allow_nan=False)
) | st.builds(Limits, st.none(), st.floats(0.001, 1e9, allow_nan=False))
EVALUATIONS = st.builds(
    Evaluation,
    st.lists(NUMBERS, min_size=1, max_size=5).map(tuple),
    TEXT,
    policies=st.none() | st.lists(st.dictionaries(TEXT, NUMBERS, max_size=3), max_size=2).map(tuple),
    lines=st.lists(st.builds(Candidate, TEXT, COUNTS, NUMBERS, TEXTS), max_size=3).map(tuple),
    samples=COUNTS,
    inherited=COUNTS,
    source=TEXT,
    is_cut=st.booleans(),
)
JOBS = st.builds(
    wm.SearchJob,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    st.dictionaries(TEXT, JSON, max_size=4),
    TEXTS,
    LIMITS,
    st.sampled_from(Priority),
    st.integers(0, 100),
)
MESSAGES = st.one_of(
    JOBS,
    st.builds(wm.CancelJob, TEXT),
    st.builds(wm.ReleaseSession, TEXT, TEXT),
    st.builds(wm.JobDone, TEXT, EVALUATIONS),
    st.builds(wm.JobDeclined, TEXT, TEXT),
    st.builds(wm.WorkerState, COUNTS, COUNTS, TEXTS, st.frozensets(TEXT, max_size=4)),
)
JOB = wm.SearchJob("1", "a", "bar/g", "hive", "base", {"x": 1, "y": {"z": 2}}, ("wS1",), Limits(10))


@given(MESSAGES)
def test_a_message_is_read_as_it_was_written(message: wm.Message) -> None:
    assert wm.read_message(wm.write_message(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"type":"other"}',
        b'{"type":"cancel"}',
        b'{"type":"cancel","job":[]}',
        wm.write_message(JOB).replace(b'"samples":10', b'"samples":0'),
        wm.write_message(wm.CancelJob("x" * wm.MAX_MESSAGE_BYTES)),
    ],
)
def test_anything_else_is_refused(text: bytes) -> None:
    with pytest.raises(wm.UnreadableMessageError):
        wm.read_message(text)


@given(JOBS)
def test_a_fingerprint_survives_writing_and_does_not_depend_on_who_asks(job: wm.SearchJob) -> None:
    read = wm.read_message(wm.write_message(job))
    assert isinstance(read, wm.SearchJob)
    other = replace(read, id="other", server="other", session="other", priority=Priority.BATCH)
    assert other.fingerprint == job.fingerprint


def test_a_fingerprint_depends_on_the_search_and_not_on_the_order_of_members() -> None:
    assert replace(JOB, config={"y": {"z": 2}, "x": 1}).fingerprint == JOB.fingerprint
    others = [
        replace(JOB, moves=()),
        replace(JOB, moves=("wS1", "bS1 wS1-")),
        replace(JOB, limits=Limits(11)),
        replace(JOB, limits=Limits(10, 5)),
        replace(JOB, lines=1),
        replace(JOB, config={"x": 1}),
        replace(JOB, variant="MLP"),
    ]
    assert len({job.fingerprint for job in (JOB, *others)}) == len(others) + 1
