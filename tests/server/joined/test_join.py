"""Machines that join a server and offer engines: each is `rookery-server join`, as a process."""

import asyncio
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.joining import joined_engines, joining, offered, shows, url_of
from helpers.proxy import Proxy
from helpers.support import (
    TIMEOUT,
    Running,
    add_token,
    closing,
    code_of,
    get,
    hear_until,
    odd,
    until,
)
from websockets.exceptions import InvalidStatus

from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import Role
from rookery_server.access.token_file import TokenFile
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Size
from rookery_server.config.sections import CacheConfig, MachinesConfig
from rookery_server.joined import joining_messages
from rookery_server.session.commands import SEARCHING

STOCKFISH = "/usr/games/stockfish"
ENGINE = "odd@anna"


@pytest.fixture
def closed(closed: Config) -> Config:
    """Return the configuration of a server with one engine of its own, which wants tokens."""
    return replace(
        closed,
        engines=(EngineConfig("polite", odd("polite")),),
        machines=MachinesConfig(grace=60.0, users=(("carl", ("admin",)),)),
    )


@pytest.fixture
def user(token: str) -> str:
    return token


def notices(lines: list[str]) -> list[Code]:
    return [notice.code for line in lines if (notice := Notice.parse(line))]


async def says(client: object, *lines: str) -> None:
    for line in lines:
        await client.send(line)  # type: ignore[attr-defined]


async def searching(server: Running) -> None:
    """Wait until an engine of a machine's searches."""
    await until(lambda: any(each.attached and each.state is SEARCHING for each in server.sessions))


# --- playing


@pytest.mark.parametrize("command", [STOCKFISH, "rookery-engine"])
async def test_engine_of_a_machine_is_played_over_both_transports(
    server: Running, pc: str, user: str, command: str
) -> None:
    async with joining(url_of(server), "--engine", f"strong={command}", token=pc) as machine:
        await machine.until("joined, offers strong@anna")
        await offered(server, "strong@anna")
        async with server.websocket("strong@anna", **shows(user)) as client:
            await says(client, "uci", "setoption name Hash value 8", "isready")
            lines = await hear_until(client, "readyok")
            assert any(line.startswith("id name ") for line in lines)
            assert not any("type string" in line for line in lines if "UCI_" not in line)
            await says(client, "position startpos moves e2e4", "go depth 6")
            lines = await hear_until(client, "bestmove ")
            assert any(" pv " in line for line in lines)
            assert notices(lines) == []
        async with server.tcp() as lines_client:
            lines_client.say(f"rookery token {user} engine strong@anna", "position startpos")
            lines_client.say("go infinite", "isready")
            await lines_client.hear_until("readyok")
            lines_client.say("stop")
            assert (await lines_client.hear_until("bestmove "))[-1].startswith("bestmove ")
            lines_client.say("quit")
            assert await lines_client.hear_until("never") != []
        await joined_engines(server, 0)


async def test_pages_and_lists_show_it_to_those_who_may_use_it(
    server: Running, pc: str, user: str
) -> None:
    async with joining(url_of(server), "--name", "pc", token=pc):
        await offered(server, ENGINE)
        authorization = {"Authorization": f"Bearer {user}"}
        assert ENGINE in (await get(server, "/engines", **authorization))[1]
        # Strangers do not learn who has machines.
        for fields in ({}, {"Authorization": "Bearer rk_wrong"}):
            assert "anna" not in (await get(server, "/engines", **fields))[1]
        answer = await server.admin_commands.run({"do": "machines"})
        (machine,) = answer["machines"]  # type: ignore[misc]
        assert (machine["machine"], machine["engines"]) == ("pc", [ENGINE])
        async with server.websocket(ENGINE, **shows(user)) as client:
            await says(client, "isready")
            await hear_until(client, "readyok")
            metrics = server.web.health._metrics.text()
            assert "rookery_machines 1.0" in metrics
            assert "rookery_joined_engines 1.0" in metrics
            assert 'rookery_sessions{engine="joined"} 1.0' in metrics
            assert "anna" not in metrics


async def test_its_threads_are_its_machines_and_not_the_servers(
    server: Running, pc: str, user: str
) -> None:
    arguments = ("--threads", "1", "--hash", "64", "--engine", f"strong={STOCKFISH}")
    async with joining(url_of(server), *arguments, token=pc):
        await offered(server, "strong@anna")
        before = server.host.scheduler.budget.free
        async with server.websocket("strong@anna", **shows(user)) as first:
            await says(first, "uci", "isready")
            lines = await hear_until(first, "readyok")
            # What there is to have is the machine's word.
            assert any("name Threads" in line and "max 1" in line for line in lines)
            assert any("name Hash" in line and "max 64" in line for line in lines)
            assert server.host.scheduler.budget.free == before
            await says(first, "go infinite")
            async with server.websocket("strong@anna", **shows(user)) as second:
                await says(second, "isready", "go depth 1")
                lines = await hear_until(second, "info string rookery waiting")
                assert "number 1 of 1" in lines[-1]
                await says(first, "stop", "quit")
                await hear_until(second, "bestmove ")
        assert server.host.scheduler._queues["anna"].budget.total == Size(1, 64)


async def test_who_comes_when_as_many_play_as_may_waits_in_the_queue(
    server: Running, pc: str, user: str
) -> None:
    """Not for threads, of which there are enough, and whichever engine the others have."""
    command = " ".join(odd("polite"))
    arguments = ("--engine", f"odd={command}", "--engine", f"other={command}", "--sessions", "1")
    async with joining(url_of(server), *arguments, "--threads", "8", token=pc):
        await offered(server, ENGINE)
        await offered(server, "other@anna")
        async with server.tcp() as first, server.tcp() as second:
            first.say(f"rookery token {user} engine other@anna", "go infinite")
            await searching(server)
            second.say(f"rookery token {user} engine {ENGINE}", "isready", "go depth 1")
            lines = await second.hear_until("info string rookery waiting")
            assert "readyok" in lines
            assert "number 1 of 1" in lines[-1]
            first.say("stop", "quit")
            assert notices(await second.hear_until("bestmove ")) == []


async def test_who_finds_no_place_though_another_machine_has_one_waits_for_it(
    server: Running, pc: str, user: str
) -> None:
    """A machine that has a place left offers something else."""
    url, other = url_of(server), " ".join(odd("polite"))
    one = ("--name", "one", "--sessions", "1", "--threads", "4")
    two = ("--name", "two", "--sessions", "1", "--threads", "4", "--engine", f"other={other}")
    async with joining(url, *one, token=pc), joining(url, *two, token=pc):
        await offered(server, ENGINE)
        await offered(server, "other@anna")
        async with server.tcp() as first, server.tcp() as second:
            first.say(f"rookery token {user} engine {ENGINE}", "go infinite")
            await searching(server)
            second.say(f"rookery token {user} engine {ENGINE}", "isready", "go depth 1")
            await second.hear_until("info string rookery waiting")
            await second.hear_until("readyok")
            first.say("stop", "quit")
            # It may have been told once more, for its search.
            assert set(notices(await second.hear_until("bestmove "))) <= {Code.WAITING}


async def test_what_a_machine_finds_is_not_kept_for_others(
    closed: Config, pc: str, user: str, tmp_path: Path
) -> None:
    file = tmp_path / "cache.sqlite"
    cache = CacheConfig(file=file, least_depth=1, least_seconds=0.0, patience=TIMEOUT)
    engines = (EngineConfig("strong", (STOCKFISH,)),)
    async with (
        Running(replace(closed, cache=cache, engines=engines)) as server,
        joining(url_of(server), "--engine", f"strong={STOCKFISH}", token=pc),
    ):
        await offered(server, "strong@anna")
        for name, kept in (("strong@anna", False), ("strong", True)):
            async with server.websocket(name, **shows(user)) as client:
                for _ in range(2):
                    await says(client, "go depth 8")
                    lines = await hear_until(client, "bestmove")
                    await says(client, "ucinewgame", "isready")
                    await hear_until(client, "readyok")
                    await asyncio.sleep(0.3)  # It is written soon, and not at once.
                assert (Code.CACHED in notices(lines)) is kept


# --- machines that are lost


async def test_killed_machine_is_waited_for_and_the_search_goes_on(
    server: Running, pc: str, user: str
) -> None:
    async with joining(url_of(server), token=pc) as machine:
        await offered(server, ENGINE)
        async with server.tcp() as client:
            client.say(f"rookery token {user} engine {ENGINE}", "position startpos moves e2e4")
            client.say("go infinite")
            await searching(server)
            await machine.kill()
            lines = await client.hear_until("info string rookery engine-away")
            assert Code.ENGINE_DIED in notices(lines)
            assert not any("another takes its place" in line for line in lines)
            (actor,) = server.host.actors
            assert actor.totals.engine_deaths == 0  # It is nothing of the engine's.
            assert actor.totals.cpu_seconds > 0
            client.say("isready")  # It is answered all the same.
            await client.hear_until("readyok")
            async with joining(url_of(server), token=pc):
                await searching(server)
                client.say("stop")
                assert (await client.hear_until("bestmove"))[-1] == "bestmove a2a3"


async def test_when_no_machine_comes_back_sessions_are_refused_by_name(
    closed: Config, pc: str, user: str
) -> None:
    closed = replace(closed, machines=MachinesConfig(grace=0.5))
    async with Running(closed) as server, joining(url_of(server), token=pc) as machine:
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(user)) as client:
            await says(client, "go infinite")
            await searching(server)
            await machine.kill()
            lines, code = await closing(client)
            assert code == Close.ENGINE_GONE
            assert notices(lines)[-1] is Code.ENGINE_AWAY
            assert sum(line.startswith("bestmove ") for line in lines) == 1
        with pytest.raises(InvalidStatus) as refused:
            await server.websocket(ENGINE, **shows(user))
        assert refused.value.response.status_code == 503
        assert refused.value.response.body.startswith(b"engine-away: no machine offers 'odd@anna'")
        await joined_engines(server, 0)
        assert list(server.host.fleet.joined.machines) == []


async def test_machine_that_leaves_lets_searches_end_with_their_move(
    server: Running, pc: str, user: str
) -> None:
    async with joining(url_of(server), token=pc) as machine:
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(user)) as client:
            await says(client, "go infinite")
            await searching(server)
            engines = machine.engines()
            assert engines
            machine.process.send_signal(signal.SIGTERM)
            assert (await hear_until(client, "bestmove"))[-1] == "bestmove a2a3"
            assert await machine.ended() == 0
            # It has said that it goes, so nobody waits for it.
            await says(client, "go depth 1")
            lines, code = await closing(client)
            assert (notices(lines)[-1], code) == (Code.ENGINE_AWAY, Close.ENGINE_GONE)
    assert not any(Path(f"/proc/{pid}").exists() for pid in engines)


async def test_who_is_idle_when_the_machine_leaves_hears_so_and_ends_when_it_needs_an_engine(
    server: Running, pc: str, user: str
) -> None:
    async with joining(url_of(server), token=pc) as machine:
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(user)) as client:
            await says(client, "isready")
            await hear_until(client, "readyok")
            machine.process.send_signal(signal.SIGTERM)
            lines = await hear_until(client, "info string rookery")
            assert notices(lines) == [Code.ENGINE_AWAY]
            assert "the link to " in lines[-1]
            await says(client, "uci")  # It goes on as far as it can without an engine.
            await hear_until(client, "uciok")
            await says(client, "isready")
            lines, code = await closing(client)
            assert (notices(lines)[-1], code) == (Code.ENGINE_AWAY, Close.ENGINE_GONE)
        assert "rookery_engine_deaths_total 0.0" in server.web.health._metrics.text()


async def test_two_machines_of_one_account_stand_in_for_each_other(
    server: Running, pc: str, user: str
) -> None:
    url = url_of(server)
    async with joining(url, "--name", "one", token=pc) as one:
        await offered(server, ENGINE)
        async with joining(url, "--name", "two", token=pc) as two:
            await two.until("joined")
            async with server.tcp() as client:
                client.say(f"rookery token {user} engine {ENGINE}", "go infinite")
                await searching(server)
                (used,) = [m for m in server.host.fleet.joined.machines if m.engines]
                await (one if used.joining.machine == "one" else two).kill()
                await client.hear_until("info string rookery engine-died")
                client.say("stop")
                assert (await client.hear_until("bestmove"))[-1] == "bestmove a2a3"
                (left,) = [m for m in server.host.fleet.joined.machines if m.engines]
                assert left.joining.machine != used.joining.machine


@pytest.mark.parametrize("kind", ["reset", "silence"])
async def test_network_is_cut(
    server: Running, pc: str, user: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining_messages, "SILENCE", 6.0)  # s; a machine gives a sign every 5
    async with (
        Proxy(server.port, seed=1) as proxy,
        joining(url_of(server, proxy.port), token=pc) as machine,
    ):
        await offered(server, ENGINE)
        async with server.tcp() as client:
            client.say(f"rookery token {user} engine {ENGINE}", "go infinite")
            await searching(server)
            assert proxy.cut(kind) >= 2  # the control, and the link
            await client.hear_until("info string rookery engine-died")
            proxy.forget_lost()
            await machine.until("trying again")
            await machine.until("joined")
            await searching(server)
            client.say("stop")
            assert (await client.hear_until("bestmove"))[-1] == "bestmove a2a3"


async def test_link_outlives_a_control_that_is_lost(server: Running, pc: str, user: str) -> None:
    async with joining(url_of(server), token=pc) as machine:
        await offered(server, ENGINE)
        async with server.tcp() as client:
            client.say(f"rookery token {user} engine {ENGINE}", "go infinite")
            await searching(server)
            (joined,) = server.host.fleet.joined.machines
            assert joined.control
            joined.control.connection.transport.abort()  # type: ignore[attr-defined]
            await machine.until("trying again")
            await machine.until("joined")
            (again,) = server.host.fleet.joined.machines
            assert again is joined
            client.say("stop")
            lines = await client.hear_until("bestmove")
            assert (lines[-1], notices(lines)) == ("bestmove a2a3", [])


async def test_server_that_is_started_again_has_the_machine_again(
    closed: Config, pc: str, user: str
) -> None:
    async with Running(closed) as first:
        port = first.port
        context = joining(url_of(first), token=pc)
        machine = await context.__aenter__()
        await offered(first, ENGINE)
    try:
        await machine.until("trying again")
        again = replace(closed, server=replace(closed.server, port=port))
        async with Running(again) as second:
            await offered(second, ENGINE)
            async with second.websocket(ENGINE, **shows(user)) as client:
                await says(client, "go depth 1")
                assert (await hear_until(client, "bestmove"))[-1] == "bestmove e2e4"
    finally:
        await context.__aexit__(None, None, None)


# --- who may


async def test_token_that_is_none_or_for_something_else_is_refused(
    server: Running, pc: str, user: str
) -> None:
    for token, why in (
        ("rk_000000000000_" + "x" * 32, "the token is unknown, revoked or expired"),
        (user, "alice may not join: this wants a token that was made with '--role host'"),
    ):
        async with joining(url_of(server), token=token) as machine:
            assert await machine.ended() == 1
            assert why in machine.said[-1]
            assert token not in "".join(machine.said)


async def test_token_of_a_machine_is_for_nothing_else(server: Running, pc: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await server.websocket("polite", **shows(pc))
    assert refused.value.response.status_code == 401
    async with server.tcp() as client:
        client.say(f"rookery token {pc}", "uci")
        assert code_of(await client.hear()) is Code.UNAUTHORIZED


async def test_token_that_is_revoked_ends_the_machine_and_its_engines(
    server: Running, tokens: Path, pc: str, user: str
) -> None:
    async with joining(url_of(server), token=pc) as machine:
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(user)) as client:
            await says(client, "go infinite")
            await searching(server)
            TokenFile(tokens).change(lambda ring: ring.without("anna"))
            assert await machine.ended() == 1
            assert "unknown, revoked or expired" in machine.said[-1]
            lines, _ = await closing(client)
            assert notices(lines)[-1] is Code.ENGINE_AWAY


async def test_who_may_use_it_is_the_owners_word_within_the_operators(
    server: Running, tokens: Path, user: str
) -> None:
    tokens_of = {
        name: add_token(tokens, name, role=role)
        for name, role in (("carl", Role.HOST), ("dora", Role.HOST), ("root", Role.ADMIN))
    }
    url = url_of(server)
    async with (
        joining(url, token=tokens_of["carl"]),  # whose engines are for admins
        joining(url, "--allow", "bob", token=tokens_of["dora"]),
    ):
        await offered(server, "odd@carl")
        await offered(server, "odd@dora")
        for name, token, may in (
            ("odd@carl", user, False),
            ("odd@carl", tokens_of["root"], True),
            ("odd@dora", user, False),
            ("odd@dora", add_token(tokens, "bob"), True),
        ):
            if may:
                async with server.websocket(name, **shows(token)) as client:
                    await says(client, "isready")
                    await hear_until(client, "readyok")
                continue
            with pytest.raises(InvalidStatus) as refused:
                await server.websocket(name, **shows(token))
            # It is told as if there were none.
            assert refused.value.response.status_code == 404
            assert b"there are: polite" in (refused.value.response.body or b"")


async def test_server_without_tokens_takes_machines_of_this_machine(config: Config) -> None:
    config = replace(config, engines=(EngineConfig("polite", odd("polite")),))
    async with Running(config) as server, joining(url_of(server)):
        await offered(server, "odd@local")
        async with server.websocket("odd@local") as client:
            await says(client, "go depth 1")
            assert (await hear_until(client, "bestmove"))[-1] == "bestmove e2e4"


async def test_server_that_wants_no_machines_says_so(closed: Config, pc: str) -> None:
    closed = replace(closed, machines=MachinesConfig(enabled=False))
    async with Running(closed) as server, joining(url_of(server), token=pc) as machine:
        assert await machine.ended() == 1
        assert "no machine may join this server" in machine.said[-1]
