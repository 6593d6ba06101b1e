"""The doctor against set-ups that are broken: each is called by its name, in bounded time."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from ssl import PEM_cert_to_DER_cert

import pytest
import trustme
from bench.child import free_port
from helpers.certificates import certificate
from helpers.lag import Lag
from helpers.support import Running, add_token, odd

from rookery_bridge import server_inquiry
from rookery_bridge.setup import doctor
from rookery_bridge.setup.diagnosis import BridgeTrouble, DoctorFinding, Grade
from rookery_bridge.setup.doctor import Doctor
from rookery_protocol.address import Address
from rookery_protocol.tls_trust import Trust
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import BudgetConfig, Quotas
from rookery_server.config.sections import ServerConfig

POLITE = EngineConfig("polite", odd("polite"))
MISSING = EngineConfig("missing", ("/nowhere/engine",))
BOUND = 30.0  # s; most take far less


@dataclass
class Ward:
    """Servers that can be broken: a plain one, one with tokens, one with TLS."""

    plain: Running
    login: Running
    secure: Running
    authority: Path
    token: str
    pin: bytes


@asynccontextmanager
async def serving(**settings: object) -> AsyncIterator[Running]:
    server = ServerConfig(port=0, tcp_port=0, start_timeout=2.0)
    server = replace(server, **settings.pop("server", {}))  # type: ignore[arg-type]
    engines = settings.pop("engines", (POLITE, MISSING))
    config = Config(engines=engines, server=server, **settings)  # type: ignore[arg-type]
    async with Running(config) as running:
        yield running


@pytest.fixture
async def ward(tmp_path: Path) -> AsyncIterator[Ward]:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = certificate(tmp_path / "tls", authority, "127.0.0.1")
    pin = sha256(PEM_cert_to_DER_cert(tls.certificate.read_text())).digest()
    token = add_token(tmp_path / "tokens")
    async with AsyncExitStack() as stack:
        plain = await stack.enter_async_context(serving())
        login = await stack.enter_async_context(serving(server={"tokens": tmp_path / "tokens"}))
        secure = await stack.enter_async_context(serving(tls=tls))
        yield Ward(plain, login, secure, tmp_path / "ca.pem", token, pin)


async def examine(address: str, trust: Trust | None = None, **more: object) -> list[DoctorFinding]:
    """Return what the doctor finds; it must come to an end."""
    began = time.monotonic()
    patient = Doctor(Address.parse(address), trust or Trust(), **more)  # type: ignore[arg-type]
    async with asyncio.timeout(BOUND):
        findings = [finding async for finding in patient.examine()]
    assert time.monotonic() - began < BOUND
    # Only the last is bad, and whatever is to be done is said.
    assert all(each.grade is not Grade.BAD for each in findings[:-1])
    for each in findings:
        assert each.trouble is None or each.trouble.advice in str(each)
    return findings


async def diagnosis(
    address: str, trust: Trust | None = None, **more: object
) -> BridgeTrouble | None:
    last = (await examine(address, trust, **more))[-1]
    return last.trouble if last.grade is Grade.BAD else None


def ws(port: int | None, engine: str = "polite", host: str = "127.0.0.1") -> str:
    return f"ws://{host}:{port}/engines/{engine}"


def wss(app: Running) -> str:
    return f"wss://127.0.0.1:{app.port}/engines/polite"


# --- healthy


async def test_nothing_is_wrong_where_nothing_is(ward: Ward) -> None:
    for address, trust in (
        (ws(ward.plain.port), Trust()),
        (f"tcp://127.0.0.1:{ward.plain.tcp_port}/polite", Trust()),
        (f"tcp://127.0.0.1:{ward.plain.tcp_port}", Trust()),
        (ws(ward.login.port), Trust(ward.token)),
        (f"tcp://127.0.0.1:{ward.login.tcp_port}", Trust(ward.token)),
        (wss(ward.secure), Trust(authority=ward.authority)),
        (wss(ward.secure), Trust(pin=ward.pin)),
        (f"tls://127.0.0.1:{ward.secure.tcp_port}", Trust(pin=ward.pin)),
    ):
        findings = await examine(address, trust)
        assert all(each.grade is not Grade.BAD for each in findings), (address, findings)
        seen = [each.what for each in findings]
        assert seen[-3:] == ["engine", "round trip", "throughput"]
        assert "Odd, ready after" in str(findings[-3])


# --- the network


async def test_wrong_host(ward: Ward) -> None:
    address = ws(ward.plain.port, host="no-such-host.invalid")
    assert await diagnosis(address) is BridgeTrouble.NO_SUCH_HOST


async def test_closed_port() -> None:
    for address in (ws(free_port()), f"tcp://127.0.0.1:{free_port()}"):
        assert await diagnosis(address) is BridgeTrouble.REFUSED


async def test_name_that_is_no_name() -> None:
    assert await diagnosis(ws(1, host="a" * 64 + ".example")) is BridgeTrouble.NO_SUCH_HOST


@asynccontextmanager
async def answering(answer: bytes | None) -> AsyncIterator[int]:
    """Run what takes connections and says always the same, or nothing and never hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if answer is None:
                await reader.read()
            else:
                await reader.readuntil(b"\n")
                writer.write(answer)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PATIENCE", 0.5)
    monkeypatch.setattr(server_inquiry, "PROBE_PATIENCE", 0.5)
    monkeypatch.setattr(doctor, "ENGINE_PATIENCE", 1.0)


@pytest.mark.usefixtures("impatient")
async def test_port_that_says_nothing() -> None:
    async with answering(None) as port:
        assert await diagnosis(ws(port)) is BridgeTrouble.NOT_ROOKERY
        assert await diagnosis(f"wss://127.0.0.1:{port}/engines/a") is BridgeTrouble.NOT_TLS
        assert await diagnosis(f"tcp://127.0.0.1:{port}") is BridgeTrouble.ENGINE_SILENT


async def test_port_of_something_else(ward: Ward) -> None:
    for answer in (
        b"220 mail.example ESMTP\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"engines": [{}]}',
        b"",
    ):
        async with answering(answer) as port:
            assert await diagnosis(ws(port)) is BridgeTrouble.NOT_ROOKERY, answer
    findings = await examine(ws(ward.plain.tcp_port))
    assert findings[-1].trouble is BridgeTrouble.NOT_ROOKERY
    assert findings[-1].text.startswith("this port is for plain lines")
    assert await diagnosis(f"tcp://127.0.0.1:{ward.plain.port}") is BridgeTrouble.NOT_ROOKERY


async def test_way_into_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(doctor, "PATIENCE", 0.2)
    monkeypatch.setattr(asyncio, "open_connection", silent)
    assert await diagnosis(ws(80)) is BridgeTrouble.NO_ANSWER

    async def unreachable(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(asyncio, "open_connection", unreachable)
    assert await diagnosis(ws(80)) is BridgeTrouble.UNREACHABLE


# --- TLS


async def test_tls_where_there_is_none(ward: Ward) -> None:
    assert await diagnosis(wss(ward.plain)) is BridgeTrouble.NOT_TLS
    assert await diagnosis(f"tls://127.0.0.1:{ward.plain.tcp_port}") is BridgeTrouble.NOT_TLS


async def test_no_tls_where_there_must_be(ward: Ward) -> None:
    assert await diagnosis(ws(ward.secure.port)) is BridgeTrouble.ONLY_TLS
    assert await diagnosis(f"tcp://127.0.0.1:{ward.secure.tcp_port}") is BridgeTrouble.ONLY_TLS


async def test_unknown_issuer(ward: Ward) -> None:
    assert await diagnosis(wss(ward.secure)) is BridgeTrouble.UNKNOWN_ISSUER


async def test_another_certificate_than_the_pinned(ward: Ward) -> None:
    trust = Trust(pin=secrets.token_bytes(32))
    assert await diagnosis(wss(ward.secure), trust) is BridgeTrouble.OTHER_CERTIFICATE


@pytest.mark.parametrize(
    ("names", "until", "trouble"),
    [
        (("127.0.0.1",), timedelta(days=-1), BridgeTrouble.EXPIRED),
        (("rook.example",), None, BridgeTrouble.WRONG_NAME),
        (("10.0.0.7",), None, BridgeTrouble.WRONG_NAME),
    ],
)
async def test_certificate_that_is_no_good(
    tmp_path: Path, names: tuple[str, ...], until: timedelta | None, trouble: BridgeTrouble
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    end = None if until is None else datetime.now(UTC) + until
    tls = certificate(tmp_path, authority, *names, until=end)
    async with serving(tls=tls) as app:
        assert await diagnosis(wss(app), Trust(authority=tmp_path / "ca.pem")) is trouble


# --- the server and its engine


async def test_no_token(ward: Ward) -> None:
    assert await diagnosis(ws(ward.login.port)) is BridgeTrouble.NO_TOKEN
    assert await diagnosis(f"tcp://127.0.0.1:{ward.login.tcp_port}") is BridgeTrouble.NO_TOKEN


async def test_wrong_token_and_too_many_of_them(ward: Ward) -> None:
    wrong = Trust(f"rk_000000000000_{'A' * 32}")
    addresses = [ws(ward.login.port), f"tcp://127.0.0.1:{ward.login.tcp_port}"]
    for address in addresses:
        assert await diagnosis(address, wrong) is BridgeTrouble.BAD_TOKEN
    for _ in range(5):
        await diagnosis(addresses[0], wrong)
    for address in addresses:
        assert await diagnosis(address, wrong) is BridgeTrouble.TOO_MANY_TRIES
        assert await diagnosis(address, Trust(ward.token)) is None


async def test_token_in_clear() -> None:
    assert (
        await diagnosis("ws://192.0.2.1:1/engines/a", Trust("rk_a")) is BridgeTrouble.TOKEN_IN_CLEAR
    )


async def test_unknown_engine(ward: Ward) -> None:
    assert await diagnosis(ws(ward.plain.port, "nobody")) is BridgeTrouble.UNKNOWN_ENGINE
    address = f"tcp://127.0.0.1:{ward.plain.tcp_port}/nobody"
    assert await diagnosis(address) is BridgeTrouble.UNKNOWN_ENGINE


async def test_engine_that_does_not_start(ward: Ward) -> None:
    assert await diagnosis(ws(ward.plain.port, "missing")) is BridgeTrouble.ENGINE_FAILED
    address = f"tcp://127.0.0.1:{ward.plain.tcp_port}/missing"
    assert await diagnosis(address) is BridgeTrouble.ENGINE_FAILED


async def test_server_that_is_full() -> None:
    async with serving(quotas=Quotas({"sessions": 1}, {})) as app:
        client = app.websocket("polite")
        async with client as busy:
            await busy.send("uci")
            await busy.recv()
            assert await diagnosis(ws(app.port)) is BridgeTrouble.FULL


async def test_server_without_a_free_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers `isready` all the same."""
    for budget in (BudgetConfig(threads=1), BudgetConfig(threads=1, waiting=0)):
        async with serving(budget=budget) as app, app.tcp() as busy:
            busy.say("go infinite")
            await app.one_engine()
            with monkeypatch.context() as patch:
                patch.setattr(doctor, "SEARCH_PATIENCE", 2.0)
                for address in (ws(app.port), f"tcp://127.0.0.1:{app.tcp_port}/polite"):
                    assert await diagnosis(address) is BridgeTrouble.FULL
            busy.say("quit")
            if budget.waiting:  # for the engine to end
                assert await diagnosis(ws(app.port)) is None


async def test_engine_that_dies_of_searching() -> None:
    async with serving(engines=(EngineConfig("polite", odd("dies")),)) as app:
        assert await diagnosis(ws(app.port)) is BridgeTrouble.ENGINE_FAILED


async def test_clock_that_is_off(ward: Ward) -> None:
    for ahead in (timedelta(hours=1), timedelta(seconds=-9)):
        findings = await examine(ws(ward.plain.port), now=lambda: datetime.now(UTC) + ahead)  # noqa: B023
        (clock,) = (each for each in findings if each.what == "clock")
        assert clock.trouble is BridgeTrouble.CLOCK_OFF
        assert clock.grade is Grade.FAIR
        assert ("behind" in clock.text) == (ahead > timedelta())
    findings = await examine(ws(ward.plain.port))
    assert next(each for each in findings if each.what == "clock").grade is Grade.GOOD


async def test_long_way(ward: Ward) -> None:
    async with Lag(ward.plain.port, 0.1) as lag:
        findings = await examine(ws(lag.port))
    (trips,) = (each for each in findings if each.what == "round trip")
    assert trips.trouble is BridgeTrouble.LONG_WAY
    assert 200 <= float(trips.text.split()[1]) < 1000


async def test_connection_that_is_cut() -> None:
    async with answering(b"") as port:
        assert await diagnosis(f"tcp://127.0.0.1:{port}") is BridgeTrouble.LOST
