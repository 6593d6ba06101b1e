"""The files of the page, and how they are sent."""

import asyncio
import base64
import gzip
import hashlib
import json
from html import escape
from pathlib import Path

import pytest
from aiohttp import web
from helpers.support import TIMEOUT, Running, request_for
from websockets.datastructures import Headers
from websockets.http11 import Request

from rookery_server.http.assets import Assets

SCRIPT = "/assets/index-1234.js"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return what a build has left, beside something that is not the page's."""
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    for suffix, text in (("", "plain"), (".br", "brotli"), (".gz", "gzip")):
        (folder / f"assets/index-1234.js{suffix}").write_text(text)
    return folder


@pytest.fixture
def assets(folder: Path) -> Assets:
    return Assets(folder)


def ask(assets: Assets, path: str, **headers: str) -> web.Response:
    named = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    response = assets.response(Request(path, named))
    assert response
    return response


def body_of(answer: web.Response) -> bytes:
    assert isinstance(answer.body, bytes)
    return answer.body


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [
        ("gzip, deflate, br", "br", b"brotli"),
        ("gzip;q=0.5, br;q=0", "gzip", b"gzip"),
        ("br; q=0.0, GZIP", "gzip", b"gzip"),
        ("identity", None, b"plain"),
    ],
)
def test_best_coding_that_is_taken(
    assets: Assets, accepted: str, coding: str | None, body: bytes
) -> None:
    response = ask(assets, SCRIPT, Accept_Encoding=accepted)
    assert response.headers.get("Content-Encoding") == coding
    assert response.body == body
    assert response.content_length == len(body)
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Vary"] == "Accept-Encoding"


def test_what_has_a_digest_in_its_name_is_kept_and_the_rest_is_not(assets: Assets) -> None:
    assert "immutable" in ask(assets, SCRIPT).headers["Cache-Control"]
    assert ask(assets, "/").headers["Cache-Control"] == "no-cache"
    assert ask(assets, "/?x=1").headers["Content-Type"] == "text/html; charset=utf-8"


def test_what_the_browser_has_already_is_not_sent_again(assets: Assets) -> None:
    etag = ask(assets, SCRIPT, Accept_Encoding="br").headers["ETag"]
    again = ask(assets, SCRIPT, Accept_Encoding="br", If_None_Match=f'"other", W/{etag}')
    assert (again.status, again.body) == (304, None)
    other = ask(assets, SCRIPT, Accept_Encoding="gzip", If_None_Match=etag)
    assert other.status == 200


def test_nothing_is_run_or_loaded_from_elsewhere(assets: Assets) -> None:
    headers = ask(assets, "/").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_script_that_the_build_has_written_runs_and_no_other(folder: Path) -> None:
    script = "console.log('first')"
    (folder / "index.html").write_text(f"<script>{script}</script><script src=/x.js></script>")
    policy = ask(Assets(folder), "/").headers["Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert policy.count("sha256-") == 1


def test_page_has_facts_of_the_server_written_into_it(folder: Path) -> None:
    index = '<meta name="rookery-server" content=""><p>'
    (folder / "index.html").write_text(index)
    (folder / "index.html.br").write_text("brotli without facts")
    assets = Assets(folder)
    facts = json.dumps({"engines": ['"><script>']})
    answer = assets.response(Request("/", Headers({"Accept-Encoding": "br, gzip"})), facts)
    assert answer
    body = gzip.decompress(body_of(answer)).decode()
    assert body == index.replace('""', f'"{escape(facts)}"')
    assert "<script>" not in body
    plain = assets.response(Request("/", Headers()), facts)
    assert plain
    assert body_of(plain).decode() == body
    assert plain.headers["ETag"] != ask(assets, "/").headers["ETag"]


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "//secret.txt",
        "/assets",
        "/assets/",
        "/assets/index-1234.js.br",
        "/index.html/",
    ],
)
def test_nothing_else_is_there(assets: Assets, path: str) -> None:
    assert assets.response(Request(path, Headers())) is None


def test_without_a_build_there_is_no_page(tmp_path: Path) -> None:
    assert Assets(tmp_path / "nothing").response(Request("/", Headers())) is None


def test_page_for_frames_is_there_only_for_those_that_are_listed(folder: Path) -> None:
    style, script = "p { color: red }", "run()"
    (folder / "embed.html").write_text(f"<style>{style}</style><p></p><script>{script}</script>")
    assets = Assets(folder)
    request = Request("/embed?x", Headers())
    assert assets.response(request) is None
    club, other = "https://club.example", "http://localhost:8000"
    answer = assets.response(request, "{}", (club, other))
    assert answer
    policy = answer.headers["Content-Security-Policy"]
    assert policy.endswith(f"frame-ancestors {club} {other}")
    for name, content in (("style", style), ("script", script)):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'self' 'sha256-{digest}';" in policy
    # A browser does not go on with the list that it has.
    tag = answer.headers["ETag"]
    again = Request("/embed", Headers({"If-None-Match": tag}))
    same, changed = assets.response(again, "", (club, other)), assets.response(again, "", (club,))
    assert same
    assert same.status == 304
    assert changed
    assert changed.status == 200
    for path in ("/", SCRIPT):
        answer = assets.response(Request(path, Headers()), "", (club,))
        assert answer
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


# --- by the server


async def test_page_is_at_the_root_and_the_plain_one_beside_it(
    app: Running, assets: Assets
) -> None:
    app.web.assets = assets
    assert (await http(app, "/")).endswith("\r\n\r\n<!doctype html>")
    assert "rookery-bridge ws://127.0.0.1:" in await http(app, "/connect")
    app.web.assets = Assets(Path("/nothing"))
    assert "rookery-bridge ws://127.0.0.1:" in await http(app, "/")


async def test_head_has_no_body_and_the_length_of_one(app: Running, assets: Assets) -> None:
    app.web.assets = assets
    answer = await http(app, "/", method="HEAD")
    assert answer.startswith("HTTP/1.1 200 ")
    assert "Content-Length: 15\r\n" in answer
    assert answer.endswith("\r\n\r\n")


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/metrics"])
async def test_other_methods_are_refused(app: Running, path: str) -> None:
    answer = await http(app, path, method="PUT")
    assert answer.startswith("HTTP/1.1 405 ")
    assert "Allow: GET, HEAD\r\n" in answer


async def test_engines_are_told_to_the_page(app: Running) -> None:
    head, _, body = (await http(app, "/engines")).partition("\r\n\r\n")
    assert "Content-Type: application/json" in head
    told = json.loads(body)
    assert told["engines"][0] == "polite"
    assert told["login"] is False
    assert told["terminal"] == f"nc 127.0.0.1 {app.tcp_port}"


async def http(app: Running, target: str, *, method: str = "GET") -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(request_for(target, method=method, host=f"127.0.0.1:{app.port}"))
    async with asyncio.timeout(TIMEOUT):
        answer = (await reader.read()).decode()
    writer.close()
    return answer
