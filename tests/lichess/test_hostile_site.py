"""A site, a broker and engines that mean harm to the bridge's provider."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from helpers.hostile import EVIL, answering, refusal
from helpers.lichess_fake import work
from helpers.support import TIMEOUT, until

from rookery_bridge.lichess import lichess_client as site_module
from rookery_bridge.lichess.job_player import EngineLostError, JobPlayer
from rookery_bridge.lichess.lichess_client import LichessClient, LichessError, LichessPlace
from rookery_bridge.lichess.provider_engine import (
    ProviderEngine,
    ProviderSource,
)
from rookery_protocol.lichess_api import LichessJob, LichessWork

SECRET = "a-secret-of-this-provider"
JOB = LichessJob.parse(
    {
        "id": "../../x?y#z",
        "work": work(),
        "engine": {
            "id": "eei_1", "name": "x", "clientSecret": "ees_1", "userId": "x",
            "maxThreads": 1, "maxHash": 16,
        },
    }
)  # fmt: skip


async def failure(answer: bytes, do: Callable[[LichessClient], object]) -> LichessError:
    """Return why a call fails with a site that answers so."""
    async with answering(answer) as port:
        url = f"http://127.0.0.1:{port}"
        async with asyncio.timeout(TIMEOUT), LichessClient(LichessPlace("lip_x", url, url)) as site:
            with pytest.raises(LichessError) as found:
                await do(site)  # type: ignore[misc]
    return found.value


async def _upload(site: LichessClient) -> None:
    async def lines() -> object:
        yield b"bestmove e2e4\n"

    await site.submit(JOB, lines())  # type: ignore[arg-type]


CALLS = [LichessClient.engines, lambda site: site.acquire(SECRET), _upload]


@pytest.mark.parametrize("do", CALLS)
@pytest.mark.parametrize(
    "answer",
    [
        refusal("403 Forbidden", f"{EVIL}\n{EVIL}"),
        refusal(f"400 {EVIL}"),
        refusal("302 Found", "", f"Location: http://x/{EVIL}"),
        refusal("500 No", 100_000 * "x"),
        refusal("500 No", "", "Set-Cookie: \x01=1"),
        f"{EVIL}\r\n\r\n".encode(),
    ],
)
async def test_words_of_a_site_are_one_short_line(
    answer: bytes, do: Callable[[LichessClient], object]
) -> None:
    said = str(await failure(answer, do))
    assert said.isprintable()
    assert len(said) < 500


@pytest.mark.parametrize("do", CALLS)
async def test_answer_without_end_is_not_read(
    monkeypatch: pytest.MonkeyPatch, do: Callable[[LichessClient], object]
) -> None:
    monkeypatch.setattr(site_module, "MAX_ANSWER", 1000)
    status = "500 No" if do is _upload else "200 OK"
    found = await failure(refusal(status, 100_000 * "x"), do)
    assert "more than 1000 bytes" in str(found)


async def test_secrets_go_nowhere_else_though_the_site_says_so() -> None:
    heard: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        heard.append(f"{request.headers} {await request.text()}")
        return web.json_response([])

    app = web.Application()
    app.router.add_route("*", "/{any:.*}", elsewhere)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    try:
        for status in ("302 Found", "307 Temporary Redirect", "308 Permanent Redirect"):
            answer = refusal(status, "", f"Location: http://127.0.0.1:{port}/x")
            for do in CALLS:
                assert "leads elsewhere" in str(await failure(answer, do))
    finally:
        await runner.cleanup()
    assert heard == []


async def test_id_of_a_job_leads_to_no_other_path() -> None:
    asked: list[str] = []

    async def hear(request: web.Request) -> web.Response:
        asked.append(request.raw_path)
        return web.Response()

    app = web.Application()
    app.router.add_route("*", "/{any:.*}", hear)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with LichessClient(LichessPlace("lip_x", url, url)) as site:
            await _upload(site)
    finally:
        await runner.cleanup()
    assert asked == ["/api/external-engine/work/..%2F..%2Fx%3Fy%23z"]


# --- engines


class Loud:
    """An engine that says what a test has it say."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self.hear = hear
        self.told: list[bytes] = []

    def send_lines(self, lines: list[bytes]) -> None:
        self.told += lines
        if b"isready" in lines:
            self.hear(b"readyok\n")

    async def run(self) -> None:
        await asyncio.sleep(3600)


def player_of(made: list[Loud]) -> JobPlayer:
    class LoudSource(ProviderSource):
        def create_engine(
            self, hear: Callable[[bytes], None], lost: Callable[[str], None]
        ) -> ProviderEngine:
            made.append(Loud(hear))
            return made[-1]

    return JobPlayer(LoudSource("loud"))


async def test_engine_that_nobody_has_asked_fills_no_memory() -> None:
    made: list[Loud] = []
    player = player_of(made)
    starting = asyncio.ensure_future(player.start())
    await until(lambda: made)
    made[0].hear(b"uciok\n")
    await starting
    for _ in range(1000):
        made[0].hear(b"info string and so on\nbestmove a1a1\n")
    assert player._client.current is None
    found: list[bytes] = []
    for number in (1, 2):  # The second is of the same session: nothing has to be set up.
        searching = asyncio.ensure_future(
            player.search(player.add_search(), LichessWork.parse(work()), found.append)
        )
        await until(lambda: any(each.startswith(b"go") for each in made[0].told))
        assert len(found) == number - 1
        made[0].told.clear()
        made[0].hear(b"bestmove e7e5\nbestmove a1a1\ninfo depth 1\n")
        await searching
    assert found == [b"bestmove e7e5\n"] * 2
    await player.end_engine()


async def test_answer_to_uci_without_end_is_given_up() -> None:
    made: list[Loud] = []
    player = player_of(made)
    for _ in range(2):  # It is started anew, and not taken for one that is up.
        made.clear()
        starting = asyncio.ensure_future(player.start())
        await until(lambda: made)
        made[0].hear(b"option name X type button\n" * 60_000)
        with pytest.raises(EngineLostError, match="more than 1048576 bytes"):
            await starting


async def test_no_log_of_the_library_has_words_of_a_site(tmp_path: Path) -> None:
    """Also those that are on by themselves, as a warning about cookies is."""
    answer = refusal("500 No", "", "Set-Cookie: SECRET\x7f{}=1", f"Content-Type: {EVIL}")
    async with answering(answer) as port:
        url = f"http://127.0.0.1:{port}"
        program = await asyncio.create_subprocess_exec(
            *(str(Path(sys.executable).with_name("rookery-bridge")), "lichess", "--lichess", url),
            *("--broker", url, "--unregister", "--engine", "abc=true"),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env={"HOME": str(tmp_path), "LICHESS_API_TOKEN": "lip_x"},
        )  # fmt: skip
        out, err = await asyncio.wait_for(program.communicate(), TIMEOUT)
    said = out.decode() + err.decode()
    assert "status 500" in said
    assert "SECRET" not in said
    assert aiohttp.__version__ not in said
