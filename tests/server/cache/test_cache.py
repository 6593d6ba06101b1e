"""Stored analyses for clients, with real engines over both transports."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from conformance.watcher import Watcher
from helpers.returning import Returning
from helpers.support import TIMEOUT, Running, add_token, hear_until

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Code, Notice
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig, Policy, own_engine, with_program
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig, ServerConfig
from rookery_uci import Info, parse_reply

STOCKFISH = EngineConfig("stockfish", ("/usr/games/stockfish",))
POSITION = "position startpos moves e2e4 e7e5"
DEPTH = 9


class LineClient:
    """A client of either transport."""

    def __init__(self, say: Callable[[str], object], hear: Callable[[str], object]) -> None:
        self._say, self._hear = say, hear

    async def say(self, *lines: str) -> None:
        for line in lines:
            result = self._say(line)
            if asyncio.iscoroutine(result):
                await result

    async def hear_until(self, start: str) -> list[str]:
        heard: list[str] = await self._hear(start)  # type: ignore[misc]
        return heard

    async def analyse(self, position: str = POSITION, go: str = f"go depth {DEPTH}") -> list[str]:
        """Search, and return the lines."""
        await self.say(position, go)
        return await self.hear_until("bestmove")


@asynccontextmanager
async def over_tcp(app: Running, engine: str, token: str = "") -> AsyncIterator[LineClient]:
    async with app.tcp() as lines:
        lines.say(f"rookery engine {engine}" + (f" token {token}" if token else ""))
        yield LineClient(lines.say, lines.hear_until)


@asynccontextmanager
async def over_websocket(app: Running, engine: str, token: str = "") -> AsyncIterator[LineClient]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with app.websocket(engine, additional_headers=headers) as connection:
        yield LineClient(connection.send, lambda start: hear_until(connection, start))


TRANSPORTS = {"tcp": over_tcp, "websocket": over_websocket}


def config_of(folder: Path, *engines: EngineConfig, **cache: object) -> Config:
    """Return a configuration that keeps everything, and waits for the database."""
    rule = CacheConfig(
        file=folder / "cache.sqlite", least_depth=1, least_seconds=0.0, patience=TIMEOUT
    )
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)
    return Config(engines or (STOCKFISH,), server, cache=replace(rule, **cache))  # type: ignore[arg-type]


def known(heard: list[str]) -> list[Info]:
    """Return the lines of the cache: what comes first, if it is marked so."""
    notice = Notice.parse(heard[0])
    if notice is None or notice.code is not Code.CACHED:
        assert not any("rookery cached" in line for line in heard), heard
        return []
    count = int(notice.text.split()[0])
    infos = [parse_reply(line) for line in heard[1 : 1 + count]]
    assert all(isinstance(each, Info) for each in infos)
    return infos  # type: ignore[return-value]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("engine", [STOCKFISH, own_engine()], ids=["stockfish", "rookery"])
async def test_known_position_is_sent_first(
    tmp_path: Path, transport: str, engine: EngineConfig
) -> None:
    async with Running(config_of(tmp_path, with_program(engine))) as app:
        async with TRANSPORTS[transport](app, engine.name) as client:
            first = await client.analyse()
        async with TRANSPORTS[transport](app, engine.name) as client:
            second = await client.analyse()
    assert known(first) == []
    (line,) = known(second)
    assert line.depth == DEPTH
    assert line.multipv == 1
    assert line.score is not None
    assert (line.nodes, line.time) == (0, 0)
    searched = [parse_reply(each) for each in first if " pv " in each]
    assert (line.score, line.pv) in [(each.score, each.pv) for each in searched]  # type: ignore[union-attr]
    assert any(" depth 1 " in each for each in second[2:])  # the search itself went on
    assert sum(each.startswith("bestmove") for each in second) == 1


@pytest.mark.parametrize("command", ["flip", "bench 16 1 1", "go perft 1"])
@pytest.mark.parametrize("engine", [STOCKFISH, own_engine()], ids=["stockfish", "rookery"])
async def test_position_that_only_the_engine_knows_is_not_kept(
    tmp_path: Path, engine: EngineConfig, command: str
) -> None:
    """After `flip` its score is that of the other side."""
    policy = Policy(commands=("flip", "bench", "perft"))
    async with Running(config_of(tmp_path, replace(with_program(engine), policy=policy))) as app:
        async with over_tcp(app, engine.name) as client:
            await client.say(POSITION, command)
            await client.say("isready")
            await client.hear_until("readyok")
            await client.say(f"go depth {DEPTH}")
            await client.hear_until("bestmove")
        async with over_tcp(app, engine.name) as client:
            assert known(await client.analyse()) == []


async def test_resumed_session_gets_known_lines_too(tmp_path: Path) -> None:
    """Known lines are no part of the replay."""
    numbered = EngineConfig("numbered", STOCKFISH.command)
    async with Running(config_of(tmp_path, numbered)) as app:
        assert app.tcp_port
        client = Returning({"tcp": app.tcp_port, "websocket": app.port})
        await client.connect()
        await client.say(POSITION, f"go depth {DEPTH}")
        await client.until(1)
        client.transport = "websocket"
        await client.connect()
        await client.say(f"go depth {DEPTH}")
        await client.until(2)
        assert [each.code for each in client.notices] == [Code.CACHED]
        client.transport = "tcp"
        await client.connect()
        await client.say("isready")
        await client.until(3)
        assert len(client.notices) == 1


async def test_stopped_analysis_is_kept_and_transpositions_are_known(tmp_path: Path) -> None:
    async with Running(config_of(tmp_path)) as app, over_tcp(app, "stockfish") as client:
        await client.say("position startpos moves e2e4 e7e5 g1f3", "go infinite")
        await client.hear_until("info depth 8 ")
        await client.say("stop")
        await client.hear_until("bestmove")
        heard = await client.analyse("position startpos moves g1f3 e7e5 e2e4")
    (line,) = known(heard)
    assert line.depth
    assert line.depth >= 8


async def test_lines_for_each_variation(tmp_path: Path) -> None:
    async with Running(config_of(tmp_path)) as app, over_tcp(app, "stockfish") as client:
        await client.say("setoption name MultiPV value 3")
        await client.analyse()
        lines = known(await client.analyse())
        assert [each.multipv for each in lines] == [1, 2, 3]
        assert len({each.pv[0] for each in lines}) == 3
        await client.say("setoption name MultiPV value 1")
        assert len(known(await client.analyse())) == 1


async def test_options_that_change_the_opinion_are_another_question(tmp_path: Path) -> None:
    async with Running(config_of(tmp_path)) as app, over_tcp(app, "stockfish") as client:
        await client.analyse()
        await client.say("setoption name Threads value 2", "setoption name Hash value 32")
        assert known(await client.analyse())
        await client.say("setoption name UCI_ShowWDL value true")
        assert not known(await client.analyse())
        assert known(await client.analyse())[0].wdl
        await client.say(
            "setoption name UCI_ShowWDL value false", "setoption name Skill Level value 3"
        )
        assert not known(await client.analyse())
        assert not known(await client.analyse())


@pytest.mark.parametrize(
    "go",
    [
        "go wtime 100 btime 100",
        f"go depth {DEPTH} searchmoves g1f3",
        f"go depth {DEPTH} mate 2",
    ],
)
async def test_games_and_special_searches_neither_use_nor_fill_the_cache(
    tmp_path: Path, go: str
) -> None:
    async with Running(config_of(tmp_path)) as app, over_tcp(app, "stockfish") as client:
        assert not known(await client.analyse(go=go))
        assert not known(await client.analyse())
        assert not known(await client.analyse(go=go))
        assert known(await client.analyse())


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_session_may_switch_the_cache_off(tmp_path: Path, transport: str) -> None:
    over = TRANSPORTS[transport]
    async with Running(config_of(tmp_path)) as app, over(app, "stockfish") as client:
        await client.analyse()
        await client.say("rookery cache off")
        assert await client.hear_until("rookery") == ["rookery cache off"]
        other = "position startpos moves d2d4"
        assert not known(await client.analyse())
        await client.analyse(other)
        await client.say("rookery cache on")
        assert await client.hear_until("rookery") == ["rookery cache on"]
        assert known(await client.analyse())
        assert not known(await client.analyse(other))


async def test_session_may_switch_the_cache_off_in_its_first_line(tmp_path: Path) -> None:
    async with Running(config_of(tmp_path)) as app, app.tcp() as client:
        client.say("rookery engine stockfish cache off", "rookery session new cache off")
        assert Hello.parse((await client.hear()).encode()) == Hello(cache="off")
        assert Hello.parse((await client.hear()).encode()) == Hello(cache="off")
        assert (await client.hear()).startswith("rookery session ")
        (actor,) = app.host.actors
        assert not actor.wants_cache
        client.say("rookery cache perhaps")
        assert "'rookery cache' needs 'on' or 'off', not 'perhaps'" in await client.hear()


async def test_operator_may_switch_the_cache_off(tmp_path: Path) -> None:
    config = config_of(tmp_path, enabled=False)
    async with Running(config) as app, over_tcp(app, "stockfish") as client:
        await client.say("rookery cache on")
        assert await client.hear_until("rookery") == ["rookery cache off"]
        await client.analyse()
        assert not known(await client.analyse())
    assert not list(tmp_path.iterdir())


async def test_account_may_have_no_cache(tmp_path: Path) -> None:
    config = replace(config_of(tmp_path), quotas=Quotas(named={"bob": {"cache": False}}))
    tokens = tmp_path / "tokens"
    config = replace(config, server=replace(config.server, tokens=tokens))
    bob = add_token(tokens, "bob")
    async with Running(config) as app, over_tcp(app, "stockfish", bob) as client:
        await client.say("rookery cache on")
        assert await client.hear_until("rookery") == ["rookery cache off"]
        await client.analyse()
        assert not known(await client.analyse())


@pytest.mark.parametrize("shared", [False, True])
async def test_accounts_have_their_own_unless_they_share(tmp_path: Path, *, shared: bool) -> None:
    tokens = tmp_path / "tokens"
    anna, bob = (add_token(tokens, name) for name in ("anna", "bob"))
    config = config_of(tmp_path, shared=shared)
    async with Running(replace(config, server=replace(config.server, tokens=tokens))) as app:
        for name, token, is_known in (
            ("anna", anna, False), ("bob", bob, shared), ("anna", anna, True)
        ):  # fmt: skip
            async with over_tcp(app, "stockfish", token) as client:
                assert bool(known(await client.analyse())) is is_known, name


async def test_other_build_in_the_same_place_is_another_engine(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    shutil.copy(STOCKFISH.command[0], program)
    config = config_of(tmp_path, EngineConfig("engine", (str(program),)))
    config = replace(config, sessions=replace(config.sessions, warm=0, warm_most=0))
    async with Running(config) as app:
        async with over_tcp(app, "engine") as client:
            await client.analyse()
            # The same contents under the same name are the same engine; a session whose
            # engine runs already cannot know that.
            copy_over(program)
            assert not known(await client.analyse())
        async with over_tcp(app, "engine") as client:
            assert known(await client.analyse())
        copy_over(program, b"another build")
        async with over_tcp(app, "engine") as client:
            assert not known(await client.analyse())
            assert known(await client.analyse())


def copy_over(program: Path, more: bytes = b"") -> None:
    """Replace a program, which may be running, by a copy of itself with more at its end."""
    new = program.with_suffix(".new")
    shutil.copy(STOCKFISH.command[0], new)
    with new.open("ab") as file:
        file.write(more)
    new.replace(program)


async def test_file_beside_the_program_is_part_of_the_build(tmp_path: Path) -> None:
    beside = tmp_path / "network"
    beside.write_text("1")
    engine = replace(STOCKFISH, build=(str(beside),))
    for text, is_known in (("1", False), ("1", True), ("2", False)):
        beside.write_text(text)
        config = config_of(tmp_path, engine)
        async with Running(config) as app, over_tcp(app, "stockfish") as client:
            assert bool(known(await client.analyse())) is is_known


async def test_broken_database_does_not_disturb_a_session(tmp_path: Path) -> None:
    (tmp_path / "cache.sqlite").write_text("no database" * 1000)
    async with Running(config_of(tmp_path)) as app, over_tcp(app, "stockfish") as client:
        for _ in range(3):
            heard = await client.analyse()
            assert heard[-1].startswith("bestmove")
            assert not known(heard)
        assert app.host.keeper
        assert not app.host.keeper.works


async def test_database_that_hangs_delays_no_session(tmp_path: Path) -> None:
    async with Running(config_of(tmp_path, patience=0.01)) as app:
        keeper = app.host.keeper
        assert keeper
        keeper.look_up = lambda query, reply: True  # type: ignore[method-assign]  # It never replies.
        async with over_tcp(app, "stockfish") as client:
            heard = await client.analyse()
    assert not known(heard)
    assert sum(each.startswith("bestmove") for each in heard) == 1


async def test_answer_after_the_search_is_dropped(tmp_path: Path) -> None:
    replies = []
    async with Running(config_of(tmp_path, patience=0.0)) as app:
        keeper = app.host.keeper
        assert keeper
        keeper.look_up = lambda query, reply: bool(replies.append(reply) or True)  # type: ignore[method-assign,func-returns-value]
        async with over_tcp(app, "stockfish") as client:
            await client.analyse()
            replies[0](b"info string rookery cached: too late\n")
            await client.say("isready")
            assert await client.hear_until("readyok") == ["readyok"]


async def test_late_answer_does_not_decrease_the_nodes(tmp_path: Path) -> None:
    """Row 180."""
    replies = []
    async with Running(config_of(tmp_path, patience=0.0)) as app:
        keeper = app.host.keeper
        assert keeper
        keeper.look_up = lambda query, reply: bool(replies.append(reply) or True)  # type: ignore[method-assign,func-returns-value]
        async with over_tcp(app, "stockfish") as client:
            await client.say(POSITION, "go infinite")
            await client.hear_until("info depth 9 ")
            replies[0](b"info depth 40 multipv 1 score cp 1 nodes 0 time 0 pv g1f3\n")
            told = parse_reply((await client.hear_until("info depth 40 "))[-1])
            assert isinstance(told, Info)
            assert told.nodes
            await client.say("stop")
            await client.hear_until("bestmove")


async def test_sighup_changes_the_limits_but_not_the_database(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    async with Running(config) as app:
        await app.reconfigure(replace(config, cache=replace(config.cache, least_depth=DEPTH + 1)))
        async with over_tcp(app, "stockfish") as client:
            await client.analyse()
            assert not known(await client.analyse())
            elsewhere = replace(config.cache, file=tmp_path / "other.sqlite")
            await app.reconfigure(replace(config, cache=elsewhere))
            assert app.config.cache == config.cache


@pytest.mark.parametrize("engine", [STOCKFISH, own_engine()], ids=["stockfish", "rookery"])
async def test_known_lines_break_no_row_of_uci(tmp_path: Path, engine: EngineConfig) -> None:
    """The watcher of the UCI rows finds nothing in them (171, 172, 180 above all)."""
    faults: dict[bool, set[object]] = {}
    goes = ["setoption name MultiPV value 2", POSITION, f"go depth {DEPTH}"]
    async with Running(config_of(tmp_path, with_program(engine))) as app:
        for is_known in (False, True):
            rows = faults.setdefault(is_known, set())
            watcher = Watcher(lambda row, text, rows=rows: rows.add(row))
            async with over_tcp(app, engine.name) as client:
                await client.say("uci")
                watcher.said("uci", time.monotonic())
                for line in await client.hear_until("uciok"):
                    watcher.heard(line, time.monotonic())
                for line in goes:
                    watcher.said(line, time.monotonic())
                await client.say(*goes)
                heard = await client.hear_until("bestmove")
            for line in heard:
                watcher.heard(line, time.monotonic())
            assert bool(known(heard)) is is_known
    assert faults[True] <= faults[False]


async def test_metrics_count_hits_and_misses(tmp_path: Path) -> None:
    async with Running(config_of(tmp_path)) as app, over_tcp(app, "stockfish") as client:
        for _ in range(3):
            await client.analyse()
        text = app.web.health._metrics.text()
    for name, value in (("hits_total", 2), ("misses_total", 1), ("errors_total", 0), ("up", 1)):
        assert f"\nrookery_cache_{name} {value}.0\n" in text, name
