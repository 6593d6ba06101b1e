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
        raise web.HTTPRequestEntityTooLarge(most, request.content_length or 0)
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
            raise web.HTTPRequestEntityTooLarge(most, size)
        yield piece


async def read_body(request: web.Request, most: int) -> bytes:
    """Return the body of a request; the errors are those of `body_pieces`."""
    return b"".join([piece async for piece in body_pieces(request, most)])
