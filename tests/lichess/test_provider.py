"""The provider against a fake of Lichess and its broker: each rule of the API."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from bench.child import free_port
from helpers.bridged import ENGINE
from helpers.lichess_fake import TOKEN, Fake
from helpers.support import DATA, TIMEOUT, Running, until

from rookery_bridge.lichess import job_player as player_module
from rookery_bridge.lichess import lichess_client as site_module
from rookery_bridge.lichess.job_player import JobPlayer
from rookery_bridge.lichess.lichess_client import LichessPlace
from rookery_bridge.lichess.provider import LichessProvider, ProviderError, Terms
from rookery_bridge.lichess.provider_engine import LossSink, PieceSink, ProviderSource
from rookery_protocol.tls_trust import Trust
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

SECRET = "a-secret-of-this-provider"
TERMS = Terms(max_threads=2, max_hash=64)


class Providing:
    """A provider that runs, with what it has said and what its engine has heard."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.provider: LichessProvider
        self.task: asyncio.Task[None]

    def source(self, name: str, habit: str) -> ProviderSource:
        book = str(self.folder / name)
        return ProviderSource(
            name, (sys.executable, "-S", str(DATA / "scribe_engine.py"), book, habit)
        )

    def heard(self, name: str) -> list[str]:
        """Return what the engine has heard."""
        return (self.folder / name).read_text().splitlines()

    async def until_said(self, text: str) -> None:
        await until(lambda: any(text in line for line in self.said))

    async def until_heard(self, name: str, line: str, number: int = 1) -> None:
        await until(lambda: self.heard(name).count(line) >= number)


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    async with Fake() as running:
        yield running


@asynccontextmanager
async def providing(
    fake: Fake,
    folder: Path,
    *engines: str | ProviderSource,
    terms: Terms = TERMS,
    token: str = TOKEN,
) -> AsyncIterator[Providing]:
    """Run a provider with engines, each of the habit that it is called by."""
    running = Providing(folder)
    sources = [
        each if isinstance(each, ProviderSource) else running.source(f"Engine {each}", each)
        for each in engines
    ]
    place = LichessPlace(token, fake.url, fake.url)
    running.provider = LichessProvider(sources, place, SECRET, terms, running.said.append)
    running.task = asyncio.create_task(running.provider.run())
    try:
        yield running
    finally:
        running.provider.end()
        async with asyncio.timeout(TIMEOUT):
            await asyncio.wait({running.task})
    if not running.task.exception():
        return
    assert isinstance(running.task.exception(), ProviderError), running.task.exception()


def test_path_with_blanks_can_be_an_engines_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as system:  # pytest itself would fail there.
        system.setattr("os.name", "nt")
        source = ProviderSource.parse(r'Engine="C:\Program Files\engine.exe" --hash 16', Trust())
    assert source.command == (r"C:\Program Files\engine.exe", "--hash", "16")


async def test_engine_is_registered_with_what_it_has(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "quick") as running:
        await fake.ready()
        assert fake.registered["eei_1"] == {
            "name": "Engine quick",
            "maxThreads": 2,
            "maxHash": 64,
            "providerSecret": SECRET,
            "variants": ["chess", "atomic"],
            "id": "eei_1",
            "clientSecret": "ees_eei_1",
            "userId": "somebody",
        }
        await running.until_said(f"is ready: {fake.url}/analysis/engine/eei_1")


async def test_engine_of_that_name_is_updated(fake: Fake, tmp_path: Path) -> None:
    for _ in range(2):
        async with providing(fake, tmp_path, "quick"):
            await fake.ready()
    assert list(fake.registered) == ["eei_1"]
    assert fake.calls[-1] == "PUT /api/external-engine/eei_1"


@pytest.mark.parametrize(
    ("token", "command", "text"),
    [
        (
            "lip_wrong",
            (sys.executable, "-S", str(DATA / "odd_engine.py"), "polite"),
            "No such token",
        ),
        (TOKEN, ("/nowhere/engine",), "cannot be started: /nowhere/engine: No such file"),
        (TOKEN, (sys.executable, "-c", ""), "has ended with status 0"),
        (TOKEN, ("en\0gine",), "cannot be started: ValueError: embedded null byte"),
    ],
)
async def test_what_cannot_be_provided_is_said(
    fake: Fake, tmp_path: Path, token: str, command: tuple[str, ...], text: str
) -> None:
    async with providing(fake, tmp_path, ProviderSource("Engine", command), token=token) as running:
        with pytest.raises(ProviderError, match=text):
            await asyncio.wait_for(asyncio.shield(running.task), TIMEOUT)


async def test_work_is_done_and_ends_with_bestmove(fake: Fake, tmp_path: Path) -> None:
    """Only lines with a score go out, and only words that the broker knows."""
    async with providing(fake, tmp_path, "quick") as running:
        await fake.ready()
        request = await fake.ask("Engine quick", multiPv=0, movetime=None, depth=7)
        assert await request.end() == 200
        assert request.lines == [
            "info depth 1 seldepth 2 score cp 20 nodes 20 pv e7e5 g1f3",
            "bestmove e7e5 ponder g1f3",
        ]
        assert running.heard("Engine quick") == [
            "uci",
            "setoption name UCI_AnalyseMode value true",
            "setoption name UCI_Chess960 value true",
            "setoption name Threads value 1",
            "setoption name Hash value 16",
            "setoption name MultiPV value 1",
            "setoption name UCI_Variant value chess",
            "ucinewgame",
            "isready",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
            "go depth 7",
        ]


async def test_only_what_has_changed_is_told(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "quick") as running:
        await fake.ready()
        for fields in ({}, {}, {"hash": 32, "multiPv": 3}, {"sessionId": "other"}):
            request = await fake.ask("Engine quick", movetime=None, nodes=100, **fields)
            assert await request.end() == 200
        said = running.heard("Engine quick")
        assert said.count("ucinewgame") == 2
        assert said.count("isready") == 3  # the first, and where something has changed
        assert said.count("setoption name Threads value 1") == 1
        assert said.count("setoption name UCI_Chess960 value true") == 1
        assert [line for line in said if "Hash" in line or "MultiPV" in line] == [
            "setoption name Hash value 16",
            "setoption name MultiPV value 1",
            "setoption name Hash value 32",
            "setoption name MultiPV value 3",
            "setoption name Hash value 16",
            "setoption name MultiPV value 1",
        ]


async def test_silence_is_filled_with_signs_of_life(fake: Fake, tmp_path: Path) -> None:
    terms = Terms(2, 64, silence=0.1)
    async with providing(fake, tmp_path, "silent", terms=terms):
        await fake.ready()
        request = await fake.ask("Engine silent")
        assert set(await request.until('{"keepalive":true}', 3)) == {'{"keepalive":true}'}


@pytest.mark.parametrize("rudely", [False, True])
@pytest.mark.parametrize("habit", ["long", "silent"])
async def test_engine_stops_at_once_when_the_requester_leaves(
    fake: Fake, tmp_path: Path, habit: str, rudely: bool
) -> None:
    name = f"Engine {habit}"
    async with providing(fake, tmp_path, habit) as running:
        await fake.ready()
        for number in (1, 2):
            request = await fake.ask(name)
            await running.until_heard(name, "go movetime 86400000", number)
            request.rudely = rudely
            request.left.set()
            loop = asyncio.get_running_loop()
            began = loop.time()
            await running.until_heard(name, "stop", number)
            assert loop.time() - began < 1.0
        assert running.heard(name).count("uci") == 1


async def test_one_poll_serves_all_engines_at_once(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "long", "silent", "quick"):
        await fake.ready(3)
        requests = [await fake.ask("Engine long"), await fake.ask("Engine silent")]
        for request in requests:
            await asyncio.wait_for(request.taken.wait(), TIMEOUT)
        third = await fake.ask("Engine quick")
        assert await third.end() == 200
        assert not any(request.over.is_set() for request in requests)
        assert fake.most_polling == 1
        assert {each["providerSecret"] for each in fake.registered.values()} == {SECRET}


async def test_newer_work_ends_the_older(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "long") as running:
        await fake.ready()
        first = await fake.ask("Engine long")
        await first.until("info depth")
        second = await fake.ask("Engine long", sessionId="other")
        assert await first.end() == 200
        assert first.lines[-1] == "bestmove e7e5"
        await second.until("info depth")
        third, fourth = await fake.ask("Engine long"), await fake.ask("Engine long")
        assert [await second.end(), await third.end()] == [200, 200]
        await fourth.until("info depth")
        running.provider.end()
        assert await fourth.end() == 200


async def test_dead_engine_still_ends_with_bestmove(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "dies") as running:
        await fake.ready()
        for _ in range(2):
            request = await fake.ask("Engine dies")
            assert await request.end() == 200
            assert request.lines[-1] == "bestmove e7e5"
        assert sum("is gone" in line for line in running.said) == 2


async def test_engine_that_does_not_stop_is_ended(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_module, "STOP_TIMEOUT", 0.3)
    async with providing(fake, tmp_path, "stubborn") as running:
        await fake.ready()
        request = await fake.ask("Engine stubborn")
        await request.until("info depth")
        another = await fake.ask("Engine stubborn")
        assert await request.end() == 200
        assert request.lines[-1] == "bestmove e7e5"
        await another.until("info depth")
        assert running.heard("Engine stubborn").count("uci") == 2


async def test_engine_that_cannot_be_reached_keeps_none_from_work(
    fake: Fake, tmp_path: Path
) -> None:
    port = free_port()
    far = ProviderSource.parse(f"Far=tcp://127.0.0.1:{port}/rookery", Trust())
    async with providing(fake, tmp_path, far, "quick") as running:
        await fake.ready()
        assert await (await fake.ask("Engine quick")).end() == 200
        await running.until_said("Far cannot be reached")
        server = ServerConfig(port=0, tcp_port=port, drain_timeout=0.5)
        async with Running(Config((EngineConfig("rookery", (ENGINE,)),), server)):
            await fake.ready(2)
            request = await fake.ask("Far", movetime=None, depth=3)
            assert await request.end() == 200
            assert request.lines[-1].startswith("bestmove ")
            assert await (await fake.ask("Engine quick")).end() == 200


async def test_server_that_leads_astray_is_the_end_of_its_engine_only(
    fake: Fake, tmp_path: Path
) -> None:
    """A WebSocket library may fail in ways of its own, with a redirection for example."""

    async def lead(request: web.Request) -> web.Response:
        raise web.HTTPFound("http://127.0.0.1:1/")

    app = web.Application()
    app.add_routes([web.get("/{path:.*}", lead)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    far = ProviderSource.parse(f"Far=ws://127.0.0.1:{runner.addresses[0][1]}/engines/x", Trust())
    try:
        async with providing(fake, tmp_path, far, "quick") as running:
            await running.until_said("Far cannot be reached")
            await fake.ready()
            assert await (await fake.ask("Engine quick")).end() == 200
    finally:
        await runner.cleanup()


async def test_remote_engine_that_is_late_is_asked_again_what_it_has(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_module, "READY_TIMEOUT", 0.5)
    silent: set[asyncio.StreamWriter] = set()

    async def hear(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        silent.add(writer)

    listening = await asyncio.start_server(hear, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    far = ProviderSource.parse(f"Far=tcp://127.0.0.1:{port}/rookery", Trust())
    async with providing(fake, tmp_path, far) as running:
        await running.until_said("Far cannot be reached: it does not answer 'uci'")
        monkeypatch.undo()
        listening.close()
        for writer in silent:
            writer.transport.abort()
        server = ServerConfig(port=0, tcp_port=port, drain_timeout=0.5)
        async with Running(Config((EngineConfig("rookery", (ENGINE,)),), server)):
            await fake.ready()
        assert fake.registered["eei_1"]["maxHash"] == TERMS.max_hash


async def test_unavailable_broker_is_asked_less_and_less(fake: Fake, tmp_path: Path) -> None:
    fake.failures.extend([503] * 6)
    loop = asyncio.get_running_loop()
    async with providing(fake, tmp_path, "quick") as running:
        began = loop.time()
        await fake.ready()
        assert loop.time() - began > 1.0  # 0, 0.05, 0.1, 0.2, 0.4 and 0.8 s at least
        assert fake.polls == 7
        await running.until_said("status 503: not now; trying again")
        await running.until_said("connected again")
        assert await (await fake.ask("Engine quick")).end() == 200
        assert sum("trying again" in line for line in running.said) == 1


async def test_answer_that_is_none_is_asked_for_again(fake: Fake, tmp_path: Path) -> None:
    """Something in between may say anything, and is no end of the provider."""
    fake.garbage.extend([b'{"id": "\xff"}', b"[" * 100_000, b'{"id": 1', b"[]"])
    async with providing(fake, tmp_path, "quick") as running:
        await running.until_said("connected again")
        assert await (await fake.ask("Engine quick")).end() == 200


async def test_rate_limit_is_kept_to(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site_module.RATE_LIMITED == 60.0
    monkeypatch.setattr(site_module, "RATE_LIMITED", 1.5)
    fake.failures.append(429)
    loop = asyncio.get_running_loop()
    async with providing(fake, tmp_path, "quick") as running:
        await running.until_said("status 429")
        began = loop.time()
        await fake.ready()
        assert loop.time() - began > 1.2
        assert fake.polls == 2


async def test_lost_network_comes_back(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "quick") as running:
        await fake.ready()
        await fake.stop()
        await running.until_said("trying again")
        await fake.start()
        await running.until_said("connected again")
        assert await (await fake.ask("Engine quick")).end() == 200


async def test_site_that_is_away_at_first_is_waited_for(fake: Fake, tmp_path: Path) -> None:
    await fake.stop()
    async with providing(fake, tmp_path, "quick") as running:
        await running.until_said("trying again")
        await fake.start()
        await fake.ready()


async def test_poll_without_answer_is_given_up(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site_module.POLL_TIMEOUT == 12.0
    monkeypatch.setattr(site_module, "POLL_TIMEOUT", 0.3)
    fake.hangs = True
    async with providing(fake, tmp_path, "quick") as running:
        await running.until_said("no answer in time")
        fake.hangs = False
        assert await (await fake.ask("Engine quick")).end() == 200


async def test_sleep_ends_what_was_and_polls_anew(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "long") as running:
        await fake.ready()
        request = await fake.ask("Engine long")
        await request.until("info depth")
        fake.hangs = True
        polls = fake.polls
        await until(lambda: fake.polls != polls)
        fake.hangs = False
        running.provider.give_up_connections()
        await request.end()
        another = await fake.ask("Engine long")
        await another.until("info depth")


async def test_end_lets_searches_end(fake: Fake, tmp_path: Path) -> None:
    async with providing(fake, tmp_path, "long") as running:
        await fake.ready()
        request = await fake.ask("Engine long")
        await request.until("info depth")
        running.provider.end()
        assert await request.end() == 200
        assert request.lines[-1] == "bestmove e7e5"


async def test_idle_engine_is_ended_and_started_again(fake: Fake, tmp_path: Path) -> None:
    terms = Terms(2, 64, idle_timeout=0.1)
    async with providing(fake, tmp_path, "quick", terms=terms) as running:
        await fake.ready()
        await running.until_heard("Engine quick", "quit")
        assert await (await fake.ask("Engine quick")).end() == 200
        assert running.heard("Engine quick").count("uci") == 2


async def test_end_comes_through_while_an_idle_engine_is_ended(tmp_path: Path) -> None:
    begun, ends = asyncio.Event(), asyncio.Event()

    class Slow:
        def send_lines(self, lines: list[bytes]) -> None: ...

        async def run(self) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                begun.set()
                await ends.wait()

    class OfSlow(ProviderSource):
        def create_engine(self, hear: PieceSink, lost: LossSink) -> Slow:
            hear(b"uciok\nreadyok\n")
            return Slow()

    player = JobPlayer(OfSlow("slow"))
    await player.start()
    resting = asyncio.create_task(player.end_engine())
    await begun.wait()
    resting.cancel()
    await asyncio.wait([resting], timeout=TIMEOUT)
    assert resting.cancelled()
    again = asyncio.create_task(player.end_engine())  # It waits for the end, and does not hurry it.
    await asyncio.sleep(0)
    assert not again.done()
    ends.set()
    await asyncio.wait_for(again, TIMEOUT)


async def test_engine_of_a_server_is_provided(fake: Fake, tmp_path: Path) -> None:
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    async with Running(Config((EngineConfig("rookery", (ENGINE,)),), server)) as app:
        for address in (
            f"ws://127.0.0.1:{app.port}/engines/rookery",
            f"tcp://127.0.0.1:{app.tcp_port}/rookery",
        ):
            source = ProviderSource.parse(f"Remote={address}", Trust())
            async with providing(fake, tmp_path, source) as running:
                await fake.ready()
                request = await fake.ask("Remote", multiPv=2)
                await request.until("info depth 6")
                running.provider.end()
                assert await request.end() == 200
                assert any("multipv 2" in line for line in request.lines)
            await until(lambda: not app.sessions)


async def test_restarted_server_is_no_end_of_the_search(fake: Fake, tmp_path: Path) -> None:
    from helpers.bridged import server

    async with server(tmp_path) as running_server:
        source = ProviderSource.parse(f"Remote={running_server.addresses('rookery')[0]}", Trust())
        async with providing(fake, tmp_path, source):
            await fake.ready()
            request = await fake.ask("Remote")
            await request.until("info depth 5")
            await running_server.kill()
            await running_server.start()
            await request.until("info depth 1 ", 2)
            request.left.set()
