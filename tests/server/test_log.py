"""The log, for people and for programs."""

import json
import logging
import subprocess
import sys

import pytest
from helpers.support import TIMEOUT, Lines, Running, bearer, code_of, dial, until
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from rookery_protocol.notices import Code
from rookery_server import log
from rookery_server.joined.joining_messages import PATH, SUBPROTOCOL, Joining, Leave, text_of
from rookery_server.log import JsonFormatter, RateLimitFilter, Repetition, TextFormatter, about

STRANGE = "a\n2026 CRITICAL forged\x1b[31m\u2028\x9b"


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "dies", "stderr")


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
    assert "\n  ValueError: x" in TextFormatter().format(found)


def test_bytes_of_a_peer_in_a_traceback_steer_no_terminal() -> None:
    try:
        raise ValueError(f"no header: {STRANGE}")
    except ValueError as error:
        found = record("a bug")
        found.exc_info = (ValueError, error, error.__traceback__)
    _, *lines = TextFormatter().format(found).split("\n")
    assert all(line.isprintable() and line.startswith("  ") for line in lines)
    assert any("CRITICAL forged" in line for line in lines)


def test_no_token_is_in_the_log_whatever_is_logged() -> None:
    token = "rk_0123456789ab_" + "S" * 32
    for formatter in (TextFormatter(), JsonFormatter()):
        found = record("a header of %r", {"Authorization": f"Bearer {token}"}, about=token)
        try:
            raise ValueError(token)
        except ValueError as error:
            found.exc_info = (ValueError, error, error.__traceback__)
        line = formatter.format(found)
        assert "SSSS" not in line
        assert "rk_..." in line


def test_what_comes_too_often_from_one_place_is_counted_and_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(log.time, "monotonic", lambda: now)
    limiter = RateLimitFilter()
    others = record("another")
    others.lineno = 7
    assert sum(limiter.filter(record("refused %s", "a")) for _ in range(log.MOST + 41)) == log.MOST
    assert limiter.filter(others)
    now += log.PERIOD
    told = record("refused %s", "b")
    assert limiter.filter(told)
    assert (
        TextFormatter()
        .format(told)
        .endswith("refused b (41 lines like this one are left out before it)")
    )
    assert json.loads(JsonFormatter().format(told))["left_out"] == 41
    assert not hasattr(others, "left_out")


def ran(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python's to its end, which must be a good one."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True,
        timeout=TIMEOUT, check=True,
    )  # fmt: skip


def test_log_that_is_set_up_bounds_what_peers_bring_about() -> None:
    program = (
        "import logging\n"
        "from rookery_server.log import LogConfig, set_up\n"
        "set_up(LogConfig())\n"
        "set_up(LogConfig())\n"
        "for number in range(5000): logging.info('refused %d', number)\n"
    )
    done = ran(program)
    assert len(done.stderr.splitlines()) == log.MOST


def test_log_that_is_set_up_again_goes_on_in_the_same_thread() -> None:
    program = (
        "import logging, threading\n"
        "from rookery_server.log import LogConfig, set_up\n"
        "set_up(LogConfig())\n"
        "logging.warning('first')\n"
        "set_up(LogConfig('json'))\n"
        "logging.warning('second')\n"
        "print(threading.active_count())\n"
    )
    done = ran(program)
    first, second = done.stderr.splitlines()
    assert first.endswith("WARNING root: first")
    assert json.loads(second)["message"] == "second"
    assert done.stdout == "2\n"


async def test_each_session_has_a_line_at_its_start_and_end(
    app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with app.tcp() as client:
        client.say("go", "quit")
        await client.hear_until("bestmove")
        assert await client.hear() == ""
    await until(lambda: not app.host.actors)
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


# --- the fields of events


async def fields_of(caplog: pytest.LogCaptureFixture, text: str) -> dict[str, object]:
    """Return what the first event with this text has besides it, as soon as it is there."""
    await until(lambda: text in caplog.text)
    found = next(each for each in caplog.records if text in each.getMessage())
    fields: dict[str, object] = found.fields  # type: ignore[attr-defined]
    return fields


async def left(app: Running, client: Lines) -> None:
    """Let a client go that may come back."""
    client.say("rookery session new")
    assert (await client.hear()).startswith("rookery session ")
    client.writer.transport.abort()
    await until(lambda: all(actor.client is None for actor in app.host.actors))


async def test_death_of_an_engine_says_of_which_session(
    app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async with app.tcp() as client:
        client.say("rookery engine dies", "go")
        await client.hear_until("info string rookery engine-died")
        (actor,) = app.host.actors
        assert await fields_of(caplog, " died: ") == {
            "session": actor.number, "account": "local", "engine": "dies",
        }  # fmt: skip


async def test_what_an_engine_writes_to_stderr_names_it(
    app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async with app.tcp() as client:
        client.say("rookery engine stderr", "go")
        await client.hear_until("bestmove")
        assert await fields_of(caplog, "'what a position'") == {
            "engine": "stderr", "stderr": "what a position",
        }  # fmt: skip


@pytest.mark.parametrize("text", ["ended by the operator", "is dismissed"])
async def test_session_that_is_ended_is_named(
    app: Running, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    caplog.set_level(logging.INFO)
    async with app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        (actor,) = app.host.actors
        if text == "is dismissed":
            actor.dismiss("the token has expired")
        else:
            answer = await app.admin_commands.run({"do": "end", "session": actor.number})
            assert answer == {"ok": True}
        assert await fields_of(caplog, text) == actor.fields


@pytest.mark.parametrize("text", ["makes room for another", "expired"])
async def test_session_that_nobody_comes_back_to_is_named(
    app: Running, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    caplog.set_level(logging.INFO)
    async with app.tcp() as client:
        await left(app, client)
        (actor,) = app.host.actors
        if text == "expired":
            app.host._registry.grace = 0.0
        else:
            assert app.host.end_longest_detached()
        assert await fields_of(caplog, text) == actor.fields


async def test_refusal_has_its_code_and_whence(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    client = await dial(server)
    client.say("rookery token nonsense", "isready")
    assert code_of(await client.hear()) is Code.UNAUTHORIZED
    expected = {"address": "127.0.0.1", "code": "unauthorized"}
    assert await fields_of(caplog, "refused 127.0.0.1: ") == expected
    client.writer.close()


async def test_machine_that_comes_and_goes_is_named(
    server: Running, pc: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with connect(
        f"ws://127.0.0.1:{server.port}{PATH}", additional_headers=bearer(pc),
        subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, proxy=None,
    ) as control:  # fmt: skip
        for message in (Joining("pc", "5f0c", "0", 4, 64, 4, ("odd",)), Leave()):
            await control.send(text_of(message).decode())
        who = {"machine": "pc", "account": "anna"}
        assert await fields_of(caplog, " has joined from ") == who | {"address": "127.0.0.1"}
        assert await fields_of(caplog, " leaves") == who


def test_trouble_that_goes_on_is_logged_less_and_less() -> None:
    repetition = Repetition()
    told = [now for now in range(100_000) if repetition.again("it ended", float(now))]
    assert told[:4] == [0, 10, 30, 70]
    assert len(told) < 40
    last = repetition.again("it ended", 200_000.0) or ""
    assert last.startswith("it ended (")
    assert last.endswith(" times since this was last said)")
    assert repetition.again("it fails otherwise", 200_000.0) == "it fails otherwise"
    assert repetition.over()
    assert not repetition.over()
    assert repetition.again("it ended", 200_000.0) == "it ended"
