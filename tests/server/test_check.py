"""``plyhouse check``: bots that do all right have no wrong row, and each planted fault spoils the rows that it should.

The bots are scripted, one for each protocol, and run in this process.
"""

import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from programs.bot.config import ClientIdentity, of_engine
from programs.check import client, pyrat, pyrat_host, session_steps, uhp, uhp_engine
from programs.check.bot_server import BotServer
from programs.check.client import check_client
from programs.check.connecting import ConnectingChild, ConnectingProcess
from programs.check.conversation import end_of
from programs.check.engine import check_engine
from programs.check.findings import Finding, Said, Speaker, Verdict
from programs.check.pyrat import check_pyrat
from programs.check.pyrat_host import check_pyrat_host
from programs.check.pyrat_host_bot import StartBot
from programs.check.steps import CannotStart, Effort
from programs.check.uhp import check_uhp
from protocols.bgs.messages import BotEntry
from protocols.values import ClockReading
from tests.server import faulty_client, faulty_pyrat, faulty_uhp, faulty_v3
from tests.server.faulty_client import FaultyClient
from tests.server.faulty_pyrat import FaultyPyrat
from tests.server.faulty_uhp import FaultyUhp
from tests.server.faulty_v3 import FaultyEngine
from tests.server.program import ROOT
from tests.server.scripted import LineProgram
from tests.server.seat_kinds import HOST_TIMES, HostBotHere, ProgramHere

EFFORT = Effort(seconds=600, plies=6, long=70, positions=16, rounds=10)
PATIENT = 60.0
HASTY = 0.2
"""For programs that never answer. Others might be late as well, so that only the expected rows are looked at."""

SLOW = (
    (pyrat, "GRACE_SECONDS"),
    (pyrat, "READY_SECONDS"),
    (uhp, "GRACE_SECONDS"),
    (uhp, "USUAL_SECONDS"),
    (session_steps, "USUAL_SECONDS"),
)
"""After these a program is called slow."""

BAD = (Verdict.WRONG, Verdict.SLOW, Verdict.NOT_RUN)

Findings = Sequence[Finding]
Launching = Callable[[Callable[[str], None]], Coroutine[Any, Any, ProgramHere]]


def here(make: Callable[[], LineProgram]) -> Launching:
    """Starts a scripted program in this process."""

    async def launch(log: Callable[[str], None]) -> ProgramHere:
        return ProgramHere(make(), log, 1 << 20)

    return launch


def spoiled(findings: Findings) -> set[str]:
    return {finding.name for finding in findings if finding.verdict in BAD}


def bot_of(game: str | None = None) -> BotEntry:
    identity = ClientIdentity("check", None)
    return of_engine("engine", "http://localhost", identity, game, is_timed=True).attach.bots[0]


async def findings_about(kind: str, fault: str, seconds: float = PATIENT) -> Findings:
    match kind:
        case "engine":
            return await check_engine(here(lambda: FaultyEngine(fault)), bot_of(), EFFORT, seconds)
        case "uhp":
            return await check_uhp(here(lambda: FaultyUhp(fault)), EFFORT, seconds)
        case "pyrat":
            return await check_pyrat(here(lambda: FaultyPyrat(fault)), EFFORT, seconds)
        case "pyrat-host":
            return await check_pyrat_host(host_bot(fault), "tests/check", EFFORT, HOST)
    server = BotServer()
    await server.open()
    try:
        return await check_client(server, faulty_client_starter(fault), EFFORT, seconds)
    finally:
        await server.close()


def faulty_client_starter(fault: str) -> client.StartClient:
    async def start(url: str, _: Callable[[str], None]) -> ConnectingProcess:
        return FaultyClient(fault, url)

    return start


HOST = replace(HOST_TIMES, move_ms=60_000, preprocessing_ms=60_000, grace=60)


def host_bot(manner: str) -> StartBot:
    async def start(port: int, log: Callable[[str], None]) -> ConnectingProcess:
        environment = {"PYRAT_HOST_PORT": str(port), "PYRAT_AGENT_ID": "tests/check"}
        return ConnectingChild(HostBotHere(manner, environment, log), log)

    return start


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out what is only waiting, and calls nothing slow: these tests share a machine with others."""
    monkeypatch.setattr(session_steps, "CLOCK", ClockReading(100))
    monkeypatch.setattr(uhp, "INTERRUPT_SECONDS", 0.01)
    monkeypatch.setattr(pyrat, "STOP_SECONDS", 0.01)
    for module, limit in SLOW:
        monkeypatch.setattr(module, limit, PATIENT)
    monkeypatch.setattr(client, "STAY_AWAY_SECONDS", HASTY)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives programs that never answer little time."""
    monkeypatch.setattr(uhp_engine, "BANNER_SECONDS", HASTY)
    monkeypatch.setattr(uhp, "GRACE_SECONDS", HASTY - 1)
    monkeypatch.setattr(pyrat, "GRACE_SECONDS", HASTY)
    monkeypatch.setattr(client, "RETURN_SECONDS", HASTY)


# ---- bots that do all right ----------------------------------------------------------------------


@pytest.mark.parametrize("game", ["wallwars", "hive", "carcassonne", "pyrat"])
async def test_an_engine_without_a_fault(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_steps, "CLOCK", ClockReading(60_000))
    findings = await check_engine(here(FaultyEngine), bot_of(game), EFFORT, PATIENT)
    assert spoiled(findings) == set()
    assert len(findings) > 20


@pytest.mark.parametrize(
    ("kind", "manner"),
    [
        ("v3", "none"),
        ("uhp", "none"),
        *(("uhp", manner) for manner in faulty_uhp.MANNERS),
        ("pyrat", "none"),
        *(("pyrat", manner) for manner in faulty_pyrat.MANNERS),
        ("pyrat-host", "honest"),
        pytest.param("pyrat-host", "resyncing", marks=pytest.mark.slow),
    ],
)
async def test_a_bot_without_a_fault(kind: str, manner: str) -> None:
    findings = await findings_about(kind, manner)
    assert spoiled(findings) == set()
    assert len(findings) > 12


# ---- faults --------------------------------------------------------------------------------------

RAT, PYTHON = "plays the rat", "plays the python"
HOST_FAULTS = {"wrong-agent": {"identifies itself"}}
BROAD_HOST_FAULTS = {
    "wrong-hash": {RAT, PYTHON},
    "wrong-turn-hash": {RAT, PYTHON},
    "other-seat": {RAT, PYTHON},
    "never-in-sync": {RAT, PYTHON},
    "malformed": {RAT, PYTHON},
    "dying": {RAT, "plays huge"},
}

Faults = Mapping[str, set[str]]


def each(**kinds: Faults) -> pytest.MarkDecorator:
    rows = [(kind.replace("_", "-"), fault) for kind, faults in kinds.items() for fault in faults]
    return pytest.mark.parametrize(("kind", "fault"), rows)


EXACT: dict[str, Faults] = {
    "engine": faulty_v3.FAULTS,
    "v3": faulty_client.FAULTS,
    "uhp": faulty_uhp.FAULTS,
    "pyrat": faulty_pyrat.FAULTS,
    "pyrat_host": HOST_FAULTS,
}
BROAD: dict[str, Faults] = {
    "engine": faulty_v3.BROAD,
    "uhp": faulty_uhp.BROAD,
    "pyrat": faulty_pyrat.BROAD,
    "pyrat_host": BROAD_HOST_FAULTS,
}
SILENT: dict[str, Faults] = {
    "v3": faulty_client.SILENT,
    "uhp": faulty_uhp.SILENT,
    "pyrat": faulty_pyrat.SILENT,
}


@each(**EXACT)
async def test_a_fault_spoils_its_rows_only(kind: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = faulty_v3.LATE_SECONDS / 2 if fault == "answers late" else PATIENT
    monkeypatch.setattr(session_steps, "USUAL_SECONDS", usual)
    findings = await findings_about(kind, fault)
    if fault == "answers late":
        assert faulty_v3.FAULTS[fault] <= spoiled(findings)
        return
    assert spoiled(findings) == EXACT[kind.replace("-", "_")][fault]
    for finding in findings:
        assert finding.verdict is not Verdict.WRONG or (finding.said and finding.detail and finding.rule.text)


@each(**BROAD)
async def test_a_fault_that_spoils_much(kind: str, fault: str) -> None:
    assert BROAD[kind.replace("-", "_")][fault] <= spoiled(await findings_about(kind, fault))


@each(**SILENT)
@pytest.mark.usefixtures("hasty")
async def test_a_fault_that_is_silence(kind: str, fault: str) -> None:
    seconds = PATIENT if kind == "v3" else HASTY
    assert SILENT[kind.replace("-", "_")][fault] <= spoiled(await findings_about(kind, fault, seconds))


@pytest.mark.parametrize("manner", faulty_uhp.UNINTERRUPTED)
@pytest.mark.usefixtures("hasty")
async def test_an_engine_need_not_know_interrupts(manner: str) -> None:
    findings = await findings_about("uhp", manner, HASTY)
    row = next(finding for finding in findings if finding.name == faulty_uhp.INTERRUPT)
    assert row.verdict is Verdict.NOT_CLAIMED
    assert row.detail.startswith(faulty_uhp.UNINTERRUPTED[manner])
    assert faulty_uhp.EXIT not in spoiled(findings), "it was started again"


async def test_a_host_bot_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyrat_host, "PATIENCE_SECONDS", HASTY)
    findings = await findings_about("pyrat-host", "lingers")
    assert "sees the end" in spoiled(findings)


# ---- what is shown -------------------------------------------------------------------------------


async def test_a_crash_is_shown_with_its_last_words() -> None:
    findings = await findings_about("engine", "dies of illegal moves")
    row = next(finding for finding in findings if finding.name == faulty_v3.ILLEGAL)
    assert row.detail == "The program has ended: exit status 1: IllegalMove: I have never seen this."
    assert row.said[-1].by is Speaker.STDERR
    assert row.said[-1].text == "IllegalMove: I have never seen this"
    assert row.said[-2].by is Speaker.US
    assert '"apply_move"' in row.said[-2].text
    assert findings[-1].verdict is Verdict.RIGHT, "the check goes on with another process"


def test_a_long_trace_leaves_what_was_said() -> None:
    said = [Said(Speaker.US, f"question {number}") for number in range(20)]
    said += [Said(Speaker.STDERR, f"trace {number}") for number in range(50)] + [
        Said(Speaker.PROGRAM, "x" * 900)
    ]
    shown = end_of(said)
    assert [one.text for one in shown[:2]] == ["question 9", "question 10"]
    assert [one.text for one in shown if one.by is Speaker.STDERR] == [
        f"trace {number}" for number in range(44, 50)
    ]


async def test_nothing_is_said_of_a_program_that_does_not_start() -> None:
    async def launch(_: Callable[[str], None]) -> ProgramHere:
        raise FileNotFoundError(2, "No such file or directory", "nosuch")

    with pytest.raises(CannotStart, match=r"^nosuch: No such file or directory$"):
        await check_uhp(launch, EFFORT)


async def test_a_client_that_connects_elsewhere_learns_where_to() -> None:
    with pytest.raises(CannotStart, match="It asked for /ws/bots instead of /ws/custom-bot"):
        await findings_about("v3", faulty_client.ELSEWHERE)


async def test_the_rest_is_not_run_when_the_time_is_over() -> None:
    findings = await check_uhp(here(FaultyUhp), replace(EFFORT, seconds=0), PATIENT)
    assert [finding.verdict for finding in findings[:2]] == [Verdict.RIGHT, Verdict.NOT_RUN]
    assert {finding.verdict for finding in findings[1:]} == {Verdict.NOT_RUN}
    assert {finding.detail for finding in findings[1:]} == {"The time is over. --thorough has more."}


async def test_every_rule_has_a_section() -> None:
    """The headings of our documentation that rows refer to exist."""
    sections = set()
    for kind, manner in (
        ("engine", "none"),
        ("v3", "none"),
        ("uhp", "none"),
        ("pyrat", "none"),
        ("pyrat-host", "honest"),
    ):
        sections |= {finding.rule.section for finding in await findings_about(kind, manner)}
    for section in sections:
        path, _, anchor = section.partition("#")
        headings = re.findall(r"^#+ (.+)$", (ROOT / path).read_text(), re.MULTILINE)
        anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
        assert anchor in anchors, section
