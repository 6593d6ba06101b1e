"""Lines of bridge and server besides UCI."""

import re
from pathlib import Path

import pytest

from rookery_protocol.engine_names import engine_of, engine_path, is_engine_name
from rookery_protocol.hello import Hello, RoomLine, RoomWord
from rookery_protocol.notices import Close, Code, Notice, harmless
from rookery_server.transport.http_message import status_of
from rookery_uci import UciError

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", Code)
def test_notice_reads_as_it_prints(code: Code) -> None:
    notice = Notice(code, "a text: with a colon")
    assert str(notice) == f"info string rookery {code.value}: a text: with a colon"
    assert Notice.parse(str(notice)) == notice


@pytest.mark.parametrize("code", Code)
def test_notice_is_documented(code: Code) -> None:
    meaning = code.meaning.replace("-", " ")
    assert f"| `{code}` | {meaning} |" in PROTOCOL


def test_no_other_notice_is_documented() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| [a-z ]+ \|.*\|.*\|.*\|$", PROTOCOL, re.MULTILINE)
    assert sorted(rows) == sorted(Code)


@pytest.mark.parametrize("close", Close)
def test_close_is_documented(close: Close) -> None:
    ends = PROTOCOL.partition("## How a connection ends")[2].partition("\n## ")[0]
    assert re.search(rf"\| {close.value}\b", ends)


def test_statuses_are_documented() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (`.*?) \|", PROTOCOL, re.MULTILINE)
    told = {code: int(status) for status, codes in rows for code in re.findall(r"`(.*?)`", codes)}
    assert told == {code: status_of(Code(code)) for code in told}
    others = {code: status_of(code) for code in Code if code not in told}
    assert set(others.values()) == {503}  # what has no row of its own never comes before a session


@pytest.mark.parametrize("line", ["info string rookery is a bird", "info string x", "readyok", ""])
def test_other_lines_are_no_notices(line: str) -> None:
    assert Notice.parse(line) is None


def test_notice_with_unknown_code_is_none() -> None:
    assert Notice.parse("info string rookery no-such-code: x") is None


def test_hello_reads_as_it_prints() -> None:
    assert Hello.parse(bytes(Hello("stockfish"))) == Hello("stockfish")
    assert Hello.parse(b" rookery  engine\tstockfish ") == Hello("stockfish")


def test_hello_has_each_key_at_will() -> None:
    assert Hello.parse(b"rookery token t engine e") == Hello(engine="e", token="t")
    hello = Hello(token="t", session="a.b", heard=0, grace=60)
    assert Hello.parse(bytes(hello)) == hello
    assert str(hello) == "rookery token t session a.b heard 0 grace 60"
    assert Hello.parse(b"rookery engine e work batch") == Hello(engine="e", work="batch")


def test_printing_a_hello_does_not_reveal_the_token() -> None:
    assert "secret" not in repr(Hello(token="secret"))


@pytest.mark.parametrize("line", [b"uci", b"", b"rookery-engine x", b"isready"])
def test_other_lines_are_no_hello(line: bytes) -> None:
    assert Hello.parse(line) is None


@pytest.mark.parametrize(
    "line",
    [
        b"rookery",
        b"rookery engine",
        b"rookery engine a b",
        b"rookery color white",
        b"rookery heard x",
        b"rookery heard -1",
        b"rookery room",
        b"rookery room bar",
        b"rookery room watch",
        b"rookery room hand",
        b"rookery token room open",
        b"rookery work",
        b"rookery work hard",
    ],
)
def test_hello_that_cannot_be_understood(line: bytes) -> None:
    with pytest.raises(UciError, match="rookery"):
        Hello.parse(line)


@pytest.mark.parametrize("word", RoomWord)
def test_line_of_a_room_reads_as_it_prints(word: RoomWord) -> None:
    hello = Hello(room=RoomLine(word, "a1"))
    assert str(hello) == f"rookery room {word.value} a1"
    assert Hello.parse(bytes(hello)) == hello


def test_room_is_the_last_key_of_a_hello() -> None:
    hello = Hello(engine="e", token="t", room=RoomLine(RoomWord.SAID, "position startpos"))
    assert Hello.parse(b"rookery token t engine e room said position startpos") == hello
    assert Hello.parse(b"rookery room open") == Hello(room=RoomLine(RoomWord.OPEN))


def test_printing_a_line_of_a_room_does_not_reveal_its_name() -> None:
    assert "secret" not in repr(Hello(room=RoomLine(RoomWord.WATCH, "secret")))


@pytest.mark.parametrize("name", ["rookery", "Stockfish-15.1", "lc0_t82", "a"])
def test_path_names_the_engine(name: str) -> None:
    assert engine_of(engine_path(name)) == name
    assert engine_of(engine_path(name) + "?x=y") == name


def test_path_may_be_written_as_browsers_do() -> None:
    assert engine_of("/engines/stockfish%40anna") == "stockfish@anna"


@pytest.mark.parametrize(
    "path",
    ["/", "/engines", "/engines/", "/engines/a/b", "/engines/../x", "/engines/%2e",
     "/engines/a%2Fb", "/other/a", "/engines/.hidden", "//engines/a"],
)  # fmt: skip
def test_other_paths_name_none(path: str) -> None:
    assert engine_of(path) is None


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a\n", "-x", "x" * 65, "é"])
def test_bad_engine_names(name: str) -> None:
    assert not is_engine_name(name)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("info string a\tb\n", "info string a\tb\n"),
        ("\x1b]0;title\x07\x1b[2J", "]0;title[2J"),
        ("\x00\x08\x0b\x0c\r\x7f", ""),
        ("\u009b31m ä \u2028\u2029", "31m ä "),
        ("\u202egnp.exe\u2066 “…”", "gnp.exe “…”"),
    ],
)
def test_control_characters_are_left_out(text: str, left: str) -> None:
    assert harmless(text.encode()) == left.encode()
