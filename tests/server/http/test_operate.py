"""A server process, as its operator has to do with it: signals, sockets, commands."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from helpers.support import (
    ODD_ENGINE,
    TIMEOUT,
    Lines,
    add_token,
    children,
    closing,
    code_of,
    hear_until,
    request_for,
)
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code

SERVER = str(Path(sys.executable).with_name("rookery-server"))
POLITE = f"[engines.polite]\ncommand = [{sys.executable!r}, '-S', {str(ODD_ENGINE)!r}, 'polite']\n"
OTHER = POLITE.replace("engines.polite", "engines.other")


@dataclass
class Operated:
    """A server process whose log is JSON, and the folder of its configuration."""

    process: Process
    folder: Path
    port: int
    tcp_port: int

    def configure(self, text: str) -> None:
        (self.folder / "rookery.toml").write_text(text)

    def websocket(self, engine: str = "polite") -> connect:
        return connect(f"ws://127.0.0.1:{self.port}/engines/{engine}", proxy=None)

    async def tcp(self) -> Lines:
        return Lines(*await asyncio.open_connection("127.0.0.1", self.tcp_port))

    async def get(self, path: str) -> str:
        """Return the answer to a request."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(request_for(path))
        async with asyncio.timeout(TIMEOUT):
            answer = (await reader.read()).decode()
        writer.close()
        return answer

    async def logged(self, text: str) -> dict[str, object]:
        """Return the next entry of the log whose message has this text."""
        assert self.process.stderr
        async with asyncio.timeout(TIMEOUT):
            while line := await self.process.stderr.readline():
                entry: dict[str, object] = json.loads(line)
                if text in str(entry["message"]):
                    return entry
        raise AssertionError(text)

    async def reload(self, then: str = "was read again") -> dict[str, object]:
        self.process.send_signal(signal.SIGHUP)
        return await self.logged(then)

    async def ended(self) -> int:
        async with asyncio.timeout(TIMEOUT):
            return await self.process.wait()


def toml(folder: Path, text: str = POLITE, server: str = "") -> str:
    return (
        f"[server]\nport = 0\ntcp_port = 0\n{server}\n[log]\nformat = 'json'\n"
        f"[control]\nsocket = {str(folder / 'control')!r}\n{text}"
    )


@asynccontextmanager
async def operated(
    folder: Path, text: str | None = None, **options: object
) -> AsyncIterator[Operated]:
    path = folder / "rookery.toml"
    path.write_text(text or toml(folder))
    process = await asyncio.create_subprocess_exec(
        SERVER,
        "--config",
        str(path),
        stdout=PIPE,
        stderr=PIPE,
        **options,  # type: ignore[arg-type]
    )
    assert process.stdout
    try:
        async with asyncio.timeout(TIMEOUT):
            greeting = (await process.stdout.readuntil(b"Ctrl-C ends it.\n")).decode()
        port = int(greeting.split("http://127.0.0.1:")[1].split("/")[0])
        tcp_port = int(greeting.split("nc 127.0.0.1 ")[1].split()[0]) if "nc " in greeting else 0
        yield Operated(process, folder, port, tcp_port)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def command(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Return the status of a command, and what it says."""
    process = await asyncio.create_subprocess_exec(
        SERVER, *arguments, stdout=PIPE, stderr=PIPE, env=os.environ | environment
    )
    async with asyncio.timeout(TIMEOUT):
        out, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()


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


# --- the operator's socket


@pytest.mark.parametrize(
    ("words", "known"),
    [("sessions", "list,end"), ("jobs", "list,end,pause,resume"), ("machines", "list"),
     ("token", "add,list,revoke"), ("cache", "show,prune,clear")],
)  # fmt: skip
async def test_command_without_its_second_word_says_which_there_are(words: str, known: str) -> None:
    status, _, errors = await command(words)
    assert (status, errors.splitlines()[-1].endswith(f"{{{known}}}")) == (2, True)


async def test_operator_sees_and_ends_sessions(tmp_path: Path) -> None:
    place = ("--socket", str(tmp_path / "control"))
    async with operated(tmp_path) as server, server.websocket() as client:
        await client.send("go infinite")
        await client.send("isready")
        await hear_until(client, "readyok")
        assert stat.S_IMODE((tmp_path / "control").stat().st_mode) == 0o600
        status, out, _ = await command("sessions", "list", *place)
        assert status == 0
        heading, row = (line.split() for line in out.splitlines())
        assert heading[:4] == ["SESSION", "ACCOUNT", "ENGINE", "STATE"]
        assert row[1:5] == ["local", "polite", "searching", "127.0.0.1"]
        _, out, _ = await command("sessions", "list", "--json", *place)
        assert json.loads(out)["lines_heard"] == 2
        assert (await command("sessions", "end", row[0], *place))[0] == 0
        lines, code = await closing(client)
        assert code_of(lines[-1]) is Code.ENDED
        assert code == Close.POLICY
        status, _, errors = await command("sessions", "end", "999", *place)
        assert (status, errors) == (
            1,
            "rookery-server: there is no session 999: 'sessions list' shows those that there are\n",
        )
        path = tmp_path / "other.toml"
        path.write_text("[control]\nsocket = false\n")
        status, _, errors = await command("drain", "--config", str(path))
        assert (status, "hears no operator" in errors) == (1, True)
        assert (await command("drain", "--config", str(tmp_path / "rookery.toml")))[0] == 0
        assert await server.ended() == 0
    assert not (tmp_path / "control").exists()
    assert (await command("sessions", "list", *place))[0] == 1


async def test_operator_sees_pauses_and_ends_jobs(tmp_path: Path) -> None:
    place = ("--socket", str(tmp_path / "control"))
    engine = str(Path(sys.executable).with_name("rookery-engine"))
    text = f"[engines.rookery]\ncommand = [{engine!r}]\n"
    text += f"[cache]\nfile = {str(tmp_path / 'cache.sqlite')!r}\n"
    async with operated(tmp_path, toml(tmp_path, text)) as server:
        assert (await command("jobs", "list", "--json", *place))[:2] == (0, "")
        target = f"http://127.0.0.1:{server.port}/v1/jobs?movetime=60000&name=slow"
        body = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
        request = Request(target, body, {"Content-Type": "text/plain"})
        answer = await asyncio.to_thread(lambda: urlopen(request, timeout=TIMEOUT).read())
        id_ = json.loads(answer)["id"]
        _, out, _ = await command("jobs", "list", "--json", *place)
        job = json.loads(out)
        assert (job["id"], job["account"], job["name"]) == (id_, "local", "slow")
        assert (job["kind"], job["done"], job["total"]) == ("positions", 0, 1)
        assert (await command("jobs", "pause", id_[:8], *place))[0] == 0
        heading, row = (
            line.split() for line in (await command("jobs", "list", *place))[1].splitlines()
        )
        assert heading[:4] == ["ID", "ACCOUNT", "KIND", "STATE"]
        assert row[:4] == [id_, "local", "positions", "paused"]
        assert "is paused already" in (await command("jobs", "pause", id_, *place))[2]
        assert (await command("jobs", "resume", id_, *place))[0] == 0
        assert "and not paused" in (await command("jobs", "resume", id_, *place))[2]
        assert (await command("jobs", "end", id_, *place))[0] == 0
        assert (await command("jobs", "end", id_, *place))[::2] == (
            1,
            f"rookery-server: no job has an id that begins with {id_!r}:"
            " 'jobs list' shows those that there are\n",
        )


async def test_operator_sees_and_withdraws_shared_games(tmp_path: Path) -> None:
    place = ("--socket", str(tmp_path / "control"))
    text = f"{POLITE}\n[cache]\nfile = {str(tmp_path / 'cache.sqlite')!r}\n"
    async with operated(tmp_path, toml(tmp_path, text)) as server:
        assert (await command("shared-games", "list", "--json", *place))[:2] == (0, "")
        target = f"http://127.0.0.1:{server.port}/v1/games"
        fields = {"Content-Type": "application/json"}

        def share_game(title: str) -> str:
            body = json.dumps({"pgn": "1. e4 *", "title": title}).encode()
            with urlopen(Request(target, body, fields), timeout=TIMEOUT) as answer:
                return str(json.load(answer)["id"])

        first, second = [
            await asyncio.to_thread(share_game, title) for title in ("First", "Second")
        ]
        _, out, _ = await command("shared-games", "list", "--json", *place)
        games = {game["id"]: game for game in map(json.loads, out.splitlines())}
        assert set(games) == {first, second}
        assert (games[first]["account"], games[first]["title"]) == ("local", "First")
        assert (games[first]["size"], games[first]["left"] > 0) == (7, True)
        link = f"https://rook.example/#game={first}"
        assert (await command("shared-games", "end", link, *place))[0] == 0
        with pytest.raises(HTTPError, match="404"):
            await asyncio.to_thread(lambda: urlopen(f"{target}/{first}", timeout=TIMEOUT))
        status, _, error = await command("shared-games", "end", first, *place)
        assert status == 1
        assert f"no shared game has an id that begins with {first!r}" in error
        assert (await command("shared-games", "end", second[:8], *place))[0] == 0
        assert (await command("shared-games", "list", "--json", *place))[1] == ""


async def test_nonsense_on_the_operators_socket_is_answered(tmp_path: Path) -> None:
    async with operated(tmp_path):
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "control"))
        for said in (b"x", b"[]", b'{"do": "end", "session": "x"}', b"\xff", b"[" * 50000):
            writer.write(said + b"\n")
            async with asyncio.timeout(TIMEOUT):
                answer = json.loads(await reader.readline())
            assert answer["ok"] is False
        writer.close()


async def test_stale_socket_is_taken_and_anothers_is_not(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(tmp_path / "control"))
    async with operated(tmp_path):
        status, _, errors = await command("--config", str(tmp_path / "rookery.toml"))
        assert status == 1
        assert "another server has the socket" in errors
        assert (await command("sessions", "list", "--socket", str(tmp_path / "control")))[0] == 0
    (tmp_path / "control").unlink(missing_ok=True)
    (tmp_path / "control").write_text("precious")
    status, _, errors = await command("--config", str(tmp_path / "rookery.toml"))
    assert status == 2
    assert "is no socket" in errors
    assert (tmp_path / "control").read_text() == "precious"


async def test_usual_place_is_the_users(tmp_path: Path) -> None:
    text = "[server]\nport = 0\ntcp_port = 0\n[log]\nformat = 'json'\n" + POLITE
    runtime = {"XDG_RUNTIME_DIR": str(tmp_path)}
    async with operated(tmp_path, text, env=os.environ | runtime):
        assert (await command("sessions", "list", **runtime))[0] == 0
        # A second server goes without.
        async with operated(tmp_path, text, env=os.environ | runtime) as second:
            await second.logged("no operator's socket")


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
