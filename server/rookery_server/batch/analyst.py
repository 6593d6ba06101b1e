"""A worker: has an engine and takes games to it, until it dies or is lost.

A game with which that happens is begun anew by whichever worker has an engine then (case.py),
so that none waits for one that has to wait for a place.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Container, Sequence
from itertools import islice

import chess

from rookery_engine.uci import Limits, Position
from rookery_server.batch.case import Case
from rookery_server.batch.memory import Memory
from rookery_server.batch.outcome import Finding, Outcome
from rookery_server.batch.seat import Seat, Seats
from rookery_server.batch.talk import FaultError, LostError, Said
from rookery_server.batch.work import Work
from rookery_server.cache.evaluation import Evaluation
from rookery_server.engines.offer import CHESS960
from rookery_server.errors import ServerError

STARTS = 3  # in a row that may fail until the engine counts as broken
BATCH = 8  # answers that are read together: in half the time of one now and one then
MOMENT = 0.1  # s for which they are waited for, if there are not so many
RECONNECTS = 10  # in a row; with the waits between them 10 minutes
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 120.0  # s from one to the next


class Analyst:
    """One worker with one engine at a time."""

    def __init__(
        self, seats: Seats, limits: Limits, memory: Memory, note: Callable[[str], None]
    ) -> None:
        self._seats = seats
        self._limits = limits
        self._memory = memory
        self._note = note  # something that the operator may want to know
        self._seat: Seat | None = None
        self._ply = 0  # the half-move whose position is to be answered for

    def leave(self) -> None:
        """Let go of the engine."""
        if self._seat:
            self._seat.leave()
            self._seat = None

    async def sit(self) -> None:
        """Have an engine, a new one if need be, however long it takes.

        Raises:
            ServerError: there is none to be had.

        """
        faults, losses, wait = 0, 0, _FIRST_WAIT
        while self._seat is None:
            try:
                self._seat = await self._seats.take()
            except FaultError as fault:
                faults += 1
                if faults >= STARTS:
                    raise ServerError(f"the engine does not start: {fault}") from fault
            except LostError as lost:
                losses += 1
                if losses >= RECONNECTS:
                    raise ServerError(f"{lost}; tried {losses} times") from lost
                self._note(f"{lost}; tried again in {wait:g} s")
                await asyncio.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)

    async def attempt(self, case: Case) -> Outcome | None:
        """Analyse a game with the engine that it has.

        Returns:
            What came of it; None if the engine is gone, and the game is to be tried again.

        Raises:
            ServerError: it goes wrong each time.

        """
        work, seat = case.work, self._seat
        assert seat
        if work.obstacle:
            return Outcome(work)
        if work.chess960 and not seat.talk.has(CHESS960):
            return Outcome(work, gave_up=f"{seat.talk.answer.name} plays no Chess960")
        self._ply = 0
        try:
            findings = await self._pass_through(work, seat, case.poison)
        except FaultError as fault:
            self.leave()
            self._note(f"{work.name}, half-move {self._ply}: {fault}")
            return case.failed(self._ply, str(fault))
        except LostError as lost:
            self.leave()
            case.losses += 1
            if case.losses >= RECONNECTS:
                raise ServerError(f"{lost}; that was so {case.losses} times in one game") from lost
            self._note(f"{work.name}: begun anew, {lost}")
            return None
        return Outcome(work, findings, case.poison)

    async def _pass_through(
        self, work: Work, seat: Seat, poison: Container[int]
    ) -> tuple[Finding | None, ...]:
        """Search each position in turn; return what is found of each.

        The engine is always asked for more than it can answer at once, so that it does not wait
        for what is done with its answers.
        """
        await seat.talk.begin(chess960=work.chess960)
        boards, positions = work.boards, work.positions()
        findings: list[Finding | None] = [None] * len(boards)
        if len(boards) == 1 and not work.game.headers.get("FEN"):
            return tuple(findings)  # a game that was not played

        def is_open(ply: int) -> bool:
            return ply not in poison and not work.is_over(ply)

        known = await self._memory.look_up(seat, positions, chess960=work.chess960)
        for ply in filter(is_open, known):
            findings[ply] = Finding.of(known[ply], None)
        new: list[tuple[Position, bytes]] = []
        asked: deque[tuple[int, asyncio.Future[bytes]]] = deque()
        todo = (ply for ply in range(len(boards)) if ply not in known and is_open(ply))
        while True:
            for ply in islice(todo, 2 * BATCH - len(asked)):
                asked.append((ply, seat.talk.search(positions[ply], self._limits)))
            if not asked:
                break
            await _some_answers([answer for _, answer in asked])
            # What follows is done while the engine is at work on the next position.
            while asked and asked[0][1].done():
                self._ply, answer = asked.popleft()
                said = Said.read(await answer)
                findings[self._ply] = _finding(said, boards[self._ply])
                new.append((positions[self._ply], said.lines))
        await self._memory.keep(seat, new, chess960=work.chess960)
        return tuple(findings)


async def _some_answers(answers: Sequence[asyncio.Future[bytes]]) -> None:
    """Wait until there is one at least, and a moment longer for a batch of them."""
    await asyncio.wait({answers[:BATCH][-1]}, timeout=MOMENT)
    await asyncio.wait({answers[0]})


def _finding(said: Said, board: chess.Board) -> Finding:
    evaluation = Evaluation.of_search(said.lines, board)
    if evaluation is None:
        raise FaultError("it says no score with a legal move")
    return Finding.of(evaluation, said.best)
