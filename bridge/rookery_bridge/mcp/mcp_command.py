"""The command `rookery-bridge mcp`."""

import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import NoReturn

from rookery_bridge import stdio
from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.command_arguments import CommandParser, complain, parse
from rookery_bridge.service import service_arguments
from rookery_protocol.module_loading import loading

_GOODBYE = 8.0  # s to end searches and reviews
_PATIENCE = 4.0  # s that a lost server has; a model rather hears soon that it is away


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    options = parse(_parser(), arguments)
    if find_spec("mcp") is None:
        complain('this needs the package mcp: pip install "rookery-chess[mcp]"')
        return service_arguments.FAILED
    address, trust, insecure = service_arguments.server_of(options)
    client = AnalysisClient.at(address, trust, insecure=insecure, patience=_PATIENCE)
    # stdout is for the protocol.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    if sys.stdin.isatty():
        complain("this speaks the Model Context Protocol: start it from a client (docs/mcp.md)")
    return asyncio.run(_serve_model(client))


async def _serve_model(client: AnalysisClient) -> NoReturn:
    """Answer a model's client until it ends the input or this process, and end the process."""
    with loading():
        from rookery_bridge.mcp.mcp_server import McpServer  # Only now: it loads the SDK.

    server, is_told = McpServer(client), asyncio.Event()
    with suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, is_told.set)
    task = asyncio.create_task(server.run(), name="model context protocol")
    told = asyncio.create_task(is_told.wait(), name="sigterm")
    await asyncio.wait({task, told}, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        # Its end is not waited for: the thread that reads stdin may be waiting for ever.
        task.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(server.has_ended.wait(), _GOODBYE)
        stdio.exit_now(0)
    task.result()
    stdio.exit_now(0)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="rookery-bridge mcp",
        allow_abbrev=False,
        description="Give a language model on this machine the engines of a server: a server of"
        " the Model Context Protocol on stdin and stdout, which the model's program starts.",
    )
    service_arguments.add_server(parser)
    return parser
