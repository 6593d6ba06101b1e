"""Positions and limits of searches, as documents for the analysis service.  No I/O."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import chess
import chess.engine
from chess.engine import Limit

MAX_MOVES = 1024  # half-moves behind a FEN; with more of them the position begins later
_MS = 1000

OptionValue = str | int | bool


@dataclass(frozen=True, slots=True)
class AnalysisPosition:
    """A position: a FEN (none is the first of a game) and moves from there, in UCI or SAN.

    `id` comes back with the result; `variant` is `standard`, `chess960`, or one that the engine
    plays.
    """

    fen: str | None = None
    moves: Sequence[str] = ()
    id: str | int | None = None
    variant: str = "standard"

    @classmethod
    def of(cls, position: "Position") -> "AnalysisPosition":
        """Return a position in whatever form a program has it.

        Raises:
            TypeError: it is none.

        """
        if isinstance(position, AnalysisPosition):
            return position
        if isinstance(position, chess.Board):
            return _position_of(position)
        if isinstance(position, str):
            return cls(position)
        raise TypeError(
            f"a position is a FEN, a chess.Board or an AnalysisPosition, not {position!r:.60}"
        )

    def document(self) -> dict[str, object]:
        """Return the members of a request, without those that are as they are by default."""
        # A text is a sequence, too: of letters, which is never meant.
        moves = self.moves.split() if isinstance(self.moves, str) else list(self.moves)
        members = {
            "id": self.id,
            "fen": self.fen,
            "moves": moves or None,
            "variant": None if self.variant == "standard" else self.variant,
        }
        return {name: value for name, value in members.items() if value is not None}

    def line(self) -> bytes:
        """Return the request as a line of NDJSON."""
        return json.dumps(self.document(), separators=(",", ":")).encode() + b"\n"


Position = str | chess.Board | AnalysisPosition


def _position_of(board: chess.Board) -> AnalysisPosition:
    """Return the position of a board with the moves that led there, for repetitions count."""
    moves = board.move_stack[-MAX_MOVES:]
    # An engine is not told of a null move: the position begins behind it.
    nulls = [number for number, move in enumerate(moves, 1) if not move]
    moves = moves[nulls[-1] :] if nulls else moves
    root = board.copy()
    for _ in moves:
        root.pop()
    variant = board.uci_variant or "standard"
    if variant == "chess":
        variant = "chess960" if board.chess960 else "standard"
    fen = root.fen(en_passant="fen")
    return AnalysisPosition(
        None if fen == chess.STARTING_FEN and variant == "standard" else fen,
        tuple(move.uci() for move in moves),
        variant=variant,
    )


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The search of a position: its limits, its engine, how many lines, and options."""

    limits: Mapping[str, int]
    engine: str | None = None
    lines: int = 1
    options: Mapping[str, OptionValue] | None = None

    def document(self) -> dict[str, object]:
        """Return the members of a request."""
        return {
            "limits": dict(self.limits),
            **({"engine": self.engine} if self.engine else {}),
            **({"lines": self.lines} if self.lines != 1 else {}),
            **({"options": dict(self.options)} if self.options else {}),
        }

    def query(self) -> dict[str, str]:
        """Return the same as the query of a request whose body has nothing but positions."""
        members: dict[str, OptionValue] = {**self.limits}
        if self.engine:
            members["engine"] = self.engine
        if self.lines != 1:
            members["lines"] = self.lines
        for name, value in (self.options or {}).items():
            members[f"option.{name}"] = value
        return {name: _as_text(value) for name, value in members.items()}


def _as_text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def limits_of(
    limits: Limit | None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    mate: int | None = None,
) -> dict[str, int]:
    """Return the limits of a search, by name.

    Raises:
        ValueError: there is none, or it is of a game with clocks.

    """
    named = {"nodes": nodes, "depth": depth, "movetime": movetime, "mate": mate}
    if limits is not None:
        if limits.white_clock is not None or limits.black_clock is not None:
            raise ValueError("an analysis has no clocks: limit its time, depth, nodes or mate")
        time = None if limits.time is None else max(1, round(limits.time * _MS))
        of_limit = {
            "nodes": limits.nodes, "depth": limits.depth, "movetime": time, "mate": limits.mate,
        }  # fmt: skip
        twice = [name for name in named if None not in (named[name], of_limit[name])]
        if twice:
            raise ValueError(f"{twice[0]} is given twice: in the limits and by name")
        named = {name: of_limit[name] if value is None else value for name, value in named.items()}
    found = {name: value for name, value in named.items() if value is not None}
    if not found:
        raise ValueError("a search needs an end: nodes, depth, movetime (in ms) or mate")
    return found
