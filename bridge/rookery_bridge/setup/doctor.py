"""`rookery-bridge doctor`: what is wrong between here and a remote engine, step by step.

The steps go from the name to the engine, each on what the one before has shown, and end at
the first that fails.  Every step has a bound in time, and so has the whole.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from datetime import UTC, datetime
from statistics import median, quantiles

from rookery_bridge.server_inquiry import (
    AnyCertificate,
    InquiryError,
    Visit,
    ask_server,
    better_address,
    call_in_thread,
)
from rookery_bridge.setup.diagnosis import BridgeTrouble, DoctorFinding, Grade, of_refusal, of_tls
from rookery_protocol.address import Address, check_secrecy
from rookery_protocol.dialer import NEXT_ADDRESS, DialError
from rookery_protocol.hello import Hello
from rookery_protocol.tls_trust import Trust, TrustError

PATIENCE = 5.0  # s for a step of the network
ENGINE_PATIENCE = 15.0  # s for the engine to be started and ready
SEARCH_PATIENCE = 15.0  # s for one to be free, and to search one ply
LONGEST = 45.0  # s for all of it
_TRIPS = 20  # round trips that are measured, in so many seconds at most:
_TRIPS_TIME = 3.0
_ASKED = 40  # answers to `uci` that are asked for at once, to see how fast lines come
_CLOCKS = 5.0  # s by which clocks may differ without a word
_LONG_WAY = 0.15  # s there and back, from where games of a minute suffer
_UNSTEADY = 0.2  # s by which the slowest of 20 may be later than the median
_NARROW = 20_000  # bytes a second: what a deep MultiPV analysis says, with room to spare


@dataclass
class Doctor:
    """Examiner of the way to one engine.

    `insecure` says that the token may go unencrypted; `now` is this machine's clock.
    """

    address: Address
    trust: Trust
    _: KW_ONLY
    insecure: bool = False
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def examine(self) -> AsyncIterator[DoctorFinding]:
        """Look at one thing after the other; end with the first that is wrong."""
        steps = (self._name, self._secrecy, self._port, self._tls, self._server, self._engine)
        until = asyncio.get_running_loop().time() + LONGEST
        for step in steps:
            findings = step()
            while True:
                try:
                    async with asyncio.timeout_at(until):
                        finding = await anext(findings, None)
                except TimeoutError:
                    why = f"it takes longer than {LONGEST:g} s"
                    finding = DoctorFinding("time", why, BridgeTrouble.NO_ANSWER)
                if finding is None:
                    break
                # Perhaps it is only the kind of port that is mixed up.
                better = finding.trouble in _MIXED_UP and await better_address(self.address)
                if better:
                    finding = replace(
                        finding, text=f"{finding.text}; use {better}, which answers there"
                    )
                yield finding
                if finding.grade is Grade.BAD:
                    return

    # --- the network

    async def _name(self) -> AsyncIterator[DoctorFinding]:
        host, port = self.address.host, self.address.port
        try:
            async with asyncio.timeout(PATIENCE):
                found = await call_in_thread(
                    socket.getaddrinfo, host, port, type=socket.SOCK_STREAM
                )
        except (socket.gaierror, TimeoutError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            why = why or f"no answer of the name servers within {PATIENCE:g} s"
            yield DoctorFinding("name", f"{host}: {why}", BridgeTrouble.NO_SUCH_HOST)
            return
        addresses = dict.fromkeys(str(each[4][0]) for each in found)
        yield DoctorFinding("name", f"{host} is {', '.join(addresses)}")

    async def _secrecy(self) -> AsyncIterator[DoctorFinding]:
        if self.insecure:
            return
        try:
            check_secrecy(self.address, self.trust)
        except TrustError:
            text = f"it would go to {self.address.host} unencrypted"
            yield DoctorFinding("token", text, BridgeTrouble.TOKEN_IN_CLEAR)

    async def _port(self) -> AsyncIterator[DoctorFinding]:
        where, began = f"port {self.address.port}", time.perf_counter()
        try:
            await self._open(None)
        except TimeoutError:
            yield DoctorFinding(where, f"no answer within {PATIENCE:g} s", BridgeTrouble.NO_ANSWER)
        except ConnectionRefusedError:
            yield DoctorFinding(where, "the connection was refused", BridgeTrouble.REFUSED)
        except OSError as error:
            yield DoctorFinding(where, error.strerror or str(error), BridgeTrouble.UNREACHABLE)
        else:
            yield DoctorFinding(where, f"open, after {_ms(time.perf_counter() - began)}")

    async def _tls(self) -> AsyncIterator[DoctorFinding]:
        if not self.address.is_secure:
            return
        try:
            shown = await self._open(self.trust.context())
        except TimeoutError:
            yield DoctorFinding("TLS", f"no answer within {PATIENCE:g} s", BridgeTrouble.NOT_TLS)
        except (OSError, EOFError) as error:
            why = getattr(error, "verify_message", "") or getattr(error, "reason", "")
            yield DoctorFinding("TLS", str(why or error or "the server hung up"), of_tls(error))
        else:
            by = "its fingerprint" if self.trust.pin else "its authority"
            yield DoctorFinding("TLS", f"{shown}, the server is known by {by}")

    async def _open(self, context: ssl.SSLContext | None) -> str:
        """Connect, and hang up; return the version of TLS."""
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(
                self.address.host,
                self.address.port,
                ssl=context,
                happy_eyeballs_delay=NEXT_ADDRESS,
            )
            session = writer.get_extra_info("ssl_object")
            writer.transport.abort()
            return session.version() if session else ""

    # --- the server

    async def _server(self) -> AsyncIterator[DoctorFinding]:
        if not self.address.is_websocket:
            if not self.address.is_secure and await self._speaks_tls():
                yield DoctorFinding("server", "it speaks TLS", BridgeTrouble.ONLY_TLS)
            return
        asked = self.now()
        try:
            engines, date = await call_in_thread(ask_server, self.address, self.trust, PATIENCE)
        except ssl.SSLError as error:
            why = getattr(error, "reason", None) or error
            yield DoctorFinding("server", str(why), of_tls(error))
            return
        except (OSError, InquiryError) as error:
            is_late = isinstance(error, TimeoutError)
            text = f"no answer within {PATIENCE:g} s" if is_late else str(error)
            secure = not self.address.is_secure and await self._speaks_tls()
            trouble = BridgeTrouble.ONLY_TLS if secure else BridgeTrouble.NOT_ROOKERY
            yield DoctorFinding("server", text, trouble)
            return
        if self.address.engine not in engines:
            text = f"there is no {self.address.engine!r}; there are: {', '.join(engines)}"
            yield DoctorFinding("engine", text, BridgeTrouble.UNKNOWN_ENGINE)
            return
        yield DoctorFinding("server", f"Rookery, with {', '.join(engines)}")
        if date:
            yield self._clock(date, asked)

    def _clock(self, date: datetime, asked: datetime) -> DoctorFinding:
        # It was said in between, in whole seconds.
        middle = asked + (self.now() - asked) / 2
        ahead = (date - middle).total_seconds() + 0.5
        if abs(ahead) <= _CLOCKS:
            return DoctorFinding("clock", f"both agree within {_CLOCKS:g} s")
        which = "ahead of" if ahead > 0 else "behind"
        text = f"the server's is {abs(ahead):.0f} s {which} this machine's"
        return DoctorFinding("clock", text, BridgeTrouble.CLOCK_OFF)

    async def _speaks_tls(self) -> bool:
        with suppress(OSError, EOFError):
            return bool(await self._open(AnyCertificate().context()))
        return False

    # --- the engine

    async def _engine(self) -> AsyncIterator[DoctorFinding]:
        has_token = self.trust.token is not None
        try:
            began = time.perf_counter()
            async with Visit(self.address, self.trust) as visit:
                title = await visit.title(ENGINE_PATIENCE)
                if has_token:
                    yield DoctorFinding("token", "the server has taken it")
                await visit.request("isready", "readyok", ENGINE_PATIENCE)
                await visit.search(SEARCH_PATIENCE)
                took = time.perf_counter() - began
                yield DoctorFinding(
                    "engine", f"{title or 'without a name'}, ready after {took:.1f} s"
                )
                yield await _round_trips(visit)
                yield await _throughput(visit)
        except TimeoutError:
            yield DoctorFinding(
                "engine", f"no answer within {ENGINE_PATIENCE:g} s", BridgeTrouble.ENGINE_SILENT
            )
        except DialError as error:
            trouble = of_refusal(error.code, has_token=has_token)
            about = "token" if trouble in _OF_TOKENS else "engine"
            yield DoctorFinding(about, str(error), trouble)


_MIXED_UP = (
    BridgeTrouble.NOT_TLS,
    BridgeTrouble.ONLY_TLS,
    BridgeTrouble.NOT_ROOKERY,
    BridgeTrouble.LOST,
)
_OF_TOKENS = (BridgeTrouble.NO_TOKEN, BridgeTrouble.BAD_TOKEN, BridgeTrouble.TOO_MANY_TRIES)


async def _round_trips(visit: Visit) -> DoctorFinding:
    """Measure how long a line takes to the server and back: it answers without the engine."""
    trips: list[float] = []
    until = time.perf_counter() + _TRIPS_TIME
    while len(trips) < _TRIPS and (time.perf_counter() < until or len(trips) < 2):
        began = time.perf_counter()
        await visit.request(str(Hello(heard=0)), "rookery heard", PATIENCE)
        trips.append(time.perf_counter() - began)
    usual, late = median(trips), quantiles(trips, n=20, method="inclusive")[-1]
    text = f"median {_ms(usual)}, 95 % within {_ms(late)} ({len(trips)} measured)"
    trouble = BridgeTrouble.UNSTEADY_WAY if late - usual > _UNSTEADY else None
    trouble = BridgeTrouble.LONG_WAY if usual > _LONG_WAY else trouble
    return DoctorFinding("round trip", text, trouble)


async def _throughput(visit: Visit) -> DoctorFinding:
    """Measure how fast lines come: many answers to `uci` are asked for at once."""
    began, size = time.perf_counter(), 0
    for _ in range(_ASKED):
        visit.send_line("uci")
    for _ in range(_ASKED):
        size += sum(len(line) + 1 for line in await visit.until("uciok", PATIENCE))
    rate = size / max(time.perf_counter() - began, 1e-6)
    text = f"{rate / 1000:.0f} kB/s of lines, at least"
    return DoctorFinding("throughput", text, BridgeTrouble.NARROW_WAY if rate < _NARROW else None)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
