"""From an invitation to an engine in the GUI: real programs, a home folder of its own."""

import asyncio
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
from certificates import certificate
from support import TIMEOUT, Running, numbered, odd

from rookery_server.config import Config, EngineConfig, ServerConfig
from rookery_server.invitation import Invitation

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

    async def run(self, *command: str, said: str = "") -> tuple[int | None, str, str]:
        program = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=self.environment, cwd="/"
        )
        async with asyncio.timeout(TIMEOUT):
            out, err = await program.communicate(said.encode())
        return program.returncode, out.decode(), err.decode()

    async def bridge(self, *arguments: str, said: str = "") -> tuple[int | None, str, str]:
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
    assert "rookery-bridge doctor wss://" in errors
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


async def test_end_of_input_instead_of_a_link_is_said(home: Home) -> None:
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
