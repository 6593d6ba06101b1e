"""The operator's commands to a running server, over its socket."""

import asyncio
import json
import os
import socket
import stat
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from helpers.operated import POLITE, command, operated, toml
from helpers.support import (
    TIMEOUT,
    closing,
    code_of,
    hear_until,
)

from rookery_protocol.notices import Close, Code


@pytest.mark.parametrize(
    ("words", "known"),
    [("sessions", "list,end"), ("jobs", "list,end,pause,resume"), ("machines", "list"),
     ("shared-games", "list,end"), ("devices", "list,end"),
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
