"""`rookery-bridge lichess` as a process."""

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from helpers.bridged import BIN, ENGINE
from helpers.lichess_fake import TOKEN, Fake
from helpers.support import DATA, TIMEOUT

STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")


async def start(*arguments: str, **environment: str) -> asyncio.subprocess.Process:
    kept = {key: value for key, value in os.environ.items() if "TOKEN" not in key}
    return await asyncio.create_subprocess_exec(
        str(BIN / "rookery-bridge"),
        "lichess",
        *arguments,
        stdout=PIPE,
        stderr=PIPE,
        env={**kept, **environment},
    )


@pytest.mark.parametrize("engine", ["ours", "stockfish"])
async def test_real_engine_works_until_sigterm(engine: str, tmp_path: Path) -> None:
    command = ENGINE if engine == "ours" else STOCKFISH
    assert command, "this test needs Debian's stockfish"
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n")
    token.chmod(0o600)
    async with Fake() as fake:
        process = await start(
            *("--engine", f"Engine={command}", "--token-file", str(token)),
            *("--lichess", f"{fake.url}/", "--broker", fake.url, "--max-hash", "32"),
        )
        try:
            await fake.ready()
            assert fake.registered["eei_1"]["maxHash"] == 32
            done = await fake.ask("Engine", movetime=300, multiPv=3, moves=["e2e4", "e7e5"])
            assert await done.end() == 200
            assert any(" multipv 3 " in line for line in done.lines)
            long = await fake.ask("Engine")
            await long.until("info depth 8")
            process.terminate()
            assert await long.end() == 200
            out, err = await asyncio.wait_for(process.communicate(), TIMEOUT)
        finally:
            if process.returncode is None:
                process.kill()
    assert process.returncode == 0
    assert err == b""
    assert b"Engine is ready: http" in out
    assert TOKEN.encode() not in out


async def test_engines_are_unregistered(tmp_path: Path) -> None:
    async with Fake() as fake:
        where = ("--lichess", fake.url, "--broker", fake.url)
        process = await start("--engine", f"Engine={ENGINE}", *where, LICHESS_API_TOKEN=TOKEN)
        await fake.ready()
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.communicate(), TIMEOUT)
        assert process.returncode == 0
        process = await start(
            "--engine", "Engine=x", "--unregister", *where, LICHESS_API_TOKEN=TOKEN
        )
        out, _ = await asyncio.wait_for(process.communicate(), TIMEOUT)
        assert out == b"Engine is registered no more\n"
        assert fake.registered == {}


async def test_name_that_the_output_cannot_show_is_no_end(tmp_path: Path) -> None:
    """Windows writes files in cp1252."""
    async with Fake() as fake:
        process = await start(
            *("--engine", f"Ладья={ENGINE}", "--lichess", fake.url, "--broker", fake.url),
            LICHESS_API_TOKEN=TOKEN,
            PYTHONIOENCODING="cp1252",
        )
        await fake.ready()
        assert await (await fake.ask("Ладья", movetime=None, depth=1)).end() == 200
        process.send_signal(signal.SIGINT)
        out, _ = await asyncio.wait_for(process.communicate(), TIMEOUT)
        assert process.returncode == 0
        assert out.startswith(b"????? is ready: ")


GOOD = ("--engine", f"Engine={sys.executable} -S {DATA / 'odd_engine.py'} polite")
FORM = "--engine needs NAME=COMMAND or NAME=ADDRESS"


@pytest.mark.parametrize(
    ("arguments", "environment", "text"),
    [
        (GOOD, {}, "Lichess wants a token: make one at https://lichess.org/account/oauth/token"),
        (GOOD, {"LICHESS_API_TOKEN": "two words"}, "needs a token and nothing else"),
        ((*GOOD, "--token-file", "/nowhere"), {}, " --token-file /nowhere: No such file"),
        ((*GOOD, "--server-token-file", "/nowhere"), {}, " --server-token-file /nowhere: No such"),
        ((*GOOD, "--server-token", "secret"), {}, "there is no --server-token"),
        (("--engine", "stockfish"), {"LICHESS_API_TOKEN": TOKEN}, FORM),
        (("--engine", "Far=ws://h/x"), {"LICHESS_API_TOKEN": TOKEN}, "does not name an engine"),
        ((*GOOD, *GOOD), {"LICHESS_API_TOKEN": TOKEN}, "needs names that differ"),
        (
            ("--engine", "Far=ws://chess.example/engines/x"),
            {"LICHESS_API_TOKEN": TOKEN, "ROOKERY_TOKEN": "rk_1"},
            "unencrypted",
        ),
        (
            GOOD,
            {"LICHESS_API_TOKEN": TOKEN, "LICHESS_PROVIDER_SECRET": "short"},
            "needs 16 to 1024 characters, not 5",
        ),
        (("--engine", "x=y"), {}, "names of 3 to 200 characters, not 'x'"),
        (("--engine", "Engine='y"), {}, "is no command: No closing quotation"),
        ((*GOOD, "--lichess", "lichess.org"), {}, "'lichess.org' is no address of a site"),
        ((*GOOD, "--broker", "http://chess.example"), {}, "would go to chess.example unencrypted"),
        ((*GOOD, "--max-threads", "0"), {}, "needs a number from 1 on, not '0'"),
    ],
)
async def test_what_cannot_be_used_is_said(
    arguments: tuple[str, ...], environment: dict[str, str], text: str
) -> None:
    process = await start(*arguments, **environment)
    _, err = await asyncio.wait_for(process.communicate(), TIMEOUT)
    assert process.returncode == 2
    assert text in err.decode()
    assert "secret" not in err.decode()
    assert "operator" not in err.decode()  # who knows nothing of a token for Lichess
