"""The grammar of UCI: what is written reads as the same value."""

from collections.abc import Callable

from helpers.comparing import same
from hypothesis import given
from hypothesis import strategies as st

from rookery_uci import (
    OPTION_TYPES,
    BestMove,
    Debug,
    Go,
    Id,
    Info,
    Limits,
    Ok,
    Option,
    Position,
    Protection,
    Register,
    Score,
    SetOption,
    Word,
    parse_command,
    parse_reply,
)

Parse = Callable[[str], object]


def words_without(*reserved: str) -> st.SearchStrategy[str]:
    letters = st.characters(exclude_categories=["Z", "C"])
    return st.text(letters, min_size=1, max_size=8).filter(lambda word: word not in reserved)


def text_without(*reserved: str, least: int = 1) -> st.SearchStrategy[str]:
    return st.lists(words_without(*reserved), min_size=least, max_size=4).map(" ".join)


WORDS = words_without()
TEXT = text_without(least=0)
SQUARES = st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("12345678")).map("".join)
MOVE = st.tuples(SQUARES, SQUARES, st.sampled_from(["", "q", "r", "b", "n"])).map("".join)
MOVES = st.lists(MOVE | st.just("0000"), max_size=5).map(tuple)
# A current line begins with a move that is played: a null move would read as the processor.
PLAYED = st.lists(MOVE, max_size=5).map(tuple)
NUMBERS = st.integers(-(2**63), 2**64 - 1)
PERHAPS = st.none() | NUMBERS
BOUNDS = st.sampled_from([None, "lowerbound", "upperbound"])
STATUS = st.sampled_from(["checking", "ok", "error"])
SCORES = st.builds(Score, NUMBERS, st.none(), BOUNDS) | st.builds(Score, st.none(), NUMBERS, BOUNDS)
PARTS = ("name", "type", "default", "min", "max", "var")

COMMAND_VALUES: st.SearchStrategy[object] = st.one_of(
    st.sampled_from(Word),
    st.builds(Debug, st.booleans()),
    st.builds(SetOption, text_without("value"), st.none() | TEXT),
    st.just(Register()),
    st.builds(Register, text_without("code"), text_without()),
    st.builds(Position, st.none() | text_without("moves"), st.lists(WORDS).map(tuple)),
    st.builds(
        Go,
        st.builds(
            Limits,
            MOVES,
            st.booleans(),
            st.booleans(),
            *[PERHAPS] * 10,
        ),
    ),
)

REPLY_VALUES: st.SearchStrategy[object] = st.one_of(
    st.sampled_from(Ok),
    st.builds(Id, st.sampled_from(["name", "author"]), TEXT),
    st.builds(BestMove, WORDS, st.none() | WORDS),
    st.builds(Protection, st.sampled_from(["copyprotection", "registration"]), STATUS),
    st.builds(
        Info,
        score=st.none() | SCORES,
        wdl=st.none() | st.tuples(NUMBERS, NUMBERS, NUMBERS),
        currmove=st.none() | MOVE,
        refutation=MOVES,
        currline=st.none() | st.tuples(PERHAPS, PLAYED),
        pv=MOVES,
        string=st.none() | TEXT,
        **dict.fromkeys(
            ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "sbhits",
             "cpuload", "time", "currmovenumber"),
            PERHAPS,
        ),
    ),
    st.builds(
        Option,
        text_without(*PARTS),
        st.sampled_from([kind for kind in OPTION_TYPES if kind != "string"]),
        st.none() | st.just("") | text_without(*PARTS, "<empty>"),
        PERHAPS,
        PERHAPS,
        st.lists(text_without(*PARTS), max_size=3).map(tuple),
    ),
    st.builds(
        Option,
        text_without(*PARTS),
        st.just("string"),
        st.none() | st.just("") | text_without("<empty>"),
        *[st.none(), st.none(), st.just(())],
    ),
)  # fmt: skip


@given(COMMAND_VALUES)
def test_a_command_that_is_written_reads_as_itself(value: object) -> None:
    assert same(parse_command(str(value)), value)


@given(REPLY_VALUES)
def test_a_reply_that_is_written_reads_as_itself(value: object) -> None:
    assert same(parse_reply(str(value)), value)
