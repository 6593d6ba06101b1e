"""A search for the right address, where a server answers on a port in another way than asked.

A port speaks HTTP or plain lines, with TLS or without, and a client that mixes them up is not
understood: a TLS port hangs up on a client without TLS.  So it is asked once more in either way,
without a token, and by a request that both kinds of port have an answer to.
"""

import asyncio
import re
import ssl
from contextlib import suppress
from dataclasses import replace

from rookery_protocol.address import Address
from rookery_protocol.dialer import NEXT_ADDRESS
from rookery_protocol.engine_names import ENGINES_PATH, is_engine_name
from rookery_protocol.notices import Code, Notice

PATIENCE = 2.0  # s for each of the two ways
_LONGEST = 1 << 16  # bytes that are read
_ENGINES = re.compile(rb'"engines":\s*\["([^"\\]+)"')


async def better_address(address: Address) -> Address | None:
    """Return the address that does on that port, if it is of a Rookery server and another."""
    for secure in (address.is_secure, not address.is_secure):
        answer = b""
        with suppress(OSError, EOFError, TimeoutError, UnicodeError):
            answer = await _knock(address, secure=secure)
        if found := _address(address, answer, secure=secure):
            return found if found.scheme != address.scheme else None
    return None


async def _knock(address: Address, *, secure: bool) -> bytes:
    """Return what is answered to a request for the server's engines."""
    context = ssl.create_default_context() if secure else None
    if context:  # Nothing secret is said, and nothing that is heard is trusted.
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    heard = b""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(
            address.host, address.port, ssl=context, happy_eyeballs_delay=NEXT_ADDRESS
        )
        try:
            where = str(address).split("/")[2]
            request = f"GET {ENGINES_PATH.rstrip('/')} HTTP/1.1\r\nHost: {where}\r\n"
            writer.write(f"{request}Connection: close\r\n\r\n".encode())
            while (piece := await reader.read(_LONGEST)) and len(heard) < _LONGEST:
                heard += piece
                if _speaks_lines(heard):
                    break
        finally:
            writer.transport.abort()
    return heard


def _address(address: Address, answer: bytes, *, secure: bool) -> Address | None:
    """Return the address of the server that answers so; None if it is no Rookery server."""
    if _speaks_lines(answer):
        return replace(address, scheme="tls" if secure else "tcp")
    if not answer.startswith(b"HTTP/"):
        return None
    scheme = "wss" if secure else "ws"
    engines = _ENGINES.search(answer)
    if engines and is_engine_name(name := engines[1].decode(errors="replace")):
        return replace(address, scheme=scheme, engine=address.engine or name)
    said = answer.decode(errors="replace").partition("\r\n\r\n")[2].strip().partition("\n")[0]
    if Notice.parse(f"info string rookery {said}"):
        return replace(address, scheme=scheme, engine=address.engine or "NAME")
    return None


def _speaks_lines(answer: bytes) -> bool:
    """Say whether it is the port for plain lines that answers."""
    line, end, _ = answer.partition(b"\n")
    notice = Notice.parse(line.decode(errors="replace").rstrip()) if end else None
    return notice is not None and notice.code is Code.WRONG_PROTOCOL
