"""The description of the API, and the page that is rendered from it."""

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from aiohttp import web
from helpers.support import Running, get
from openapi_spec_validator import validate
from test_documents import ROOT

from rookery_protocol.notices import Code
from rookery_server.api.openapi import openapi
from rookery_server.api.operations import OPERATIONS

PAGE = ROOT / "docs" / "api.md"
EXAMPLES = re.findall(r"```sh\n(curl .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_document_is_valid() -> None:
    validate(openapi())


async def test_the_document_is_served(app: Running) -> None:
    status, text = await get(app, "/v1/openapi.json")
    assert status == 200
    assert json.loads(text) == json.loads(json.dumps(openapi()))


async def test_operations_are_the_routes(app: Running) -> None:
    described = {(each.method.upper(), each.path) for each in OPERATIONS}
    routes: list[web.AbstractRoute] = list(app.web.application.router.routes())
    served = {
        (route.method, route.resource.canonical)
        for route in routes
        if route.resource and route.resource.canonical.startswith("/v1/")
    }
    assert {each for each in served if each[0] not in ("HEAD", "OPTIONS")} == described


def test_the_page_is_up_to_date() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import api_page
        import notice_page
    finally:
        sys.path.pop(0)
    assert PAGE.read_text(encoding="utf-8") == api_page.page(), "run `python tools/api_page.py`"
    codes = notice_page.page()
    assert notice_page.PAGE.read_text(encoding="utf-8") == codes, (
        "run `python tools/notice_page.py`"
    )
    assert re.findall('id="(.*?)"', codes) == sorted(Code)


@pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
@pytest.mark.parametrize("command", EXAMPLES)
async def test_an_example_of_the_page_works(app: Running, command: str, tmp_path: Path) -> None:
    here = command.replace("http://localhost:8080", f"http://localhost:{app.port}")
    process = await asyncio.create_subprocess_shell(
        here.replace("curl ", "curl --fail-with-body ", 1),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output
    assert all(json.loads(line) for line in output.splitlines())
