"""Compares the database with what clients were told, at the end of ``benchmarks.faults``."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.fault_players import Acknowledged
from engines import RuleError
from server.domain.events import DrawAgreed, Moved, Recorded, RematchStarted, Sealed, TookBack
from server.domain.fold import fold
from server.store.sql_store import SqlStore


@dataclass
class Findings:
    """What is wrong, a sentence each. ``games`` and ``moves`` count what was checked."""

    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)
    games: int = 0
    moves: int = 0


async def check(database: str, acknowledged: Acknowledged, games: Sequence[str]) -> Findings:
    """Reads the log of every game and replays it with the rules."""
    findings = Findings()
    store = SqlStore(database)
    try:
        for game in games:
            _check_game(game, await store.events(game), acknowledged, findings)
    finally:
        await store.close()
    return findings


def _check_game(game: str, log: Sequence[Recorded], acknowledged: Acknowledged, findings: Findings) -> None:
    findings.games += 1
    events = [recorded.event for recorded in log]
    ids = Counter(event.message_id for event in events if isinstance(event, (Moved, Sealed)))
    findings.moves += sum(isinstance(event, Moved) for event in events)
    expected = acknowledged.moves.get(game, set())
    findings.lost += [f"{game}: the move {one}" for one in sorted(expected) if ids[one] == 0]
    findings.twice += [f"{game}: the move {one}" for one, times in ids.items() if one and times > 1]
    takebacks = sum(isinstance(event, TookBack) for event in events)
    if takebacks < acknowledged.takebacks[game]:
        findings.lost.append(f"{game}: {acknowledged.takebacks[game] - takebacks} takebacks")
    if game in acknowledged.draws and DrawAgreed() not in events:
        findings.lost.append(f"{game}: the draw")
    rematches = [event.game_id for event in events if isinstance(event, RematchStarted)]
    if game in acknowledged.rematches and rematches != [acknowledged.rematches[game]]:
        findings.lost.append(f"{game}: the rematch {acknowledged.rematches[game]}")
    findings.illegal += [
        f"{game}: event {recorded.seq} at place {place}"
        for place, recorded in enumerate(log, 1)
        if recorded.seq != place
    ]
    try:
        state = fold(game, log)
    except (RuleError, ValueError) as error:
        findings.illegal.append(f"{game}: {error}")
        return
    shown = acknowledged.histories.get(game, [])
    history = [] if state is None else [one for one in state.position.history if not one.startswith("!")]
    if history[: len(shown)] != shown:
        findings.lost.append(f"{game}: {shown} became {history}")
