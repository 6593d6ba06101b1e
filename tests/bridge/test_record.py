"""The log: both directions with their times, no secret, bounded, and never in the way."""

import errno
import os
import re
import sys
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.bridged import bridge
from helpers.support import Running, add_token, odd
from helpers.windows import SHARING_VIOLATION, WindowsError

from rookery_bridge import traffic_log
from rookery_bridge.traffic_log import TrafficLog
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

LINE = re.compile(r"(\d{4}-\S+) (gui|net|own) ([<>]) (.*)")


def lines_of(path: Path) -> list[tuple[str, str]]:
    """Return who said what, and see that each line has its time."""
    found = []
    for line in path.read_text().splitlines():
        form = LINE.fullmatch(line)
        assert form, line
        assert datetime.fromisoformat(form[1]).tzinfo
        found.append((f"{form[2]} {form[3]}", form[4]))
    return found


def never(why: str) -> None:
    pytest.fail(why)


def test_each_line_has_its_time_and_direction(tmp_path: Path) -> None:
    record = TrafficLog(tmp_path / "log", never)
    record.add("gui >", b"go depth 1")
    record.add("gui <", b"info depth 1 pv e2e4\nbestmove e2e4\n")
    record.add("net <", b"info depth 1 pv e2e4\nbestmove e2e4\n", sparing=True)
    record.add("net <", b"info nodes 1\n", sparing=True)
    record.add("gui <", b"caf\xe9\n")
    record.close()
    assert lines_of(tmp_path / "log") == [
        ("gui >", "go depth 1"),
        ("gui <", "info depth 1 pv e2e4"),
        ("gui <", "bestmove e2e4"),
        ("net <", "bestmove e2e4"),
        ("gui <", "caf\ufffd"),
    ]


def test_pass_to_a_session_is_not_written(tmp_path: Path) -> None:
    record = TrafficLog(tmp_path / "log", never)
    record.add("net <", b"rookery session 3f9c.secret heard 0 grace 60\nrookery room open secret\n")
    record.close()
    assert lines_of(tmp_path / "log") == [
        ("net <", "rookery session ..."),
        ("net <", "rookery room ..."),
    ]


def test_log_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic_log, "LONGEST", 2000)
    record = TrafficLog(tmp_path / "log", never)
    for number in range(1000):
        record.add("gui <", b"info depth %d\n" % number)
    record.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "log.1"]
    assert all(path.stat().st_size <= 2000 for path in tmp_path.iterdir())
    assert lines_of(tmp_path / "log")[-1] == ("gui <", "info depth 999")


def test_file_of_another_bridge_is_left_to_it(tmp_path: Path) -> None:
    """Two that write one file would each rename it under the other's hands."""
    logs = [TrafficLog(tmp_path / "my.log", never) for _ in range(3)]
    paths = [tmp_path / name for name in ("my.log", "my-2.log", "my-3.log")]
    assert [log.elsewhere for log in logs] == [None, *paths[1:]]
    for log in logs:
        log.add("gui >", b"uci")
    logs[1].close()
    assert TrafficLog(tmp_path / "my.log", never).elsewhere == paths[1]
    logs[0].close()
    again = TrafficLog(tmp_path / "my.log", never)
    assert again.elsewhere is None
    again.add("gui >", b"quit")
    again.close()
    assert [text for _, text in lines_of(paths[0])] == ["uci", "quit"]
    assert [text for _, text in lines_of(paths[2])] == ["uci"]


def test_file_stays_its_own_in_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic_log, "LONGEST", 2000)
    record = TrafficLog(tmp_path / "log", never)
    for _ in range(100):
        record.add("gui <", b"info depth 1\n")
    assert (tmp_path / "log.1").exists()
    assert TrafficLog(tmp_path / "log", never).elsewhere == tmp_path / "log-2"
    record.close()


def test_what_is_no_file_has_room_for_all() -> None:
    logs = [TrafficLog("/dev/null", never) for _ in range(2)]
    assert [log.elsewhere for log in logs] == [None, None]


def test_windows_locks_a_byte_behind_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked: dict[int, int] = {}  # by the file's number, by whose descriptor

    def lock_byte(descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == (1 << 31) - 2
        if locked.setdefault(os.fstat(descriptor).st_ino, descriptor) != descriptor:
            raise PermissionError(errno.EACCES, "Permission denied")

    windows = SimpleNamespace(LK_NBLCK=2, locking=lock_byte)
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        logs = [TrafficLog(tmp_path / "log", never) for _ in range(2)]
    assert [log.elsewhere for log in logs] == [None, tmp_path / "log-2"]
    for log in logs:
        log.add("gui >", b"uci")
        log.close()
    assert len(lines_of(tmp_path / "log")) == len(lines_of(tmp_path / "log-2")) == 1


def test_log_that_another_program_has_open_on_windows_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise WindowsError(SHARING_VIOLATION)

    monkeypatch.setattr(traffic_log, "LONGEST", 2000)
    record = TrafficLog(tmp_path / "log", never)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", refuse)
        for number in range(100):
            record.add("gui <", b"info depth %d\n" % number)
    assert len(lines_of(tmp_path / "log")) == 100
    for _ in range(100):  # It is tried again.
        record.add("gui <", b"info depth 100\n")
    record.close()
    assert (tmp_path / "log.1").stat().st_size > 2000
    assert lines_of(tmp_path / "log")


def test_log_goes_on_where_it_was(tmp_path: Path) -> None:
    for _ in range(2):
        record = TrafficLog(tmp_path / "log", never)
        record.add("gui >", b"uci")
        record.close()
    assert len(lines_of(tmp_path / "log")) == 2


def test_disk_that_is_full_is_told_of_once() -> None:
    said: list[str] = []
    record = TrafficLog(Path("/dev/full"), said.append)
    for _ in range(5):
        record.add("gui >", b"uci")
    record.close()
    assert len(said) == 1
    assert "No space left on device" in said[0]


def test_file_that_cannot_be_is_told_of(tmp_path: Path) -> None:
    said: list[str] = []
    record = TrafficLog(tmp_path / "none" / "log", said.append)
    record.add("gui >", b"uci")
    record.close()
    assert said == [f"{tmp_path}/none/log: No such file or directory"]


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
async def test_game_is_written_down_and_no_token(tmp_path: Path, transport: str) -> None:
    token = add_token(tmp_path / "tokens")
    (tmp_path / "token").touch(0o600)
    (tmp_path / "token").write_text(token)
    config = Config(
        (EngineConfig("polite", odd("polite")),),
        ServerConfig(port=0, tcp_port=0, tokens=tmp_path / "tokens"),
    )
    async with Running(config) as app:
        where = f"tcp://127.0.0.1:{app.tcp_port}"
        if transport == "websocket":
            where = f"ws://127.0.0.1:{app.port}/engines/polite"
        log = tmp_path / "log"
        options = ("--token-file", str(tmp_path / "token"), "--log", str(log), "--no-fallback")
        async with bridge(where, *options) as gui:
            gui.say("uci", "go depth 1")
            await gui.until("bestmove")
            await gui.drain()
    heard = lines_of(log)
    assert [text for who, text in heard if who == "gui >"] == ["uci", "go depth 1", "isready"]
    assert [text for who, text in heard if who == "gui <"] == gui.heard
    assert f"option name Bridge Log File type string default {log}" in gui.heard
    assert ("net >", "go depth 1") in heard
    assert ("net <", "rookery session ...") in heard
    assert token not in log.read_text()


async def test_gui_switches_the_log_on_and_off(app: Running, tmp_path: Path) -> None:
    address = f"tcp://127.0.0.1:{app.tcp_port}/polite"
    async with bridge(address) as gui:
        gui.say(f"setoption name Bridge Log File value {tmp_path}/log", "isready")
        await gui.until("readyok")
        gui.say("setoption name Bridge Log File value <empty>", "isready")
        await gui.until("readyok")
        gui.say("setoption name Bridge Log File value /dev/full", "isready")
        lines = await gui.until("readyok")
        assert any("the log is not written: " in line for line in lines)
        gui.say("go depth 1")
        await gui.until("bestmove")
    heard = lines_of(tmp_path / "log")
    assert heard[0] == ("gui >", "isready")
    assert ("gui <", "readyok") in heard
    assert sum(text == "isready" for _, text in heard) == 2  # said by the GUI, and to the server


async def test_log_that_could_not_be_written_is_tried_again(app: Running, tmp_path: Path) -> None:
    log = tmp_path / "later" / "log"
    option = f"setoption name Bridge Log File value {log}"
    async with bridge(f"tcp://127.0.0.1:{app.tcp_port}/polite") as gui:
        gui.say(option, "isready")
        lines = await gui.until("readyok")
        assert any("the log is not written: " in line for line in lines)
        log.parent.mkdir()
        gui.say(option, "isready")
        await gui.until("readyok")
    assert ("gui <", "readyok") in lines_of(log)


async def test_two_bridges_with_one_log_write_two(app: Running, tmp_path: Path) -> None:
    address, log = f"tcp://127.0.0.1:{app.tcp_port}/polite", tmp_path / "my.log"
    async with bridge(address, "--log", str(log)) as one:
        await one.drain()
        async with bridge(address, "--log", str(log)) as other:
            await other.drain()
    said = f"another bridge writes {log}, so the log is {tmp_path / 'my-2.log'}"
    assert any(line.endswith(said) for line in other.heard)
    assert not any("another bridge" in line for line in one.heard)
    for path in (log, tmp_path / "my-2.log"):
        assert ("gui >", "isready") in lines_of(path)
