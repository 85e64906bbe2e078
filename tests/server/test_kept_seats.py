"""The files from which a bridge continues the game of one that was killed."""

import json
import os
from pathlib import Path

from programs.uhp.kept_seats import KeptSeats


def left_behind(folder: Path, name: str, written_at: int, server: str = "here") -> None:
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"server": server, "resume": f"{name}:secret"}))
    os.utime(path, (written_at, written_at))


def test_the_newest_seat_at_the_server_that_nobody_plays_is_continued(tmp_path: Path) -> None:
    for written_at, name in enumerate(("a", "d", "b")):
        left_behind(tmp_path, name, written_at)
    left_behind(tmp_path, "c", 9, server="elsewhere")
    (tmp_path / "e.json").write_text("{")
    seats = [KeptSeats("here", tmp_path) for _ in range(4)]
    assert [one.find() for one in seats] == ["b:secret", "d:secret", "a:secret", None]
    for one in seats:
        one.forget()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "e.json"]
