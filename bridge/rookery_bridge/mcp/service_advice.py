"""Failures of the analysis service, and what a model or its user can do about each."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.mcp.tool_answer import ToolError
from rookery_protocol.errors import in_words
from rookery_protocol.notices import Code, legible

_MOST = 300  # characters of what the server says
_FULL = "wait a little, make fewer calls at once, and call again"
_ADVICE = {
    Code.UNAUTHORIZED: "ask the user for a good token of this server: it is read at the start of"
    " 'rookery-bridge mcp', from the file of --token-file or from ROOKERY_TOKEN",
    Code.TOO_MANY_TRIES: "stop calling: the token is wrong, and the server refuses more tries for"
    " a while; ask the user to correct it",
    Code.UNKNOWN_ENGINE: "call 'engines', and use one of its names, or none",
    Code.ILLEGAL_POSITION: "check the position with 'position'",
    Code.BAD_VALUE: "use other values, or another engine",
    Code.QUOTA_CPU: "the account has used its time: use few seconds, or tell the user",
    Code.QUOTA_SESSIONS: _FULL,
    Code.QUEUE_FULL: _FULL,
    Code.TOO_MANY_CONNECTIONS: _FULL,
    Code.TOO_MANY_STARTS: _FULL,
    Code.DRAINING: "the server restarts: call again in half a minute",
    Code.ENGINE_FAILED: "use another engine of 'engines', or tell the user",
}
UNREACHABLE = (
    "call again in a moment; if it stays so, tell the user that the chess server cannot be"
    " reached; 'position' works without it"
)


def tool_error(error: ServiceError) -> ToolError:
    """Return the failure as an answer for a model."""
    code = error.code or ("unreachable" if error.status is None else "refused")
    advice = next((text for known, text in _ADVICE.items() if known == error.code), None)
    if advice is None:
        advice = UNREACHABLE if error.status is None else "tell the user what the server says"
    if error.wait:
        advice = f"call again in {in_words(error.wait)}, not before"
    return ToolError(legible(str(error), _MOST), advice, code)


@asynccontextmanager
async def answer_deadline(seconds: float, what: str) -> AsyncIterator[float]:
    """Bound what is done inside; yields the time of the event loop at which it ends.

    Raises:
        ToolError: it took longer.

    """
    end = asyncio.get_running_loop().time() + seconds
    try:
        async with asyncio.timeout_at(end):
            yield end
    except TimeoutError:
        raise ToolError(
            f"{what} within {seconds:g} s: it is busy, restarts, or cannot be reached",
            UNREACHABLE,
            "no-answer",
        ) from None
