"""A worker: has an engine and takes games to it, until it dies or is lost.

A game with which that happens is begun anew by whichever worker has an engine then (case.py),
so that none waits for one that has to wait for a place.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from itertools import islice

import chess

from rookery_analysis.analysed_game import Finding, Outcome
from rookery_analysis.engine_source import Seat, Seats
from rookery_analysis.evaluation import Evaluation
from rookery_analysis.game import Work
from rookery_analysis.pending_game import Case
from rookery_analysis.retry_pause import Pause
from rookery_analysis.uci_conversation import BusyError, FaultError, LostError, Said
from rookery_protocol.errors import ServerError
from rookery_server.batch.cache_lookup import Memory
from rookery_uci import CHESS960, Limits, Position

STARTS = 3  # in a row that may fail until the engine counts as broken
AHEAD = 64  # positions that an engine is asked for; half of the answers are read together,
MOMENT = 0.3  # s for which so many are waited for
RECONNECTS = 10  # in a row; with the waits between them 10 minutes


class Analyst:
    """One worker with one engine at a time."""

    def __init__(
        self,
        seats: Seats,
        limits: Limits,
        memory: Memory,
        *,
        desk: Executor,
        note: Callable[[str], None],
    ) -> None:
        """Make it.

        Args:
            seats: who has engines.
            limits: how far each position is searched.
            memory: what need not be searched.
            desk: where answers are read, apart from the loop that tells engines what is next.
            note: takes what the operator may want to know.

        """
        self._seats = seats
        self._limits = limits
        self._memory = memory
        self._desk = desk
        self._note = note
        self._seat: Seat | None = None
        self._pause = Pause(note)  # until it may have another engine, after one was lost
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
        faults = losses = 0
        while self._seat is None:
            await self._pause.elapse()
            try:
                self._seat = await self._seats.take()
            except FaultError as fault:
                faults += 1
                if faults >= STARTS:
                    raise ServerError(f"the engine does not start: {fault}") from fault
            except BusyError as busy:
                self._pause.grow_for_room(busy)
            except LostError as lost:
                losses += 1
                if losses >= RECONNECTS:
                    raise ServerError(f"{lost}; tried {losses} times") from lost
                self._pause.grow()
                self._note(f"{lost}; tried again in {self._pause.seconds:g} s")

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
            return Outcome(replace(work, obstacle=f"{seat.talk.answer.name} plays no Chess960"))
        self._ply = 0
        try:
            findings = await self._pass_through(work, seat, case.poison)
        except FaultError as fault:
            self.leave()
            self._note(f"{work.name}, half-move {self._ply}: {fault}")
            return case.failed(self._ply, str(fault))
        except BusyError as busy:
            self.leave()
            self._pause.grow_for_room(busy)
            return None
        except LostError as lost:
            self.leave()
            self._pause.grow()
            case.losses += 1
            if case.losses >= RECONNECTS:
                raise ServerError(f"{lost}; that was so {case.losses} times in one game") from lost
            self._note(f"{work.name}: begun anew, {lost}")
            return None
        self._pause.end()
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
            for ply in islice(todo, AHEAD - len(asked)):
                asked.append((ply, seat.talk.search(positions[ply], self._limits)))
            if not asked:
                break
            heard = await self._take(asked)
            read = partial(self._read, work, heard)
            found = await asyncio.get_running_loop().run_in_executor(self._desk, read)
            for (ply, _), (said, finding) in zip(heard, found, strict=True):
                findings[ply] = finding
                new.append((positions[ply], said.lines))
        await self._memory.keep(seat, new, chess960=work.chess960)
        return tuple(findings)

    async def _take(
        self, asked: "deque[tuple[int, asyncio.Future[bytes]]]"
    ) -> list[tuple[int, bytes]]:
        """Take half of what is asked, or after a moment what is answered; one answer at least.

        So there are many at a time, and few of those for which the next game waits.
        """
        answers = [answer for _, answer in asked]
        await asyncio.wait({answers[(len(answers) - 1) // 2]}, timeout=MOMENT)
        self._ply, first = asked[0]
        await first
        taken = []
        while asked and asked[0][1].done() and not asked[0][1].exception():
            ply, answer = asked.popleft()
            taken.append((ply, answer.result()))
        return taken

    def _read(self, work: Work, heard: Sequence[tuple[int, bytes]]) -> list[tuple[Said, Finding]]:
        """Read answers; where that goes wrong, `_ply` says at which."""
        found = []
        for self._ply, answer in heard:
            said = Said.read(answer)
            found.append((said, _finding(said, work.boards[self._ply])))
        return found


def _finding(said: Said, board: chess.Board) -> Finding:
    evaluation = Evaluation.of_search(said.lines, board)
    if evaluation is None:
        raise FaultError("it says no score with a legal move")
    return Finding.of(evaluation, said.best)
