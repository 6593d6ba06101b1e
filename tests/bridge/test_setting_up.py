"""From an invitation to an engine in the GUI: real programs, a home folder of its own."""

import asyncio
import json
import os
import pty
import shlex
import stat
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme
from bench.child import free_port
from helpers.certificates import certificate
from helpers.support import TIMEOUT, Running, numbered, odd

from rookery_protocol.invitation import Invitation
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

BIN = Path(sys.executable).parent
ENGINES = (EngineConfig("numbered", numbered()), EngineConfig("polite", odd("polite")))


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Running]:
    """A server with tokens, and a certificate that only its fingerprint makes trusted."""
    (tmp_path / "tokens").touch(0o600)
    server = ServerConfig(port=0, tcp_port=0, tokens=tmp_path / "tokens")
    tls = certificate(tmp_path, trustme.CA(), "rook.example")
    async with Running(Config(engines=ENGINES, server=server, tls=tls)) as running:
        (tmp_path / "rookery.toml").write_text(
            f'[server]\nport = {running.port}\ntokens = "tokens"\n'
            '[tls]\ncertificate = "certificate.pem"\nkey = "key.pem"\n'
        )
        yield running


class Home:
    """A user's home, and the programs that are run there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}

    async def run(self, *command: str, said: str | bytes = "") -> tuple[int | None, str, str]:
        program = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=self.environment, cwd="/"
        )
        async with asyncio.timeout(TIMEOUT):
            out, err = await program.communicate(said.encode() if isinstance(said, str) else said)
        return program.returncode, out.decode(), err.decode()

    def jsons(self) -> list[Path]:
        """Return the files of what is set up."""
        return sorted(self.folder.rglob("*.json"))

    async def bridge(self, *arguments: str, said: str | bytes = "") -> tuple[int | None, str, str]:
        return await self.run(str(BIN / "rookery-bridge"), *arguments, said=said)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


async def invite(tmp_path: Path, home: Home, *arguments: str) -> str:
    status, link, said = await home.run(
        *(str(BIN / "rookery-server"), "invite", "--config", str(tmp_path / "rookery.toml")),
        *arguments,
    )
    assert status == 0, said
    return link.strip()


async def test_one_link_makes_engines_for_a_gui(app: Running, home: Home, tmp_path: Path) -> None:
    link = await invite(tmp_path, home)
    token = link.partition("token:")[2].partition("+")[0]
    status, said, errors = await home.bridge("pair", said=f"{link}\n")
    assert (status, errors) == (0, "")
    folder = home.folder / "rookery-engines"
    assert f"Numbered: {folder}/numbered-127.0.0.1\n" in said
    assert f"Odd: {folder}/polite-127.0.0.1\n" in said

    assert "docs/" not in said  # which a guest does not have

    status, out, errors = await home.run(str(folder / "numbered-127.0.0.1"), said="isready\n")
    assert "readyok" in out
    assert (status, errors) == (0, "")

    # The secret is in one sort of file only, and those are the user's alone.
    for path in home.folder.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.is_file() and token in path.read_text():
            assert (path.suffix, mode) == (".json", 0o600)
    assert len(list(home.folder.rglob("*.json"))) == 2

    status, out, _ = await home.bridge("list")
    assert status == 0
    assert f"polite-127.0.0.1    Odd       wss://127.0.0.1:{app.port}/engines/polite" in out

    assert (await home.bridge("doctor"))[0] == 0
    assert (await home.bridge("unpair", "polite-127.0.0.1"))[0] == 0
    assert "polite" not in (await home.bridge("list"))[1]
    assert sorted(path.name for path in folder.iterdir()) == [
        "numbered-127.0.0.1",
        "numbered-127.0.0.1.desktop",
    ]


async def test_no_secret_is_in_what_ps_shows(app: Running, home: Home, tmp_path: Path) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    await home.bridge("pair", "-", "--name", "mine", "--to", str(tmp_path / "to"), said=link)
    bridge = await asyncio.create_subprocess_exec(
        str(tmp_path / "to" / "mine"), stdin=PIPE, stdout=PIPE, env=home.environment
    )
    assert bridge.stdin
    assert bridge.stdout
    bridge.stdin.write(b"isready\n")
    async with asyncio.timeout(TIMEOUT):
        assert await bridge.stdout.readline() == b"readyok\n"
    shown = Path(f"/proc/{bridge.pid}/cmdline").read_text()
    assert "rk_" not in shown
    assert "mine.json" in shown
    bridge.stdin.close()
    await bridge.wait()


async def test_new_link_replaces_the_old(app: Running, home: Home, tmp_path: Path) -> None:
    for _ in range(2):
        link = await invite(tmp_path, home, "--engine", "polite")
        status, _, errors = await home.bridge("pair", link)
        assert status == 0
        assert "a link in a command stays in the shell's history" in errors
    (path,) = home.folder.rglob("*.json")
    assert link.partition("token:")[2].partition("+")[0] in path.read_text()


def tokens(home: Home) -> dict[str, str]:
    """Return the token of each engine that is set up, by its name."""
    return {path.stem: json.loads(path.read_text())["token"] for path in home.jsons()}


async def test_new_link_replaces_the_old_under_each_name(
    app: Running, home: Home, tmp_path: Path
) -> None:
    """Also where others may read the old one; with a name, under that one only."""
    for name in ("one", "two", "other"):
        engine = "numbered" if name == "other" else "polite"
        link = await invite(tmp_path, home, "--engine", engine)
        assert (await home.bridge("pair", "--name", name, said=link))[0] == 0
    former = tokens(home)
    for path in home.jsons():
        path.chmod(0o644)
    link = await invite(tmp_path, home, "--engine", "polite")
    status, said, errors = await home.bridge("pair", said=link)
    assert status == 0
    assert [f"/rookery-engines/{name}\n" in said for name in former] == [True, False, True]
    now = tokens(home)
    assert set(now) == set(former)
    assert now["one"] == now["two"] not in former.values()
    assert now["other"] == former["other"]
    (note,) = errors.splitlines()
    assert "note: this one stays as it is: others can read the token" in note
    assert "other.json" in note
    for name in ("one", "two"):
        assert (await home.bridge(name, said="isready\n"))[1] == "readyok\n"

    (home.jsons()[0].parent / "two.json").chmod(0o644)
    link = await invite(tmp_path, home, "--engine", "polite")
    assert (await home.bridge("pair", "--name", "two", said=link))[0] == 0
    assert tokens(home)["one"] == now["one"]
    assert tokens(home)["two"] not in now.values()


async def test_launchers_in_every_folder_are_removed(
    app: Running, home: Home, tmp_path: Path
) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    for arguments in ((), ("--to", str(tmp_path / "to")), ()):
        assert (await home.bridge("pair", *arguments, said=link))[0] == 0
    folders = (home.folder / "rookery-engines", tmp_path / "to")
    launchers = {path for folder in folders for path in folder.iterdir()}
    assert len(launchers) == 4
    status, said, errors = await home.bridge("unpair", "polite-127.0.0.1")
    assert (status, errors) == (0, "")
    assert all(f"removed {path}\n" in said for path in launchers)
    assert not any(path.exists() for path in launchers)


async def test_file_of_somebody_else_is_neither_replaced_nor_removed(
    app: Running, home: Home, tmp_path: Path
) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    arguments = ("pair", "--name", "tool", "--to", str(tmp_path))
    for name in ("tool", "tool.desktop"):
        (tmp_path / name).write_text("precious")
        status, _, errors = await home.bridge(*arguments, said=link)
        assert status == 2
        assert f"{tmp_path / name} is there already, and is no launcher: move it" in errors
        assert (tmp_path / name).read_text() == "precious"
        (tmp_path / name).unlink()
        assert not home.jsons()
    assert (await home.bridge(*arguments, said=link))[0] == 0
    (tmp_path / "tool").write_text("precious")
    status, said, errors = await home.bridge("unpair", "tool")
    assert status == 0
    assert f"{tmp_path / 'tool'} is no launcher any more, and stays" in errors
    assert f"removed {tmp_path / 'tool.desktop'}\n" in said
    assert (tmp_path / "tool").read_text() == "precious"
    assert not home.jsons()


async def test_list_of_what_cannot_be_read_is_not_called_empty(
    app: Running, home: Home, tmp_path: Path
) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    assert (await home.bridge("pair", said=link))[0] == 0
    home.jsons()[0].chmod(0o644)
    status, said, errors = await home.bridge("list")
    assert (status, said) == (1, "")
    assert "note: others can read the token" in errors


async def test_advice_for_what_came_with_a_link_is_another_link(
    app: Running, home: Home, tmp_path: Path
) -> None:
    """No option that is refused beside a name."""
    link = await invite(tmp_path, home, "--engine", "polite")
    assert (await home.bridge("pair", "--name", "mine", said=link))[0] == 0
    (path,) = home.jsons()
    sound = json.loads(path.read_text())
    lines = {"address": f"tls://127.0.0.1:{app.tcp_port}/polite"}
    renewed = "another SHA-256 than that of the link: "
    for change, says in (
        ({"pin": "0f" * 32}, renewed),
        ({"pin": "0f" * 32} | lines, renewed),
        ({"pin": None}, "the server is not trusted: "),
        ({"token": None}, "the server wants a token: "),
        ({"token": None} | lines, "the server wants a token: "),
    ):
        path.write_text(json.dumps(sound | change))
        status, _, errors = await home.bridge("mine", "--no-fallback", said="isready\n")
        assert status == 1
        assert says in errors
        assert "another link" in errors or "for a link" in errors
        assert "--" not in errors


async def test_engine_whose_file_is_broken_is_paired_again(
    app: Running, home: Home, tmp_path: Path
) -> None:
    """By the same name, so that a chess program need not be told."""
    for arguments in ((), ("--name", "mine")):
        for _ in range(2):
            link = await invite(tmp_path, home, "--engine", "polite")
            assert (await home.bridge("pair", *arguments, said=link))[0] == 0
            (path,) = home.folder.rglob("*.json")
            sound, _ = path.read_text(), path.write_text("{")
        path.write_text(sound)
        assert (await home.bridge(path.stem, said="isready\n"))[1] == "readyok\n"
        path.write_text("{")
        status, said, errors = await home.bridge("unpair", path.stem)
        assert (status, said) == (0, f"removed {path}\n")
        assert "its launchers are not known" in errors


async def test_doctor_goes_on_after_a_file_that_is_broken(
    app: Running, home: Home, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        link = await invite(tmp_path, home, "--engine", "polite")
        assert (await home.bridge("pair", "--name", name, said=link))[0] == 0
    (path,) = home.folder.rglob("a.json")
    path.write_text("{")
    status, said, _ = await home.bridge("doctor")
    assert status == 1
    assert f"WRONG  file: {path} is no remote engine: line 1 is no JSON" in said
    assert "all is well" in said.partition("\nb, wss://")[2]


@pytest.mark.parametrize("command", [(), ("doctor",)])
async def test_whom_to_trust_is_not_said_beside_what_is_set_up(
    app: Running, home: Home, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """It would be believed to hold, and does not."""
    link = await invite(tmp_path, home, "--engine", "polite")
    assert (await home.bridge("pair", "--name", "mine", said=link))[0] == 0
    for option in ("--pin", "--ca", "--token-file"):
        status, _, errors = await home.bridge(*command, "mine", option, "0f" * 32)
        assert status == 2
        assert f"{option} is for an address: an engine that was set up has its own" in errors


async def test_engine_has_the_name_that_one_likes(app: Running, home: Home, tmp_path: Path) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    assert (await home.bridge("pair", "--name", "Mine", said=link))[0] == 0
    assert (await home.bridge("Mine", said="isready\n"))[1] == "readyok\n"
    other = await invite(tmp_path, home, "--engine", "numbered")
    status, _, errors = await home.bridge("pair", "--name", "mine", said=other)
    assert status == 2
    assert "Mine is another engine already" in errors
    for name in ("a/b", "con"):
        status, _, errors = await home.bridge("pair", "--name", name, said=other)
        assert status == 2
        assert "cannot be the name of a file everywhere" in errors
    for name in ("lichess", "Pair"):
        status, _, errors = await home.bridge("pair", "--name", name, said=other)
        assert status == 2
        assert f"{name!r} is a command of this program: use another name" in errors
    status, _, errors = await home.bridge("pair", "--name", "x", said=await invite(tmp_path, home))
    assert status == 2
    assert "the link is for numbered, polite" in errors


async def test_link_that_is_no_good_sets_up_nothing(
    app: Running, home: Home, tmp_path: Path
) -> None:
    link = await invite(tmp_path, home)
    (tmp_path / "tokens").write_text("")
    async with asyncio.timeout(TIMEOUT):
        while (await home.bridge("pair", said=link))[0] == 0:  # until the server has looked
            await asyncio.sleep(0.1)
    for file in home.folder.rglob("*.json"):
        file.unlink()
    status, _, errors = await home.bridge("pair", said=link)
    assert status == 2
    assert "the token is unknown" in errors
    assert "ask the operator for another link" in errors
    assert "doctor" not in errors  # It has no token, and would say just that.
    for text in (link[:-3], "https://x", ""):
        status, _, errors = await home.bridge("pair", said=text)
        assert status == 2
        assert "rookery-bridge: " in errors
        assert "Traceback" not in errors
    assert not list(home.folder.rglob("*.json"))


async def test_advice_for_a_server_that_is_away_can_be_taken(home: Home) -> None:
    for engine in (None, "polite"):
        invitation = Invitation("wss", "127.0.0.1", free_port(), engine, pin="0f" * 32)
        status, _, errors = await home.bridge("pair", said=f"{invitation}\n")
        assert status == 2
        advice = errors.partition("'rookery-bridge ")[2].partition("'")[0]
        assert advice.startswith("doctor wss://127.0.0.1")
        assert advice.endswith(f" --pin {'0f' * 32}")
        status, said, errors = await home.bridge(*advice.split())
        assert (status, errors) == (1, "")
        assert "the connection was refused" in said


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
async def test_link_of_a_file_is_taken_as_powershell_writes_it(
    app: Running, home: Home, tmp_path: Path, encoding: str
) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    said = f"{link}\r\n".encode(encoding)
    status, _, errors = await home.bridge("pair", "-", said=said)
    assert (status, errors) == (0, "")
    assert len(home.jsons()) == 1


@pytest.mark.parametrize("quoted", [b"", b"\x16\r\n"])
async def test_end_of_input_instead_of_a_link_is_said(home: Home, quoted: bytes) -> None:
    """Also after Ctrl-V, by which a terminal takes the next key as it is, and pastes nothing."""
    master, terminal = pty.openpty()
    try:
        program = await asyncio.create_subprocess_exec(
            *(str(BIN / "rookery-bridge"), "pair"),
            stdin=terminal,
            stderr=PIPE,
            env=home.environment,
            start_new_session=True,  # without /dev/tty, which getpass prefers
        )
        assert program.stderr
        async with asyncio.timeout(TIMEOUT):
            await program.stderr.readuntil(b"paste the link")
            if quoted:
                os.write(master, quoted)
                await program.stderr.readuntil(b"that key does not paste here")
                await program.stderr.readuntil(b"paste the link")
            os.write(master, b"\x04")
            errors = (await program.stderr.read()).decode()
            assert await program.wait() == 2
    finally:
        os.close(master)
        os.close(terminal)
    assert "no link was given" in errors
    assert "Traceback" not in errors


async def test_nothing_there_is_said(home: Home) -> None:
    assert "no remote engines are set up" in (await home.bridge("list"))[1]
    for command in (["doctor"], ["unpair", "x"], ["x"], [], ["--paired", "/none"]):
        status, out, errors = await home.bridge(*command)
        assert status == 2
        assert "rookery-bridge: " in errors
        # A GUI that is given a name hears it, too.
        assert ("info string rookery-bridge: " in out) == (
            command[:1] not in (["doctor"], ["unpair"])
        )


async def test_launcher_has_the_command_of_its_program(
    app: Running, home: Home, tmp_path: Path
) -> None:
    link = await invite(tmp_path, home, "--engine", "polite")
    status, said, _ = await home.run(sys.executable, "-m", "rookery_bridge", "pair", said=link)
    assert status == 0, said
    words = shlex.split((home.folder / "rookery-engines" / "polite-127.0.0.1").read_text())
    assert words[words.index("exec") + 1 :][:3] == [sys.executable, "-m", "rookery_bridge"]


@pytest.mark.parametrize("words", [(), ("doctor",)])
async def test_address_without_a_scheme_is_taken_for_one(
    home: Home, words: tuple[str, ...]
) -> None:
    for meant in ("127.0.0.1:8080", "localhost:8080/engines/a"):
        status, _, errors = await home.bridge(*words, meant)
        assert status == 2
        assert f"{meant!r} is no address of an engine: it would be ws://{meant}" in errors
