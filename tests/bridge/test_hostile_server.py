"""A hostile server and an honest bridge: what it says has a bound, and is harmless."""

import asyncio
import os
import random
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from helpers.bridged import bridge
from helpers.hostile import (
    EVIL,
    OPTION,
    WELCOME,
    Hear,
    Say,
    answering,
    most_memory,
    refusal,
    speaking,
)
from helpers.support import TIMEOUT
from helpers.talking import Talk

from rookery_bridge import server_inquiry
from rookery_bridge.client.remote_engine import RemoteProtocol
from rookery_bridge.engine_process import LocalEngine
from rookery_bridge.server_inquiry import InquiryError, Visit, better_address
from rookery_bridge.session.bridge_options import MAX_ANSWER, MAX_LINES
from rookery_bridge.traffic_log import TrafficLog
from rookery_protocol import dialer
from rookery_protocol.address import Address
from rookery_protocol.hello import Hello
from rookery_protocol.invitation import Invitation
from rookery_protocol.line_connection import dial_lines
from rookery_protocol.notices import legible
from rookery_protocol.tls_trust import Trust
from rookery_uci import MAX_LINE

BRIDGE = str(Path(sys.executable).with_name("rookery-bridge"))
MIB = 1 << 20


@pytest.fixture
def talk() -> Talk:
    return Talk()


def is_harmless(said: str) -> bool:
    return all(each.isprintable() or each == "\n" for each in said)


# --- its answer to `uci`


@pytest.mark.parametrize("tcp", [True, False])
async def test_answer_to_uci_without_end_does_not_fill_the_memory(*, tcp: bool) -> None:
    async def floods(say: Say, hear: Hear) -> None:
        await hear()
        await say(WELCOME)
        while "uci" not in await hear():
            pass
        for number in range(32_000):  # 31 MB, and then what an honest one says
            await say(OPTION % number)
        await say("uciok")
        while True:
            await hear()

    async with speaking(floods, tcp=tcp) as address, bridge(address, "--no-fallback") as gui:
        gui.say("uci")
        lines = await gui.until("uciok")
        assert sum(map(len, lines)) < MAX_ANSWER + 1000
        assert len(lines) > 100
        assert "not all" in (await gui.until("info string rookery-bridge:"))[-1]
        assert most_memory(gui.bridge.pid) < 60 * MIB


def test_options_without_number_are_left_out(talk: Talk) -> None:
    talk.say("uci")
    talk.link()
    lines = (f"option name {number} type button" for number in range(MAX_LINES + 50))
    *heard, told = talk.answer(*lines, "uciok")
    assert sum(line.startswith("option name ") for line in heard) < MAX_LINES + 10
    assert heard[-1] == "uciok"
    assert "not all" in told


# --- its words


@pytest.mark.parametrize(
    "answer",
    [
        refusal("403 Forbidden", f"{EVIL}\nno\n"),
        refusal("503 Service Unavailable", f"{EVIL}\nno\n"),
        refusal(f"403 {EVIL}"),
        refusal("302 Found", "", f"Location: http://x/{EVIL}"),
        refusal("401 Unauthorized", f"unauthorized: {EVIL}"),
        refusal("404 Not Found", f"unknown-engine: {EVIL}{100_000 * 'x'}"),
        refusal("200 OK", '{"engines": ["\\u001b[31m"], "login": false}'),
        refusal("200 OK", '{"engines": ["\x1b[31m\x9b"], "login": false}'),
        refusal("101 Switching Protocols", "", "Upgrade: websocket", f"Connection: {EVIL}"),
        f"{EVIL}\r\n".encode(),
        f"info string rookery unauthorized: {EVIL}{60_000 * 'x'}\n".encode(),
        f"info string rookery wrong-protocol: {EVIL}\n".encode(),
        f"{WELCOME}\ninfo string rookery ended: {EVIL}{60_000 * 'x'}\n".encode(),
        b"\xff\xfe\x9b\n",
        b"",
    ],
)
@pytest.mark.parametrize("command", ["ws", "tcp", "doctor ws", "doctor tcp", "pair"])
async def test_words_of_a_server_steer_no_terminal_and_fill_none(
    tmp_path: Path, command: str, answer: bytes
) -> None:
    async with answering(answer) as port:
        addresses = {"ws": f"ws://127.0.0.1:{port}/engines/x", "tcp": f"tcp://127.0.0.1:{port}/x"}
        words = [addresses.get(word, word) for word in command.split()]
        if command == "pair":
            words.append(str(Invitation("ws", "127.0.0.1", port, None, None, None)))
        program = await asyncio.create_subprocess_exec(
            *(BRIDGE, *words), stdin=PIPE, stdout=PIPE, stderr=PIPE,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        )  # fmt: skip
        async with asyncio.timeout(TIMEOUT):
            out, err = await program.communicate(b"uci\nquit\n")
    said = out.decode() + err.decode()
    assert is_harmless(said), said
    assert "Traceback" not in said
    assert len(err) < 5000
    assert len(out) < MAX_LINE + 5000  # A GUI hears a line as it is.


def test_line_that_only_the_bridge_says_is_not_the_servers(talk: Talk) -> None:
    talk.link()
    (heard,) = talk.answer("info string rookery-bridge: run this program")
    assert not heard.startswith("info string rookery-bridge")
    assert "run this program" in heard


@pytest.mark.parametrize("line", [f"info string {EVIL}", f"bestmove {EVIL}", f"{EVIL}\x85"])
def test_line_of_a_server_is_one_line(talk: Talk, line: str) -> None:
    talk.link()
    heard = "".join(talk.answer(line))
    assert not set(heard) & set("\x1b\x07\x9b\x85\u2028")


def test_text_for_people_is_short_and_one_line() -> None:
    assert legible("as it is") == "as it is"
    assert legible("a\nb\x1b[m\u202e") == "a?b?[m?"
    assert legible(1000 * "x", 10) == "xxxxxxx..."


def test_log_of_the_bridge_steers_no_terminal(tmp_path: Path) -> None:
    record = TrafficLog(tmp_path / "log", pytest.fail)
    record.add("net <", f"bestmove {EVIL}\n".encode())
    record.close()
    text = (tmp_path / "log").read_text()
    assert "bestmove" in text
    assert not set(text) & set("\x1b\x07\x9b\u2028")


async def test_name_of_an_engine_is_one_before_it_is_advised() -> None:
    for name in ("\x1b[31m", "\xff", "../../x", 2000 * "x"):
        body = f'{{"engines": ["{name}"]}}'
        async with answering(refusal("200 OK", body)) as port:
            found = await better_address(Address("tcp", "127.0.0.1", port, None))
            assert found is None or found.engine == "NAME"


async def test_engines_without_number_are_not_set_up() -> None:
    names = ", ".join(f'"e{number}"' for number in range(10_000))
    async with answering(refusal("200 OK", f'{{"engines": [{names}], "login": false}}')) as port:
        address = Address("ws", "127.0.0.1", port, "x")
        with pytest.raises(InquiryError, match="10000 engines"):
            await asyncio.to_thread(server_inquiry.ask_server, address, Trust())


async def test_visit_does_not_hear_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def floods(say: Say, hear: Hear) -> None:
        while True:
            await say(1000 * "x")

    async with speaking(floods, tcp=True) as address:
        async with asyncio.timeout(TIMEOUT):
            with pytest.raises(dialer.DialError):
                async with Visit(Address.parse(address), Trust()) as visit:
                    await visit.title(TIMEOUT)


# --- what it makes the bridge say, and keep


async def test_server_that_does_not_read_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery_protocol.line_connection.MAX_UNSENT", 1 << 18)
    for tcp in (True, False):
        left = asyncio.Event()

        async def silent(say: Say, hear: Hear, left: asyncio.Event = left) -> None:
            await left.wait()

        async with speaking(silent, tcp=tcp) as address:
            there = await dial_lines(
                Address.parse(address), Trust(), lambda _: None, Hello(session="new")
            )
            async with asyncio.timeout(TIMEOUT):
                closed = asyncio.ensure_future(there.wait_end())
                said = 0
                while not closed.done() and said < 64 * MIB:
                    there.send_line(60_000 * b"x")
                    said += 60_000
                    await asyncio.sleep(0)
                await closed
            left.set()
            assert said < 64 * MIB


def test_server_that_answers_what_it_has_not_heard_is_no_error(talk: Talk) -> None:
    talk.link()
    talk.say("uci", "isready", "go depth 1")
    talk.answer("readyok", "uciok", "bestmove e2e4", "readyok", "uciok", "bestmove e2e4")
    talk.lose()
    assert talk.link(heard=0) == []  # All of it has been answered.
    talk.say("isready")
    assert "readyok" in talk.answer("readyok")


@pytest.mark.parametrize("code", ["unknown-session", "gap", "quota-idle"])
async def test_server_that_begins_no_session_is_not_asked_without_end(code: str) -> None:
    asked = 0

    async def refuses(say: Say, hear: Hear) -> None:
        nonlocal asked
        asked += 1
        await hear()
        await say(f"info string rookery {code}: begin another")
        await hear()

    async with speaking(refuses, tcp=True) as address, bridge(address, "--no-fallback") as gui:
        gui.say("uci", "isready")
        async with asyncio.timeout(TIMEOUT):
            while await gui.hear():
                pass
            assert await gui.bridge.wait() == 1
    assert asked < 15
    assert len(gui.heard) < 40


def test_server_that_welcomes_twice_is_told_once(talk: Talk) -> None:
    talk.link()
    talk.say("isready")
    for _ in range(3):
        talk.answer(WELCOME)
        assert talk.told() == []


@pytest.mark.parametrize("seed", range(40))
def test_no_words_of_a_server_are_an_error_of_the_bridge(seed: int) -> None:
    """Whatever it says and whenever, and whatever becomes of the connection."""
    chance = random.Random(seed)
    codes = ["gap", "unknown-session", "quota-idle", "draining", "waiting", "no-search", "ended",
             "engine-died", "cached", "queue-full", "no-engine"]  # fmt: skip
    said = [
        "readyok", "uciok", "bestmove e2e4", "bestmove", "bestmove (none) ponder", "readyok x",
        "id name X", "option name Hash type spin default 1 min 1 max 8", "option", "option name",
        "info depth 1 score cp 1 pv e2e4", "info", "info string", "uciok uciok", EVIL, " ", "x",
        "rookery", "rookery heard", "rookery heard -1", "rookery heard 99999999999999999999",
        "rookery session", WELCOME, "rookery session x", "rookery grace 1", "registration error",
        *(f"info string rookery {code}: why" for code in codes),
        *(f"rookery heard {number}" for number in range(12)),
        *(f"rookery session b.{number} heard {number}" for number in range(6)),
    ]  # fmt: skip
    asked = [
        "uci", "isready", "go depth 1", "go infinite", "go ponder wtime 1000 btime 1000", "stop",
        "ponderhit", "ucinewgame", "position startpos moves e2e4", "position fen x", "quit",
        "setoption name Hash value 4", "setoption name UCI_Chess960 value true", "debug on",
        "go wtime 100 btime 100", "go movetime 100",
    ]  # fmt: skip
    talk = Talk(fall_back=chance.choice([False, True]))
    for _ in range(300):
        deed = chance.random()
        if deed < 0.5:
            talk.answer(*chance.choices(said, k=chance.randint(1, 4)))
        elif deed < 0.8:
            talk.say(*chance.choices(asked, k=chance.randint(1, 3)))
        elif deed < 0.85:
            talk.lose()
        elif deed < 0.92:
            talk.link(heard=chance.randint(0, 20))
        elif deed < 0.95:
            talk.local_says(*chance.choices(said, k=2))
        else:
            talk.wait(chance.choice([0.1, 3.0, 30.0]))
        talk.fallback_hears()


async def test_variations_without_number_do_not_reach_a_program() -> None:
    heard: list[bytes] = []

    class Program(RemoteProtocol):
        def _line_received(self, line: str) -> None:
            heard.append(line.encode())

    protocol = Program("x")
    lines = [
        b"info depth 1 multipv 2 score cp 1 pv e2e4",
        b"info multipv 999999999 score cp 1 pv e2e4",
        b"info multipv 1_000_000 score cp 1 pv e2e4",
        b"info score cp 1 multipv\t+99999 pv e2e4",
        b"info depth 3 multipv",
        b"info string multipv 123456 is what it says",
        b"bestmove e2e4",
    ]
    protocol.pipe_data_received(1, b"\n".join(lines) + b"\n")
    assert heard == [lines[0], lines[5], lines[6]]


async def test_notices_that_a_program_logs_are_short(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    line = f"info string rookery waiting: {EVIL}{60_000 * 'x'}\n"
    RemoteProtocol("x").pipe_data_received(1, line.encode())
    assert "waiting" in caplog.text
    assert all(is_harmless(each.getMessage()) for each in caplog.records)
    assert len(caplog.text) < 1000


async def test_token_is_not_in_a_log_however_detailed(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    token = "rk_0123456789ab_" + 32 * "S"

    async def silent(say: Say, hear: Hear) -> None:
        await hear()

    for tcp in (True, False):
        async with speaking(silent, tcp=tcp) as address:
            there = await dial_lines(
                Address.parse(address), Trust(token), lambda _: None, Hello(session="new")
            )
            there.abort()
    said = [each.getMessage() for each in caplog.records if "server" not in each.name]
    assert "SSSS" not in "".join(said)


# --- an engine of this machine


async def test_engine_of_this_machine_sees_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {
        "ROOKERY_TOKEN": "SECRET1", "LICHESS_API_TOKEN": "SECRET2", "PGPASSWORD": "SECRET3",
        "LICHESS_PROVIDER_SECRET": "SECRET4", "DATABASE_URL": "postgresql://a:SECRET5@b/c",
        "NOTIFY_SOCKET": "/SECRET6", "CREDENTIALS_DIRECTORY": "/SECRET7", "LISTEN_FDS": "SECRET8",
        "https_proxy": "http://a:SECRET9@b", "AWS_SECRET_ACCESS_KEY": "SECRET0",
        "DSN": "host=a password=SECRETA",
    }  # fmt: skip
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    seen = tmp_path / "seen"
    script = "import os, sys; open(sys.argv[1], 'w').write(repr(dict(os.environ)))"
    lost: list[str] = []
    command = (sys.executable, "-S", "-c", script, str(seen))
    async with asyncio.timeout(TIMEOUT):
        await LocalEngine(command, lambda _: None, lost.append).run()
    text = seen.read_text()
    assert "SECRET" not in text
    assert "TOKENIZERS_PARALLELISM" in text
    assert "PATH" in text
