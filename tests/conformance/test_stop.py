"""`stop`, `ponderhit`, `quit`, and what may follow a bestmove: rows 133 to 145 and 149."""

import time

import pytest
from conformance.gui import measured
from conformance.rows import rows

pytestmark = pytest.mark.also_tcp

START = "position startpos"
PONDERED = "position startpos moves e2e4 e7e5"


@rows(133)
def test_stop_ends_the_search_with_a_bestmove(gui):
    gui.say(START, "go infinite")
    gui.assert_no_bestmove(0.1)
    assert gui.stop().took < 1


@rows(134)
def test_stop_is_obeyed_as_soon_as_possible(gui):
    def measure():
        times = []
        for _ in range(50):
            gui.say("go infinite")
            gui.quiet(0.02)
            times.append(gui.stop().took)
        times.sort()
        assert times[25] < 0.020
        assert times[40] < 0.100

    gui.say(START)
    measured(measure)


@rows(135)
@pytest.mark.parametrize("go", ["go infinite", "go", "go depth 30", "go wtime 60000 btime 60000"])
def test_stop_right_behind_go(gui, go):
    for _ in range(5):
        gui.say(START, go, "stop")
        gui.hear_until("bestmove")
    gui.assert_no_bestmove(0.1)


@rows(136)
def test_two_stops_have_one_bestmove(gui):
    gui.say(START, "go infinite")
    gui.assert_no_bestmove(0.1)
    gui.say("stop", "stop")
    gui.hear_until("bestmove")
    gui.assert_no_bestmove(0.2)


@rows(137)
def test_stop_while_pondering_has_a_bestmove(gui):
    gui.say(PONDERED, "go ponder wtime 1000 btime 1000")
    gui.assert_no_bestmove(0.1)
    assert gui.stop().took < 1
    gui.assert_no_bestmove(0.1)


@rows(138)
@pytest.mark.parametrize("limits", ["wtime 500 btime 500", "depth 4", "nodes 1000", "movetime 50"])
def test_ponderhit_makes_it_a_search_that_ends(gui, limits):
    gui.say(PONDERED, f"go ponder {limits}")
    gui.assert_no_bestmove(0.1)
    gui.ask("ponderhit", timeout=2)
    gui.assert_no_bestmove(0.1)


@rows(139)
def test_movetime_begins_with_ponderhit(gui):
    gui.say(PONDERED, "go ponder movetime 300")
    gui.assert_no_bestmove(0.4)
    begun = time.monotonic()
    took = gui.ask("ponderhit")[-1].at - begun
    assert 0.250 < took < 1.0


@rows(140)
def test_ponderhit_in_a_normal_search_is_ignored(gui):
    gui.say(START, "go infinite")
    gui.say("ponderhit")
    gui.assert_no_bestmove()
    assert gui.stop().move


AT_ONCE = 1.0  # s; a process takes its time to end on a busy machine


def quick_end(gui):
    """Say `quit`; return the status, if it ends in time."""
    gui.say("quit")
    return gui.wait(AT_ONCE)


@rows(141, 145)
def test_quit_when_idle(fresh):
    assert quick_end(fresh) == 0


@rows(142, 145)
@pytest.mark.parametrize("go", ["go infinite", "go depth 60", "go wtime 600000 btime 600000"])
def test_quit_during_a_search(fresh, go):
    fresh.say(START, go)
    fresh.assert_no_bestmove(0.1)
    assert quick_end(fresh) == 0


@rows(143, 145)
def test_quit_while_pondering(fresh):
    fresh.say(PONDERED, "go ponder wtime 1000 btime 1000")
    fresh.assert_no_bestmove(0.1)
    assert quick_end(fresh) == 0


@rows(144, 145)
def test_quit_before_uci(start):
    gui = start()
    gui.say("quit")
    assert gui.wait() == 0


@rows(149)
@pytest.mark.parametrize("ponder", ["true", "false"])
def test_engine_does_not_ponder_by_itself(gui, ponder):
    gui.option("Ponder")
    gui.set_option("Ponder", ponder)
    gui.search("go wtime 300 btime 300", START)
    assert gui.quiet(0.4) == []
    before = gui.cpu()
    gui.quiet(0.4)
    assert gui.cpu() - before < 0.1
