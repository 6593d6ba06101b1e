"""What engines are told before their first game."""

import asyncio

import pytest

from rookery_analysis.engine_source import Setup
from rookery_analysis.uci_conversation import Talk
from rookery_uci import Limits, Position

START = Position(None, ())
USUAL = ("Threads type spin default 1 min 1 max 8", "Hash type spin default 1 min 1 max 64")


class Engine:
    """Answers at once, with these options."""

    def __init__(self, *options: str) -> None:
        self.told: list[str] = []
        self.naps: list[float] = []
        self._options = options
        self.talk = Talk(self._hear, 100, doze=self.naps.append)

    def _hear(self, piece: bytes) -> None:
        lines = piece.decode().splitlines()
        self.told += lines
        if "uci" in lines:
            self._say("id name odd", *[f"option name {each}" for each in self._options], "uciok")
        if "isready" in lines:
            self._say("readyok")

    def _say(self, *lines: str) -> None:
        text = "".join(f"{line}\n" for line in lines)
        asyncio.get_running_loop().call_soon(self.talk.hear, text.encode())

    async def search(self) -> None:
        answer = self.talk.search(START, Limits(nodes=100))
        await asyncio.sleep(0.01)  # the search, which takes its time
        self.talk.hear(b"info depth 1 score cp 5 pv e2e4\nbestmove e2e4\n")
        await answer


@pytest.mark.parametrize(
    ("options", "chosen", "told", "naps"),
    [
        (USUAL, (), [], 1),
        ((*USUAL, "Minimal type check default false"), (), ["true"], 0),
        ((*USUAL, "Minimal type check default false"), (("minimal", "false"),), ["false"], 1),
        ((*USUAL, "Minimal type check default false"), (("minimal", "true"),), ["true"], 0),
    ],
)
async def test_an_engine_that_can_be_silent_is_and_is_heard_at_once(
    options: tuple[str, ...], chosen: tuple[tuple[str, str], ...], told: list[str], naps: int
) -> None:
    engine = Engine(*options)
    await Setup(options=chosen).apply(engine.talk)
    said = [line for line in engine.told if "Minimal" in line]
    assert said == [f"setoption name Minimal value {value}" for value in told]
    for _ in range(2):  # How long the first one takes shows how long to leave it alone.
        await engine.search()
    assert len(engine.naps) == naps
