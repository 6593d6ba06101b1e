"""The log, for people and for programs."""

import asyncio
import json
import logging

import pytest
from support import TIMEOUT, Running

from rookery_server.log import JsonFormatter, TextFormatter, about

STRANGE = "a\n2026 CRITICAL forged\x1b[31m\u2028\x9b"


def record(message: str, *values: object, **fields: object) -> logging.LogRecord:
    result = logging.LogRecord("rookery_server.x", logging.INFO, "", 0, message, values, None)
    result.__dict__.update(about(**fields))
    return result


def test_json_is_one_object_a_line() -> None:
    line = JsonFormatter().format(record("session %d of %s", 7, STRANGE, session=7, account="anna"))
    assert line.isascii()
    assert line.isprintable()
    entry = json.loads(line)
    assert entry.pop("time").endswith("+00:00")
    assert entry == {
        "level": "info", "logger": "rookery_server.x", "message": f"session 7 of {STRANGE}",
        "session": 7, "account": "anna",
    }  # fmt: skip


def test_text_of_a_client_ends_no_line_and_steers_no_terminal() -> None:
    line = TextFormatter().format(record("it said %s", STRANGE))
    assert line.isprintable()
    assert line.endswith(r"it said a\n2026 CRITICAL forged\x1b[31m\u2028\x9b")


def test_error_has_its_traceback() -> None:
    try:
        raise ValueError("x")
    except ValueError as error:
        found = record("a bug")
        found.exc_info = (ValueError, error, error.__traceback__)
    assert "ValueError: x" in json.loads(JsonFormatter().format(found))["traceback"]
    assert "\nValueError: x" in TextFormatter().format(found)


async def test_each_session_has_a_line_at_its_start_and_end(
    app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with app.tcp() as client:
        client.say("go", "quit")
        await client.hear_until("bestmove")
        assert await client.hear() == ""
    async with asyncio.timeout(TIMEOUT):
        while app.host.relays:
            await asyncio.sleep(0.01)
    began, ended = (
        next(each for each in caplog.records if text in each.getMessage())
        for text in (" of local began", " of local ended")
    )
    assert began.fields["engine"] == ended.fields["engine"] == "polite"  # type: ignore[attr-defined]
    assert ended.fields["session"] == began.fields["session"]  # type: ignore[attr-defined]
    assert ended.fields["lines_heard"] == 2  # type: ignore[attr-defined]
    assert ended.fields["searches"] == 1  # type: ignore[attr-defined]
    assert ended.fields["seconds"] > 0  # type: ignore[attr-defined]
    assert "lines_heard 2, lines_told 1, searches 1" in ended.getMessage()
