"""The Model Context Protocol around the tools: what is offered, calls, progress, errors.

The only module that needs the official SDK, which is an extra.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.mcp.chess_tools import ChessTools
from rookery_bridge.mcp.tool_answer import ToolAnswer, ToolError
from rookery_bridge.mcp.tool_definitions import INSTRUCTIONS, TOOLS, ToolDefinition

logger = logging.getLogger(__name__)


class McpServer:
    """The tools of one client, for one model on stdin and stdout.

    `has_ended` is set when all calls are over, and what they had begun on the chess server.
    """

    def __init__(self, client: AnalysisClient) -> None:
        self.has_ended = asyncio.Event()
        self._client = client
        self._server: Server[ChessTools] = Server(
            "rookery",
            version=version("rookery-chess"),
            title="Rookery chess analysis",
            instructions=INSTRUCTIONS,
            lifespan=self._open_tools,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    async def run(self) -> None:
        """Answer until stdin ends."""
        async with stdio_server() as (requests, answers):
            try:
                options = self._server.create_initialization_options()
                await self._server.run(requests, answers, options)
            finally:
                self.has_ended.set()

    @asynccontextmanager
    async def _open_tools(self, _: Server[ChessTools]) -> AsyncIterator[ChessTools]:
        async with self._client, ChessTools(self._client) as tools:
            yield tools

    async def _list_tools(
        self, context: ServerRequestContext[ChessTools], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=definitions())

    async def _call_tool(
        self, context: ServerRequestContext[ChessTools], params: CallToolRequestParams
    ) -> CallToolResult:
        try:
            answer = await context.lifespan_context.call(
                params.name, params.arguments or {}, context.session.report_progress
            )
            return _result(answer, is_error=False)
        except ToolError as error:
            return _result(error.as_answer, is_error=True)
        except Exception:
            logger.exception("a call of a tool has failed")
            fault = ToolError("this tool has a fault", "tell the user; its log says more", "fault")
            return _result(fault.as_answer, is_error=True)


def definitions() -> list[Tool]:
    """Return the tools as the protocol has them."""
    return [_definition(each) for each in TOOLS]


def _definition(tool: ToolDefinition) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.about,
        input_schema=tool.schema(),
        annotations=ToolAnnotations(
            read_only_hint=tool.is_read_only,
            destructive_hint=None if tool.is_read_only else tool.may_delete,
        ),
    )


def _result(answer: ToolAnswer, *, is_error: bool) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=answer.text)],
        structured_content=answer.data,
        is_error=is_error,
    )
