"""The cores that a process may use."""

import subprocess
import sys

PROGRAM = """
import os
from engines.cores import usable_cores
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print(usable_cores())
"""


def test_a_process_that_is_bound_to_one_core_has_one() -> None:
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert said.stdout == "1\n"
