"""What ``make wheel`` checks: that a wheel has the files that the program reads at run time."""

from pathlib import Path
from zipfile import ZipFile

from tools.check_wheel import PATTERNS, ROOT, missing


def wheel_of(folder: Path, *left_out: str) -> Path:
    """A wheel with all these files but some."""
    wheel = folder / "plyhouse.whl"
    with ZipFile(wheel, "w") as archive:
        for file in (file for pattern in PATTERNS for file in ROOT.glob(pattern) if file.is_file()):
            name = file.relative_to(ROOT).as_posix()
            archive.writestr(name, b"" if name in left_out else file.read_bytes())
    return wheel


def test_a_wheel_has_the_networks(tmp_path: Path) -> None:
    network = "engines/models/wallwars-small.onnx"
    assert list(missing(wheel_of(tmp_path))) == []
    assert list(missing(wheel_of(tmp_path, network))) == [network]
    assert list(missing(wheel_of(tmp_path, network, "engines/native_calibrations.json"))) == [
        network,
        "engines/native_calibrations.json",
    ]
