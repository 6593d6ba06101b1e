"""`uci`, `debug`, `isready`, `register` and `ucinewgame`: rows 38 to 60 and 77 to 85."""

import time

import pytest
from conformance.rows import rows

WHILE_SEARCHING = "position startpos", "go infinite"
AT_ONCE = 0.5  # s; for an answer that may not wait for the search


def strings(lines):
    return [line for line in lines if line.startswith("info string ")]


# --- uci


@rows(38, 39, 44)
@pytest.mark.parametrize("kind", ["name", "author"])
def test_engine_says_who_it_is(start, kind):
    named = [line for line in start().meet() if line.startswith(f"id {kind} ")]
    assert len(named) == 1
    assert len(named[0].split()) > 2


@rows(40)
def test_id_comes_before_option_and_uciok_last(start):
    order = [line.split()[0] for line in start().meet() if line.strip()]
    said = [word for word in order if word in ("id", "option", "uciok")]
    assert said == sorted(said)
    assert order[-1] == "uciok"


@rows(41)
def test_one_uciok_and_nothing_after_it(start):
    gui = start()
    assert gui.meet().count("uciok") == 1
    assert gui.quiet(0.2) == []


@rows(42)
def test_second_uci_is_answered_and_does_no_harm(fresh):
    fresh.say("setoption name MultiPV value 2", "position startpos moves e2e4")
    fresh.meet()
    search = fresh.search("go depth 2")
    assert {info["multipv"] for info in search.pvs} == {1, 2}  # and the move is Black's


@rows(43)
def test_quit_right_after_uciok(start):
    gui = start()
    gui.meet()
    assert gui.quit() == 0


@rows(45)
def test_only_lines_of_the_grammar_up_to_uciok(start):
    allowed = ("id ", "option ", "info ", "registration ", "copyprotection ", "uciok")
    gui = start()
    gui.quiet(0.1)  # a banner is another row
    assert [line for line in gui.meet() if line.strip() and not line.startswith(allowed)] == []


# --- debug


@rows(47)
def test_debug_is_accepted(gui):
    for word in ("on", "off", "on", "off"):
        gui.say(f"debug {word}")
    gui.sync()
    assert gui.search("go depth 2", "position startpos").move


@rows(48)
def test_debug_does_not_disturb_a_search(gui):
    gui.say(*WHILE_SEARCHING)
    gui.say("debug on", "debug off", "debug on")
    gui.assert_no_bestmove()
    assert gui.stop().move


def plain_talk(gui):
    """Say what says something in debug mode, and return what was heard."""
    gui.say("position startpos moves e2e4", "setoption name MultiPV value 1", "ucinewgame")
    return [*gui.sync(), *gui.search("go depth 3", "position startpos").lines]


@rows(49)
def test_debug_mode_gives_more_infos(gui):
    before = strings(plain_talk(gui))
    gui.say("debug on")
    assert len(strings(plain_talk(gui))) > len(before)


@rows(50)
def test_debug_is_off_by_default_and_after_off(gui):
    assert strings(plain_talk(gui)) == []
    gui.say("debug on")
    plain_talk(gui)
    gui.say("debug off")
    assert strings(plain_talk(gui)) == []


@rows(51)
def test_debug_may_have_white_space_around(gui):
    before = strings(plain_talk(gui))
    gui.write(b"\t debug \t \t\ton\t \n", "debug on")
    assert len(strings(plain_talk(gui))) > len(before)


# --- isready


@rows(52, 53)
def test_each_isready_has_one_readyok(gui):
    gui.say(*["isready"] * 50)
    for _ in range(50):
        gui.hear_until("readyok")
    assert gui.quiet(0.1) == []


@rows(54, 55)
def test_isready_is_answered_during_a_search_that_goes_on(gui):
    gui.say(*WHILE_SEARCHING)
    times = []
    for _ in range(5):
        begun = time.monotonic()
        gui.assert_no_bestmove(0)
        times.append(time.monotonic() - begun)
    assert sorted(times)[2] < AT_ONCE
    gui.assert_no_bestmove()
    assert gui.stop().move


@rows(56)
def test_isready_is_answered_while_pondering(gui):
    gui.say("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    gui.assert_no_bestmove()
    assert gui.stop().move


@rows(57)
@pytest.mark.parametrize(
    "line",
    ["setoption name Hash value 64", "ucinewgame", "setoption name Clear Hash",
     "setoption name SyzygyPath value /there/is/no/such/folder"],
)  # fmt: skip
def test_isready_waits_for_what_takes_time(gui, line):
    name = line.partition("name ")[2].partition(" value")[0]
    if name:
        gui.option(name)
        gui.set_option(*line.removeprefix("setoption name ").split(" value "))
    else:
        gui.say(line)
    gui.sync()
    begun = time.monotonic()
    gui.sync()  # it was done, so that this one is quick
    assert time.monotonic() - begun < AT_ONCE


@rows(58)
def test_engine_that_was_not_asked_if_it_is_ready_searches(start):
    gui = start()
    gui.meet()
    assert gui.search("go depth 2", "position startpos").move


@rows(59)
def test_isready_is_answered_before_uci(start):
    gui = start()
    assert gui.ask("isready", until="readyok")


@rows(60)
def test_readyok_comes_when_earlier_input_is_done(gui):
    gui.say("joho", "setoption name MultiPV value 3", "position startpos moves e2e4", "go perft 1")
    heard = gui.sync()
    assert "Nodes searched: 20" in heard or gui.hear_until("Nodes searched: 20")
    gui.set_option("MultiPV", 1)
    gui.say("uci", "isready")
    lines = gui.hear_until("readyok")
    assert "uciok" in lines


# --- register


@rows(77, 78, 79)
@pytest.mark.parametrize("line", ["register later", "register name Stefan MK code 4359874324"])
def test_register_is_accepted(gui, line):
    gui.say(line)
    heard = gui.sync()
    if any(said.startswith("registration ") for said in heard):
        assert heard[0] == "registration checking"
        assert heard[1] in ("registration ok", "registration error")
    assert gui.search("go depth 2", "position startpos").move


# --- ucinewgame


@rows(83)
def test_isready_after_ucinewgame_is_answered(gui):
    for _ in range(3):
        gui.say("ucinewgame")
        assert gui.sync() == []


@rows(84)
def test_engine_does_without_ucinewgame(fresh):
    assert fresh.search("go depth 3", "position startpos").move
    assert fresh.search("go depth 3", "position fen 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1").move


@rows(85)
def test_ucinewgame_clears_what_the_last_game_left(gui):
    def nodes():
        gui.say("ucinewgame")
        gui.sync()
        return gui.search("go depth 9", "position startpos").nodes

    first = nodes()
    gui.search("go depth 9", "position startpos moves d2d4 g8f6 c2c4")
    assert nodes() == first
