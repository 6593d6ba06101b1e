"""The server replaces itself once, to have the allocator that gives memory back."""

import signal
import sys
from pathlib import Path

import pytest
from helpers.serving import serving

from rookery_server.bootstrap import CHOICE, has_glibc, main, serves


def environment(pid: int) -> dict[str, str]:
    """Return with what a process was started."""
    words = Path(f"/proc/{pid}/environ").read_text().split("\0")
    return dict(word.split("=", 1) for word in words if word)


@pytest.mark.skipif(not has_glibc(), reason="is for glibc's allocator")
async def test_server_has_the_allocator_and_its_engines_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(CHOICE, raising=False)
    async with serving() as server:
        assert environment(server.process.pid)[CHOICE] == "malloc"
        engines = server.engines()
        assert engines
        for engine in engines:
            assert CHOICE not in environment(engine)


async def test_who_sets_it_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, "pymalloc")
    async with serving() as server:
        for pid in (server.process.pid, *server.engines()):
            assert environment(pid)[CHOICE] == "pymalloc"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [("", True), ("serve", True), ("--port 0", True), ("token list", False), ("analyse", False)],
)
def test_only_a_server_needs_it(arguments: str, answer: bool) -> None:
    assert serves(arguments.split()) is answer


def test_other_systems_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert not has_glibc()


@pytest.mark.parametrize(
    ("command", "wanted"), [("serve", signal.SIG_DFL), ("analyse", signal.default_int_handler)]
)
def test_interrupt_while_the_server_loads_shows_no_traceback(
    command: str, wanted: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    monkeypatch.setenv(CHOICE, "malloc")
    monkeypatch.setattr(sys, "argv", ["rookery-server", command])
    monkeypatch.setattr(
        "rookery_server.__main__.main", lambda: found.append(signal.getsignal(signal.SIGINT)) or 0
    )
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main() == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert found == [wanted]
