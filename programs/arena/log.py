"""The file of ``plyhouse arena --resume``: which games have been played, so that an interrupted match can continue.

Lines of JSON: the first has the settings of the match, each other one a finished game. Nothing is written before the
settings have been compared, and games that are in the file are never written again.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self

from engines.arena import Match, Played, names, replay_game, seats_of, seed_of
from engines.arena_game import Fault
from engines.opening_suite import fingerprint

Json = dict[str, Any]

FORMAT = "plyhouse arena 1"


class BadLog(Exception):
    """The file is not a log of this match. The text is a sentence."""


class MatchLog:
    """The log of one match. Use it as a context manager."""

    def __init__(self, path: Path, match: Match, seats: int) -> None:
        """Reads the file, if there is one. ``match`` has all bots. Raises BadLog or OSError."""
        self._path = path
        self._settings = _settings(match, seats)
        self._file: BinaryIO | None = None
        content = path.read_bytes() if path.exists() else b""
        complete, newline, _ = content.rpartition(b"\n")
        self._good_bytes = len(complete) + len(newline)
        """A line without an end was being written when the match was interrupted."""
        self._rows = self._read(content, complete)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def games(self, called: Sequence[str], match: Match) -> dict[int, Played]:
        """The logged games of these bots by number, without those beyond the end of the match. Raises BadLog."""
        found: dict[int, Played] = {}
        for line, row in self._rows:
            if row.get("bots") == list(called) and row["number"] < match.games:
                found[row["number"]] = self._game(line, row, called, match)
        return found

    def append(self, called: Sequence[str], match: Match, number: int, game: Played) -> None:
        """Writes a game. Raises OSError."""
        self._file = self._file or self._open()
        self._file.write(_line(_row(called, match, number, game)))
        self._file.flush()

    def _read(self, content: bytes, complete: bytes) -> list[tuple[int, Json]]:
        """The rows of games with their line numbers."""
        if not complete and _line(self._settings).startswith(content):
            return []
        rows = [(number, self._parse(number, line)) for number, line in enumerate(complete.split(b"\n"), 1)]
        _, settings = rows.pop(0)
        if settings.get("format") != FORMAT:
            raise BadLog(f"{self._path} is not a log of plyhouse arena")
        for key in (*self._settings, *(key for key in settings if key not in self._settings)):
            if settings.get(key) != self._settings.get(key):
                theirs, ours = json.dumps(settings.get(key)), json.dumps(self._settings.get(key))
                raise BadLog(
                    f"{self._path} is the log of another match: {key} is {theirs} there, {ours} here"
                )
        for line, row in rows:
            if not isinstance(row.get("number"), int) or row["number"] < 0:
                raise BadLog(f"{self._path}, line {line}: there is no game")
        return rows

    def _parse(self, number: int, line: bytes) -> Json:
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            what = "this is not a log of plyhouse arena" if number == 1 else "there is no game"
            raise BadLog(f"{self._path}, line {number}: {what}")
        return row

    def _game(self, line: int, row: Json, called: Sequence[str], match: Match) -> Played:
        number = row["number"]
        try:
            seconds = float(row["seconds"])
            faults = [
                Fault(called.index(fault["bot"]), str(fault["reason"])) for fault in row.get("faults", ())
            ]
            game = replay_game(match, number, row["moves"], row["reason"], row["note"], seconds, faults)
        except (ValueError, KeyError, TypeError) as error:
            raise BadLog(f"{self._path}, line {line}: the game cannot be replayed ({error})") from None
        if _row(called, match, number, game) != row:
            raise BadLog(f"{self._path}, line {line}: the result is not that of the moves")
        return game

    def _open(self) -> BinaryIO:
        file = self._path.open("ab")
        file.truncate(self._good_bytes)
        if not self._good_bytes:
            file.write(_line(self._settings))
        return file


def _settings(match: Match, seats: int) -> Json:
    """The settings that games depend on. The number of games is not included, so that a match can be extended."""
    return {
        "format": FORMAT,
        "game": match.game,
        "variant": match.variant,
        "seats": seats,
        "bots": names(match.bots),
        "seed": match.seed,
        "samples": match.limits.samples,
        "timeMs": match.limits.time_ms,
        "openingPlies": match.opening_plies,
        "models": [model.name for model in match.models],
        **({"openings": fingerprint(match.openings)} if match.openings else {}),
        **({"adjudication": match.adjudication.text} if match.adjudication else {}),
    }


def _row(called: Sequence[str], match: Match, number: int, game: Played) -> Json:
    """A game: ``bots`` that met and the ``number`` of their game; by seat the bots, points and final scores."""
    outcome = game.position.outcome
    faults = [{"bot": called[fault.bot], "reason": fault.reason} for fault in game.faults]
    return {
        "bots": list(called),
        "number": number,
        "seed": seed_of(match, number),
        "seats": [called[bot] for bot in seats_of(match, number)],
        "points": [(game.values[bot] + 1) / 2 for bot in game.takes],
        "scores": outcome.scores if outcome else None,
        "reason": game.reason,
        "note": game.note,
        "seconds": game.seconds,
        "moves": list(game.moves),
        **({"faults": faults} if faults else {}),
    }


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"
