"""The commands of a GUI to an engine: lines to values and back.

Source: the UCI specification of April 2006 (S. Meyer-Kahlen); `go perft` and the
`Extra` commands as the Stockfish documentation has them.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from rookery_uci.words import UciError, Words, always, cut, keyword_of, parse, quote, to_move


class Word(StrEnum):
    """The commands that are a single word."""

    UCI = "uci"
    ISREADY = "isready"
    UCINEWGAME = "ucinewgame"
    STOP = "stop"
    PONDERHIT = "ponderhit"
    QUIT = "quit"


class Debug(NamedTuple):
    """Switch additional `info string` output on or off."""

    on: bool

    @classmethod
    def parse(cls, text: str) -> "Debug":
        """Read what follows `debug`."""
        word = text.split(maxsplit=1)[0] if text.strip() else ""
        if word not in ("on", "off"):
            raise UciError(f"debug needs 'on' or 'off', not {quote(word)}")
        return cls(word == "on")

    def __str__(self) -> str:
        return f"debug {'on' if self.on else 'off'}"


class SetOption(NamedTuple):
    """Change an option.  `value` is None for a button, "" for an empty string.

    The value keeps its inner blanks, because it may be a path; the name's are
    collapsed.
    """

    name: str
    value: str | None = None

    @classmethod
    def parse(cls, text: str) -> "SetOption":
        """Read what follows `setoption`."""
        before, rest = cut(text, "name")
        name, value = cut(rest or "", "value")
        if before.strip() or not name.strip():
            raise UciError(f"setoption needs 'name NAME [value VALUE]', not {quote(text)}")
        return cls(" ".join(name.split()), value)

    def __str__(self) -> str:
        value = "" if self.value is None else f" value {self.value}"
        return f"setoption name {self.name}{value}".rstrip()


class Register(NamedTuple):
    """Register the engine; without name and code: `register later`."""

    name: str | None = None
    code: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Register":
        """Read what follows `register`."""
        if text.split()[:1] == ["later"]:
            return cls()
        before, rest = cut(text, "name")
        name, code = cut(rest or "", "code")
        if before.strip() or not name.strip() or not code:
            raise UciError(f"register needs 'later' or 'name NAME code CODE', not {quote(text)}")
        return cls(" ".join(name.split()), " ".join(code.split()))

    def __str__(self) -> str:
        if self.name is None:
            return "register later"
        return f"register name {self.name} code {self.code}"


class Position(NamedTuple):
    """A position: a FEN (None is the usual start) and the moves played from it.

    The moves are kept as they were written; whether they are legal is not
    grammar.
    """

    fen: str | None = None
    moves: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read what follows `position`."""
        words = text.split()
        start = next((i for i, word in enumerate(words) if word in ("startpos", "fen")), None)
        if start is None:
            raise UciError("position needs 'startpos' or 'fen FEN', then perhaps 'moves'")
        end = words.index("moves", start) if "moves" in words[start:] else len(words)
        moves = tuple(words[end + 1 :])
        if words[start] == "startpos":
            return cls(None, moves)
        if end == start + 1:
            raise UciError(
                "position fen needs a FEN: placement, side to move, castling, en passant"
            )
        return cls(" ".join(words[start + 1 : end]), moves)

    def __str__(self) -> str:
        place = "startpos" if self.fen is None else f"fen {self.fen}"
        return " ".join(("position", place, *(("moves", *self.moves) if self.moves else ())))


class Limits(NamedTuple):
    """The end of a search.  Times are in milliseconds; None is no limit.

    Numbers are kept as they were written, zero and negative ones too: their
    meaning is the engine's business.  `perft` is no limit but another task (a
    Stockfish addition).
    """

    searchmoves: tuple[str, ...] = ()
    ponder: bool = False
    infinite: bool = False
    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    perft: int | None = None

    @property
    def has_limit(self) -> bool:
        """True if anything but a `stop` ends the search: a clock, or a number to reach.

        It ends a search that ponders only after its `ponderhit`.
        """
        clock = self.wtime, self.btime, self.movetime
        number = self.depth, self.nodes, self.mate
        return any(limit is not None for limit in (*clock, *number))

    @classmethod
    def parse(cls, text: str) -> "Limits":
        """Read what follows `go`.

        Unknown words are skipped, and so is a parameter without its number: a
        `go` that has been read must be answered, so it is never an error.  A number
        counts as far as it can be read.  If another word stands in its place, and no other
        limit is there, the search has 1 ms: it was not meant to go on for ever, as it would
        with a limit of 0 in many engines.  A word among the `searchmoves` that is no move hides
        none behind it.
        """
        flags: set[str] = set()
        numbers: dict[str, int] = {}
        unread: set[str] = set()
        moves: list[str] = []
        lists = False  # the moves to search
        words = Words(text.split())
        for word in words:
            if word == "searchmoves":
                lists = True
            elif word in _GO_FLAGS:
                flags.add(word)
            elif word in _GO_NUMBERS:
                number = words.loose_number()
                if number is not None:
                    numbers[word] = number
                elif words.peek() and words.peek() not in _GO_WORDS:
                    unread.add(word)
            elif lists and (move := to_move(word)) is not None:
                moves.append(move)
        ponder, infinite = "ponder" in flags, "infinite" in flags
        limits = cls(tuple(moves), ponder, infinite, **numbers)
        if unread and not (limits.has_limit or infinite or limits.perft is not None):
            is_count = "perft" in unread
            return limits._replace(perft=0) if is_count else limits._replace(movetime=1)
        return limits

    def __str__(self) -> str:
        words = [name for name in _GO_FLAGS if getattr(self, name)]
        for name in _GO_NUMBERS:
            number = getattr(self, name)
            if number is not None:
                words += (name, str(number))
        if self.searchmoves:
            words += ("searchmoves", *self.searchmoves)
        return " ".join(words)


_GO_FLAGS = ("ponder", "infinite")
_GO_NUMBERS = (
    "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft",
)  # fmt: skip
_GO_WORDS = (*_GO_FLAGS, *_GO_NUMBERS, "searchmoves")


class Go(NamedTuple):
    """Search the position within the limits."""

    limits: Limits = Limits()

    @classmethod
    def parse(cls, text: str) -> "Go":
        """Read what follows `go`."""
        return cls(Limits.parse(text))

    def __str__(self) -> str:
        return f"go {self.limits}".rstrip()


class Extra(NamedTuple):
    """A command that no edition of UCI has: for a person at a terminal.

    It must be the first word of its line, because the words are so common that any
    text would have one.
    """

    word: str
    text: str = ""

    @property
    def is_of_position(self) -> bool:
        """True if the command needs a position."""
        is_bench = self.word == "bench" and "current" in self.text.split()
        return is_bench or self.word in ("d", "eval", "flip")

    def __str__(self) -> str:
        return f"{self.word} {self.text}".rstrip()


EXTRAS = ("bench", "compiler", "d", "eval", "export_net", "flip", "help")
SHOWING = ("compiler", "d", "eval", "export_net", "help")  # and leave the position as it is

Command = Word | Debug | SetOption | Register | Position | Go | Extra

_READERS: dict[str, Callable[[str], Command]] = {
    "debug": Debug.parse,
    "setoption": SetOption.parse,
    "register": Register.parse,
    "position": Position.parse,
    "go": Go.parse,
    **{word.value: always(word) for word in Word},
}


def parse_command(line: str) -> Command | None:
    """Read a line that a GUI sends; None if there is no UCI command in it.

    Raises:
        UciError: the command is there, but not what it needs.

    """
    words = line.split(maxsplit=1)
    if words and words[0] in EXTRAS:
        return Extra(words[0], words[1].strip() if len(words) > 1 else "")
    return parse(line, _READERS)


def is_position(line: str) -> bool:
    """Return whether a line's command is `position`, even if it cannot be read."""
    words = line.split(maxsplit=1)
    is_extra = bool(words) and words[0] in EXTRAS
    return not is_extra and keyword_of(line, _READERS) == "position"
