"""Command lines that ``plyhouse arena``, ``bot``, ``engine`` and ``uhp`` refuse, with what they say."""

import shlex
from pathlib import Path

import pytest

from tests.server.program import run_command
from tests.server.seat_kinds import script, write_bot

PYRAT = "arena --game pyrat --variant tiny --bots"
HIVE = "arena --game hive --bots"
UHP = "uhp --server http://h"

REFUSED = [
    # ---- arena
    ("arena --bots native", 2, "1 given, a game has 2 seats"),
    ("arena --bots native,natve", 2, "did you mean"),
    ("arena --bots native:time=0,random", 2, "native:time is '0', not milliseconds"),
    ("arena --bots native,random:time=5", 2, "unknown parameter 'time' of random"),
    ("arena --bots native,random --samples 1 --seconds 1", 2, "not several"),
    ("arena --bots native:threads=2,random --games 1", 1, "threads"),
    ("arena --bots random,random --game toy-drw", 2, "did you mean 'toy-draw'?"),
    ("arena --bots random,random --game toy-draw --seats 4", 2, "4 given, toy-draw has 2 to 3"),
    ("arena --bots random,random --seats 3", 2, "3 given, wallwars has 2"),
    ("arena --bots random,random --game toy-draw --seats 3", 2, "2 given, a game has 3 seats"),
    ("arena --bots random,random --resume LICENSE", 1, "this is not a log of plyhouse arena"),
    ("arena --bots random,a@localhost:1 --time 5", 2, "is not ID@URL"),
    ("arena --bots random,a@http://127.0.0.1:1 --time 5", 1, "refused"),
    ("arena --bots random,a@http://127.0.0.1:1 --samples 5", 2, "plays by time"),
    ("arena --bots random,a@http://127.0.0.1:1 --time 5 --opening-plies 1", 2, "from the start"),
    ("arena --bots random,uhp:x --seconds 1", 2, "plays hive, not wallwars"),
    (f"{HIVE} random,uhp:x", 2, "plays by time"),
    (f"{HIVE} random,uhp:x --samples 5", 2, "plays by time"),
    (f"{HIVE} random,uhp:x --time 1500", 2, "whole seconds"),
    (f"{HIVE} random,uhp:depth=x:y --seconds 1", 2, "depth is 'x'"),
    (f"{HIVE} random,uhp:time=1500:y", 2, "time is '1500'"),
    (f"{HIVE} random,uhp:time=1000:depth=2:y", 2, "time or a depth, not both"),
    (f"{HIVE} random,uhp:time=1000:y --samples 5", 2, "plays by time"),
    (f"{HIVE} random,uhp:/no/such --seconds 1", 1, "/no/such"),
    (f"{HIVE} random,uhp:true --seconds 1", 1, "has ended"),
    (f"{HIVE} random,uhp:tcp:127.0.0.1:1 --seconds 1", 1, "refused"),
    (f"{HIVE} 'random,uhp:{script('base')}' --seconds 1", 2, "lacks mosquito, ladybug, pillbug"),
    (f"{PYRAT} random,pyrat:x", 2, "pyrat:x plays by time"),
    (f"{PYRAT} random,pyrat:x --samples 5", 2, "pyrat:x plays by time"),
    ("arena --bots random,pyrat:x --time 5", 2, "plays pyrat, not wallwars"),
    (f"{PYRAT} random,pyrat:time=x:y --time 5", 2, "time is 'x'"),
    (f"{PYRAT} random,pyrat:time=0:y --time 5", 2, "time is '0'"),
    (f"{PYRAT} random,pyrat:preprocessing=soon:y --time 5", 2, "preprocessing is 'soon'"),
    (f"{PYRAT} random,pyrat: --time 5", 2, "no command"),
    (f'{PYRAT} "random,pyrat:\'x" --time 5', 2, "closing quotation"),
    (f"{PYRAT} random,pyrat:/no/such --time 5", 1, "/no/such"),
    (f"{PYRAT} random,pyrat:true --time 5", 1, "true has ended (exit status 0)"),
    (f"{PYRAT} random,pyrat-host:nowhere --time 100", 2, "nowhere/bot.toml: No such file or directory"),
    (f"{PYRAT} random,pyrat-host:{{bot}}", 2, "plays by time: give --seconds or --time"),
    (f"{HIVE} random,pyrat-host:{{bot}} --time 100", 2, "plays pyrat, not hive"),
    # ---- bot
    ("bot", 2, "give either --config, --engine, --uhp, --pyrat or --pyrat-host"),
    ("bot --engine x", 2, "--engine, --uhp, --pyrat and --pyrat-host need --server"),
    ("bot --uhp x", 2, "--engine, --uhp, --pyrat and --pyrat-host need --server"),
    ("bot --pyrat-host {bot}", 2, "--engine, --uhp, --pyrat and --pyrat-host need --server"),
    ("bot --uhp x --engine y", 2, "give either --config, --engine, --uhp, --pyrat or --pyrat-host"),
    ("bot --pyrat-host x --pyrat y", 2, "give either --config, --engine, --uhp, --pyrat or --pyrat-host"),
    ("bot --uhp x --game hive", 2, "--game goes with --engine"),
    ("bot --config x --game hive", 2, "--game goes with --engine"),
    ("bot --config x --timed", 2, "--timed goes with --engine"),
    ("bot --engine x --seconds 3", 2, "--seconds goes with --uhp"),
    ("bot --engine x --processes 3", 2, "--processes goes with --uhp"),
    ("bot --config x --username Ada", 2, "a file says who sees each bot"),
    ("bot --engine x --server ftp://h", 1, "is not a server address"),
    ("bot --engine x --server http://h:99999", 1, "is not a server address"),
    ("bot --engine x --server http://h --game chess", 1, "there is no game 'chess', only"),
    ("bot --engine /no/such/program --server http://127.0.0.1:9", 1, "/no/such/program"),
    ("bot --server http://h --uhp true", 1, "--uhp: The engine has ended"),
    ("bot --server http://h --pyrat true", 1, "--pyrat: true has ended"),
    ("bot --server http://h --pyrat-host nowhere", 1, "nowhere/bot.toml: No such file or directory"),
    ("bot --config /no/such/file", 1, "/no/such/file: No such file or directory"),
    # ---- engine
    ("engine --protocol uci", 2, "uci is not one of bgs, pyrat"),
    ("engine --protocol pyrat --threads 2", 2, "only with --protocol bgs: --threads"),
    ("engine --protocol pyrat --pyrat x", 2, "only with --protocol bgs: --pyrat"),
    ("engine --protocol pyrat --pyrat-host x", 2, "only with --protocol bgs: --pyrat-host"),
    ("engine --pyrat x --samples 5", 2, "not with --pyrat: --samples"),
    ("engine --pyrat x --pyrat-host y", 2, "not with --pyrat: --pyrat-host"),
    ("engine --pyrat-host nowhere", 1, "nowhere/bot.toml: No such file or directory"),
    ("engine --uhp true", 1, "plyhouse engine: The engine has ended"),
    ("engine --uhp /no/such", 1, "/no/such"),
    ("engine --uhp depth=0:x", 1, "depth is '0'"),
    (f"engine --uhp 'time=9000:{script('keeps')}'", 1, "at most 8 seconds"),
    # ---- uhp
    ("uhp --raw", 2, "only with --server: --raw"),
    ("uhp --tc 60+1 --vs bot:easy", 2, "only with --server: --tc, --vs"),
    ("uhp --engine-option A=1", 2, "only with --server: --engine-option"),
    ("uhp -- nokamute", 2, "only with --server: a command"),
    (f"{UHP} --engine-option A", 2, "'A' is not NAME=VALUE"),
    (f"{UHP} --engine-option 'A=1 2'", 2, "'A=1 2' is not NAME=VALUE"),
    (f"{UHP} --engine-option A=1 --engine-option A=2", 2, "A is given twice"),
    (f"{UHP} --threads 2", 2, "not with --server: --threads"),
    ("uhp --server nonsense", 1, "'nonsense' is not an address"),
    ("uhp --server tcp://127.0.0.1", 1, "is not tcp://HOST:PORT"),
    ("uhp --server http://127.0.0.1:9 --raw", 1, "cannot connect to http://127.0.0.1:9"),
    (f"{UHP} --raw --role watch", 1, "--role watch needs --game"),
    (f"{UHP} -- engine", 1, "a command needs --raw"),
    (f"{UHP} --raw --simple", 1, "--simple is for the command of an AI"),
    (f"{UHP} --raw --allow-engine", 1, "--allow-engine is for the bridge"),
    (f"{UHP} --tc 60+1 --color white", 1, "--color, --tc without --raw"),
    (f"{UHP} --resume g:s --token s", 1, "leave out --token"),
    (f"{UHP} --raw --resume g:s --game g", 1, "leave out --game"),
    (f"{UHP} --raw --resume g:s --name Ada --type Base", 1, "leave out --type, --name"),
    (f"{UHP} --engine-option A=1", 1, "--engine-option without --raw"),
    (f"{UHP} --raw --role engine --engine-option A=1", 1, "is for the command"),
    (f"{UHP} --raw --role seat --engine-option A=1 -- true", 1, "is for the command of a UHP engine"),
]
"""Command lines with their exit statuses. ``{bot}`` is a folder with a bot of PyRat's host protocol."""


@pytest.mark.parametrize(("line", "status", "text"), REFUSED)
def test_refused_commands(line: str, status: int, text: str, bot: Path) -> None:
    done = run_command(
        *shlex.split(line.replace("{bot}", str(bot))), environment={"COLUMNS": "200", "NO_COLOR": "1"}
    )
    assert (done.returncode, done.stdout) == (status, "")
    assert text in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bot(tmp_path_factory.mktemp("bot"), "honest").folder
