"""Engines of this process that answer at once, and a job that uses them."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import chess

from rookery_analysis.engine_conversation import EngineConversation, UnreachableEngineError
from rookery_analysis.engine_supply import EngineSupply, ReadyEngine
from rookery_analysis.job import AnalysisJob, AnalysisOrder
from rookery_analysis.job_record import Checkpoint, JobFiles, JobRecord, JobState
from rookery_uci import Limits

PATIENCE = 60.0  # s


def answering(lost_in: int | None = None) -> EngineConversation:
    """Return an engine that is lost in the game with that number, from 1."""
    loop = asyncio.get_running_loop()
    games = 0

    def send(piece: bytes) -> None:
        nonlocal games
        lines = piece.decode().splitlines()
        games += "ucinewgame" in lines
        if games == lost_in:
            loop.call_soon(conversation.end, UnreachableEngineError("its place is lost"))
        elif lines[-1] == "isready":
            loop.call_soon(conversation.receive, b"readyok\n")
        else:
            board = chess.Board()
            for move in lines[0].split()[3:]:
                board.push_uci(move)
            best = min(board.legal_moves, key=chess.Move.uci)
            answer = f"info depth 1 score cp 1 pv {best}\nbestmove {best}\n"
            loop.call_soon(conversation.receive, answer.encode())

    conversation = EngineConversation(send, patience=PATIENCE)
    return conversation


class FakeEngines:
    """A source of engines made by `make`, which gets the number of engines before."""

    capacity = 2

    def __init__(self, make: Callable[[int], EngineConversation]) -> None:
        self._make = make
        self.acquired = 0
        self.released = 0

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def acquire(self) -> ReadyEngine:
        self.acquired += 1
        return ReadyEngine(self._make(self.acquired - 1), self._release)

    def _release(self) -> None:
        self.released += 1


async def run_job(
    games: Path,
    checkpoint: Checkpoint,
    engines: EngineSupply,
    *,
    records: Path | None = None,
    workers: int = 1,
) -> tuple[JobState, list[str]]:
    """Analyse a file of games; return what is done, and all that was reported."""
    reports: list[str] = []
    order = AnalysisOrder([str(games)], [games.stat().st_size], Limits(nodes=1), workers=workers)
    with closing(JobRecord(checkpoint, engine="x", files=JobFiles(None, records, None))) as record:
        job = AnalysisJob(order, record, report=reports.append, show=lambda _: None)
        return await job.run(engines), reports
