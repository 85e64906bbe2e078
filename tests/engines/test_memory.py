"""Freed memory goes back to the system."""

import subprocess
import sys

PROGRAM = """
import ctypes
from engines.pool.memory import return_big_blocks

def used():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * 4096

return_big_blocks()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
blocks = [ctypes.c_void_p(libc.malloc(SIZE)) for _ in range(1000)]
for block in blocks:
    ctypes.memset(block, 1, SIZE)
full = used()
# The last block keeps the others from the end of the heap, from where any C library returns them.
for block in blocks[:-1]:
    libc.free(block)
print((full - used()) / SIZE)
"""


def test_freed_search_trees_leave_the_process() -> None:
    program = f"SIZE = {64 * 1024}\n{PROGRAM}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(run.stdout) > 900, "blocks of 1,000 that were freed"
