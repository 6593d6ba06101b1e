"""Seats of engines that are none: they answer at once, from within this process."""

import asyncio
from collections.abc import Callable

import chess

from rookery_analysis.engine_source import Seat
from rookery_analysis.uci_conversation import LostError, Talk

PATIENCE = 60.0  # s


def answering(games: int | None = None) -> Talk:
    """Return an engine that is lost in the game with that number, from 1."""
    loop = asyncio.get_running_loop()
    begun = 0

    def tell(piece: bytes) -> None:
        nonlocal begun
        lines = piece.decode().splitlines()
        begun += "ucinewgame" in lines
        if begun == games:
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

    talk = Talk(tell, patience=PATIENCE)
    return talk


class Room:
    """A host whose engines come of `make`, which is told how many were taken before."""

    room = 2

    def __init__(self, make: Callable[[int], Talk]) -> None:
        self._make = make
        self.taken = 0
        self.left = 0

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def take(self) -> Seat:
        self.taken += 1
        return Seat(self._make(self.taken - 1), self._leave)

    def _leave(self) -> None:
        self.left += 1
