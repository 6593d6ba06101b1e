"""`rookery-server join --check`: what keeps this machine from joining, step by step.

The steps go from the server's name to its consent, each on what the one before has shown, and end
at the first that fails.  Nothing is joined: the server is only asked whether it would have this
machine.  Every step has a bound in time.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.proxy import get_proxy
from websockets.uri import parse_uri

from rookery_protocol.dialer import DialError, tls_reason
from rookery_protocol.notices import Code
from rookery_server.join.engine_link import JoinTarget

PATIENCE = 5.0  # s for a step of the network
_PORTS = {"ws": 80, "wss": 443}

# What to do about what a server says; the text of the others says it.
_ADVICE: dict[Code | None, str] = {
    Code.UNAUTHORIZED: "; its operator makes a link by 'rookery-server invite --role host'",
    Code.TOO_MANY_TRIES: "; wait as long as it says: wrong tokens came from here",
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The subject of a step, and what was found."""

    what: str
    text: str
    is_good: bool = True

    def __str__(self) -> str:
        return f"{'ok' if self.is_good else 'WRONG':<5}  {self.what}: {self.text}"


async def examine(server: JoinTarget) -> AsyncIterator[CheckResult]:
    """Look at the way to the server, until something is wrong."""
    url = urlsplit(server.url)
    steps = [_check_name, _check_port, _check_tls, _check_server]
    if proxy := get_proxy(parse_uri(server.url)):
        # Names and ports are the proxy's to find, so nothing can be said of them here.
        # Its address may have a password in it; what is wrong with it the last step says.
        where = urlsplit(proxy).netloc.rpartition("@")[2]
        yield CheckResult("proxy", f"the way is over {where}")
        steps = [_check_server]
    for step in steps:
        if finding := await step(url, server):
            yield finding
            if not finding.is_good:
                break


async def _check_name(url: SplitResult, _: JoinTarget) -> CheckResult | None:
    host = str(url.hostname)
    try:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.get_running_loop().getaddrinfo(
                host, _port_of(url), type=socket.SOCK_STREAM
            )
    except (OSError, UnicodeError) as error:  # A timeout is an OSError, without a text.
        why = getattr(error, "strerror", "") or str(error) or f"no answer within {PATIENCE:g} s"
        return _bad("name", f"{host}: {why}; compare it with the link, and is this machine online?")
    addresses = dict.fromkeys(str(each[4][0]) for each in found)
    return CheckResult("name", f"{host} is {', '.join(addresses)}")


async def _check_port(url: SplitResult, _: JoinTarget) -> CheckResult | None:
    what, began = f"port {_port_of(url)}", monotonic()
    try:
        await _open(url, None)
    except TimeoutError:
        return _bad(what, f"no answer within {PATIENCE:g} s: a firewall drops it, or it is off")
    except ConnectionRefusedError:
        return _bad(what, "the connection was refused: is rookery-server running there?")
    except OSError as error:
        return _bad(what, error.strerror or str(error))
    return CheckResult(what, f"open, after {1000 * (monotonic() - began):.1f} ms")


async def _check_tls(url: SplitResult, server: JoinTarget) -> CheckResult | None:
    if url.scheme != "wss":
        return None
    try:
        version = await _open(url, server.trust.context())
    except TimeoutError:
        return _bad("TLS", f"no answer within {PATIENCE:g} s: does that port speak TLS?")
    except ssl.SSLCertVerificationError as error:
        why = getattr(error, "verify_message", "") or error.strerror
        return _bad("TLS", f"{why}; --ca or --pin say whom to trust, and a link has the pin")
    except ssl.SSLError as error:
        return _bad("TLS", tls_reason(error))
    except (OSError, EOFError) as error:
        return _bad(
            "TLS", f"{str(error) or 'the server hung up'}: ws:// is for a server without it"
        )
    by = "its fingerprint" if server.trust.pin else "its authority"
    return CheckResult("TLS", f"{version}, the server is known by {by}")


async def _check_server(_: SplitResult, server: JoinTarget) -> CheckResult | None:
    """Ask the server whether it would accept this machine, and hang up without joining."""
    try:
        connection = await server.dial(ClientConnection)
    except DialError as error:
        return _bad("server", f"{error}{_ADVICE.get(error.code, '')}")
    await connection.close()
    token = "it has taken the token" if server.trust.token else "it wants no token"
    return CheckResult("server", f"Rookery, {token}, and this machine may join")


async def _open(url: SplitResult, context: ssl.SSLContext | None) -> str:
    """Connect, and hang up; return the version of TLS."""
    async with asyncio.timeout(PATIENCE):
        _, writer = await asyncio.open_connection(url.hostname, _port_of(url), ssl=context)
    session = writer.get_extra_info("ssl_object")
    writer.transport.abort()
    return session.version() if session else ""


def _port_of(url: SplitResult) -> int:
    return url.port or _PORTS[url.scheme]


def _bad(what: str, text: str) -> CheckResult:
    return CheckResult(what, text, is_good=False)
