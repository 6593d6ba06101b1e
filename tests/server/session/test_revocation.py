"""Tokens that end, while their sessions go on."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from helpers.support import (
    TIMEOUT,
    Running,
    add_token,
    bearer,
    closing,
    code_of,
    dial,
    gone,
    hear_until,
    odd,
)
from websockets.exceptions import InvalidStatus

from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Close, Code
from rookery_server import app as app_module
from rookery_server.access.token_file import TokenFile
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig

WRONG = "rk_000000000000_" + "A" * 32
STRANGE = ["", "nonsense", "é" * 40, "rk_" + "x" * 5000, WRONG[:-1], "rk_000000000000_\x7f"]


async def test_revoked_token_ends_its_sessions(server: Running, tokens: Path, token: str) -> None:
    other = add_token(tokens, "bob")
    server.reload()
    kept = await server.websocket("polite", additional_headers=bearer(other))
    revoked = await server.websocket("polite", additional_headers=bearer(token))
    line = await dial(server)
    line.say(f"rookery token {token}", "go infinite", "isready")
    assert await line.hear() == "readyok"
    await revoked.send("isready")
    assert await hear_until(revoked, "readyok") == ["readyok"]
    pids = server.engine_pids()
    assert len(pids) == 2
    TokenFile(tokens).change(lambda keyring: keyring.without("alice"))  # and nobody is told
    lines, code = await closing(revoked)
    assert code == Close.POLICY
    assert code_of(lines[-1]) is Code.UNAUTHORIZED
    # The search has found nothing yet, and that is said of its move.
    heard = [each for each in await line.hear_until("nothing") if each.startswith("info string")]
    assert [code_of(each) for each in heard] == [Code.NO_SEARCH, Code.UNAUTHORIZED]
    await kept.send("isready")
    assert await hear_until(kept, "readyok") == ["readyok"]
    for pid in pids:
        await gone(pid)
    line.writer.close()
    await kept.close()


async def test_session_whose_engine_takes_its_time_to_end_is_dismissed_once(
    closed: Config, tokens: Path, token: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    deaf = replace(closed, engines=(EngineConfig("deaf", odd("deaf")),))
    async with Running(deaf) as server:
        client = await server.websocket("deaf", additional_headers=bearer(token))
        await client.send("isready")
        assert await hear_until(client, "readyok") == ["readyok"]
        TokenFile(tokens).change(lambda keyring: keyring.without("alice"))
        await closing(client)
        assert server.host.actors  # Its engine is still ending.
        server.reload()
        server.reload()
    assert caplog.text.count("is dismissed") == 1


async def test_tokens_file_that_an_editor_writes_ends_no_session(
    server: Running, tokens: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server._token_timer.cancel()
    monkeypatch.setattr(app_module, "TOKEN_CHECK", 3600.0)
    client = await server.websocket("polite", additional_headers=bearer(token))
    text = tokens.read_text()
    tokens.write_text("")
    server._check_tokens()
    tokens.write_text(text)
    server._check_tokens()
    server._check_tokens()
    await client.send("isready")
    assert await hear_until(client, "readyok") == ["readyok"]
    tokens.write_text("")
    server._check_tokens()
    server._check_tokens()
    _, code = await closing(client)
    assert code == Close.POLICY


async def test_expiry_ends_sessions(server: Running, tokens: Path) -> None:
    short = add_token(tokens, "bob", expires=datetime.now(UTC) + timedelta(seconds=1.5))
    server.reload()
    client = await server.websocket("polite", additional_headers=bearer(short))
    lines, code = await closing(client)
    assert code == Close.POLICY
    assert lines[-1].endswith("the token has been revoked or has expired")


async def test_tokens_are_looked_at_even_after_an_error(
    server: Running, tokens: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = asyncio.Event()
    dismiss = server._dismiss_revoked

    def fail_once() -> None:
        if not failed.is_set():
            failed.set()
            raise RuntimeError
        dismiss()

    monkeypatch.setattr(server, "_dismiss_revoked", fail_once)
    client = await server.websocket("polite", additional_headers=bearer(token))
    async with asyncio.timeout(TIMEOUT):
        await failed.wait()
    TokenFile(tokens).change(lambda keyring: keyring.without("alice"))
    _, code = await closing(client)
    assert code == Close.POLICY


async def test_added_token_is_good_at_once(server: Running, tokens: Path) -> None:
    new = add_token(tokens, "bob")
    async with asyncio.timeout(app_module.TOKEN_CHECK + 5):
        while True:
            try:
                client = await server.websocket("polite", additional_headers=bearer(new))
            except InvalidStatus:
                await asyncio.sleep(0.3)
            else:
                break
    await client.close()


async def test_file_that_cannot_be_used_changes_nothing(
    server: Running, tokens: Path, token: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = await server.websocket("polite", additional_headers=bearer(token))
    tokens.write_text("nonsense\n")
    server.reload()
    assert "the tokens are as before: " in caplog.text
    tokens.unlink()
    server.reload()
    await client.send("isready")
    assert await hear_until(client, "readyok") == ["readyok"]
    await client.close()


async def test_file_that_is_made_private_is_read_at_last(
    server: Running, tokens: Path, token: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator is told to change the mode of the file, and need do no more than that."""
    client = await server.websocket("polite", additional_headers=bearer(token))
    tokens.chmod(0o644)
    tokens.write_text("")
    server.reload()
    assert "chmod 600" in caplog.text
    tokens.chmod(0o600)
    _, code = await closing(client)
    assert code == Close.POLICY


async def test_bad_file_is_an_error_at_the_start(closed: Config, tokens: Path) -> None:
    tokens.chmod(0o644)
    with pytest.raises(ConfigError, match="others can use the tokens"):
        async with Running(closed):
            pass
    tokens.unlink()
    with pytest.raises(ConfigError, match="there are no tokens in"):
        async with Running(closed):
            pass


async def test_new_token_is_good_at_once(server: Running, tokens: Path) -> None:
    """A guest who was invited a moment ago need not wait for the next check of the file."""
    server._token_timer.cancel()
    client = await server.websocket("polite", additional_headers=bearer(add_token(tokens, "bob")))
    await client.send("isready")
    assert await hear_until(client, "readyok") == ["readyok"]
