"""A UCI engine that labels positions with a move and a score, with little overhead.

The score of a search that ended within an iteration may be a bound only: the engine says
`lowerbound` or `upperbound` after it.  It is kept apart, for it is a poor label.
"""

import os
import re
import select
import shlex
import subprocess
from dataclasses import dataclass

from train.recorded_game import MATE_SCORE

MOST_CENTIPAWNS = 31000  # what is beyond is a mate
MOST_MATE = 999  # moves; a longer mate counts as this
START_PATIENCE = 120.0  # s without a word from an engine that starts, on a busy machine
PIPELINED = 64  # positions to evaluate at once; 300 are sure to fit into a pipe of 32 KiB
PATIENCE = 600.0  # s without a word from an engine that searches


class LabelError(Exception):
    """The engine has ended, or violates UCI."""


@dataclass(frozen=True, slots=True)
class LabelledMove:
    """An engine's move for a position, and its score in the form of the files."""

    move: bytes
    score: int  # centipawns for the side to move; MATE_SCORE - n is a mate in n
    exact: bool  # False if the score is only a bound

    @classmethod
    def parse(cls, text: bytes) -> "LabelledMove":
        """Parse the output of a search: the last score, and the best move.

        Raises:
            LabelError: there is no score or no move.

        """
        move = score = None
        for line in reversed(text.splitlines()):
            words = line.split()
            if move is None and words[:1] == [b"bestmove"] and len(words) > 1:
                move = words[1]
            if words[:1] == [b"info"] and b"score" in words and b"string" not in words:
                score = words[words.index(b"score") + 1 :]
                break
        if move is None or score is None:
            raise LabelError(f"the engine says no move or no score: {text[-200:]!r}")
        bound = b"lowerbound" in score or b"upperbound" in score
        return cls(move, _number(score), not bound)


class LabelEngine:
    """An engine process that labels one position at a time.

    Args:
        command: The program and its arguments, as for a shell.
        nodes: How many nodes a search has.
        hash_mb: The size of the engine's table, in MiB.

    Attributes:
        name: What the engine calls itself, or else its command.

    Raises:
        LabelError: the engine ends, is silent for too long or says nonsense.
        OSError: it cannot be started.

    """

    def __init__(self, command: str, nodes: int, hash_mb: int = 1) -> None:
        self.name = command
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise LabelError(f"{command!r} is not a command: {error}") from None
        if not self._command:
            raise LabelError("the command of the engine is empty")
        self._go = b"\ngo nodes %d\n" % nodes
        self._options = b"setoption name Hash value %d\nisready\n" % hash_mb
        self._start()

    def restart(self) -> None:
        """End the engine, if it has not ended, and start it again."""
        self.close()
        self._start()

    def new_game(self) -> None:
        """Start a new game."""
        self._query(b"ucinewgame\nisready\n", b"readyok", START_PATIENCE)

    def choose(self, fen: str) -> LabelledMove:
        """Return the move for a position and its score."""
        question = b"position fen " + fen.encode() + self._go
        return LabelledMove.parse(self._query(question, b"bestmove ", PATIENCE))

    def evaluate(self, fens: list[str]) -> list[int]:
        """Return the static score of each side to move, by the command `eval` of Stockfish."""
        return [
            score
            for at in range(0, len(fens), PIPELINED)
            for score in self._evaluate(fens[at : at + PIPELINED])
        ]

    def close(self) -> None:
        """End the engine."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin.fileno()
        self._from = self._process.stdout.fileno()
        self._heard = select.poll()
        self._heard.register(self._from, select.POLLIN)
        try:
            said = self._query(b"uci\n", b"uciok", START_PATIENCE)
            if name := re.search(rb"^id name (.*\S)", said, re.MULTILINE):
                self.name = name[1].decode(errors="replace")
            self._query(self._options, b"readyok", START_PATIENCE)
        except BaseException:
            self.close()
            raise

    def _evaluate(self, fens: list[str]) -> list[int]:
        """Return the scores of a few positions, all of which the engine gets at once."""
        lines = b"".join(b"position fen " + fen.encode() + b"\neval\n" for fen in fens)
        said = self._query(lines + b"isready\n", b"readyok", PATIENCE)
        found = re.findall(rb"Final evaluation[ :]+(\S+)", said)
        if len(found) != len(fens):
            raise LabelError(f"the engine says no evaluation of {fens[0]}: {said[-200:]!r}")
        return [_evaluation(word, fen) for word, fen in zip(found, fens, strict=True)]

    def _query(self, lines: bytes, word: bytes, patience: float) -> bytes:
        """Write lines; return the output up to the end of the line that begins with a word."""
        try:
            os.write(self._to, lines)
        except BrokenPipeError:
            raise LabelError("the engine has ended") from None
        heard = b"\n"
        while not (heard.endswith(b"\n") and b"\n" + word in heard):
            if not self._heard.poll(patience * 1000):
                raise LabelError(f"the engine has not said {word.decode()!r} in {patience:.0f} s")
            piece = os.read(self._from, 65536)
            if not piece:
                raise LabelError("the engine has ended")
            heard += piece
        return heard


def _evaluation(word: bytes, fen: str) -> int:
    """Return the evaluation of White, in pawns, as centipawns for the side to move."""
    try:
        score = round(100 * float(word))
    except ValueError:
        raise LabelError(f"the engine says no evaluation of {fen}, but {word!r}") from None
    score = max(-MOST_CENTIPAWNS, min(score, MOST_CENTIPAWNS))
    return score if " w " in fen else -score


def _number(score: list[bytes]) -> int:
    """Return the words after `score` in the form of the files."""
    try:
        kind, number = score[0], int(score[1])
    except (IndexError, ValueError):
        raise LabelError(f"the engine says a score that is none: {score[:2]!r}") from None
    if kind == b"mate":
        number = max(-MOST_MATE, min(number, MOST_MATE))
        return MATE_SCORE - number if number > 0 else -MATE_SCORE - number
    return max(-MOST_CENTIPAWNS, min(number, MOST_CENTIPAWNS))
