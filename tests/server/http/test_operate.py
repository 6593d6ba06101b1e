"""A server process, as its operator has to do with it: its log, signals, drains, checks."""

import asyncio
import json
import os
import signal
import socket
from pathlib import Path

import pytest
from helpers.operated import OTHER, POLITE, command, operated, toml
from helpers.support import (
    TIMEOUT,
    add_token,
    children,
    closing,
    code_of,
    hear_until,
)
from websockets.exceptions import InvalidStatus

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code

# --- the log


async def test_log_is_json(tmp_path: Path) -> None:
    async with operated(tmp_path) as server:
        client = await server.tcp()
        client.say("rookery engine polite", "go")
        await client.hear_until("bestmove")
        client.say("quit")
        began = await server.logged(" began")
        ended = await server.logged(" ended")
    assert began["account"] == "local"
    assert began["engine"] == "polite"
    assert ended["session"] == began["session"]
    assert ended["searches"] == 1


# --- SIGHUP


async def test_reload_offers_other_engines_and_drops_nobody(tmp_path: Path) -> None:
    async with operated(tmp_path) as server, server.websocket() as client:
        await client.send("isready")
        await hear_until(client, "readyok")
        server.configure(toml(tmp_path, OTHER))
        await server.reload()
        async with server.websocket("other") as newcomer:
            await newcomer.send("isready")
            await hear_until(newcomer, "readyok")
        with pytest.raises(InvalidStatus) as caught:
            await server.websocket("polite")
        assert b"there are: other" in caught.value.response.body
        await client.send("go")
        assert await hear_until(client, "bestmove") == ["bestmove e2e4"]
        server.configure(toml(tmp_path))
        await server.reload()
        async with server.websocket("polite") as newcomer:
            await newcomer.send("isready")
            await hear_until(newcomer, "readyok")


async def test_session_of_an_engine_that_is_gone_still_gets_one(tmp_path: Path) -> None:
    async with operated(tmp_path) as server, server.websocket() as client:
        server.configure(toml(tmp_path, OTHER))
        await server.reload()
        await client.send("go")
        assert await hear_until(client, "bestmove") == ["bestmove e2e4"]


async def test_bad_configuration_changes_nothing(tmp_path: Path) -> None:
    async with operated(tmp_path) as server:
        for bad in ("[servre]", "[engines.x]\ncommand = 'no-such-program'", "nonsense",
                    "[server]\ntokens = 'none'\n" + POLITE):  # fmt: skip
            server.configure(bad)
            entry = await server.reload("the configuration is as before: ")
            assert entry["level"] == "warning"
        async with server.websocket() as client:
            await client.send("isready")
            await hear_until(client, "readyok")


async def test_reload_takes_limits_and_tokens(tmp_path: Path) -> None:
    async with operated(tmp_path) as server, server.websocket() as client:
        await client.send("isready")
        await hear_until(client, "readyok")
        server.configure(toml(tmp_path, POLITE + "[quotas.local]\nsessions = 1\n"))
        await server.reload()
        with pytest.raises(InvalidStatus) as caught:
            await server.websocket()
        assert caught.value.response.body.startswith(b"quota-sessions: ")
        server.configure(toml(tmp_path, POLITE + "[connections]\ntotal = 1\n"))
        await server.reload()
        with pytest.raises(InvalidStatus) as caught:
            await server.websocket()
        assert caught.value.response.body.startswith(b"too-many-connections: ")
        add_token(tmp_path / "tokens")
        server.configure(toml(tmp_path, server=f"tokens = '{tmp_path / 'tokens'}'"))
        await server.reload()
        with pytest.raises(InvalidStatus) as caught:
            await server.websocket()
        assert caught.value.response.status_code == 401
        await client.send("isready")
        await hear_until(client, "readyok")


async def test_reload_says_what_wants_a_restart(tmp_path: Path) -> None:
    async with operated(tmp_path) as server:
        server.configure(toml(tmp_path, POLITE + "[budget]\nthreads = 1\n").replace(
            "tcp_port = 0", "tcp_port = false"))  # fmt: skip
        entry = await server.reload("wants a restart")
        assert str(entry["message"]).endswith("wants a restart: server.tcp_port, budget.threads")
        client = await server.tcp()
        client.say("isready")
        assert await client.hear() == "readyok"


# --- SIGTERM


async def test_searches_that_may_finish_do(tmp_path: Path) -> None:
    text = toml(tmp_path, server="drain = 'finish'\ndrain_timeout = 100")
    async with operated(tmp_path, text) as server:
        busy, idle = await server.tcp(), await server.tcp()
        busy.say("go infinite", "isready")
        idle.say("isready")
        assert (await busy.hear(), await idle.hear()) == ("readyok", "readyok")
        server.process.send_signal(signal.SIGTERM)
        assert code_of(await idle.hear()) is Code.DRAINING
        assert await server.get("/readyz") != ""
        assert "503" in (await server.get("/readyz")).split("\r\n")[0]
        assert (await server.get("/readyz")).endswith("draining\n")
        assert " 200 " in await server.get("/healthz")
        with pytest.raises(InvalidStatus) as caught:
            await server.websocket()
        assert caught.value.response.body.startswith(b"draining: ")
        assert caught.value.response.headers["Retry-After"]
        busy.say("isready", "stop")
        assert await busy.hear() == "readyok"
        assert await busy.hear() == "bestmove a2a3"
        assert code_of(await busy.hear()) is Code.DRAINING
        assert await server.ended() == 0


async def test_search_that_may_finish_can_be_come_back_to(tmp_path: Path) -> None:
    text = toml(tmp_path, server="drain = 'finish'\ndrain_timeout = 100")
    async with operated(tmp_path, text) as server:
        busy, idle = await server.tcp(), await server.tcp()
        busy.say("rookery session new", "go infinite", "isready")
        hello = Hello.parse((await busy.hear()).encode())
        assert hello
        idle.say("isready")
        assert (await busy.hear(), await idle.hear()) == ("readyok", "readyok")
        server.process.send_signal(signal.SIGTERM)
        assert code_of(await idle.hear()) is Code.DRAINING
        busy.writer.transport.abort()
        back, fresh = await server.tcp(), await server.tcp()
        fresh.say("isready")
        assert code_of(await fresh.hear()) is Code.DRAINING
        assert await fresh.hear() == ""
        back.say(f"rookery session {hello.session} heard 1")
        assert (await back.hear()).startswith("rookery session ")
        back.say("stop")
        assert await back.hear() == "bestmove a2a3"
        assert code_of(await back.hear()) is Code.DRAINING
        assert await server.ended() == 0


async def test_search_that_does_not_finish_in_time_is_stopped(tmp_path: Path) -> None:
    text = toml(tmp_path, server="drain = 'finish'\ndrain_timeout = 0.5")
    async with operated(tmp_path, text) as server, server.websocket() as client:
        await client.send("go infinite")
        await client.send("isready")
        await hear_until(client, "readyok")
        server.process.send_signal(signal.SIGTERM)
        lines, code = await closing(client)
        assert code_of(lines[0]) is Code.DRAINING
        assert lines[1] == "bestmove a2a3"
        assert code == Close.RESTART
        assert await server.ended() == 0


@pytest.mark.parametrize(("drain", "become"), [("stop", "are stopped"), ("finish", "may finish")])
async def test_what_becomes_of_searches_is_said(tmp_path: Path, drain: str, become: str) -> None:
    async with operated(tmp_path, toml(tmp_path, server=f"drain = '{drain}'")) as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout
        async with asyncio.timeout(TIMEOUT):
            said = await server.process.stdout.readline()
        assert f"searches {become}".encode() in said
        assert await server.ended() == 0


async def test_second_signal_does_not_let_searches_finish(tmp_path: Path) -> None:
    text = toml(tmp_path, server="drain = 'finish'\ndrain_timeout = 1000")
    async with operated(tmp_path, text) as server, server.websocket() as client:
        await client.send("go infinite")
        await client.send("isready")
        await hear_until(client, "readyok")
        server.process.send_signal(signal.SIGTERM)
        await server.logged("may finish")
        server.process.send_signal(signal.SIGTERM)
        assert (await closing(client))[1] == Close.RESTART
        assert await server.ended() == 0


async def test_operator_is_heard_while_searches_finish(tmp_path: Path) -> None:
    text = toml(tmp_path, server="drain = 'finish'\ndrain_timeout = 1000")
    place = ("--socket", str(tmp_path / "control"))
    async with operated(tmp_path, text) as server, server.websocket() as first:
        async with server.websocket() as second:
            for client in (first, second):
                await client.send("go infinite")
                await client.send("isready")
                await hear_until(client, "readyok")
            assert (await command("drain", *place))[0] == 0
            await server.logged("may finish")
            status, out, errors = await command("sessions", "list", "--json", *place)
            assert (status, errors) == (0, "")
            one, other = (json.loads(line)["session"] for line in out.splitlines())
            assert (await command("sessions", "end", str(one), *place))[0] == 0
            assert (await server.logged("is ended by the operator"))["session"] == one
            assert (await command("drain", *place))[0] == 0  # once more
            assert (await server.logged(f"session {other} of local ended"))["searches"] == 1
        assert await server.ended() == 0
    assert not (tmp_path / "control").exists()


# --- check


async def test_check_says_what_would_be_served(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(POLITE)
    status, out, _ = await command("check", "--config", str(path))
    assert status == 0
    assert "listens on 127.0.0.1, WebSocket 8080, TCP 8081\n" in out
    assert "engine polite: answers: " in out
    path.write_text(POLITE + "[engines.broken]\ncommand = 'false'\n")
    status, out, _ = await command("check", "--config", str(path))
    assert status == 2
    assert "engine polite: answers: " in out
    assert "engine broken: it exited with status 1: " in out
    path.write_text(POLITE + "hidden = ['No Such Option']\n")
    status, out, errors = await command("check", "--config", str(path))
    assert status == 2
    assert (out + errors).count("No Such Option") == 1
    assert "engine polite: hidden: the engine has no option 'No Such Option': " in out
    for bad in ("[servre]", "[server]\ntokens = 'none'", "[log]\nformat = 'xml'"):
        path.write_text(bad)
        status, _, errors = await command("check", "--config", str(path))
        assert status == 2
        assert errors.startswith("rookery-server: ")
        assert "Traceback" not in errors


async def test_manager_is_told_how_it_is(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        loop = asyncio.get_running_loop()

        async def told() -> str:
            async with asyncio.timeout(TIMEOUT):
                return (await loop.sock_recv(manager, 1000)).decode()

        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        async with operated(tmp_path, env=environment) as server:
            assert await told() == "READY=1"
            for pid in children(server.process.pid):
                assert "NOTIFY_SOCKET" not in Path(f"/proc/{pid}/environ").read_text()
            await server.reload()
            assert (await told()).startswith("RELOADING=1\nMONOTONIC_USEC=")
            assert await told() == "READY=1"
            server.process.send_signal(signal.SIGTERM)
            assert await told() == "STOPPING=1\nEXTEND_TIMEOUT_USEC=11500000"
            assert await server.ended() == 0
