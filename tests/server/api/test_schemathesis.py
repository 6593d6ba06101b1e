"""Schemathesis: requests made of the description, valid and invalid, with all of its checks."""

import asyncio
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import Running, odd

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas

pytest.importorskip("schemathesis")

SETTINGS = Path(__file__).parent / "schemathesis.toml"
HOOKS = Path(__file__).parent / "schemathesis_hooks.py"
# Of each operation; the whole are some hundred requests. They are the same in each run, so that
# more of them seldom find what fewer did not: `make endure` has those.
EXAMPLES = [5, pytest.param(50, marks=[pytest.mark.long, pytest.mark.timeout(1200)])]


@pytest.fixture
def config(config: Config) -> Config:
    # Its engine answers at once, whatever the limits are.
    quotas = Quotas(everybody={"stored_jobs": 10_000})
    return replace(config, engines=(EngineConfig("polite", odd("polite")),), quotas=quotas)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("examples", EXAMPLES)
async def test_each_answer_is_as_described(app: Running, tmp_path: Path, examples: int) -> None:
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).parent / "schemathesis"),
        "--config-file", str(SETTINGS),
        "run", f"http://127.0.0.1:{app.port}/v1/openapi.json",
        "--checks", "all", "-n", str(examples), "--seed", "1", "--no-shrink", "--no-color",
        "--request-timeout", "30",
        cwd=tmp_path, env={**os.environ, "SCHEMATHESIS_HOOKS": str(HOOKS)},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    output, _ = await process.communicate()
    text = output.decode()
    assert process.returncode == 0, text[-8000:]
    passed = re.search(r"(\d+) generated, (\d+) passed", text)
    assert passed, text[-2000:]
    assert int(passed[1]) == int(passed[2]) > 100
