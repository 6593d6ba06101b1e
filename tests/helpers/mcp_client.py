"""A model's program: the SDK's own client, with `rookery-bridge mcp` as its child process."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, TextContent

from helpers.bridged import BIN
from helpers.support import TIMEOUT, Running

NOWHERE = "http://127.0.0.1:9"  # nothing listens there
SCHOLARS_MATE = '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0'
# The beginning of a session in bytes, for tests that say what the SDK's client would not.
HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n'
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)
MODES = ("legacy", "auto")  # before and after the protocol of 2026


@asynccontextmanager
async def model_client(
    address: str,
    *arguments: str,
    mode: str = "auto",
    environment: dict[str, str] | None = None,
) -> AsyncIterator[Client]:
    """Start the tools for a server, and yield the client."""
    parameters = StdioServerParameters(
        command=str(BIN / "rookery-bridge"),
        args=["mcp", address, *arguments],
        env=environment,
    )
    client, is_done = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def stay_connected() -> None:
        # The SDK wants to be left by the task that has entered it, and fixtures have two.
        try:
            async with Client(parameters, mode=mode) as entered:
                client.set_result(entered)
                await is_done.wait()
        except Exception as error:
            if client.done():
                raise
            client.set_exception(error)

    task = asyncio.create_task(stay_connected(), name="program of a model")
    try:
        yield await client
    finally:
        is_done.set()
        await task


def at(app: Running) -> str:
    """Return the address of a server."""
    return f"http://127.0.0.1:{app.port}"


async def call(client: Client, tool: str, **said: object) -> CallToolResult:
    """Return the result of a call, which comes in time."""
    async with asyncio.timeout(3 * TIMEOUT):
        return await client.call_tool(tool, said)


def code_of(result: CallToolResult) -> str:
    """Return the code of an error."""
    assert result.is_error, text_of(result)
    return str(result.structured_content["error"]["code"])


def text_of(result: CallToolResult) -> str:
    """Return the text of a result, which is short and steers no terminal."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert len(content.text) < 8000
    assert content.text.replace("\n", "").isprintable()
    assert isinstance(result.structured_content, dict)
    assert len(json.dumps(result.structured_content)) < 16000
    return content.text
