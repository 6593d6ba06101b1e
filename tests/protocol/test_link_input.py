"""The link as a terminal, a pipe or a file gives it, on every system."""

import io
from collections.abc import Iterator

import pytest

from rookery_protocol import link_input

LINK = "rookery://rook.example:8080/stockfish#wss+sum:5d41e2a0"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are typed, one after the other."""
    lines: list[str] = []

    def answer_prompt(prompt: str) -> str:
        assert prompt == "paste the link (it is not shown): "
        return lines.pop(0)

    monkeypatch.setattr("getpass.getpass", answer_prompt)
    return lines


@pytest.mark.parametrize("key", ["\x16", "\r", "\x16\x16"])
def test_key_that_pastes_nothing_is_explained(
    typed: list[str], capsys: pytest.CaptureFixture[str], key: str
) -> None:
    """Ctrl-V in the old console of Windows; Ctrl-V and Enter in a terminal of Linux or macOS."""
    typed += [key, LINK]
    assert link_input.ask_link() == LINK
    said = capsys.readouterr().err
    assert said.count("does not paste here: use the right mouse button or Ctrl+Shift+V") == 1


@pytest.mark.parametrize("key", ["\xe0R", "\0;"])
def test_special_key_of_windows_is_explained(
    typed: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    key: str,
) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    typed += [key, f"{key}{LINK}"]
    assert link_input.ask_link() == LINK
    assert capsys.readouterr().err.count("does not paste here") == 1


def test_key_before_the_link_is_left_out(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    typed += [f"\x16 {LINK}\r"]
    assert link_input.ask_link() == LINK
    assert not capsys.readouterr().err


@pytest.mark.parametrize("key", ["", "\x1a", "\x04"])
def test_no_link_is_no_endless_question(typed: list[str], key: str) -> None:
    """Enter; Ctrl-Z, which Python on Windows passes on; Ctrl-D."""
    typed += [key]
    assert link_input.ask_link() == ""


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.BytesIO]:
    data = io.BytesIO()
    # The encoding of Python on Windows, which the link is not in.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data, encoding="cp1252"))
    return data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\r\n", "\n", ""])
def test_link_of_a_file_is_read_as_windows_writes_it(
    stdin: io.BytesIO, encoding: str, end: str
) -> None:
    stdin.write(f"{LINK}{end}{'more' if end else ''}{end}".encode(encoding))
    stdin.seek(0)
    assert link_input.read_link() == LINK


def test_file_that_is_no_text_has_no_link(stdin: io.BytesIO) -> None:
    stdin.write(b"\xfe\xff\xd8")
    stdin.seek(0)
    assert not link_input.read_link().startswith("rookery")


def test_terminal_that_looks_like_a_pipe_is_said(
    stdin: io.BytesIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link_input.read_link() == ""
    assert not capsys.readouterr().err
    monkeypatch.setenv("MSYSTEM", "MINGW64")
    assert link_input.read_link() == ""
    assert "paste it and press Enter" in capsys.readouterr().err
