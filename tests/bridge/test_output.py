"""Messages of a command to its user."""

import io

import pytest

from rookery_protocol.console import print_line


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
