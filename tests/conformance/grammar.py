"""A strict grammar of what an engine may say, for the tests alone.

It shares nothing with the grammar of the programs under test and forgives nothing:
each word has its place and each number its range.  What is wrong is a `GrammarError` with
the rows of the specification that forbid it.
"""

import re

MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
NO_MOVES = ("0000", "(none)")
NUMBERS = {  # of `info`: the row that wants it to be a number that is not negative
    "depth": 155, "seldepth": 156, "time": 157, "nodes": 158, "nps": 159, "hashfull": 160,
    "tbhits": 161, "multipv": 171, "currmovenumber": 169, "cpuload": 177, "sbhits": 177,
}  # fmt: skip
WORDS = {*NUMBERS, "pv", "score", "wdl", "currmove", "refutation", "currline", "string"}
BOUNDS = ("lowerbound", "upperbound")
STATUSES = ("checking", "ok", "error")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")


class GrammarError(Exception):
    """A line, or a part of it, that the specification does not have."""

    def __init__(self, reason, *rows):
        super().__init__(reason)
        self.rows = {181, *rows}


def parse(line):
    """Return a line's keyword and what it says, or raise GrammarError."""
    keyword, _, rest = line.partition(" ")
    reader = READERS.get(keyword)
    if reader is None:
        raise GrammarError(f"no such line: {line[:200]!r}")
    return keyword, reader(rest)


def parse_nothing(rest):
    if rest:
        raise GrammarError(f"{rest!r} after a word that stands alone")


def parse_id(rest):
    kind, _, text = rest.partition(" ")
    if kind not in ("name", "author") or not text.strip():
        raise GrammarError(f"id {rest!r}", 44)
    return kind, text


def parse_bestmove(rest):
    """Return the move and the one to ponder on, or None."""
    words = rest.split()
    move = words[0] if words else ""
    if not MOVE.fullmatch(move) and move not in NO_MOVES:
        raise GrammarError(f"bestmove {rest!r}", 30)
    if len(words) == 1:
        return move, None
    if len(words) != 3 or words[1] != "ponder" or not MOVE.fullmatch(words[2]):
        raise GrammarError(f"bestmove {rest!r}", 30, 148)
    return move, words[2]


def parse_status(rest):
    if rest not in STATUSES:
        raise GrammarError(f"{rest!r} is none of {STATUSES}", 81)
    return rest


OPTION = re.compile(
    r"name (?P<name>\S.*?) type (?P<type>\S+)"
    r"(?: default ?(?P<default>.*?))??(?: min (?P<min>-?\d+))?(?: max (?P<max>-?\d+))?"
    r"(?P<vars>(?: var \S.*?)*)"
)


def parse_option(rest):
    """Return name, type, default (None if there is none), min, max and vars."""
    found = OPTION.fullmatch(rest)
    if found is None:
        raise GrammarError(f"option {rest!r}", 182)
    option = found.groupdict()
    option["vars"] = re.split(r" var ", option["vars"])[1:]
    for key in ("min", "max"):
        option[key] = None if option[key] is None else int(option[key])
    return option


def parse_info(rest):
    """Return the fields of an info: numbers, lists of moves, and the score as a dict."""
    words = rest.split()
    info = {}
    at = 0
    while at < len(words):
        word = words[at]
        if word not in WORDS:
            raise GrammarError(f"info: {word!r} is no field", *rows_of_stray(word))
        if word in info:
            raise GrammarError(f"info: {word!r} twice")
        if word == "string":
            info["string"] = rest.partition("string")[2].strip()
            return info
        info[word], at = FIELDS.get(word, read_number)(words, at)
        # Stockfish says the bound of a score behind its wdl.
        if word == "wdl" and at < len(words) and words[at] in BOUNDS and "score" in info:
            info["score"]["bound"] = words[at]
            at += 1
    if not info:
        raise GrammarError("info without a field")
    if "seldepth" in info and "depth" not in info:
        raise GrammarError("seldepth without depth", 156)
    return info


def rows_of_stray(word):
    return (168,) if word in BOUNDS else ()


def read_number(words, at):
    text = words[at + 1] if at + 1 < len(words) else ""
    if not re.fullmatch(r"\d+", text, re.ASCII):
        raise GrammarError(f"info: {words[at]} {text!r} is no number", NUMBERS[words[at]])
    return int(text), at + 2


def read_moves(words, at):
    start = at = at + 1
    while at < len(words) and words[at] not in WORDS:
        if not MOVE.fullmatch(words[at]):
            raise GrammarError(f"info: {words[at]!r} is no move", 30, 162)
        at += 1
    if at == start:
        raise GrammarError(f"info: {words[start - 1]} without moves", 162)
    return words[start:at], at


def read_move(words, at):
    moves, after = read_moves(words, at)
    if len(moves) != 1:
        raise GrammarError("info: currmove is one move", 169)
    return moves[0], after


def read_line_of_cpu(words, at):
    """Read what follows `currline`: perhaps the number of a CPU, then moves."""
    has_cpu = at + 1 < len(words) and words[at + 1].isdecimal()
    return read_moves(words, at + has_cpu)


def read_score(words, at):
    """Return {"cp" or "mate": number, "bound": word or None}."""
    kind, value = (*words[at + 1 : at + 3], "", "")[:2]
    if kind not in ("cp", "mate") or not re.fullmatch(r"-?\d+", value, re.ASCII):
        raise GrammarError(f"info: score {kind} {value}")
    score = {kind: int(value), "bound": None}
    at += 3
    if at < len(words) and words[at] in BOUNDS:
        score["bound"] = words[at]
        at += 1
    if at < len(words) and words[at] in ("cp", "mate"):
        raise GrammarError("info: cp and mate in one score", 167)
    return score, at


def read_wdl(words, at):
    numbers = words[at + 1 : at + 4]
    if len(numbers) != 3 or not all(number.isdecimal() for number in numbers):
        raise GrammarError(f"info: wdl {numbers}", 178)
    return [int(number) for number in numbers], at + 4


FIELDS = {
    "pv": read_moves,
    "refutation": read_moves,
    "currline": read_line_of_cpu,
    "currmove": read_move,
    "score": read_score,
    "wdl": read_wdl,
}
READERS = {
    "id": parse_id,
    "uciok": parse_nothing,
    "readyok": parse_nothing,
    "bestmove": parse_bestmove,
    "copyprotection": parse_status,
    "registration": parse_status,
    "option": parse_option,
    "info": parse_info,
}
