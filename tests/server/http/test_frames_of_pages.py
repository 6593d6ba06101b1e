"""The pages that other sites may show in a frame, and all others."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from helpers.support import Running

from rookery_server.config.config import Config
from rookery_server.config.sections import CacheConfig
from rookery_server.http.assets import Assets

CLUB = "https://club.example"
PATHS = (
    "/", "/admin", "/assets/a.js", "/connect", "/docs", "/engines", "/nothing", "/embed/",
    "/healthz", "/v1/games", "/v1/games/AbC", "/v1/nothing", "/v1/openapi.json",
)  # fmt: skip


@pytest.fixture
def assets(tmp_path: Path) -> Assets:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    for name in ("index.html", "admin.html", "embed.html", "assets/a.js"):
        (folder / name).write_text(name)
    return Assets(folder)


@pytest.fixture
def framed(config: Config, tmp_path: Path) -> Config:
    """Return a configuration with a page that may show games in frames."""
    server = replace(config.server, frame_ancestors=(CLUB,))
    return replace(config, server=server, cache=CacheConfig(file=tmp_path / "games.sqlite"))


async def fields_of(app: Running, path: str, **fields: str) -> tuple[int, Mapping[str, str], str]:
    url = f"http://127.0.0.1:{app.port}{path}"
    async with aiohttp.ClientSession() as session, session.get(url, headers=fields) as answer:
        return answer.status, answer.headers, await answer.text()


def is_protected(fields: Mapping[str, str]) -> bool:
    policy = fields["Content-Security-Policy"]
    return fields["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in policy


async def test_only_one_page_may_be_framed_and_only_by_those_that_are_listed(
    framed: Config, assets: Assets
) -> None:
    async with Running(framed) as app:
        app.web.assets = assets
        for path in PATHS:
            assert is_protected((await fields_of(app, path))[1]), path
        status, fields, text = await fields_of(app, "/embed")
        assert (status, text) == (200, "embed.html")
        assert "X-Frame-Options" not in fields
        assert fields["Content-Security-Policy"].endswith(f"; frame-ancestors {CLUB}")
        assert "default-src 'none'" in fields["Content-Security-Policy"]
        assert fields["X-Content-Type-Options"] == "nosniff"


async def test_without_the_setting_a_page_says_what_to_set(app: Running, assets: Assets) -> None:
    app.web.assets = assets
    for path in ("/embed", "/embed?theme=dark"):
        status, fields, text = await fields_of(app, path)
        assert status == 403
        assert is_protected(fields)
        assert 'frame_ancestors = ["https://club.example"]' in text
    for path in PATHS:
        assert is_protected((await fields_of(app, path))[1]), path


async def test_frame_of_no_origin_reads_a_game_and_nothing_else(
    framed: Config, app: Running
) -> None:
    """A frame with `sandbox` sends `Origin: null`."""
    one = "/v1/games/AbC"
    assert "Access-Control-Allow-Origin" not in (await fields_of(app, one, Origin="null"))[1]
    async with Running(framed) as other:
        status, fields, _ = await fields_of(other, one, Origin="null")
        assert (status, fields["Access-Control-Allow-Origin"]) == (404, "*")
        assert "Access-Control-Allow-Credentials" not in fields
        for path in ("/v1/games", "/v1/engines", "/v1/openapi.json", "/v1/jobs"):
            fields = (await fields_of(other, path, Origin="null"))[1]
            assert "Access-Control-Allow-Origin" not in fields, path
