"""Transcripts of whole sessions: what a client and its engine say and hear, line by line.

A transcript is a text file.  Each of its lines begins with a party and a mark:

    client> go depth 1             the client says this
    engine< go depth 1             the engine hears exactly this next
    engine> bestmove e2e4          the engine says this
    client< bestmove e2e4          the client hears exactly this next
    client! cut                    something happens to it: see `undergo`

`#` begins a comment.  In what is heard `{name}` stands for one word, which is whatever is heard
first and the same from then on, and ` ... ` for any words.  A party that has ended hears `(end)`,
or `(end CODE)` where a WebSocket was closed.  So a transcript that ends with both ends leaves no
line over.
"""

import asyncio
import os
import re
import signal
from pathlib import Path
from typing import Protocol

import pytest

from helpers.support import TIMEOUT


class Party(Protocol):
    """One that speaks and hears."""

    async def say(self, line: str) -> None:
        """Say a line."""

    async def hear(self) -> str:
        """Return the next line; `(end)` when there will be none."""

    async def undergo(self, event: str) -> None:
        """Have something done to it."""


class Puppets:
    """The engines of a server, of which one at a time has a session: the one that hears.

    `path` is the socket that `puppet_engine.py` is told.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: asyncio.Queue[tuple[asyncio.StreamWriter, str]] = asyncio.Queue()
        self._writer: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> "Puppets":
        self._server = await asyncio.start_unix_server(self._heard, self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server
        self._server.close()

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        spoken = False
        try:
            while line := await reader.readline():
                spoken = True
                await self._lines.put((writer, line.decode().rstrip("\n")))
        finally:
            if spoken:
                await self._lines.put((writer, "(end)"))
            writer.close()

    async def say(self, line: str) -> None:
        assert self._writer, "no engine has heard anything yet"
        self._writer.write(line.encode() + b"\n")
        await self._writer.drain()

    async def hear(self) -> str:
        self._writer, line = await self._lines.get()
        return line

    async def undergo(self, event: str) -> None:
        assert event == "kill"
        assert self._writer
        peer = self._writer.get_extra_info("socket")
        pid = int.from_bytes(peer.getsockopt(1, 17, 12)[:4], "little")  # SO_PEERCRED
        os.kill(pid, signal.SIGKILL)


class Script:
    """One transcript: `play` holds it against what happens."""

    def __init__(self, path: Path) -> None:
        self._lines = [line for line in path.read_text().splitlines() if line[:1] not in ("", "#")]
        self._words: dict[str, str] = {}

    async def play(self, **parties: Party) -> None:
        """Go through the lines; each is a step that must come true in time."""
        for number, line in enumerate(self._lines, 1):
            found = re.fullmatch(r"(\w+)([<>!]) (.*)", line)
            assert found, f"no step of a transcript: {line}"
            party, text = parties[found[1]], found[3]
            try:
                async with asyncio.timeout(TIMEOUT):
                    if found[2] == ">":
                        await party.say(self._filled(text))
                    elif found[2] == "!":
                        await party.undergo(text)
                    else:
                        self._compare(number, line, text, await party.hear())
            except TimeoutError:
                pytest.fail(f"step {number}, {line!r}: nothing happens")

    def _filled(self, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: self._words[name[1]], text)

    def _compare(self, number: int, line: str, wanted: str, heard: str) -> None:
        if heard == "(end)":  # TCP has no code.
            wanted = re.sub(r"^\(end \d+\)$", heard, wanted)
        pattern = "".join(map(self._pattern, re.split(r"(\{\w+\})", wanted)))
        found = re.fullmatch(pattern, heard)
        assert found, f"step {number}, {line!r}: heard {heard!r}"
        self._words |= found.groupdict()

    def _pattern(self, part: str) -> str:
        if not re.fullmatch(r"\{\w+\}", part):
            return re.escape(part).replace(r"\ \.\.\.\ ", " .* ")
        name = part[1:-1]
        known = self._words.get(name)
        return re.escape(known) if known is not None else rf"(?P<{name}>\S+)"


def transcripts(of: str) -> list[Path]:
    """Return the transcripts of a part."""
    return sorted((Path(__file__).parents[1] / "transcripts" / of).glob("*.txt"))
