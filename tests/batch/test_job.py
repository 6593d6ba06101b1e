"""A job whose engines come and go: what is lost with one is done by another."""

import asyncio
import json
from pathlib import Path

import chess
import pytest
from batch_bench import write_games

from rookery_engine.uci import Limits
from rookery_server.batch.job import Job, Order
from rookery_server.batch.ledger import Results
from rookery_server.batch.memory import NoMemory
from rookery_server.batch.progress import Progress
from rookery_server.batch.result import ResultFile
from rookery_server.batch.seat import Seat
from rookery_server.batch.talk import LostError, Talk

GAMES, PLIES = 40, 4
LIMIT = 60.0  # s


class Room:
    """A host with one place, and one more that is lost in its third game and never there again."""

    room = 2

    def __init__(self) -> None:
        self.taken = 0
        self.left = 0

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def take(self) -> Seat:
        self.taken += 1
        if self.taken > 2:
            await asyncio.Event().wait()
        games_left = 3 if self.taken == 1 else None
        loop = asyncio.get_running_loop()

        def tell(piece: bytes) -> None:
            nonlocal games_left
            lines = piece.decode().splitlines()
            if "ucinewgame" in lines and games_left is not None:
                games_left -= 1
            if games_left == 0:
                loop.call_soon(talk.ended, LostError("its place is lost"))
            elif lines[-1] == "isready":
                loop.call_soon(talk.hear, b"readyok\n")
            else:
                board = chess.Board()
                for move in lines[0].split()[3:]:
                    board.push_uci(move)
                best = min(board.legal_moves, key=chess.Move.uci)
                said = f"info depth 1 score cp 1 pv {best}\nbestmove {best}\n"
                loop.call_soon(talk.hear, said.encode())

        talk = Talk(tell, patience=LIMIT)
        return Seat(talk, self._leave)

    def _leave(self) -> None:
        self.left += 1


@pytest.mark.parametrize("workers", [2, 5])
async def test_a_worker_without_a_place_holds_nobody_up(tmp_path: Path, workers: int) -> None:
    games = write_games(tmp_path / "games.pgn", GAMES, PLIES)
    records = ResultFile(tmp_path / "out.jsonl", 0)
    order = Order([str(games)], [games.stat().st_size], Limits(nodes=1), workers=workers)
    room, notes = Room(), list[str]()
    with Progress(tmp_path / "progress", {}) as progress:
        job = Job(
            order, Results(None, records), progress,
            engine="x", note=notes.append, show=lambda _: None,
        )  # fmt: skip
        async with asyncio.timeout(LIMIT):
            done = await job.run(room, NoMemory())
    records.close()
    assert done.games == GAMES
    found = [json.loads(line)["game"] for line in (tmp_path / "out.jsonl").open()]
    assert found == list(range(1, GAMES + 1))
    assert len([note for note in notes if "begun anew, its place is lost" in note]) == 1
    assert room.left == 2
