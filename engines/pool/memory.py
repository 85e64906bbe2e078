"""Makes glibc return the memory of freed search trees to the system instead of keeping it.

Called once, before the pool is made, by processes that serve sessions.
"""

import ctypes
import platform

MMAP_THRESHOLD = -3
"""``M_MMAP_THRESHOLD`` of glibc's ``malloc.h``."""

BIG_BLOCK = 128 * 1024
"""Blocks of at least this many bytes are mapped directly and unmapped when freed: glibc's initial threshold."""


def return_big_blocks() -> None:
    """Keeps glibc from raising the threshold when the first big block is freed; does nothing with other C libraries.

    With a raised threshold the freed trees would stay in the process, fragmented: 350 of 380 MiB after 256 sessions,
    compared with 30 of 280.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, BIG_BLOCK)
