"""A worker: takes games to an engine, and deals with one that dies.

A game is begun anew with a fresh engine whenever one has died or hung, so that what is
found of it does not depend on how often that happened.  A position at which it happens
twice is skipped from then on, and a game with too many of those is given up.
"""

import asyncio
from collections import Counter
from collections.abc import Callable

from rookery_engine.uci import Limits
from rookery_server.batch.judge import final_score
from rookery_server.batch.memory import Memory
from rookery_server.batch.outcome import Finding, Outcome
from rookery_server.batch.seat import Seat, Seats
from rookery_server.batch.talk import FaultError, LostError
from rookery_server.batch.work import Work
from rookery_server.cache.evaluation import Evaluation
from rookery_server.engines.offer import CHESS960
from rookery_server.errors import ServerError

TRIES = 2  # of a position; once may be an accident
MOST_POISON = 3  # positions of a game; one with more has something else wrong with it
STARTS = 3  # in a row that may fail until the engine counts as broken
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
        self.searched = 0  # positions

    def leave(self) -> None:
        """Let go of the engine."""
        if self._seat:
            self._seat.leave()
            self._seat = None

    async def analyse(self, work: Work) -> Outcome:
        """Analyse a game.

        Raises:
            ServerError: there is no engine to be had.

        """
        if work.obstacle:
            return Outcome(work)
        tries: Counter[int] = Counter()
        poison: dict[int, str] = {}
        losses = 0
        while True:
            findings: list[Finding | None] = []
            try:
                seat = await self._take()
                if work.chess960 and not seat.talk.has(CHESS960):
                    return Outcome(work, gave_up=f"{seat.talk.answer.name} plays no Chess960")
                await self._pass_through(work, seat, poison, findings)
                return Outcome(work, tuple(findings), poison)
            except FaultError as fault:
                self.leave()
                ply = len(findings)
                tries[ply] += 1
                self._note(f"{work.name}, half-move {ply}: {fault}")
                if tries[ply] >= TRIES:
                    poison[ply] = str(fault)
                if len(poison) > MOST_POISON:
                    return Outcome(work, gave_up=f"given up after {len(poison)} positions: {fault}")
            except LostError as lost:
                self.leave()
                losses += 1
                if losses >= RECONNECTS:
                    raise ServerError(f"{lost}; that was so {losses} times in one game") from lost
                self._note(f"{work.name}: begun anew, {lost}")

    async def _pass_through(
        self, work: Work, seat: Seat, poison: dict[int, str], findings: list[Finding | None]
    ) -> None:
        """Search each position in turn; what is found is appended as it is found."""
        await seat.talk.begin(chess960=work.chess960)
        boards, positions = work.boards, work.positions()
        if len(positions) == 1 and not work.game.headers.get("FEN"):
            findings.append(None)  # a game that was not played
            return
        known = await self._memory.look_up(seat, positions, chess960=work.chess960)
        new: dict[int, bytes] = {}
        for ply, (board, position) in enumerate(zip(boards, positions, strict=True)):
            if ply in poison or final_score(board) is not None:
                findings.append(None)
            elif before := known.get(ply):
                findings.append(Finding.of(before, None))
            else:
                said = await seat.talk.search(position, self._limits)
                evaluation = Evaluation.of_search(said.lines, board)
                if evaluation is None:
                    raise FaultError("it says no score with a legal move")
                self.searched += 1
                new[ply] = said.lines
                findings.append(Finding.of(evaluation, said.best))
        searched = [(positions[ply], said) for ply, said in new.items()]
        await self._memory.keep(seat, searched, chess960=work.chess960)

    async def _take(self) -> Seat:
        """Return the engine, a new one if need be."""
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
        return self._seat
