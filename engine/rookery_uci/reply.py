"""The replies of an engine to a GUI: lines to values and back.

Source: the UCI specification of April 2006 (S. Meyer-Kahlen), and `wdl` as
Stockfish has it.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache, partial
from typing import Literal, NamedTuple, get_args

from rookery_uci.words import UciError, Words, always, cut, key_of, parse, quote, to_number

OptionType = Literal["check", "spin", "combo", "button", "string"]
Bound = Literal["lowerbound", "upperbound"]
Status = Literal["checking", "ok", "error"]

OPTION_TYPES: tuple[OptionType, ...] = get_args(OptionType)
BOUNDS: tuple[Bound, ...] = get_args(Bound)
STATUSES: tuple[Status, ...] = get_args(Status)

# The options that decide the rules of the game, by their keys (`key_of`).
CHESS960 = "uci_chess960"
VARIANT = "uci_variant"


class Ok(StrEnum):
    """The replies that are a single word."""

    UCIOK = "uciok"
    READYOK = "readyok"


class Id(NamedTuple):
    """The engine's name or author."""

    kind: Literal["name", "author"]
    text: str

    @classmethod
    def parse(cls, text: str) -> "Id":
        """Read what follows `id`."""
        kind, rest = (*text.split(maxsplit=1), "", "")[:2]
        if kind == "name":
            return cls("name", rest.strip())
        if kind == "author":
            return cls("author", rest.strip())
        raise UciError(f"id needs 'name' or 'author', not {quote(kind)}")

    def __str__(self) -> str:
        return f"id {self.kind} {self.text}".rstrip()


class BestMove(NamedTuple):
    """The end of a search: the move, and the reply the engine would ponder on."""

    move: str
    ponder: str | None = None

    @classmethod
    def parse(cls, text: str) -> "BestMove":
        """Read what follows `bestmove`."""
        words = text.split()
        if not words:
            raise UciError("bestmove needs a move")
        ponder = words[2] if len(words) > 2 and words[1] == "ponder" else None
        return cls(words[0], ponder)

    def __str__(self) -> str:
        return f"bestmove {self.move}" + (f" ponder {self.ponder}" if self.ponder else "")


class Protection(NamedTuple):
    """The status of the engine's copy protection, or of its registration."""

    keyword: Literal["copyprotection", "registration"]
    status: Status

    def __str__(self) -> str:
        return f"{self.keyword} {self.status}"


def _protection(keyword: Literal["copyprotection", "registration"], text: str) -> Protection:
    words = text.split()
    status = next((status for status in STATUSES if words[:1] == [status]), None)
    if status is None:
        raise UciError(f"{keyword} needs {', '.join(STATUSES)}, not {quote(text)}")
    return Protection(keyword, status)


class Score(NamedTuple):
    """A score from the engine's point of view, in centipawns or in moves to mate."""

    cp: int | None = None
    mate: int | None = None
    bound: Bound | None = None

    def __str__(self) -> str:
        value = f"cp {self.cp}" if self.mate is None else f"mate {self.mate}"
        return f"{value} {self.bound}" if self.bound else value


class Info(NamedTuple):
    """A report of the engine on its search.  None or () is a field that was not sent.

    `time` is in milliseconds, `hashfull`, `cpuload` and `wdl` in permill;
    `currline` is the number of the processor (None if not sent) and its moves.
    """

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    wdl: tuple[int, int, int] | None = None
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    tbhits: int | None = None
    sbhits: int | None = None
    cpuload: int | None = None
    time: int | None = None
    currmove: str | None = None
    currmovenumber: int | None = None
    refutation: tuple[str, ...] = ()
    currline: tuple[int | None, tuple[str, ...]] | None = None
    pv: tuple[str, ...] = ()
    string: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Info":
        """Read what follows `info`; what has no meaning in it is skipped."""
        text, string = cut(text, "string")
        words = Words(text.split())
        values = {
            word: value
            for word in words
            if word in _INFO_READERS and (value := _INFO_READERS[word](words)) is not None
        }
        return cls(**values, string=string)  # type: ignore[arg-type]  # each reader returns its field's type

    def __str__(self) -> str:
        text = "info"
        for name, value in zip(self._fields, self, strict=True):
            if value is not None and value != ():
                write = _INFO_WRITERS.get(name)
                text += f" {name} {write(value) if write else value}"
        return text.rstrip()


def _write_words(values: tuple[object, ...]) -> str:
    return " ".join(map(str, values))


def _write_currline(line: tuple[int | None, tuple[str, ...]]) -> str:
    cpu, moves = line
    return " ".join(moves if cpu is None else (str(cpu), *moves))


_INFO_WRITERS: dict[str, Callable[..., str]] = {
    "wdl": _write_words,
    "refutation": _write_words,
    "currline": _write_currline,
    "pv": _write_words,
}


class Option(NamedTuple):
    """An option on offer.  `default` is its text; "" prints as `<empty>`."""

    name: str
    type: OptionType
    default: str | None = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Option":
        """Read what follows `option`."""
        parts: dict[str, list[str]] = {}
        part: list[str] = []
        choices: list[list[str]] = []
        for word in text.split():
            is_text = "default" in parts and parts.get("type") == ["string"]
            if word == "var" and not is_text:
                choices.append(part := [])
            elif word in _OPTION_PARTS and word not in parts and not is_text:
                part = parts[word] = []
            else:
                part.append(word)
        joined = {key: " ".join(words) for key, words in parts.items()}
        kind = next((kind for kind in OPTION_TYPES if kind == joined.get("type")), None)
        # A name with such a word in it would be read as another.
        clear = not set(parts.get("name", ())) & set(_OPTION_PARTS[1:])
        if not joined.get("name") or kind is None or not clear:
            raise UciError(f"option needs 'name NAME type {'|'.join(OPTION_TYPES)}'")
        default = joined.get("default")
        return cls(
            joined["name"],
            kind,
            "" if default == "<empty>" else default,
            to_number(joined.get("min", "")),
            to_number(joined.get("max", "")),
            tuple(" ".join(words) for words in choices),
        )

    def read_value(self, text: str, *, clamp: bool = False) -> str | None:
        """Return a value as this option writes it; None for a button.

        Args:
            text: the value that was asked for.
            clamp: read a number above the maximum as the maximum.

        Raises:
            UciError: the option cannot have that value.

        """
        text = text.strip()
        if self.type == "button":
            return None
        if self.type == "spin":
            return self._read_number(text, clamp=clamp)
        if self.type == "check":
            value = text.lower() if text.lower() in ("true", "false") else None
            wanted = "'true' or 'false'"
        elif self.type == "combo":
            value = _by_key(self.var).get(key_of(text))
            wanted = f"one of {', '.join(self.var[:_MOST_NAMED])[: 2 * _MOST_NAMED]}"
        else:
            value = text if text.isprintable() else None
            wanted = "text without control characters"
        if value is None:
            raise UciError(f"{self.name} needs {wanted}, not {quote(text)}")
        return value

    def _read_number(self, text: str, *, clamp: bool) -> str:
        number = to_number(text)
        low, high = self.min, self.max
        if number is not None and (low is None or number >= low):
            if high is None or number <= high:
                return str(number)
            if clamp:
                return str(high)
        raise UciError(f"{self.name} needs a number from {low} to {high}, not {quote(text)}")

    def __str__(self) -> str:
        default = "<empty>" if self.default == "" else self.default
        parts = (("default", default), ("min", self.min), ("max", self.max))
        words = [f"{part} {value}" for part, value in parts if value is not None]
        words += (f"var {choice}" for choice in self.var)
        return " ".join([f"option name {self.name} type {self.type}", *words])


_OPTION_PARTS = ("name", "type", "default", "min", "max")
_MOST_NAMED = 60  # values of a combo that an error names


@lru_cache(maxsize=64)
def _by_key(values: tuple[str, ...]) -> dict[str, str]:
    """Return the values of a combo by what they are compared by."""
    return {key_of(each): each for each in values}


class EngineIdentity(NamedTuple):
    """The answer of an engine to `uci`: its `id` lines, and each option with its line."""

    ids: tuple[str, ...] = ()
    options: tuple[tuple[Option, str], ...] = ()

    @property
    def name(self) -> str:
        """The name that the engine gives itself; "" if it gives none."""
        names = (each.removeprefix("id name ") for each in self.ids if each.startswith("id name "))
        return next(names, "")

    @classmethod
    def parse(cls, lines: Iterable[str]) -> "EngineIdentity":
        """Read lines; those that are no answer to `uci`, or have no meaning, are skipped."""
        ids: list[str] = []
        options: dict[str, tuple[Option, str]] = {}
        for line in lines:
            try:
                reply = parse_reply(line)
            except UciError:
                continue
            if isinstance(reply, Id):
                ids.append(str(reply))
            elif isinstance(reply, Option):
                as_said = line.strip() if line.startswith("option ") else str(reply)
                options.setdefault(key_of(reply.name), (reply, as_said))
        return cls(tuple(ids), tuple(options.values()))


Reply = Ok | Id | BestMove | Protection | Info | Option

_READERS: dict[str, Callable[[str], Reply]] = {
    "id": Id.parse,
    "bestmove": BestMove.parse,
    "copyprotection": partial(_protection, "copyprotection"),
    "registration": partial(_protection, "registration"),
    "info": Info.parse,
    "option": Option.parse,
    **{word.value: always(word) for word in Ok},
}


def parse_reply(line: str) -> Reply | None:
    """Read a line that an engine sends; None if there is no UCI reply in it.

    Raises:
        UciError: the reply is there, but not what it needs.

    """
    return parse(line, _READERS)


def _score(words: Words) -> Score | None:
    kind = words.peek()
    if kind not in ("cp", "mate"):
        return None
    next(words)
    number = words.number()
    if number is None:
        return None
    bound = next((each for each in BOUNDS if each == words.peek()), None)
    if bound:
        next(words)
    return Score(cp=number, bound=bound) if kind == "cp" else Score(mate=number, bound=bound)


def _wdl(words: Words) -> tuple[int, int, int] | None:
    win, draw, loss = words.number(), words.number(), words.number()
    if win is None or draw is None or loss is None:
        return None
    return win, draw, loss


def _currline(words: Words) -> tuple[int | None, tuple[str, ...]]:
    return words.number(), words.moves()


_INFO_NUMBERS = (
    "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "sbhits", "cpuload",
    "time", "currmovenumber",
)  # fmt: skip
_INFO_READERS: dict[str, Callable[[Words], object]] = {
    **dict.fromkeys(_INFO_NUMBERS, Words.number),
    "score": _score,
    "wdl": _wdl,
    "currmove": Words.word,
    "refutation": Words.moves,
    "currline": _currline,
    "pv": Words.moves,
}
