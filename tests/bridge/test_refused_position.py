"""After a position that is refused no route answers for the one before (docs/position.md)."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from helpers.bridged import ENGINE, Gui, bridge, server

GOOD = "position fen 4k3/8/8/8/8/8/8/NNNNKNNN w - - 0 1"
BAD = [
    "position fen 4k3/8/8/8/8/P7/PPPPPPPP/NNNNKNNN w - - 0 1",
    "position startpos moves e2e4 e7e5 xxxx g1f3",
    "position fen",
    "joho position",
    "position startpos moves e2e4 \x01",
    "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 4000,
]


@asynccontextmanager
async def route(name: str, folder: Path) -> AsyncIterator[Gui]:
    """Return a GUI with our engine: behind bridge and server, or in the bridge's own place."""
    if name == "fallback":
        async with bridge("tcp://127.0.0.1:1", "--fallback", ENGINE) as gui:
            yield gui
        return
    async with (
        server(folder) as running,
        bridge(running.addresses("rookery")[name == "tcp"]) as gui,
    ):
        gui.say("isready")
        await gui.until("readyok")
        yield gui


@pytest.mark.parametrize("name", ["tcp", "websocket", "fallback"])
async def test_no_route_answers_for_the_position_before(name: str, tmp_path: Path) -> None:
    async with route(name, tmp_path) as gui:
        for bad in BAD:
            gui.say(GOOD, "go depth 3")
            assert re.match(r"bestmove [a-h]1", (await gui.until("bestmove"))[-1])
            gui.say(bad)
            for go, ending in (
                ("go depth 3", ""), ("go mate 2", ""), ("go infinite", "stop"),
                ("go ponder wtime 60000 btime 60000", "ponderhit"), ("go movetime 50", ""),
            ):  # fmt: skip
                gui.say(go)
                if ending:
                    await gui.drain()
                    gui.say(ending)
                lines = await gui.until("bestmove")
                assert lines[-1] == "bestmove 0000", (bad[:60], go)
            assert "without its position" in "".join(gui.heard[-20:])
        moves, searches = gui.count("bestmove"), 6 * len(BAD)
        await gui.drain()
        assert gui.count("bestmove") == moves == searches


async def test_refusal_outlives_the_server(tmp_path: Path) -> None:
    async with server(tmp_path) as running, bridge(running.addresses("rookery")[0]) as gui:
        gui.say(GOOD, "go depth 3")
        await gui.until("bestmove")
        gui.say(BAD[1], "go infinite")
        await gui.drain()
        await running.kill()
        await running.start()
        await gui.until("info string rookery-bridge: connected again")
        gui.say("go depth 3", "stop")
        assert (await gui.until("bestmove"))[-1] == "bestmove 0000"
        assert (await gui.until("bestmove"))[-1] == "bestmove 0000"
        gui.say("go depth 3")
        assert (await gui.until("bestmove"))[-1] == "bestmove 0000"
        gui.say("position startpos", "go depth 1")
        assert (await gui.until("bestmove"))[-1] != "bestmove 0000"
