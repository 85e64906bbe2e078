"""A compiled bot of PyRat's host protocol, which may connect before the host knows that its process has started."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.codec import encode_bot
from protocols.pyrat.host.framing import framed

AGENT = "tests/native"
STARTS = 4

SOURCE = r"""
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const unsigned char identify[] = {%s}, ready[] = {%s};

static int receive(int host) {
    unsigned char buffer[1 << 16];
    unsigned size, got;
    if (recv(host, buffer, 4, MSG_WAITALL) != 4) return 0;
    memcpy(&size, buffer, 4);
    for (size = ntohl(size); size > 0; size -= got) {
        got = recv(host, buffer, size < sizeof buffer ? size : sizeof buffer, 0);
        if ((int)got <= 0) return 0;
    }
    return 1;
}

int main(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int host = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_port = htons(atoi(getenv("PYRAT_HOST_PORT")));
    if (connect(host, (struct sockaddr *)&at, sizeof at)) return 1;
    if (write(host, identify, sizeof identify) < 0 || !receive(host) || !receive(host)) return 2;
    if (write(host, ready, sizeof ready) < 0) return 3;
    while (receive(host)) {}
    return 0;
}
"""
"""It identifies itself, and then claims that the start has the hash 0."""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The folder of a compiled bot."""
    messages = packets.IdentifyMessage("Native", "nobody", (), AGENT), packets.ReadyMessage(0)
    packed = (", ".join(map(str, framed(encode_bot(message)))) for message in messages)
    tmp_path.joinpath("bot.c").write_text(SOURCE % tuple(packed))
    compiler = shutil.which("cc") or "cc"
    subprocess.run([compiler, "-O2", "-o", "bot", "bot.c"], cwd=tmp_path, check=True)
    settings = {"name": "Native", "agent_id": AGENT, "run_command": "./bot"}
    lines = [f"{name} = '{value}'" for name, value in settings.items()]
    tmp_path.joinpath("bot.toml").write_text("\n".join(["[settings]", *lines]))
    return tmp_path


@pytest.fixture
def one_core() -> Iterator[None]:
    """Child processes get one core, so that the host is often the later one."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


@pytest.mark.usefixtures("one_core")
def test_a_quick_bot_is_heard(bot: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("plyhouse")),
        "arena",
        "--game",
        "pyrat",
        "--variant",
        "tiny",
    ]
    options = ["--time", "1000", "--games", str(STARTS), "--bots", f"greedy,pyrat-host:{bot}"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=240)
    assert "Traceback" not in done.stderr
    assert f"{STARTS} greedy wins (protocol)" in done.stdout
