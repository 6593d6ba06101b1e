"""The engine of this machine, when it takes over and when it gives way, with plain lines."""

import pytest
from helpers.talking import Talk


def test_engine_of_this_machine_goes_on(pair: Talk) -> None:
    pair.say("setoption name UCI_Chess960 value true", "setoption name Hash value 99999")
    pair.say("position startpos", "go wtime 60000 btime 60000")
    pair.lose()
    pair.local_says("option name UCI_Chess960 type check default false", "uciok")
    assert "goes on" in pair.wait(1.1)[0]
    assert pair.fallback_hears() == [
        "setoption name UCI_Chess960 value true",
        "position startpos",
        "go wtime 58950 btime 60000",
    ]
    assert pair.local_says("id name Y", "uciok", "info depth 1 pv e2e4") == ["info depth 1 pv e2e4"]
    assert pair.local_says("bestmove e2e4") == ["bestmove e2e4"]
    assert pair.link(heard=4) == ["stop"]
    pair.heard()
    assert pair.answer("info depth 9 pv d2d4", "bestmove d2d4") == []


HOUSES = "option name UCI_Variant type combo default chess var chess var crazyhouse"


@pytest.mark.parametrize(
    ("rule", "offered", "plays"),
    [
        ("UCI_Variant value crazyhouse", "option name Hash type spin default 1 min 1 max 9", False),
        ("UCI_Variant value atomic", HOUSES, False),
        ("UCI_Variant value crazyhouse", HOUSES, True),
        ("UCI_Variant value chess", "id name Y", True),
        ("UCI_Chess960 value true", HOUSES, False),
        ("UCI_Chess960 value false", HOUSES, True),
    ],
)
def test_engine_of_this_machine_plays_what_it_knows(
    pair: Talk, rule: str, offered: str, *, plays: bool
) -> None:
    """Row 147: another's moves would lose the game."""
    pair.say(f"setoption name {rule}", "position startpos", "go movetime 9000")
    pair.lose()
    pair.local_says(offered, "uciok")
    pair.wait(2)
    assert bool(pair.fallback_hears()) is plays
    if not plays:
        assert pair.wait(9)[-1].startswith("bestmove ")


def test_engine_of_this_machine_says_what_it_knows_before_it_plays() -> None:
    talk = Talk(fall_back=True)
    talk.link(trip=0.2)
    talk.heard()
    talk.say("setoption name UCI_Chess960 value true", "go wtime 300 btime 300")
    assert talk.heard()[-1].startswith("bestmove ")
    assert talk.core.wants_fallback
    talk.local_says("option name UCI_Chess960 type check default false", "uciok")
    talk.say("go wtime 300 btime 300")
    assert talk.fallback_hears()[-1] == "go wtime 100 btime 300"


def test_server_that_is_back_takes_over(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.fallback_hears()
    pair.link(heard=2)
    pair.heard()
    assert pair.fallback_hears() == ["stop"]
    assert pair.local_says("info depth 1 pv e2e4", "bestmove e2e4") == []
    pair.say("stop")
    assert pair.answer("info depth 20 pv d2d4", "bestmove d2d4")[-1] == "bestmove d2d4"


def test_second_outage_soon_after_the_first_is_not_waited_out(pair: Talk) -> None:
    pair.say("position startpos", "go depth 20")
    pair.lose()
    assert pair.wait(2.9) == []
    pair.link(heard=2)
    pair.lose()
    assert pair.fallback_hears() == []
    assert "goes on" in pair.wait(1.1)[-1]
    assert pair.fallback_hears() == ["position startpos", "go depth 20"]


def test_outage_long_after_another_is_waited_out(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(1)
    pair.link(heard=2)
    for _ in range(30):
        pair.wait(1)
        pair.answer("info depth 20 pv d2d4", "rookery heard 2")
    pair.lose()
    assert pair.wait(2.9) == []
    assert "goes on" in pair.wait(0.2)[-1]


def test_next_search_waits_for_the_move_that_nobody_wants(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.link(heard=2)
    pair.answer("bestmove d2d4")
    pair.fallback_hears()
    pair.lose()
    pair.say("position startpos moves d2d4 d7d5", "go movetime 5000")
    pair.wait(2)
    assert pair.fallback_hears() == []
    pair.local_says("bestmove e2e4")
    assert pair.fallback_hears()[0] == "position startpos moves d2d4 d7d5"
    assert pair.local_says("bestmove c2c4")[-1] == "bestmove c2c4"


def test_stop_reaches_the_engine_of_this_machine(pair: Talk) -> None:
    """Row 133."""
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.fallback_hears()
    pair.say("stop")
    assert pair.fallback_hears() == ["stop"]


def test_lost_engine_of_this_machine_leaves_what_is_known(pair: Talk) -> None:
    pair.say("position startpos", "go wtime 10000 btime 10000")
    pair.lose()
    pair.wait(1)
    pair.collect(pair.core.lose_fallback("it has ended", pair.now))
    assert "it has ended" in pair.heard()[-1]
    assert pair.wait(3)[-1].startswith("bestmove ")


def test_engine_of_this_machine_that_does_not_answer_costs_5_s(pair: Talk) -> None:
    """Row 3: no longer than a GUI waits for `uciok`, and the next move nothing of that."""
    pair.say("position startpos", "go wtime 20000 btime 20000")
    pair.lose()
    pair.wait(1)
    assert pair.local_says("uci", "go wtime 18950 btime 20000") == []  # as `cat` does
    assert pair.wait(4.9) == []
    heard = pair.wait(0.2)
    assert heard[0] == "info string rookery-bridge: the engine of this machine does not answer"
    assert heard[-1].startswith("bestmove ")
    pair.say("position startpos", "go wtime 14000 btime 14000")
    assert pair.wait(2.7)[1:] == []
    assert pair.wait(0.2)[-1].startswith("bestmove ")
    pair.say("position startpos", "go wtime 11000 btime 11000")
    pair.wait(1)
    pair.local_says("uciok", "bestmove a2a3")  # It was only slow to start.
    assert pair.fallback_hears()[-1].startswith("go wtime ")
    assert pair.wait(9) == []
    assert pair.local_says("bestmove d2d4") == ["bestmove d2d4"]


def test_engine_of_this_machine_that_does_not_stop_costs_5_s(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.local_says("uciok")
    pair.say("stop")
    assert pair.wait(2.1)[-1].startswith("bestmove ")
    pair.say("position startpos", "go wtime 20000 btime 20000")
    assert pair.wait(4.9)[1:] == []
    assert "does not answer" in pair.wait(1.2)[0]


def test_analysis_with_an_engine_of_this_machine_that_does_not_answer_ends(pair: Talk) -> None:
    pair.say("position startpos", "go depth 9")
    pair.lose()
    assert any(line.startswith("bestmove ") for line in pair.wait(31))


def test_clock_that_is_too_short_for_the_way_is_played_here() -> None:
    talk = Talk(fall_back=True)
    talk.link(trip=0.2)
    assert talk.say("position startpos", "go wtime 300 btime 300 winc 10") == ["position startpos"]
    assert talk.fallback_hears() == ["position startpos", "go wtime 100 btime 300 winc 10"]
    assert talk.local_says("bestmove e2e4") == ["bestmove e2e4"]


def test_moves_come_in_the_order_of_their_searches() -> None:
    """Row 20: though one of them is played here, and the others there."""
    talk = Talk(fall_back=True)
    talk.link(trip=0.2)
    talk.heard()
    assert talk.say("go infinite", "go wtime 300 btime 300") == [
        "go infinite",
        "go wtime 100 btime 300",
    ]
    assert talk.answer("bestmove e2e4", "bestmove d2d4") == ["bestmove e2e4", "bestmove d2d4"]
    assert talk.say("go wtime 300 btime 300", "go infinite") == ["go infinite"]
    assert [line[:8] for line in talk.heard()] == ["bestmove"]
    talk.say("stop")
    assert talk.answer("bestmove c2c4") == ["bestmove c2c4"]


def test_without_another_engine_too_short_a_clock_has_a_move_at_once() -> None:
    talk = Talk()
    talk.link(trip=0.2)
    talk.heard()
    talk.say("position startpos", "go wtime 300 btime 300 winc 10")
    (line,) = talk.heard()
    assert line.startswith("bestmove ")


@pytest.mark.parametrize("fall_back", [True, False])
def test_without_another_engine_a_short_movetime_is_the_servers(fall_back: bool) -> None:
    """No flag falls: a move that nobody has looked at is worse than one that is late."""
    talk = Talk(fall_back=fall_back)
    talk.say("setoption name Bridge Fallback value false")
    talk.link(trip=0.2)
    talk.heard()
    assert talk.say("position startpos", "go movetime 300") == [
        "position startpos",
        "go movetime 100",
    ]
    assert talk.wait(0.5) == []
    assert talk.answer("bestmove e2e4") == ["bestmove e2e4"]
    assert talk.say("go movetime 300 wtime 300") == []
    assert talk.heard()[-1].startswith("bestmove ")


def test_short_movetime_is_played_here_if_there_is_an_engine() -> None:
    talk = Talk(fall_back=True)
    talk.link(trip=0.2)
    assert talk.say("position startpos", "go movetime 300") == ["position startpos"]
    assert talk.fallback_hears()[0] == "position startpos"


@pytest.mark.parametrize(
    "position",
    ["position fen garbage", "position startpos moves e2e5", "position startpos moves e2e4\0",
     "joho position fen", "position fen 4k3/8/8/8/8/P7/PPPPPPPP/NNNNKNNN w - - 0 1",
     "position fen 7k/8/8/8/8/8/8/7R w - - 0 1", "position fen 7k/8/8/8/8/8/8/K6R w - - 0 1"],
)  # fmt: skip
@pytest.mark.parametrize("go", ["go depth 4", "go wtime 9000 btime 9000", "go ponder movetime 9"])
def test_engine_of_this_machine_hears_no_position_that_is_none(
    pair: Talk, position: str, go: str
) -> None:
    """Stockfish ends at one, others search the position before it."""
    pair.lose()
    pair.say("position startpos moves d2d4", position, go)
    lines = pair.wait(5)
    if "ponder" in go:
        assert "bestmove 0000" not in lines
        pair.say("ponderhit")
        lines += pair.wait(5)
    assert lines.count("bestmove 0000") == 1
    assert "nothing is searched without its position" in "".join(lines)
    assert not any(line.startswith(("position", "go")) for line in pair.fallback_hears())
    pair.say("position startpos", "go depth 4")
    pair.wait(5)
    assert pair.fallback_hears() == ["position startpos", "go depth 4"]


def test_engine_of_this_machine_hears_the_position_as_engines_read_it(pair: Talk) -> None:
    """Else Stockfish dies of a right without its rook; and it is Black's clock that runs."""
    pair.lose()
    fen = "4k3/p7/8/8/8/8/8/4K2R B KKQq - - -; bm e4"
    pair.say(f"position fen {fen} moves a7a5", "go wtime 9000 btime 90000")
    pair.wait(5)
    told = "position fen 4k3/p7/8/8/8/8/8/4K2R b K - 0 1 moves a7a5"
    assert pair.fallback_hears()[0] == told


def test_session_that_ended_idle_is_waited_for(pair: Talk) -> None:
    """The server is there, and its engine is the one that was asked."""
    pair.answer("info string rookery quota-idle: nothing was asked for 1800 s")
    pair.lose()
    pair.wait(1000)
    pair.say("isready", "position startpos", "go depth 9")
    assert pair.heard() == []
    assert pair.wait(2.9) == []
    assert pair.fallback_hears() == []
    pair.wait(0.2)
    assert pair.fallback_hears() == ["position startpos", "go depth 9"]
    assert "readyok" in pair.wait(1)


def test_silent_server_is_not_waited_for_when_the_clock_is_short() -> None:
    """The server is not asked first: the first move that there is gets played."""
    talk = Talk(fall_back=True)
    talk.link(trip=0.05)
    talk.heard()
    talk.say("position startpos", "go wtime 900 btime 900")
    assert talk.wait(0.2) == []
    assert talk.fallback_hears() == []
    talk.wait(0.05)
    assert talk.fallback_hears() == ["position startpos", "go wtime 625 btime 900"]
    assert talk.local_says("bestmove e2e4") == ["bestmove e2e4"]
    assert talk.told() == ["stop"]
    assert talk.answer("info depth 1 pv d2d4", "bestmove d2d4") == []


def test_engine_of_this_machine_gives_way_to_a_server_that_is_heard() -> None:
    talk = Talk(fall_back=True)
    talk.link(trip=0.05)
    talk.heard()
    talk.say("position startpos", "go wtime 900 btime 900")
    talk.wait(0.25)
    talk.fallback_hears()
    assert talk.answer("info depth 1 pv d2d4") == ["info depth 1 pv d2d4"]
    assert talk.fallback_hears() == ["stop"]
    assert talk.local_says("bestmove e2e4") == []
    assert talk.answer("bestmove d2d4") == ["bestmove d2d4"]


@pytest.mark.parametrize(
    "go", ["go wtime 3000 btime 3000", "go movetime 900", "go infinite", "go depth 3"]
)
def test_server_is_believed_in_where_there_is_time(go: str) -> None:
    talk = Talk(fall_back=True)
    talk.link(trip=0.05)
    talk.say("position startpos", go)
    talk.wait(0.3)
    assert talk.fallback_hears() == []


def test_server_of_this_house_is_believed_in(pair: Talk) -> None:
    pair.say("position startpos", "go wtime 900 btime 900")
    pair.wait(0.3)
    assert pair.fallback_hears() == []
    pair.lose()
    pair.link(heard=2)
    pair.answer("bestmove e2e4")
    pair.say("position startpos moves e2e4 e7e5", "go wtime 900 btime 900")
    pair.wait(0.15)
    assert pair.fallback_hears()[0] == "position startpos moves e2e4 e7e5"


def test_silence_counts_as_a_part_of_the_outage(pair: Talk) -> None:
    """Or a search that the server has gone away from would wait for both."""
    pair.say("position startpos", "go depth 9")
    pair.wait(3.1)
    assert pair.core.must_leave == "the server does not answer"
    pair.collect(pair.core.lose_link(pair.core.must_leave, pair.now))
    pair.wait(1.1)
    assert pair.fallback_hears()[-1] == "go depth 9"


def test_early_move_of_the_engine_of_this_machine_is_kept(pair: Talk) -> None:
    """Row 126: even for a mate found."""
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    assert pair.local_says("uciok", "bestmove e2e4") == []
    pair.link(heard=2)
    pair.heard()
    assert pair.answer("info depth 9 pv d2d4") == ["info depth 9 pv d2d4"]
    pair.say("stop")
    assert pair.heard() == ["bestmove e2e4"]
    assert pair.answer("bestmove d2d4") == []
