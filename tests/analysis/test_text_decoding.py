"""Files in old encodings: the guess from a few names, and the report of it."""

import io
from encodings.aliases import aliases

import pytest
from helpers.analyse_program import AnalyseProgram

from rookery_analysis.pgn_splitter import split_games
from rookery_analysis.text_decoding import (
    ALPHABETS,
    WIDE,
    TextLines,
    check_encoding,
    encoding_shown_by,
    guess_encoding,
)
from rookery_protocol.errors import ConfigError
from rookery_server.commands.analyse import run

# Two names each, as a small file has them.
NAMES = {
    "cp1252": ("Müller, Jörg", "Lefèvre, François"),
    "cp850": ("Müller, Jörg", "Núñez, José"),
    "cp437": ("Müller, Jörg", "Größe, Jürgen"),
    "cp1250": ("Wojtaszek, Radosław", "Dvořák, Jiří"),
    "iso8859-2": ("Wojtaszek, Radosław", "Šarić, Ivan"),
    "cp852": ("Wojtaszek, Radosław", "Hráček, Zbyněk"),
    "cp1251": ("Карпов, Анатолий", "Іванчук, Василь"),
    "koi8-r": ("Карпов, Анатолий", "Щукин, Илья"),
    "cp866": ("Карпов, Анатолий", "Щукин, Илья"),
    "iso8859-5": ("Карпов, Анатолий", "Щукин, Илья"),
    "mac-cyrillic": ("Карпов, Анатолий", "Щукин, Илья"),
    "cp1253": ("Παπαϊωάννου", "Κοτρωνιάς"),
}


@pytest.mark.parametrize("coding", NAMES)
def test_two_names_are_enough_for_a_guess(coding: str) -> None:
    lines = [f'[White "{name}"]'.encode(coding) for name in NAMES[coding]]
    found = guess_encoding(lines)
    assert [line.decode(found) for line in lines] == [line.decode(coding) for line in lines]


def test_words_of_ascii_and_of_utf_8_do_not_count() -> None:
    assert guess_encoding([b"1. e4 e5", "Кар".encode(), b"M\xfcller"]) == "cp1252"


@pytest.mark.parametrize("name", [*ALPHABETS, "utf-8", "utf-16", "gbk", "ISO-8859-1"])
def test_encodings_that_can_be_named(name: str) -> None:
    assert check_encoding(name)


def test_a_place_is_one_in_the_file_whatever_the_encoding() -> None:
    data, checked = b"\\x41 " + bytes(range(128, 256)), 0
    for name in sorted({*aliases.values(), "utf_8_sig", "raw_unicode_escape"}):
        try:
            coding = check_encoding(name)
        except ValueError:
            continue
        if coding not in WIDE:
            (piece,) = TextLines(io.BytesIO(data), coding, strictly=True)
            assert piece.offset_of(len(piece.text)) == len(data), coding
            checked += 1
    assert checked > 50


@pytest.mark.parametrize(
    "name",
    ["", "klingon", "cp037", "utf-7", "iso2022-jp", "rot13", "hex", "idna", "unicode_escape"],
)
def test_encoding_without_pgn_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="needs the name of an encoding"):
        check_encoding(name)


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_known_without_a_mark(coding: str) -> None:
    assert encoding_shown_by('[White "Карпов"]\n\n1. e4 *\n'.encode(coding)) == (coding, 0)
    assert encoding_shown_by(b'[White "A"]\n') is None


def test_a_place_in_utf_16_is_one_in_the_file() -> None:
    data = '[White "Карпов"]\r\n1. e4 * [White "B"]\r\n1. d4 *\r\n'.encode("utf-16")
    first, second = split_games(
        io.BytesIO(), None, TextLines(io.BytesIO(data[2:]), "utf-16-le", offset=2)
    )
    rest = io.BytesIO(data[first.end.offset :])
    again = TextLines(rest, first.end.coding, offset=first.end.offset)
    assert next(iter(split_games(rest, first.end, again))).end == second.end
    assert second.data == '[White "B"]\n1. d4 *\n'


def test_guess_is_reported_once_and_encoding_overrides_it(bench: AnalyseProgram) -> None:
    game = '[White "Карпов"]\n[Black "Щукин"]\n\n1. e4 *\n\n'
    (bench.folder / "old.pgn").write_bytes((game * 3).encode("cp1251"))
    done = bench.run("old.pgn", "--jsonl", "out.jsonl")
    assert done.stderr.count("are read as cp1251, which is a guess") == 1
    assert [each["white"] for each in bench.records()] == ["Карпов"] * 3
    (bench.folder / "old.pgn").write_bytes(game.encode("mac-cyrillic"))
    done = bench.run("old.pgn", "--jsonl", "out.jsonl", "--encoding", "mac-cyrillic", "--restart")
    assert "guess" not in done.stderr
    assert bench.records()[0]["white"] == "Карпов"


def test_a_pipe_in_an_old_encoding_and_one_in_utf_16_are_read(bench: AnalyseProgram) -> None:
    game = '[White "Карпов"]\r[Black "Щукин"]\r\r1. e4 *\r\r'
    for coding in ("cp1251", "utf-16", "utf-16-be"):
        bench.run("-", "--jsonl", "out.jsonl", "--restart", stdin=(game * 2).encode(coding))
        assert [each["white"] for each in bench.records()] == ["Карпов"] * 2
        assert [each["line"] for each in bench.records()] == [1, 6]


def test_utf_32_is_named_and_refused(bench: AnalyseProgram) -> None:
    path = bench.folder / "wide.pgn"
    path.write_bytes("1. e4 *\n".encode("utf-32"))
    with pytest.raises(ConfigError, match="is in UTF-32: iconv -f UTF-32"):
        run([str(path), "--jsonl", str(bench.folder / "x.jsonl"), "--nodes", "1"])
