"""The evaluation of a position by an engine: its last lines, one for each variation.  No I/O.

Only what is true without the search that found it is kept.  A bound is no score, and
nodes and time are those of that search: a client that gets the lines later reads
them in a sentence, because within one search they must not fall.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import chess

from rookery_protocol.notices import Code, Notice
from rookery_uci import Info, Limits, UciError, parse_reply

MAX_PV = 100  # moves of a variation that are kept

_NOTHING_DONE = b" nodes 0 time 0 "  # as `for_client` writes it

_ABSURD = 1 << 62  # a number that no search reaches, and not every database can hold

_read_move = lru_cache(8192)(chess.Move.from_uci)


@dataclass(frozen=True, slots=True)
class PositionEvaluation:
    """The variations of a position, best first; at least one.

    `stored` is the time, in seconds of the epoch; None for one that is new.
    """

    lines: tuple[Info, ...]
    stored: int | None = None

    @classmethod
    def of_search(cls, said: bytes, board: chess.Board) -> "PositionEvaluation | None":
        """Read an engine's lines; return None if none of them can be kept.

        Variations count up to the first that is missing, illegal or a repetition.
        """
        infos = _infos(said.decode(errors="replace"))
        newest = {1 if info.multipv is None else info.multipv: info for info in infos}
        first = min(newest, default=1)  # There are engines that count from 0.
        if first > 1:
            return None
        lines: list[Info] = []
        while info := newest.get(first + len(lines)):
            pv = _legal(info.pv, board)
            if not pv or pv[0] in (each.pv[0] for each in lines):
                break
            line = Info(
                depth=info.depth, seldepth=info.seldepth, multipv=len(lines) + 1,
                score=info.score, wdl=info.wdl, nodes=info.nodes, time=info.time, pv=pv,
            )  # fmt: skip
            lines.append(line)
        return cls(tuple(lines)) if lines else None

    @classmethod
    def parse(cls, text: str, stored: int) -> "PositionEvaluation | None":
        """Read what `str` has written; return None for anything else."""
        lines = tuple(_infos(text))
        whole = [each.multipv for each in lines] == list(range(1, len(lines) + 1))
        return cls(lines, stored) if lines and whole else None

    @property
    def depth(self) -> int:
        """The depth to which all variations were searched."""
        return min(each.depth or 0 for each in self.lines)

    @property
    def nodes(self) -> int:
        """The nodes of the search."""
        return max(each.nodes or 0 for each in self.lines)

    @property
    def time(self) -> int:
        """The time of the search in ms, by the engine's own clock."""
        return max(each.time or 0 for each in self.lines)

    @property
    def date(self) -> str:
        """The time when it was stored, as ISO 8601 has it."""
        return datetime.fromtimestamp(self.stored or 0, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def is_enough(self, limits: Limits, lines: int) -> bool:
        """Return whether it is as good as a search of so many variations would be."""
        return (
            limits.mate is None
            and len(self.lines) >= lines
            and self.depth >= (limits.depth or 0)
            and self.nodes >= (limits.nodes or 0)
            and self.time >= (limits.movetime or 0)
        )

    def cut(self, count: int) -> "PositionEvaluation":
        """Return the best variations, `count` at most."""
        return PositionEvaluation(self.lines[:count], self.stored)

    def for_client(self, date: str) -> bytes:
        """Return the lines for a client, with the date on which they were stored."""
        count = len(self.lines)
        follows = "1 line follows" if count == 1 else f"{count} lines follow"
        notice = Notice(
            Code.CACHED,
            f"{follows}, of a search of {date}: depth {self.depth}, {self.nodes} nodes,"
            f" {self.time / 1000:.1f} s",
        )
        lines = (each._replace(nodes=0, time=0) for each in self.lines)
        return "".join(f"{line}\n" for line in (notice, *lines)).encode()

    @staticmethod
    def for_client_later(lines: bytes, said: bytes) -> bytes:
        """Return those lines for a client whose own engine has said something already.

        Within one search nodes and time must not fall, so they are those of that search.
        """
        infos = list(_infos(said.decode(errors="replace")))
        nodes = max((each.nodes or 0 for each in infos), default=0)
        time = max((each.time or 0 for each in infos), default=0)
        return lines.replace(_NOTHING_DONE, b" nodes %d time %d " % (nodes, time))

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))


def choose_evaluation(
    known: Iterable[PositionEvaluation], wanted: int
) -> PositionEvaluation | None:
    """Return the best of several of one position for a client that wants so many variations.

    One with all variations is better than one without; then the deeper one is.
    """
    best = max(
        known,
        key=lambda each: (min(len(each.lines), wanted), each.depth, each.nodes),
        default=None,
    )
    return best and best.cut(wanted)


def _infos(text: str) -> Iterable[Info]:
    """Read the lines that have a variation with its depth and its exact score."""
    for line in text.splitlines():
        try:
            info = parse_reply(line)
        except UciError:
            continue
        if (
            isinstance(info, Info)
            and info.pv
            and info.depth
            and info.score
            and info.score.bound is None
            and max(info.depth, info.nodes or 0, info.time or 0) < _ABSURD
        ):
            yield info


def _legal(pv: tuple[str, ...], board: chess.Board) -> tuple[str, ...]:
    """Return the moves of a variation before the first illegal one."""
    after = board.copy(stack=False)
    for count, text in enumerate(pv[:MAX_PV]):
        try:
            _play(after, text)
        except ValueError:
            return pv[:count]
    return pv[:MAX_PV]


def _play(board: chess.Board, text: str) -> None:
    """Play a move as `Board.push_uci` does, in two thirds of its time where the game is chess.

    A pseudo-legal move is legal there if it does not leave the king in check.

    Raises:
        ValueError: it is not legal.

    """
    move = _read_move(text)
    if type(board) is not chess.Board or not board.is_pseudo_legal(move):
        board.push_uci(text)
        return
    board.push(move)
    if board.was_into_check():
        raise ValueError(f"{text} leaves the king in check")
