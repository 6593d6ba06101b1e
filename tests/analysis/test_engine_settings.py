"""The options of engines before their first game."""

import asyncio

import pytest

from rookery_analysis.engine_conversation import EngineConversation
from rookery_analysis.engine_supply import EngineSettings
from rookery_uci import Limits, Position

START = Position(None, ())
USUAL = ("Threads type spin default 1 min 1 max 8", "Hash type spin default 1 min 1 max 64")


class SilentEngine:
    """An engine with some options that answers at once."""

    def __init__(self, *options: str) -> None:
        self.received: list[str] = []
        self.delays: list[float] = []
        self._options = options
        self.talk = EngineConversation(self._receive, 100, pause_reading=self.delays.append)

    def _receive(self, piece: bytes) -> None:
        lines = piece.decode().splitlines()
        self.received += lines
        if "uci" in lines:
            self._say("id name odd", *[f"option name {each}" for each in self._options], "uciok")
        if "isready" in lines:
            self._say("readyok")

    def _say(self, *lines: str) -> None:
        text = "".join(f"{line}\n" for line in lines)
        asyncio.get_running_loop().call_soon(self.talk.receive, text.encode())

    async def search(self) -> None:
        answer = self.talk.search(START, Limits(nodes=100))
        await asyncio.sleep(0.01)  # the search, which takes its time
        self.talk.receive(b"info depth 1 score cp 5 pv e2e4\nbestmove e2e4\n")
        await answer


@pytest.mark.parametrize(
    ("options", "chosen", "sent", "delays"),
    [
        (USUAL, (), [], 1),
        ((*USUAL, "Minimal type check default false"), (), ["true"], 0),
        ((*USUAL, "Minimal type check default false"), (("minimal", "false"),), ["false"], 1),
        ((*USUAL, "Minimal type check default false"), (("minimal", "true"),), ["true"], 0),
    ],
)
async def test_engine_that_can_be_silent_is_and_is_read_from_at_once(
    options: tuple[str, ...], chosen: tuple[tuple[str, str], ...], sent: list[str], delays: int
) -> None:
    engine = SilentEngine(*options)
    await EngineSettings(options=chosen).apply(engine.talk)
    said = [line for line in engine.received if "Minimal" in line]
    assert said == [f"setoption name Minimal value {value}" for value in sent]
    for _ in range(2):  # How long the first one takes shows how long to leave it alone.
        await engine.search()
    assert len(engine.delays) == delays
