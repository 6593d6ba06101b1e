"""Messages of a command to its user."""

import io
import sys

import pytest

from rookery_protocol.console import prepare_streams, print_line


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("Lc0 in Köln", "utf-8", "Lc0 in Köln"),
        ("Lc0 in Köln", "cp1252", "Lc0 in Köln"),
        ("Ладья ready", "cp1252", "????? ready"),
        ("Köln", "ascii", "K?ln"),
        ("\x1b[31mred\x07", "utf-8", "?[31mred?"),
        ("one\ntwo", "ascii", "one\ntwo"),
    ],
)
def test_what_cannot_be_shown_is_a_question_mark(
    monkeypatch: pytest.MonkeyPatch, text: str, encoding: str, shown: str
) -> None:
    file = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(file, encoding=encoding, newline=""))
    print_line(text)
    assert file.getvalue().decode(encoding) == f"{shown}\n"


@pytest.mark.parametrize(
    ("system", "is_terminal", "written"),
    [
        ("win32", False, "Ладья ready\n".encode()),
        ("win32", True, b"????? ready\n"),
        ("linux", False, b"????? ready\n"),
    ],
)
def test_file_of_windows_has_all_letters(
    monkeypatch: pytest.MonkeyPatch, system: str, is_terminal: bool, written: bytes
) -> None:
    file = io.BytesIO()
    stdout = io.TextIOWrapper(file, encoding="cp1252", newline="")
    monkeypatch.setattr(stdout, "isatty", lambda: is_terminal)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", system)
        patch.setattr(sys, "stdout", stdout)
        prepare_streams()
        print_line("Ладья ready")
    assert file.getvalue() == written
