"""The watcher itself: it finds what is wrong, and nothing where all is right.

A talk is a list of lines, `>` said by the GUI and `<` heard from the engine; a
number of seconds lets time pass.
"""

import pytest
from conformance import grammar
from conformance.watcher import Watcher

INFO = "< info depth 1 score cp 20 nodes 20 time 1 pv e2e4"
GO = ["> position startpos", "> go depth 1"]
BEST = "< bestmove e2e4"
PV = "< info depth 1 score cp 1 nodes 1 time 1 pv"


def rows_broken(*talk):
    """Return the rows that a talk breaks."""
    found = []
    watcher = Watcher(lambda row, text: found.append(row))
    now = 0.0
    for step in talk:
        if isinstance(step, float):
            now += step
        elif step.startswith("> "):
            watcher.said(step[2:], now)
        else:
            watcher.heard(step[2:], now)
    return set(found)


RIGHT = [
    ["> uci", "< id name X", "< option name Hash type spin default 1 min 1 max 2", "< uciok"],
    ["> isready", "< readyok"],
    [*GO, INFO, BEST],
    [*GO, INFO, "< bestmove e2e4 ponder e7e5"],
    [*GO, "< info depth 2 seldepth 3 multipv 1 score mate -3 lowerbound nodes 9 nps 9000 hashfull"
     " 1000 tbhits 0 cpuload 5 time 1 pv e2e4 e7e5", BEST],
    [*GO, "< info string rookery no-search: no engine has searched this: the move is any legal one",
     BEST],
    ["> position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "> go", "< info depth 0 score cp 0",
     "< bestmove 0000"],
    ["> position startpos moves e2e5", *GO[1:], INFO, BEST],
    ["> position startpos moves e2e5", "> go", "< info string no", "< bestmove 0000"],
    ["> go infinite", "> position startpos moves e2e4", INFO, "> stop", BEST],
    [*GO, 1.5, "< info currmove e2e4 currmovenumber 1", INFO, BEST],
    ["> setoption name UCI_ShowCurrLine value true", *GO, 2.0, "< info currline 1 e2e4", INFO,
     BEST],
    ["> setoption name UCI_Chess960 value true",
     "> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "> go",
     "< info depth 1 score cp 0 nodes 1 time 1 pv e1h1", "< bestmove e1h1"],
    ["> bench", "> isready", "< ===", "< ", "< Nodes searched : 7", "< readyok"],
    ["> go perft 1", "< a2a3: 1", "< ", "< Nodes searched: 20", "> isready", "< readyok"],
    ["> go perft 1", "< a2a3: 1", "< Nodes searched: 20", "< ", "> isready", "< readyok"],
    ["> joho", "> debug on", "< info string joho?"],
    ["> position fen joho", "> go", PV + " a7a5", "< bestmove a7a5"],
    ["> go searchmoves e2e5", "< info depth 0 score cp 0", "< bestmove (none)"],
    [*GO, "< info depth 1 score cp 1 wdl 1 2 997 upperbound nodes 1 time 1 pv e2e4", BEST],
]  # fmt: skip


@pytest.mark.parametrize("talk", RIGHT)
def test_nothing_is_found_where_all_is_right(talk):
    assert rows_broken(*talk) == set()


WRONG = [
    (1, ["< info string a\x07b"]),
    (30, [*GO, INFO, "< bestmove Ng1f3"]),
    (30, [*GO, INFO, "< bestmove e7-e8"]),
    (41, ["< uciok"]),
    (46, ["< "]),
    (53, ["> isready", "< readyok", "< readyok"]),
    (80, ["> uci", "< copyprotection checking"]),
    (81, ["< registration maybe"]),
    (146, [*GO, INFO, BEST, BEST]),
    (146, [BEST]),
    (146, [INFO]),
    (147, [*GO, INFO, "< bestmove e2e5"]),
    (147, [*GO, INFO, "< bestmove 0000"]),
    (147, ["> go searchmoves e2e4", INFO, "< bestmove 0000"]),
    (147, ["> position startpos moves e2e5", *GO, INFO, "< bestmove 0000"]),
    (147, ["> position startpos moves e2e4", "> go", BEST]),
    (147, ["> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "> go", "< bestmove e1h1"]),
    (148, [*GO, INFO, "< bestmove e2e4 ponder e2e4"]),
    (148, [*GO, INFO, "< bestmove e2e4 ponder"]),
    (150, [*GO, INFO, "< info string the end", BEST]),
    (151, [*GO, "< info depth 1 score cp 20", BEST]),
    (152, [*GO, INFO, "< bestmove d2d4"]),
    (153, [*GO, BEST]),
    (154, [*GO, "< info depth 1 time 1 nodes 1 pv e2e4"]),
    (155, [*GO, "< info depth 0 score cp 1 nodes 1 time 1 pv e2e4"]),
    (155, [*GO, "< info depth x"]),
    (156, [*GO, "< info seldepth 3 score cp 1"]),
    (157, [*GO, "< info depth 1 score cp 20 nodes 20 pv e2e4"]),
    (159, [*GO, "< info depth 1 nodes 1000 time 1000 nps 500000"]),
    (160, [*GO, "< info hashfull 1001"]),
    (161, [*GO, "< info tbhits -1"]),
    (162, [*GO, f"{PV} e2e5"]),
    (162, [*GO, f"{PV} e2e4 e2e4"]),
    (162, [*GO, PV]),
    (167, [*GO, "< info depth 1 score cp 5 mate 1"]),
    (168, [*GO, "< info depth 1 lowerbound"]),
    (169, [*GO, 2.0, "< info currmove e2e5"]),
    (169, [*GO, 2.0, "< info currmove e2e4 currmovenumber 21"]),
    (169, [*GO, 2.0, "< info currmove e2e4 currmovenumber 0"]),
    (170, [*GO, 0.5, "< info currmove e2e4 currmovenumber 1"]),
    (174, [*GO, 2.0, "< info refutation e2e4 e7e5"]),
    (175, [*GO, 2.0, "< info currline e2e4"]),
    (177, [*GO, "< info cpuload much"]),
    (178, [*GO, "< info depth 1 wdl 1 2 3"]),
    (180, [*GO, "< info nodes 5", "< info nodes 4"]),
    (180, [*GO, "< info time 5", "< info time 4"]),
    (181, ["< Unknown command"]),
    (181, ["< info"]),
    (181, ["< info depth 1 depth 1"]),
    (181, ["< readyok now"]),
    (182, ["> uci", "< option name X"]),
    (214, ["< option name X type button"]),
]  # fmt: skip


@pytest.mark.parametrize(("row", "talk"), WRONG)
def test_each_fault_is_found(row, talk):
    assert row in rows_broken(*talk)


def test_output_without_a_last_newline_is_found():
    found = []
    watcher = Watcher(lambda row, text: found.append(row))
    watcher.ended(b"")
    assert found == []
    watcher.ended(b"bestmove e2")
    assert found == [6]


@pytest.mark.parametrize("text", ["Traceback (most recent call last)", "Segmentation fault"])
def test_stack_trace_on_stderr_is_found(text):
    found = []
    Watcher(lambda row, _: found.append(row)).errors(text)
    assert found == [245]


def test_bestmove_is_still_owed_when_none_came():
    watcher = Watcher(lambda row, text: None)
    watcher.said("go depth 1", 0)
    watcher.said("go depth 2", 0)
    assert [search.certain for search in watcher.searches] == [True, False]
    watcher.heard("bestmove e2e4", 0)
    assert len(watcher.searches) == 1


OPTIONS = [
    ("name A type check default true", ("A", "check", "true", None, None, [])),
    ("name A b type spin default -1 min -2 max 3", ("A b", "spin", "-1", -2, 3, [])),
    ("name S type combo default a var a var b c", ("S", "combo", "a", None, None, ["a", "b c"])),
    ("name B type button", ("B", "button", None, None, None, [])),
    ("name F type string default <empty>", ("F", "string", "<empty>", None, None, [])),
    ("name F type string default ", ("F", "string", "", None, None, [])),
    ("name F type string default min of a", ("F", "string", "min of a", None, None, [])),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), OPTIONS)
def test_option_lines_are_read(text, values):
    assert tuple(grammar.parse_option(text).values()) == values
