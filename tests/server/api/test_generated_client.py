"""A client that a public generator makes of the description."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.support import Running

from rookery_server.api.openapi import openapi

pytest.importorskip("openapi_python_client")

PROGRAM = """
import json, sys
from rookery_client import Client
from rookery_client.api.analysis import analyse, list_engines
from rookery_client.models import AnalyseRequest, ProblemDetails, SearchLimits

client = Client(base_url=sys.argv[1])
engines = list_engines.sync(client=client)
request = AnalyseRequest(limits=SearchLimits(depth=5), moves=["e4", "e5"], lines=2)
found = analyse.sync(client=client, body=request)
wrong = analyse.sync(client=client, body=AnalyseRequest(limits=SearchLimits(depth=5), fen="x"))
assert isinstance(wrong, ProblemDetails), wrong
print(json.dumps([engines.engines[0].name, found.best, len(found.lines), wrong.path]))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("client")
    document = folder / "openapi.json"
    document.write_text(json.dumps(openapi()))
    config = folder / "config.yml"
    config.write_text("package_name_override: rookery_client\npost_hooks: []\n")
    command = [
        sys.executable, "-m", "openapi_python_client", "generate", "--path", str(document),
        "--config", str(config), "--meta", "none", "--output-path", str(folder / "rookery_client"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


async def test_a_generated_client_runs_an_analysis(app: Running, package: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, f"http://127.0.0.1:{app.port}",
        cwd=package, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode == 0
    engine, best, lines, path = json.loads(output)
    assert (engine, lines, path) == ("rookery", 2, "$.fen")
    assert best
