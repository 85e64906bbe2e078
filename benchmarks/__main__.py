"""Runs the benchmarks of this folder, or those named, one after the other. ``make bench`` runs it.

python -m benchmarks
python -m benchmarks fanout memory
"""

import subprocess
import sys
from pathlib import Path

NO_BENCHMARKS = (
    "__init__",
    "__main__",
    "resampling",
    "self_play",
    "served",
    "attack_bystanders",
    "attack_client",
    "attack_ladder",
    "attack_requests",
    "attack_sockets",
    "endurance_clients",
    "fault_bots",
    "fault_check",
    "fault_players",
    "fault_programs",
    "fault_servers",
    "frame_faults",
    "frame_players",
    "gpu_check",
    "live_games",
    "tcp_faults",
)

LONG = ("attacks", "board", "endurance", "explorer", "growth", "ray_overhead", "sprt")
"""Benchmarks that take minutes or need what is not installed, and run only if they are named."""


def main() -> None:
    """Runs each benchmark in its own process, so that they do not affect each other."""
    here = Path(__file__).parent
    known = sorted(path.stem for path in here.glob("*.py") if path.stem not in NO_BENCHMARKS)
    wanted = sys.argv[1:] or [name for name in known if name not in LONG]
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise SystemExit(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(known)}")
    failed = [name for name in wanted if not _run(name, here.parent)]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def _run(name: str, root: Path) -> bool:
    print(f"== {name}", flush=True)
    return subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=root).returncode == 0


if __name__ == "__main__":
    main()
