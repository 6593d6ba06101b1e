"""`rookery-server invite --qr`: a QR code in the terminal, and the phone that it signs in."""

import asyncio
import codecs
import contextlib
import json
import os
import pty
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from helpers.operated import SERVER, command, operated, toml
from helpers.qr import read_terminal
from helpers.support import TIMEOUT, add_token

from rookery_protocol.errors import ServerError
from rookery_server.access.account import Keyring
from rookery_server.access.token_file import TokenFile
from rookery_server.commands.invite import read_url
from rookery_server.commands.qr_invitation import page_address
from rookery_server.http.admin_socket import send_command
from rookery_server.http.qr_code import terminal_text

PHONE = {"User-Agent": "Mozilla/5.0 (Android 15; Mobile) Firefox/142.0"}


class Terminal:
    """A command in a terminal."""

    def __init__(self, process: Process, side: int) -> None:
        self.process = process
        self._side = side
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    async def until(self, text: str) -> str:
        """Wait until a text is shown; return all."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(TIMEOUT):
            while text not in self.shown:
                piece = await loop.run_in_executor(None, os.read, self._side, 65536)
                self.shown += self._decoder.decode(piece)
        return self.shown

    async def ended(self) -> int:
        async with asyncio.timeout(TIMEOUT):
            return await self.process.wait()


@asynccontextmanager
async def terminal(*arguments: str) -> AsyncIterator[Terminal]:
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        SERVER, *arguments, stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"}, start_new_session=True,
    )  # fmt: skip
    try:
        yield Terminal(process, ours)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        os.close(theirs)
        os.close(ours)


def configured(folder: Path) -> str:
    """Return a configuration with tokens, and make their file."""
    TokenFile(folder / "tokens").change(lambda _: Keyring())
    return toml(folder, server='tokens = "tokens"')


async def sign_in(port: int, code: str) -> dict[str, str]:
    body = json.dumps({"code": code}).encode()
    headers = {"Content-Type": "application/json", **PHONE}
    request = Request(f"http://127.0.0.1:{port}/v1/sign-in", body, headers)

    def post() -> dict[str, str]:
        with urlopen(request, timeout=TIMEOUT) as answer:
            return dict(json.load(answer))

    return await asyncio.to_thread(post)


async def test_a_phone_is_signed_in_and_the_command_ends(tmp_path: Path) -> None:
    async with operated(tmp_path, configured(tmp_path)) as server:
        arguments = ["--config", str(tmp_path / "rookery.toml"), "--name", "gast"]
        url = f"ws://127.0.0.1:{server.port}"
        async with terminal("invite", "--qr", *arguments, "--url", url) as shown:
            text = await shown.until("Ctrl-C ends it")
            address, _, code = read_terminal(text).partition("#signin=")
            assert address == f"http://127.0.0.1:{server.port}/"
            assert "signs in as gast.\r\nGood once, for 10 min" in text
            assert code not in text  # It is nowhere in letters.
            token = (await sign_in(server.port, code))["token"]
            assert "signed in: Firefox on Android, as gast by token" in await shown.until("by tok")
            assert await shown.ended() == 0
        assert token not in shown.shown
        [record] = TokenFile(tmp_path / "tokens").read()
        assert (record.name, record.device) == ("gast", "Firefox on Android")
        account = TokenFile(tmp_path / "tokens").read().account(token, datetime.now(UTC))
        assert account
        assert account.token == record.id
        status, out, _ = await command("token", "list", "--file", str(tmp_path / "tokens"))
        assert (status, out.splitlines()[1].endswith("Firefox on Android")) == (0, True)
        with pytest.raises(HTTPError, match="401"):
            await sign_in(server.port, code)


async def test_a_code_that_is_ended_takes_its_token_with_it(tmp_path: Path) -> None:
    async with operated(tmp_path, configured(tmp_path)) as server:
        arguments = ["--config", str(tmp_path / "rookery.toml"), "--url", "ws://rook.example:81"]
        async with terminal("invite", "--qr", *arguments) as shown:
            text = await shown.until("Ctrl-C ends it")
            assert "rook.example:81 is without TLS" in text
            assert "--insecure" not in text  # That is of the bridge.
            code = read_terminal(text).removeprefix("http://rook.example:81/#signin=")
            shown.process.send_signal(signal.SIGINT)
            await shown.until("is revoked")
            assert await shown.ended() == 1
        assert list(TokenFile(tmp_path / "tokens").read()) == []
        with pytest.raises(HTTPError, match="401"):
            await sign_in(server.port, code)


async def test_a_server_with_other_tokens_is_told_apart(tmp_path: Path) -> None:
    text = configured(tmp_path)
    other = tmp_path / "other"
    add_token(other)
    async with operated(tmp_path, text):
        arguments = ["--tokens", str(other), "--url", "ws://rook.example:81"]
        place = ["--socket", str(tmp_path / "control")]
        async with terminal("invite", "--qr", *arguments, *place) as shown:
            said = await shown.until("own is")
            assert "does not know that token" in said
            assert await shown.ended() == 1
    assert [record.name for record in TokenFile(other).read()] == ["alice"]


async def test_what_the_server_cannot_offer_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "control"
    offer: dict[str, object] = {"do": "offer-token", "token": "rk_x", "seconds": 60}

    async def refusal(request: dict[str, object]) -> str:
        with pytest.raises(ServerError) as caught:
            await asyncio.to_thread(send_command, place, request, patience=TIMEOUT)
        return str(caught.value)

    async with operated(tmp_path, configured(tmp_path)):
        assert "does not know that token" in await refusal(offer)
        assert "1 to 3600 seconds" in await refusal({**offer, "seconds": 3601})
        for word in ("sign-in-code", "withdraw-code"):
            assert "no such code" in await refusal({"do": word, "id": "x"})
    async with operated(tmp_path):
        for request in (offer, {"do": "accounts"}):
            assert "wants no token" in await refusal(dict(request))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--url", "tcp://rook.example:81"], "a phone needs the page"),
        (["--role", "host"], "not for a machine"),
        (["--engine", "lc0"], "not for one engine"),
        (["--minutes", "61"], "needs a number from 1 to 60"),
    ],
)
async def test_what_no_phone_can_use_is_refused(
    tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    tokens = tmp_path / "tokens"
    TokenFile(tokens).change(lambda _: Keyring())
    status, _, errors = await command("invite", "--qr", "--tokens", str(tokens), *arguments)
    assert (status, complaint in errors) == (2, True), errors
    assert list(TokenFile(tokens).read()) == []


async def test_a_code_is_for_a_terminal(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    TokenFile(tokens).change(lambda _: Keyring())
    status, out, errors = await command("invite", "--qr", "--tokens", str(tokens))
    assert (status, out) == (2, "")
    assert "--qr draws its code in a terminal, and stdout is none" in errors


def test_the_page_is_at_the_port_of_browsers() -> None:
    assert page_address(read_url("wss://rook.example")) == "https://rook.example"
    assert page_address(read_url("wss://rook.example:8443")) == "https://rook.example:8443"
    assert page_address(read_url("ws://[::1]")) == "http://[::1]"


def test_a_terminal_without_half_blocks_has_colours_alone() -> None:
    text = terminal_text("https://rook.example/#signin=x", has_blocks=False)
    assert text.isascii()
    assert "\x1b[7m" in text or "\x1b[49m" in text
