"""A stand-in for rookery-server, for tools/try_executable.py on macOS and Windows.

It speaks lines over TCP with TLS, to whoever comes: each session has an engine of its own, and none
outlives its connection.  (docs/protocol.md)
"""

import asyncio
from asyncio.subprocess import PIPE
from contextlib import suppress

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Code, Notice


class StandIn:
    """A server within an event loop.  `engine` is a command, `context` of TLS."""

    def __init__(self, engine, context):
        self.engine = engine
        self.context = context
        self.processes = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve_client, "127.0.0.1", ssl=self.context)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.kill_engines()
        for process in [*self.processes]:
            await process.wait()

    def kill_engines(self):
        for process in self.processes:
            with suppress(ProcessLookupError):
                process.kill()

    async def serve_client(self, reader, writer):
        with suppress(OSError):
            first = await reader.readline()
            hello = Hello.parse(first) if first else None
            if hello and hello.returns:
                notice = Notice(Code.UNKNOWN_SESSION, "no session outlives its connection here")
                writer.write(b"%s\n" % bytes(notice))
            elif first:
                await self.relay(hello, [] if hello else [first], reader, writer)
            writer.close()

    async def relay(self, hello, lines, reader, writer):
        """Relay between a client and an engine, until either is gone."""
        process = await asyncio.create_subprocess_exec(*self.engine, stdin=PIPE, stdout=PIPE)
        self.processes.add(process)
        if hello and hello.session:
            writer.write(b"%s\n" % bytes(Hello(session="a.b", heard=0, grace=60)))
        process.stdin.writelines(lines)
        both = [
            asyncio.create_task(self.hear_client(len(lines), reader, writer, process.stdin)),
            asyncio.create_task(self.hear_engine(process.stdout, writer)),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            self.processes.discard(process)

    async def hear_client(self, count, reader, writer, stdin):
        with suppress(OSError):
            async for line in reader:
                hello = Hello.parse(line)
                if hello is None:
                    count += 1
                    stdin.write(line)
                    await stdin.drain()
                elif hello.heard is not None:
                    writer.write(b"%s\n" % bytes(Hello(heard=count)))

    async def hear_engine(self, stdout, writer):
        with suppress(OSError):
            async for line in stdout:
                writer.write(line)
                await writer.drain()
