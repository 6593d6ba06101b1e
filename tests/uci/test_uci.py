"""The grammar of UCI: lines to values and back.

The numbers in brackets are rows of the catalogue of UCI's rules that a case covers;
`Q` marks what no edition of UCI says but a GUI or an operator relies on.
"""

import time
from collections.abc import Callable

import pytest
from helpers.comparing import same
from hypothesis import given
from hypothesis import strategies as st

from rookery_uci import (
    BestMove,
    Debug,
    Extra,
    Go,
    Id,
    Info,
    Limits,
    LineBuffer,
    Ok,
    Option,
    Position,
    Protection,
    Register,
    Score,
    SetOption,
    UciError,
    Word,
    is_position,
    parse_command,
    parse_reply,
)

Parse = Callable[[str], object]

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# Read and written alike: (rows, text, value).
COMMANDS: list[tuple[str, str, object]] = [
    ("42", "uci", Word.UCI),
    ("52", "isready", Word.ISREADY),
    ("83", "ucinewgame", Word.UCINEWGAME),
    ("133", "stop", Word.STOP),
    ("138", "ponderhit", Word.PONDERHIT),
    ("141", "quit", Word.QUIT),
    ("47", "debug on", Debug(True)),
    ("47", "debug off", Debug(False)),
    ("65", "setoption name Clear Hash", SetOption("Clear Hash")),
    ("64", "setoption name Hash value 32", SetOption("Hash", "32")),
    ("63", "setoption name Move Overhead value 10", SetOption("Move Overhead", "10")),
    ("70", "setoption name NalimovPath value", SetOption("NalimovPath", "")),
    ("70", "setoption name NalimovPath value <empty>", SetOption("NalimovPath", "<empty>")),
    (
        "74",
        r"setoption name NalimovPath value c:\chess\tb\4;c:\my  tables\5",
        SetOption("NalimovPath", r"c:\chess\tb\4;c:\my  tables\5"),
    ),
    (
        "199",
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
        SetOption("UCI_Opponent", "GM 2800 human Gary Kasparov"),
    ),
    ("64", "setoption name Note value the value of name", SetOption("Note", "the value of name")),
    ("77", "register later", Register()),
    ("78", "register name Stefan MK code 4359874324", Register("Stefan MK", "4359874324")),
    ("86", "position startpos", Position()),
    ("88", "position startpos moves e2e4 e7e5", Position(None, ("e2e4", "e7e5"))),
    ("87", f"position fen {KIWIPETE}", Position(KIWIPETE)),
    ("89", f"position fen {KIWIPETE} moves e1g1", Position(KIWIPETE, ("e1g1",))),
    ("92", "position fen 8/8/8/4k3/8/8/4P3/4K3 b - -", Position("8/8/8/4k3/8/8/4P3/4K3 b - -")),
    ("35", "position startpos moves a7a8q", Position(None, ("a7a8q",))),
    ("102", "go", Go()),
    ("125", "go infinite", Go(Limits(infinite=True))),
    (
        "107 111 112 114",
        "go ponder wtime 60000 btime 59000 winc 100 binc 200",
        Go(Limits(ponder=True, wtime=60000, btime=59000, winc=100, binc=200)),
    ),
    (
        "115",
        "go wtime 1 btime 2 movestogo 40",
        Go(Limits(wtime=1, btime=2, movestogo=40)),
    ),
    ("117", "go depth 20", Go(Limits(depth=20))),
    ("118", "go nodes 10000000000", Go(Limits(nodes=10_000_000_000))),
    ("120", "go mate 3", Go(Limits(mate=3))),
    ("123", "go movetime 500", Go(Limits(movetime=500))),
    ("222 234", "go perft 5", Go(Limits(perft=5))),
    (
        "104",
        "go infinite searchmoves e2e4 d2d4",
        Go(Limits(infinite=True, searchmoves=("e2e4", "d2d4"))),
    ),
    ("129", "go wtime -5 btime 0", Go(Limits(wtime=-5, btime=0))),
    ("227", "d", Extra("d")),
    ("225", "bench 16 1 1 current depth", Extra("bench", "16 1 1 current depth")),
]

REPLIES: list[tuple[str, str, object]] = [
    ("41", "uciok", Ok.UCIOK),
    ("53", "readyok", Ok.READYOK),
    ("38", "id name Shredder X.Y", Id("name", "Shredder X.Y")),
    ("39", "id author Stefan MK", Id("author", "Stefan MK")),
    ("146", "bestmove e2e4", BestMove("e2e4")),
    ("148", "bestmove g1f3 ponder d8f6", BestMove("g1f3", "d8f6")),
    ("31 32", "bestmove 0000", BestMove("0000")),
    ("31", "bestmove (none)", BestMove("(none)")),
    ("80", "copyprotection checking", Protection("copyprotection", "checking")),
    ("80", "copyprotection ok", Protection("copyprotection", "ok")),
    ("79 81", "registration error", Protection("registration", "error")),
    ("153", "info depth 1 score cp 13", Info(depth=1, score=Score(cp=13))),
    (
        "154 156 160 161",
        "info depth 2 seldepth 4 multipv 1 score cp -214 nodes 2124 nps 34928 hashfull 12"
        " tbhits 0 time 1242 pv e2e4 e7e5 g1f3",
        Info(
            depth=2,
            seldepth=4,
            multipv=1,
            score=Score(cp=-214),
            nodes=2124,
            nps=34928,
            hashfull=12,
            tbhits=0,
            time=1242,
            pv=("e2e4", "e7e5", "g1f3"),
        ),
    ),
    ("165 166", "info depth 9 score mate -2", Info(depth=9, score=Score(mate=-2))),
    ("168", "info score cp 31 lowerbound", Info(score=Score(cp=31, bound="lowerbound"))),
    ("168", "info score mate 4 upperbound", Info(score=Score(mate=4, bound="upperbound"))),
    ("178", "info score cp 9 wdl 40 950 10", Info(score=Score(cp=9), wdl=(40, 950, 10))),
    ("169", "info currmove e2e4 currmovenumber 1", Info(currmove="e2e4", currmovenumber=1)),
    ("174", "info refutation d1h5 g6h5", Info(refutation=("d1h5", "g6h5"))),
    ("175", "info currline 1 e2e4 e7e5", Info(currline=(1, ("e2e4", "e7e5")))),
    ("175", "info currline e2e4 e7e5", Info(currline=(None, ("e2e4", "e7e5")))),
    ("177", "info sbhits 3 cpuload 990", Info(sbhits=3, cpuload=990)),
    ("176", "info string pv e2e4  is  odd", Info(string="pv e2e4  is  odd")),
    ("176", "info depth 3 string depth 4", Info(depth=3, string="depth 4")),
    ("176", "info string", Info(string="")),
    (
        "183",
        "option name Nullmove type check default true",
        Option("Nullmove", "check", "true"),
    ),
    (
        "184",
        "option name Contempt type spin default 0 min -100 max 100",
        Option("Contempt", "spin", "0", -100, 100),
    ),
    (
        "185",
        "option name Style type combo default Very Solid var Very Solid var Normal var Risky",
        Option("Style", "combo", "Very Solid", var=("Very Solid", "Normal", "Risky")),
    ),
    ("186", "option name Clear Hash type button", Option("Clear Hash", "button")),
    (
        "187",
        r"option name NalimovPath type string default c:\tb",
        Option("NalimovPath", "string", r"c:\tb"),
    ),
    (
        "187",
        "option name SyzygyPath type string default <empty>",
        Option("SyzygyPath", "string", ""),
    ),
    (
        "200",
        "option name UCI_EngineAbout type string default min max var of default",
        Option("UCI_EngineAbout", "string", "min max var of default"),
    ),
]

# Read only: the text is not how the value is written.
FORGIVEN: list[tuple[Parse, str, str, object]] = [
    (parse_command, "15", "joho isready", Word.ISREADY),
    (parse_command, "16", "joho debug on", Debug(True)),
    (parse_command, "16", "joho go depth 1", Go(Limits(depth=1))),
    (parse_command, "15", "isready now please", Word.ISREADY),
    (parse_command, "51", "\t debug \t \t\ton\t ", Debug(True)),
    (parse_command, "73", "setoption  name \t Clear\t Hash ", SetOption("Clear Hash")),
    (parse_command, "73", "setoption name  Hash  value  32 ", SetOption("Hash", "32")),
    (parse_command, "188", "setoption name values value 1", SetOption("values", "1")),
    (parse_command, "78", "register name A  B code 1  2", Register("A B", "1 2")),
    (parse_command, "26", "position joho startpos joho moves e2e4", Position(None, ("e2e4",))),
    (parse_command, "26", "position startpos moves", Position()),
    (parse_command, "100", "position startpos moves e2e4 xx", Position(None, ("e2e4", "xx"))),
    (parse_command, "25", "go joho depth 3 joho nodes 4", Go(Limits(depth=3, nodes=4))),
    (parse_command, "25 129", "go depth", Go()),
    (parse_command, "129", "go depth x nodes 5", Go(Limits(nodes=5))),
    (parse_command, "129", "go movetime infinite", Go(Limits(infinite=True))),
    (parse_command, "129", f"go nodes {'9' * 5000}", Go(Limits(nodes=2**64 - 1))),
    (parse_command, "129", f"go nodes -{'9' * 5000}", Go(Limits(nodes=1 - 2**64))),
    (parse_command, "129", "go wtime 1e3 btime 1.5E+4", Go(Limits(wtime=1000, btime=15000))),
    (parse_command, "129", "go nodes 1e99", Go(Limits(nodes=2**64 - 1))),
    (
        parse_command,
        "129",
        "go wtime 1,000 btime 2_000_000",
        Go(Limits(wtime=1000, btime=2 * 10**6)),
    ),
    (parse_command, "129", "go movetime 1000ms", Go(Limits(movetime=1000))),
    (parse_command, "129", "go depth +5. nodes 12-", Go(Limits(depth=5, nodes=12))),
    (parse_command, "129", "go wtime 0x3E8", Go(Limits(wtime=0))),
    (parse_command, "129", "go depth x", Go(Limits(movetime=1))),
    (parse_command, "129", "go wtime nan btime \u0661\u0660", Go(Limits(movetime=1))),
    (parse_command, "129", "go nodes .5", Go(Limits(movetime=1))),
    (parse_command, "129", "go movestogo x winc 9", Go(Limits(movetime=1, winc=9))),
    (parse_command, "129", "go ponder mate x", Go(Limits(ponder=True, movetime=1))),
    (parse_command, "129", "go movetime x infinite", Go(Limits(infinite=True))),
    (parse_command, "129", "go perft x", Go(Limits(perft=0))),
    (parse_command, "129", "go wtime 300.5 btime -0.25", Go(Limits(wtime=300, btime=0))),
    (parse_command, "129", "go movetime 1100.0000000000002", Go(Limits(movetime=1100))),
    (parse_command, "129", "go movetime 1.x depth 2", Go(Limits(movetime=1, depth=2))),
    (parse_command, "129", "go movetime 1.5.2", Go(Limits(movetime=1))),
    (parse_command, "15", "\ufeffisready", Word.ISREADY),
    (parse_command, "128", "go binc 4 wtime 1", Go(Limits(wtime=1, binc=4))),
    (
        parse_command,
        "105",
        "go searchmoves e2e4 d2d4 depth 5",
        Go(Limits(searchmoves=("e2e4", "d2d4"), depth=5)),
    ),
    (
        parse_command,
        "106",
        "go searchmoves e9e4 e2e4 infinite",
        Go(Limits(searchmoves=("e2e4",), infinite=True)),
    ),
    (
        parse_command,
        "106",
        "go searchmoves a7a8R O-O a1b1 depth 2",
        Go(Limits(searchmoves=("a7a8r", "a1b1"), depth=2)),
    ),
    (parse_reply, "45", "joho readyok", Ok.READYOK),
    (parse_reply, "148", "bestmove e2e4 ponder", BestMove("e2e4")),
    (parse_reply, "148", "bestmove e2e4 joho e7e5", BestMove("e2e4")),
    (parse_reply, "154", "info pv e2e4 joho depth 5", Info(depth=5, pv=("e2e4",))),
    (parse_reply, "154", "info depth x nodes 5", Info(nodes=5)),
    (parse_reply, "167", "info score pawns 3 depth 1", Info(depth=1)),
    (parse_reply, "178", "info wdl 1 2 depth 3", Info(depth=3)),
    (parse_reply, "187", "option name A type string default", Option("A", "string", "")),
    (parse_reply, "184", "option name A type spin min a max 3", Option("A", "spin", max=3)),
    (parse_reply, "182", "option type check name A B", Option("A B", "check")),
]

NOT_UCI = ["", " \t ", "joho", "Uci", "xyzzy 3 4", "\0\1\2", "go2 depth 1"]

ERRORS: list[tuple[Parse, str, str, str]] = [
    (parse_command, "17", "debug joho on", "debug needs 'on' or 'off', not 'joho'"),
    (parse_command, "17", "debug", "debug needs 'on' or 'off', not ''"),
    (
        parse_command,
        "72",
        "setoption Hash value 3",
        "setoption needs 'name NAME [value VALUE]', not 'Hash value 3'",
    ),
    (
        parse_command,
        "72",
        "setoption name value 3",
        "setoption needs 'name NAME [value VALUE]', not 'name value 3'",
    ),
    (
        parse_command,
        "72",
        f"setoption {'x' * 99}",
        f"setoption needs 'name NAME [value VALUE]', not '{'x' * 60}...'",
    ),
    (
        parse_command,
        "78",
        "register name A",
        "register needs 'later' or 'name NAME code CODE', not 'name A'",
    ),
    (
        parse_command,
        "98",
        "position moves e2e4",
        "position needs 'startpos' or 'fen FEN', then perhaps 'moves'",
    ),
    (
        parse_command,
        "98",
        "position fen moves e2e4",
        "position fen needs a FEN: placement, side to move, castling, en passant",
    ),
    (parse_reply, "38", "id nam Shredder", "id needs 'name' or 'author', not 'nam'"),
    (parse_reply, "146", "bestmove", "bestmove needs a move"),
    (
        parse_reply,
        "81",
        "registration perhaps",
        "registration needs checking, ok, error, not 'perhaps'",
    ),
    (
        parse_reply,
        "182",
        "option name Hash type spinner",
        "option needs 'name NAME type check|spin|combo|button|string'",
    ),
]

ENDINGS = {"LF": "\n", "CR LF": "\r\n", "CR": "\r", "LF CR": "\n\r", "CR CR LF": "\r\r\n"}

BOTH_WAYS = [
    pytest.param(parse, text, value, id=f"{text} [{rows}]")
    for parse, table in ((parse_command, COMMANDS), (parse_reply, REPLIES))
    for rows, text, value in table
]


@pytest.mark.parametrize(("parse", "text", "value"), BOTH_WAYS)
def test_a_line_is_read(parse: Parse, text: str, value: object) -> None:
    assert same(parse(text), value)


@pytest.mark.parametrize(("parse", "text", "value"), BOTH_WAYS)
def test_a_value_prints_its_line(parse: Parse, text: str, value: object) -> None:
    assert str(value) == text


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
@pytest.mark.parametrize(("parse", "text", "value"), BOTH_WAYS)
def test_a_line_is_read_with_any_ending(
    parse: Parse, text: str, value: object, ending: str
) -> None:
    """Rows 7 and 8; row 28: in one piece, byte by byte, and with what follows it."""
    data = (text + ending).encode()
    for pieces in ([data], [bytes([byte]) for byte in data], [data + b"tra", b"il"]):
        buffer = LineBuffer()
        lines = [line for piece in pieces for line in buffer.feed(piece)]
        assert [str(parse(line.decode())) for line in lines] == [str(value)]
    assert buffer.rest() == b"trail"


@pytest.mark.parametrize(("parse", "text", "value"), BOTH_WAYS)
def test_white_space_is_arbitrary(parse: Parse, text: str, value: object) -> None:
    """Row 9.  Blanks inside a value of free text belong to it."""
    assert same(parse(f" \t{text}\t  "), value)
    if not isinstance(value, SetOption | Info | Id | Extra):
        assert same(parse(text.replace(" ", "\t  ")), value)


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [pytest.param(p, text, value, id=f"{text[:60]} [{rows}]") for p, rows, text, value in FORGIVEN],
)
def test_reading_is_forgiving(parse: Parse, text: str, value: object) -> None:
    assert same(parse(text), value)


@pytest.mark.parametrize("text", NOT_UCI)
def test_other_text_reads_as_none(text: str) -> None:
    """Rows 13, 14 and 24."""
    assert parse_command(text) is None
    assert parse_reply(text) is None


@pytest.mark.parametrize("before", ["", "  joho ", "\ufeff", "joho\ufeff"])
def test_position_is_recognized_though_it_cannot_be_read(before: str) -> None:
    """The lines that `parse_command` reads as `position`, with any words before."""
    with pytest.raises(UciError):
        parse_command(f"{before}position x")
    assert is_position(f"{before}position x")


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [pytest.param(p, text, error, id=f"{text[:60]} [{rows}]") for p, rows, text, error in ERRORS],
)
def test_error_names_the_expected_text(parse: Parse, text: str, message: str) -> None:
    with pytest.raises(UciError) as error:
        parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize("form", ["setoption name {}", "register name {}", "position fen {}", "{}"])
@pytest.mark.parametrize("filling", [" ", "a ", "name ", "value ", "go "])
def test_a_long_line_is_read_in_linear_time(form: str, filling: str) -> None:
    """Row 237: a peer's line must not occupy the server for seconds, nor fill its log."""
    line = form.format("a" + filling * (65000 // len(filling)) + "b")
    started = time.process_time()
    message = ""
    for parse in (parse_command, parse_reply):
        try:
            parse(line)
        except UciError as error:
            message = str(error)
    assert time.process_time() - started < 1.0
    assert len(message) < 200


@given(st.text(max_size=80))
def test_any_text_has_a_meaning_or_none_or_is_a_uci_error(text: str) -> None:
    """Row 238."""
    for parse in (parse_command, parse_reply):
        for keyword in ("", "go ", "setoption name ", "position ", "info score ", "option name "):
            try:
                value = parse(keyword + text)
            except UciError:
                continue
            assert value is None or str(value)
