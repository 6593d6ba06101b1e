"""Input that breaks programs: rows 237 to 246, 249 and 250."""

import contextlib
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from conformance.gui import measured
from conformance.rows import rows
from conformance.target import tree

START = "position startpos"
MEBI = 1024 * 1024
SOON = 3.0  # s for a process to end that was not asked politely


def plays(gui):
    gui.sync(timeout=20)
    return gui.search("go depth 2", START).move


@rows(237)
def test_line_of_a_megabyte_is_survived(fresh):
    fresh.write(b"x" * MEBI + b"\n", "x")
    assert plays(fresh)


@rows(237)
def test_words_of_a_megabyte_are_survived(fresh):
    fresh.write(b"joho " * (MEBI // 5) + b"\n", "joho")
    assert plays(fresh)


@rows(238)
@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)).replace(b"\n", b""),
        b"\0" * 1000,
        b"\xff\xfe\xc3\x28 isready\xff",
        b"go\0x depth 1",
        "position startpos moves e2e4\u2028\u00e4\U0001f600".encode(),
        random.Random(238).randbytes(20_000).replace(b"\n", b"").replace(b"\r", b""),
    ],
    ids=["all bytes", "nul", "broken utf-8", "nul in go", "unicode", "random"],
)
def test_binary_garbage_is_survived(fresh, data):
    fresh.write(data + b"\n", "x")
    fresh.say("stop")
    assert plays(fresh)


@rows(239)
def test_megabyte_of_moves_that_do_not_exist_is_survived(fresh):
    line = f"{START} moves " + "e2e5 " * (MEBI // 5)
    fresh.say(line)
    assert plays(fresh)


@rows(240)
def test_end_of_input_when_idle_ends_the_engine(fresh):
    fresh.process.stdin.close()
    fresh.wait(SOON)


@rows(241)
def test_end_of_input_during_a_search_ends_the_engine(fresh):
    fresh.say(START, "go infinite")
    fresh.assert_no_bestmove(0.1)
    fresh.process.stdin.close()
    fresh.wait(SOON)


@rows(242)
@pytest.mark.parametrize("go", [None, "go infinite"])
def test_sigterm_ends_the_engine(fresh, go):
    if go:
        fresh.say(START, go)
        fresh.assert_no_bestmove(0.1)
    fresh.process.send_signal(signal.SIGTERM)
    fresh.wait(SOON)


@rows(243)
def test_closed_output_ends_the_engine(fresh):
    read_end = fresh.process.stdout.fileno()
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), read_end)  # closes the pipe while a thread waits in it
    with contextlib.suppress(AssertionError):
        for _ in range(20):
            fresh.say(START, "go depth 10", "isready")
            with contextlib.suppress(AssertionError):
                fresh.wait(0.2)
                break
    fresh.wait(SOON)


@rows(244)
def test_nothing_is_lost_for_a_slow_reader(fresh):
    count = 20_000  # 160 kB: more than the pipes on the way take
    fresh.pause()
    fresh.say("setoption name MultiPV value 8", START, "go depth 6")
    lines = ["isready"] * count
    writer = threading.Thread(target=fresh.say, args=lines, daemon=True)
    writer.start()
    writer.join(1)
    fresh.read_on()
    heard, ready = [], 0
    while ready < count:
        heard += fresh.hear_until("readyok")
        ready += 1
    writer.join(5)
    rest = fresh.sync()
    assert sum(line.startswith("bestmove") for line in [*heard, *rest]) == 1


@rows(246)
@pytest.mark.parametrize("go", [None, "go infinite"])
def test_no_process_survives_quit(start, target, go):
    before = settled(target.server) if target.server else set()
    gui = start()
    gui.meet()
    if go:
        gui.say(START, go)
        gui.assert_no_bestmove(0.1)
    own = set(tree(gui.process.pid))
    if target.server:
        own |= set(target.server.children()) - before
    gui.quit()
    until = time.monotonic() + SOON
    while left := {pid for pid in own if runs(pid)} - kept(target, before):
        assert time.monotonic() < until, left
        time.sleep(0.02)


def settled(server):
    """Return the engines of a server, once it has replaced all that were taken (within 0.25 s)."""
    before, since = set(server.children()), time.monotonic()
    until = since + 10 * SOON
    while time.monotonic() < since + 0.5:
        assert time.monotonic() < until, before
        time.sleep(0.02)
        if (now := set(server.children())) != before:
            before, since = now, time.monotonic()
    return before


def kept(target, before):
    """Return engines that a server holds ready; there are not more of them than before."""
    if not target.server:
        return set()
    children = target.server.children()
    return set(children) if len(children) <= len(before) else set()


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@rows(249)
def test_idle_engine_uses_no_cpu(fresh):
    fresh.search("go depth 4", START)
    used = []
    for _ in range(5):  # a server may still be starting the next engine
        before = fresh.cpu()
        assert fresh.quiet(1) == []
        used.append(fresh.cpu() - before)
        if used[-1] <= 0.05:
            break
    assert used[-1] <= 0.05


@rows(250)
def test_one_thread_uses_about_one_core(gui):
    gui.say("setoption name Threads value 1", START)

    def measure():
        before, begun = gui.cpu(), time.monotonic()
        gui.search("go movetime 1500")
        used, took = gui.cpu() - before, time.monotonic() - begun
        assert 0 < used < 1.25 * took

    measured(measure)  # for a server may be starting the next engine beside it
