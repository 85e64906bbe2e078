"""The example bot as an engine that answers V3 requests in lines, with a fault.

``python -m tests.server.faulty_v3 FAULT``.

Without a fault (``none``), it does everything right. ``FAULTS`` says which rows of a check each fault
has to spoil.
"""

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from engines import Position
from examples.random_bot import answer
from tests.server.scripted import Act, Exits, Said, run

TRIAL, GAME = "answers a trial game", "plays a game"
ILLEGAL, NO_MOVE, PLY = "refuses an illegal move", "refuses what is no move", "refuses another ply"
BACK, TWO, ROUNDS, LONG = (
    "takes moves back",
    "plays two games at once",
    "plays game after game",
    "follows a long game",
)
UNREADABLE = "survives lines that are no requests"
ELSE, TIME, CLOCK = "says nothing but answers", "answers in time", "keeps its clock"

FAULTS: dict[str, set[str]] = {
    "best move that is none": {TRIAL},
    "evaluation as text": {TRIAL},
    "evaluation in hundredths": {TRIAL},
    "answers without an error": {TRIAL},
    "answers of the wrong type": {TRIAL},
    "illegal move in lines": {TRIAL},
    "keeps ended sessions": {BACK},
    "dies of illegal moves": {ILLEGAL, NO_MOVE},
    "plays nothing for an illegal move": {ILLEGAL},
    "refuses with ply 0": {ILLEGAL, NO_MOVE, PLY},
    "refuses without a reason": {ILLEGAL, NO_MOVE, PLY},
    "reads no ply": {PLY},
    "knows no unknown session": {"refuses unknown sessions", UNREADABLE},
    "starts anything": {"refuses a config of no game"},
    "view of the mover": {"values are player 1's"},
    "one session at a time": {TWO},
    "no boards over 9": {"plays standard", "plays classic", "plays freestyle"},
    "no classic": {"plays classic"},
    "runs out of sessions": {ROUNDS},
    "dies at ply 60": {LONG},
    "mangles ids": {"takes any bgsId"},
    "refuses unknown members": {"ignores unknown members"},
    "dies of lines that are no JSON": {UNREADABLE},
    "prints what it thinks": {ELSE},
    "thinks on without time": {CLOCK},
    "answers late": {TIME},
}

BROAD: dict[str, set[str]] = {
    "best move of another position": {GAME},
    "answers twice": {ELSE},
    "plays what it finds": {"evaluates without playing", GAME},
    "ply before the move": {GAME, BACK, TWO, LONG},
}
"""Faults that spoil nearly every row, with some of these."""

USUAL, FEW_SESSIONS, LATE_SECONDS = 9, 6, 0.2

SPOILED: dict[str, dict[str, Any]] = {
    "best move that is none": {"bestMove": "resign"},
    "evaluation as text": {"evaluation": "0.1"},
    "evaluation in hundredths": {"evaluation": 35},
    "answers of the wrong type": {"type": "move_applied"},
    "illegal move in lines": {"lines": [{"move": "Cz9", "visits": 1, "value": 0, "pv": ["Cz9"]}]},
}
"""What such a fault puts into an evaluation."""


class FaultyEngine:
    """One engine."""

    def __init__(self, fault: str = "none") -> None:
        self.fault = fault
        self.sessions: dict[str, Position] = {}
        self.started = 0
        """Sessions since the last question."""
        self.was_late = False

    def has(self, fault: str) -> bool:
        return self.fault == fault

    def greet(self) -> Iterator[Said]:
        yield from ()

    def answer(self, line: str) -> Iterator[Said]:
        try:
            asked = json.loads(line)
            asked["type"], asked["bgsId"] + ""
            before = dict(self.sessions)
            response = answer(self.sessions, asked)
        except (ValueError, KeyError, TypeError):
            if self.has("dies of lines that are no JSON"):
                raise Exits(1, "cannot read this") from None
            return
        if asked["type"] == "evaluate_position" and response["success"]:
            response["evaluation"] = self.value(self.sessions[asked["bgsId"]])
        spoiled = self.spoiled(asked, response, before)
        yield from map(self.written, spoiled) if isinstance(spoiled, list) else [spoiled]

    def value(self, position: Position) -> float:
        value = position.value()[0]
        return value if not self.has("view of the mover") or position.ply % 2 == 0 else -value

    def written(self, response: dict[str, Any]) -> str:
        if self.has("mangles ids"):
            response["bgsId"] = response["bgsId"].encode("ascii", "ignore").decode()
        return json.dumps(response)

    def spoiled(
        self, asked: dict[str, Any], response: dict[str, Any], before: dict[str, Position]
    ) -> list[dict[str, Any]] | Said:
        """What it answers instead of the right response."""
        if self.has("refuses unknown members") and "later" in asked:
            return [{**response, "success": False, "error": "what is this?"}]
        if self.has("prints what it thinks") and asked["type"] == "evaluate_position":
            return f"thinking...\n{json.dumps(response)}"
        if self.has("answers twice") and asked["type"] == "evaluate_position":
            return [response, response]
        spoil = {
            "start_game_session": self.spoil_start,
            "end_game_session": self.spoil_end,
            "apply_move": self.spoil_move,
            "evaluate_position": self.spoil_evaluation,
        }[asked["type"]]
        return spoil(asked, response, before)

    def spoil_start(
        self, asked: dict[str, Any], response: dict[str, Any], before: dict[str, Position]
    ) -> list[dict[str, Any]] | Said:
        bgs_id, config = asked["bgsId"], asked["config"]
        self.started += 1
        refused = {**response, "success": False, "error": "I cannot"}
        match self.fault:
            case "starts anything":
                return [{**response, "success": True, "error": ""}]
            case "keeps ended sessions" if bgs_id in before:
                self.sessions[bgs_id] = before[bgs_id]
            case "one session at a time":
                self.sessions = {bgs_id: self.sessions[bgs_id]} if bgs_id in self.sessions else {}
            case "no boards over 9" if max(config.get("boardWidth", 0), config.get("boardHeight", 0)) > USUAL:
                return [refused]
            case "no classic" if config["variant"] == "classic":
                return [refused]
            case "runs out of sessions" if self.started > FEW_SESSIONS:
                return [refused]
        return [response]

    def spoil_end(
        self, asked: dict[str, Any], response: dict[str, Any], before: dict[str, Position]
    ) -> list[dict[str, Any]] | Said:
        if self.has("keeps ended sessions") and asked["bgsId"] in before:
            self.sessions[asked["bgsId"]] = before[asked["bgsId"]]
        return [response]

    def spoil_move(
        self, asked: dict[str, Any], response: dict[str, Any], before: dict[str, Position]
    ) -> list[dict[str, Any]] | Said:
        ply = asked.get("expectedPly", 0)
        position = self.sessions.get(asked["bgsId"])
        is_illegal = position is not None and not response["success"] and position.ply == ply
        match self.fault:
            case "dies of illegal moves" if is_illegal:
                raise Exits(1, "IllegalMove: I have never seen this")
            case "plays nothing for an illegal move" if is_illegal and asked["move"] not in ("hello", ""):
                return [{**response, "ply": ply + 1, "success": True, "error": ""}]
            case "ply before the move" if response["success"]:
                return [{**response, "ply": ply}]
            case "dies at ply 60" if ply == 60:
                raise Exits(-11)
        return self.spoil_refusal(asked, response)

    def spoil_evaluation(
        self, asked: dict[str, Any], response: dict[str, Any], before: dict[str, Position]
    ) -> list[dict[str, Any]] | Said:
        position = self.sessions.get(asked["bgsId"])
        self.started = 0
        if not response["success"] or position is None:
            return self.spoil_refusal(asked, response)
        match self.fault:
            case "best move of another position" if position.ply > 0:
                response["bestMove"] = self.stale(position, response["bestMove"])
            case "answers without an error":
                del response["error"]
            case "plays what it finds":
                position.play(response["bestMove"])
            case "thinks on without time" if "clock" in asked:
                return Act.HANG
            case "answers late" if asked["expectedPly"] == 3 and not self.was_late:
                self.was_late = True
                time.sleep(LATE_SECONDS)
        return [response | SPOILED.get(self.fault, {})]

    def spoil_refusal(self, asked: dict[str, Any], response: dict[str, Any]) -> list[dict[str, Any]] | Said:
        position = self.sessions.get(asked["bgsId"])
        if response["success"]:
            return [response]
        match self.fault:
            case "refuses with ply 0":
                response["ply"] = 0
            case "refuses without a reason":
                response["error"] = ""
            case "reads no ply" if position is not None and position.ply != asked["expectedPly"]:
                return [answer(self.sessions, {**asked, "expectedPly": position.ply})]
            case "knows no unknown session" if position is None:
                raise Exits(1, "KeyError: 'unknown'")
        return [response]

    @staticmethod
    def stale(position: Position, best: str) -> str:
        """The last move again, or the mover's best one if that is possible."""
        try:
            position.check(position.history[-1])
        except ValueError:
            return position.history[-1]
        return best


if __name__ == "__main__":
    run(FaultyEngine(*sys.argv[1:]))
