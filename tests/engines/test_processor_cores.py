"""The cores that a process may use."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from engines.processor_cores import quota_cores

PROGRAM = """
import os
from engines.processor_cores import usable_cores
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print(usable_cores())
"""


def test_a_process_that_is_bound_to_one_core_has_one() -> None:
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert said.stdout == "1\n"


V1 = "12:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/\n"

GROUPS: Mapping[str, tuple[str, Mapping[str, str], float | None]] = {
    "no groups": ("", {}, None),
    "version 2 in a container": ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
    "version 2 without a limit": ("0::/\n", {"cpu.max": "max 100000\n"}, None),
    "version 2, the group around it": (
        "0::/system.slice/play.service\n",
        {"system.slice/play.service/cpu.max": "max 100000\n", "system.slice/cpu.max": "300000 100000\n"},
        3.0,
    ),
    "version 2, both": (
        "0::/a/b\n",
        {"a/b/cpu.max": "200000 100000\n", "a/cpu.max": "300000 100000\n"},
        2.0,
    ),
    "version 1 on the machine": (
        V1,
        {"cpu/docker/x/cpu.cfs_quota_us": "50000\n", "cpu/docker/x/cpu.cfs_period_us": "100000\n"},
        0.5,
    ),
    "version 1 in a container": (
        V1,
        {"cpu/cpu.cfs_quota_us": "400000\n", "cpu/cpu.cfs_period_us": "100000\n"},
        4.0,
    ),
    "version 1 without a limit": (
        V1,
        {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"},
        None,
    ),
    "nonsense": ("0::/\n", {"cpu.max": "much\n"}, None),
}


@pytest.mark.parametrize("name", GROUPS)
def test_the_quota_is_the_least_of_all_groups(name: str, tmp_path: Path) -> None:
    told, files, quota = GROUPS[name]
    if told:
        (tmp_path / "proc/self").mkdir(parents=True)
        (tmp_path / "proc/self/cgroup").write_text(told)
    for path, text in files.items():
        file = tmp_path / "sys/fs/cgroup" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert quota_cores(tmp_path) == quota
