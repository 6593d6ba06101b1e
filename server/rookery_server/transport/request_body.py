"""Bodies of requests, in pieces, within bounds of size and time.

A sender may be slow, but not as slow as it likes: a body that comes a byte a second, or stops,
would hold a connection and what its handler has for ever.  Only the time in which the server waits
for it counts: a handler may take as long as it needs for a piece.
"""

import asyncio
from collections.abc import AsyncIterator

from aiohttp import web

PATIENCE = 10.0  # s that a body may take at least
SLOWEST = 1024  # bytes in a second, which a body has to bring in the long run


def check_encoding(request: web.Request) -> None:
    """Refuse a body that is compressed: a few bytes of it may be very many.

    Raises:
        web.HTTPUnsupportedMediaType: it is.

    """
    coding = request.headers.get("Content-Encoding", "identity")
    if request.body_exists and coding.strip().lower() not in ("identity", ""):
        raise web.HTTPUnsupportedMediaType(
            text="a body is not compressed here: send it without Content-Encoding",
            headers={"Accept-Encoding": "identity"},  # as RFC 9110, section 15.5.16, has it
        )


async def body_pieces(request: web.Request, most: int) -> AsyncIterator[bytes]:
    """Yield the pieces of the body of a request, as they come.

    Args:
        request: the request.
        most: bytes that the body may have; more are not read.

    Raises:
        web.HTTPRequestEntityTooLarge: it has more.
        web.HTTPRequestTimeout: it comes too slowly.
        web.RequestPayloadError: it ends early, or is not encoded as it says.

    """
    if (request.content_length or 0) > most:
        raise _too_large(most, request.content_length or 0)
    loop = asyncio.get_running_loop()
    size, waited = 0, 0.0
    while True:
        begin = loop.time()
        try:
            async with asyncio.timeout(PATIENCE + size / SLOWEST - waited):
                piece = await request.content.readany()
        except TimeoutError:
            text = f"a body comes within {PATIENCE:g} s, or with {SLOWEST} bytes a second"
            raise web.HTTPRequestTimeout(text=text) from None
        waited += loop.time() - begin
        if not piece:
            return
        size += len(piece)
        if size > most:
            raise _too_large(most, size)
        yield piece


def _too_large(most: int, size: int) -> web.HTTPRequestEntityTooLarge:
    return web.HTTPRequestEntityTooLarge(most, size, text=f"this body may have {most} bytes")


async def read_body(request: web.Request, most: int) -> bytes:
    """Return the body of a request; the errors are those of `body_pieces`."""
    return b"".join([piece async for piece in body_pieces(request, most)])
