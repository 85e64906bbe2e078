"""The OpenAPI document, compared by schemathesis with what a running server does."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.serving import Served

Json = dict[str, Any]

NO_LIMITS = {
    f"PLYHOUSE_{name}": "0"
    for name in (
        "ANALYSES_PER_ADDRESS",
        "GAMES_PER_ADDRESS",
        "IMPORTS_PER_ADDRESS",
        "LOBBY_GAMES_PER_CLIENT",
        "TOURNAMENTS",
        "TOURNAMENTS_PER_ADDRESS",
    )
}

HEAD = """
continue-on-failure = true
suppress-health-check = ["all"]
request-timeout = 60

[warnings]
enabled = false

# oEmbed demands this status for formats that a server does not write.
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "501"]

# The rules of a game and conditions between members cannot be written in the document.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "401", "403", "404", "409", "413", "422", "429", "503"]

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "422", "429", "501", "503"]
"""

OWN_GAME = """
[[operations]]
include-name = "{name}"
headers = {{ Authorization = "Bearer {token}" }}
parameters = {{ "path.game_id" = "{game}" }}
"""

OF_AN_ANALYSIS = """
# A finished analysis has no requests left: whoever withdraws one changes nothing.
[[operations]]
include-name = "DELETE /api/analysis/{{analysis_id}}"
checks = {{ ignored_auth = {{ enabled = false }} }}
parameters = {{ "path.analysis_id" = "{analysis}" }}

[[operations]]
include-name = "GET /api/analysis/{{analysis_id}}"
parameters = {{ "path.analysis_id" = "{analysis}" }}
"""


def settings(client: httpx.Client) -> str:
    """Gives each operation on a game a game of its own, with the token of the player to move."""
    document = client.get("/openapi.json").json()
    out = HEAD
    for path, methods in document["paths"].items():
        for method in methods if "{game_id}" in path else ():
            seats = [{"kind": "human"}, {"kind": "open" if path.endswith("join") else "human"}]
            game = client.post("/api/games", json={"game": "wallwars", "seats": seats}).json()
            out += OWN_GAME.format(
                name=f"{method.upper()} {path}", token=game["seats"][0]["token"], game=game["gameId"]
            )
    analysis = client.post("/api/analysis?wait=1", json={"game": "wallwars", "samples": 1}).json()
    return out + OF_AN_ANALYSIS.format(analysis=analysis["analysisId"])


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_the_document_is_true(tmp_path: Path) -> None:
    with Served(tmp_path, **NO_LIMITS) as served:
        with httpx.Client(base_url=served.url, timeout=60) as client:
            config = tmp_path / "schemathesis.toml"
            config.write_text(settings(client))
        program = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)]
        # Reading the events of an analysis has no end.
        run = ["run", f"{served.url}/openapi.json", "--exclude-path-regex", "/events$"]
        bounds = ["--phases", "coverage,fuzzing", "--max-examples", "20", "--no-shrink", "--seed", "1"]
        done = subprocess.run([*program, *run, *bounds], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Tested:" in done.stdout
        assert "ERROR" not in served.log
