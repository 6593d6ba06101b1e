"""The start of the program: the signals that it handles before all is loaded."""

import signal
import sys

import pytest

from rookery_server.__main__ import main


@pytest.mark.parametrize(
    ("command", "wanted"), [("serve", signal.SIG_DFL), ("analyse", signal.default_int_handler)]
)
def test_interrupt_while_the_server_loads_shows_no_traceback(
    command: str, wanted: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    monkeypatch.setattr(sys, "argv", ["rookery-server", command])
    monkeypatch.setattr(
        "rookery_server.__main__.run", lambda _: found.append(signal.getsignal(signal.SIGINT)) or 0
    )
    numbers = (signal.SIGINT, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main() == 0
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert found == [wanted]


def test_windows_is_told_where_the_server_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main() == 1
    assert "rookery-server is for Linux (here in WSL)" in capsys.readouterr().err
