"""Watches a conversation and says which rows of the specification it breaks.

It hears both sides in their order.  From what the GUI said it knows which searches
are owed a bestmove, from which position and with which options; from that follows
what the engine may say.  Where the GUI was wrong (an illegal position, a `go`
during a search) the specification leaves the engine a choice, and so does the
watcher: a position is then one of several, a bestmove one that may come or not.

python-chess is the judge of what is legal.
"""

import re
from dataclasses import dataclass, field

import chess
from conformance import grammar

KEYWORDS = {
    "uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop",
    "ponderhit", "quit",
}  # fmt: skip
QUIET = {"stop", "ponderhit", "isready", "quit"}  # are not answered by an info
# Answered in free text.
NOT_UCI = {"bench", "d", "eval", "compiler", "export_net", "flip", "help", "license", "--help"}
COUNT = re.compile(r"(?:[a-h][1-8][a-h][1-8][qrbn]?: \d+|Nodes searched: \d+)?")
COMPLETE = ("depth", "score", "nodes", "time", "pv")
LATE = 1.0  # s after which `currmove` and its like may come
NPS_FROM = 100  # ms; below it a time in whole milliseconds says little
NPS_SLACK = 0.05
UNSEARCHED = "no-search: "  # begins what the server says of a move that no engine has searched
WEAKENING = {"uci_limitstrength": "true", "ownbook": "true"}


@dataclass
class Search:
    """A `go` and what has been said of it."""

    boards: list  # the position; several if the GUI gave one that is not legal
    options: dict
    begun: float
    certain: bool  # the GUI was right to say it, so that a bestmove is owed
    known: bool  # the position is one of the boards: a FEN that is no position may mean any
    only: list  # the moves to search; all if there are none
    wrong: bool = False  # the GUI gave no position, so that the search may be refused
    infos: list = field(default_factory=list)  # all but strings
    last: str = ""  # what the last info was: "string" or "info"
    unsearched: bool = False  # an `info string` said so
    disturbed: bool = False  # the GUI said what may be answered by an `info string`
    first_moves: dict = field(default_factory=dict)  # multipv -> of the newest pv

    @property
    def over(self):
        """There may be nothing to search."""
        return not self.known or not all(
            any(board.legal_moves)
            and (not self.only or any(legal(board, move) for move in self.only))
            for board in self.boards
        )


class Watcher:
    """`report(row, text)` is called for each fault."""

    def __init__(self, report):
        self.report = report
        self.searches = []  # that are owed a bestmove, in their order
        self.ready_owed = 0
        self.uci_owed = 0
        self.options = {}  # lower-case names -> values, as the GUI has set them
        self.boards, self.known, self.wrong = [chess.Board()], True, False
        self.goes = self.bestmoves = 0
        self.seen = set()  # the fields of info
        self.debugged = False  # debug mode was switched on or off
        self._free = False  # an answer in free text is under way, up to a readyok
        self._benching = (
            False  # or up to `bench_ended`: it is a search, and readyok may come before
        )
        self._counted = False  # a count of moves has just ended
        self._perfts = 0  # counts of moves that are under way

    def said(self, line, at):
        """Take a line of the GUI's."""
        words = line.split()
        while words and words[0] not in KEYWORDS | NOT_UCI:
            del words[0]
        if self.searches and (not words or words[0] not in QUIET):
            for search in self.searches:
                search.disturbed = True
        if not words:
            return
        keyword, certain = words[0], words[0] == line.split()[0]
        if keyword in NOT_UCI:
            self._free = True
            self._benching = keyword == "bench"
        elif keyword == "isready":
            self.ready_owed += 1
        elif keyword == "uci":
            self.uci_owed += 1
        elif keyword == "setoption":
            self._set_option(words)
        elif keyword == "debug":
            self.debugged = True
        elif keyword == "position":
            told = positions(words, self.boards, self._chess960())
            self.boards, self.known, self.wrong = told
        elif keyword == "go" and "perft" in words:
            self._perfts += 1
        elif keyword == "go":
            self.goes += 1
            certain = certain and not self.searches
            only = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []
            only = [move for move in only if grammar.MOVE.fullmatch(move)]
            options = dict(self.options)
            self.searches.append(
                Search(self.boards, options, at, certain, self.known, only, self.wrong)
            )

    def heard(self, line, at):
        """Take a line of the engine's."""
        if self._perfts and COUNT.fullmatch(line):
            self._counted = line.startswith("Nodes")
            self._perfts -= self._counted
            return
        if self._counted and not line:  # as Stockfish ends a count, and programs wait for it
            self._counted = False
            return
        if self._free:
            if line != "readyok":
                return
            self._free = self._benching
        if grammar.CONTROL.search(line):
            self.report(1, f"a control character in {line[:200]!r}")
        if not line:
            self.report(46, "a blank line")
            self.report(181, "a blank line")
            return
        try:
            keyword, value = grammar.parse(line)
        except grammar.GrammarError as bad:
            for row in bad.rows:
                self.report(row, f"{bad} in {line[:300]!r}")
            if line.startswith("bestmove") and self.searches:
                del self.searches[0]
            return
        hear = getattr(self, f"_hear_{keyword}", None)
        if hear is not None:
            hear(value, at)

    def bench_ended(self):
        self._free = self._benching = False

    def ended(self, tail):
        """Take the end of the output, and what came after the last newline."""
        if tail:
            self.report(6, f"no newline after {tail[:200]!r}")

    def errors(self, text):
        """Take what is on stderr."""
        for mark in ("Traceback", "Segmentation", "terminate called", "Sanitizer", "core dumped"):
            if mark in text:
                self.report(245, f"on stderr: {text[-500:]!r}")

    def _set_option(self, words):
        text = " ".join(words[1:])
        if text.startswith("name "):
            name, _, value = text[5:].partition(" value")
            self.options[name.strip().lower()] = value.strip()

    def _chess960(self):
        """Return whether castling is written as in Chess960; both if that is not clear."""
        value = self.options.get("uci_chess960", "false")
        return {"true": [True], "false": [False]}.get(value, [False, True])

    # --- the engine's words, one method each

    def _hear_uciok(self, _, at):
        self.uci_owed -= 1
        if self.uci_owed < 0:
            self.report(41, "uciok without uci")

    def _hear_readyok(self, _, at):
        self.ready_owed -= 1
        if self.ready_owed < 0:
            self.report(53, "readyok without isready")

    def _hear_option(self, option, at):
        if self.uci_owed <= 0:
            self.report(214, f"option {option['name']} without uci")

    def _hear_copyprotection(self, status, at):
        if self.uci_owed > 0:
            self.report(80, "copyprotection before uciok")

    def _hear_info(self, info, at):
        self.seen |= info.keys()
        if not self.searches:
            if "string" not in info:
                self.report(146, f"info without a search: {info}")
            return
        search = self.searches[0]
        search.last = "string" if "string" in info else "info"
        if search.last == "string":
            search.unsearched |= UNSEARCHED in info["string"]
            return
        for row, text in judge_info(search, info, at):
            self.report(row, f"{text} in {info} of {search.boards[0].fen()}")
        search.infos.append(info)
        if "pv" in info:
            search.first_moves[info.get("multipv", 1)] = info["pv"][0]

    def _hear_bestmove(self, moves, at):
        if not self.searches:
            self.report(146, f"bestmove {moves[0]} without a search")
            return
        search = self.searches.pop(0)
        self.bestmoves += 1
        if self.searches:
            self.searches[0].begun = max(self.searches[0].begun, at)
        for row, text in (*judge_bestmove(search, *moves), *judge_search(search, moves[0])):
            self.report(row, f"{text}: bestmove {moves} of {search.boards[0].fen()}")


def positions(words, before, chess960):
    """Return the boards that a `position` may mean, one if it is right.

    And whether it means one of them, and whether something in it is wrong.
    """
    kind = next((word for word in words if word in ("startpos", "fen")), None)
    if kind is None:
        return before, True, True
    rest = words[words.index(kind) + 1 :]
    cut = rest.index("moves") if "moves" in rest else len(rest)
    fen, moves = " ".join(rest[:cut]), rest[cut + 1 :]
    try:
        fen = chess.STARTING_FEN if kind == "startpos" else fen
        boards = [chess.Board(fen, chess960=flag) for flag in chess960]
    except ValueError:
        return before, False, True
    known = all(board.is_valid() for board in boards)
    right = [play(board, moves) for board in boards]
    wrong = not (known and all(right))
    return [*boards, *before][:8] if wrong else boards, known, wrong


def play(board, moves):
    """Play moves up to the first that is not legal; say whether all are."""
    try:
        for move in moves:
            if not board.push_uci(move):
                board.pop()
                return False  # the null move is no move of a game
    except ValueError:
        return False
    return True


def legal(board, text):
    """Return the move, or None if it is not legal or not written as UCI does here."""
    try:
        move = board.parse_uci(text)
    except ValueError:
        return None
    return move if move and board.uci(move) == text else None


def is_line(board, moves):
    """Say whether moves can be played one after the other."""
    board = board.copy(stack=False)
    for text in moves:
        move = legal(board, text)
        if move is None:
            return False
        board.push(move)
    return True


def judge_info(search, info, at):
    """Yield what is wrong with an info in its search."""
    boards = search.boards
    if info.get("depth") == 0 and not search.over:
        yield 155, "depth 0"
    if info.get("hashfull", 0) > 1000:
        yield 160, "hashfull above 1000"
    if "pv" in info:
        if search.known and not any(is_line(board, info["pv"]) for board in boards):
            yield 162, "pv is not legal"
        if missing := [name for name in COMPLETE if name not in info]:
            yield 154, f"pv without {missing}"
        if "time" not in info:
            yield 157, "pv without time"
    late = [name for name in ("currmove", "currmovenumber", "currline", "refutation")
            if name in info]  # fmt: skip
    if late and at - search.begun < LATE and not counts_time_in_nodes(search):
        yield 170, f"{late} after {at - search.begun:.3f} s"
    if (
        "currmove" in info
        and search.known
        and not any(legal(board, info["currmove"]) for board in boards)
    ):
        yield 169, "currmove is not legal"
    if "currmovenumber" in info:
        most = max(board.legal_moves.count() for board in boards)
        if search.known and not 1 <= info["currmovenumber"] <= most:
            yield 169, f"currmovenumber is not from 1 to {most}"
    for name, row, option in (
        ("refutation", 174, "uci_showrefutations"),
        ("currline", 175, "uci_showcurrline"),
    ):
        if name in info:
            if search.options.get(option, "").lower() != "true":
                yield row, f"{name}, not asked for"
            if search.known and not any(is_line(board, info[name]) for board in boards):
                yield row, f"{name} is not legal"
    if "wdl" in info and sum(info["wdl"]) != 1000:
        yield 178, "wdl does not sum to 1000"
    for name in ("time", "nodes"):
        before = [other[name] for other in search.infos if name in other]
        if name in info and before and info[name] < before[-1]:
            yield 180, f"{name} fell from {before[-1]}"
    yield from judge_speed(search, info)


def judge_speed(search, info):
    if not {"nps", "nodes", "time"} <= info.keys() or info["time"] < NPS_FROM:
        return
    if counts_time_in_nodes(search):
        return
    right = info["nodes"] * 1000 / info["time"]
    if abs(info["nps"] - right) > NPS_SLACK * right + 1000:
        yield 159, f"nps should be {right:.0f}"


def counts_time_in_nodes(search):
    return search.options.get("nodestime", "0") not in ("0", "")


def judge_bestmove(search, best, ponder):
    """Yield what is wrong with a bestmove."""
    if not search.known:
        return
    if best in grammar.NO_MOVES:
        if not (search.over or search.wrong):
            yield 147, "there are legal moves"
        return
    boards = [board for board in search.boards if legal(board, best)]
    if not boards:
        yield 147, "not legal"
    elif ponder is not None and not any(is_line(board, [best, ponder]) for board in boards):
        yield 148, "ponder is not legal"


def judge_search(search, best):
    """Yield what is missing when a search is over."""
    if search.unsearched or (search.wrong and best in grammar.NO_MOVES):
        return
    if search.over or any(
        search.options.get(name, "").lower() == value for name, value in WEAKENING.items()
    ):
        return
    if not any("depth" in info and "score" in info for info in search.infos):
        yield 153, "no info with depth and score"
    if search.last != "info" and not search.disturbed:
        yield 150, f"the last info before it is {search.last or 'none'}"
    if search.infos and any(name not in search.infos[-1] for name in COMPLETE):
        yield 151, f"the last info is not complete: {search.infos[-1]}"
    weak = search.options.get("skill level", "20") not in ("20", "")
    if not weak and search.first_moves and search.first_moves.get(1) != best:
        yield 152, f"the last pv starts with {search.first_moves.get(1)}"
