"""`option`, and the options of UCI and of Stockfish: rows 182 to 216."""

import re
from pathlib import Path

import chess
import chess.polyglot
import pytest
from conformance.gui import measured
from conformance.rows import rows

START = "position startpos"
FIRST_MOVES = [move.uci() for move in chess.Board().legal_moves]
SYZYGY = Path(__file__).parents[1] / "data" / "syzygy"  # KPvK and what becomes of it
README = Path(__file__).parents[2] / "engine" / "README.md"
TYPES = ("check", "spin", "combo", "button", "string")


def of_type(gui, kind):
    return [option for option in gui.options.values() if option["type"] == kind]


def assert_is(option, kind, **values):
    assert option["type"] == kind
    assert {key: option[key] for key in values} == values


def plays(gui, go="go depth 3", position=START):
    return gui.search(go, position).move


# --- the lines


@rows(182)
def test_type_is_one_of_five(fresh):
    assert {option["type"] for option in fresh.options.values()} <= set(TYPES)
    assert len(fresh.options) == len([line for line in fresh.meet() if line.startswith("option ")])


@rows(183)
def test_check_has_a_default(gui):
    assert all(option["default"] in ("true", "false") for option in of_type(gui, "check"))


@rows(184)
def test_spin_has_its_default_between_min_and_max(gui):
    for option in of_type(gui, "spin"):
        assert option["min"] <= int(option["default"]) <= option["max"], option


@rows(185)
def test_combo_has_its_default_among_its_vars(gui):
    for option in of_type(gui, "combo"):
        assert option["default"] in option["vars"], option


@rows(186)
def test_button_has_nothing_more(gui):
    for option in of_type(gui, "button"):
        assert (option["default"], option["min"], option["max"], option["vars"]) == (
            None, None, None, [],
        ), option  # fmt: skip


@rows(187)
def test_string_has_a_default_and_an_empty_one_is_written_so(gui):
    assert [option["name"] for option in of_type(gui, "string") if not option["default"]] == []


@rows(188)
def test_names_are_unique_and_without_words_of_the_grammar(fresh):
    lines = [line for line in fresh.meet() if line.startswith("option name ")]
    names = [re.match(r"option name (.*?) type ", line)[1].lower() for line in lines]
    assert len(set(names)) == len(names)
    assert not any({"name", "value"} & set(name.split()) for name in names)


# --- single options: what they are


@rows(189, 190)
def test_hash_exists_with_a_small_default(gui):
    assert gui.option("Hash")["type"] == "spin"
    assert int(gui.option("Hash")["default"]) <= 64


@rows(191)
def test_ponder(gui):
    assert_is(gui.option("Ponder"), "check", default="false")


@rows(193)
def test_multipv(gui):
    assert_is(gui.option("MultiPV"), "spin", default="1", min=1)


@rows(194)
@pytest.mark.parametrize("name", ["UCI_ShowCurrLine", "UCI_ShowRefutations"])
def test_show_options(gui, name):
    assert_is(gui.option(name), "check", default="false")
    gui.set_option(name, "true")
    assert plays(gui, "go depth 6")


@rows(195)
def test_elo_comes_with_limit_strength(gui):
    assert ("uci_elo" in gui.options) == ("uci_limitstrength" in gui.options)
    assert gui.option("UCI_Elo")["type"] == "spin"
    assert_is(gui.option("UCI_LimitStrength"), "check", default="false")


@rows(199)
@pytest.mark.parametrize(
    "opponent", ["GM 2800 human Gary Kasparov", "none none computer Shredder", "none 1500 human x"]
)
def test_opponent(gui, opponent):
    assert gui.option("UCI_Opponent")["type"] == "string"
    gui.set_option("UCI_Opponent", opponent)
    assert gui.sync() == []
    assert plays(gui)


@rows(200)
def test_engine_about(gui):
    option = gui.option("UCI_EngineAbout")
    assert option["type"] == "string"
    assert len(option["default"]) > 10


@rows(202)
def test_obsolete_options_are_left_out_or_of_their_type(gui):
    for name, kind in (
        ("NalimovPath", "string"), ("NalimovCache", "spin"), ("UCI_ShredderbasesPath", "string"),
    ):  # fmt: skip
        if gui.own:
            assert name.lower() not in gui.options
            assert name in README.read_text()
        if name.lower() in gui.options:
            assert gui.options[name.lower()]["type"] == kind


@rows(204)
def test_clear_hash(gui):
    assert gui.option("Clear Hash")["type"] == "button"


@rows(205)
def test_move_overhead(gui):
    assert_is(gui.option("Move Overhead"), "spin", default="10", min=0, max=5000)


@rows(206)
def test_syzygy_path(gui):
    assert_is(gui.option("SyzygyPath"), "string", default="<empty>")


def table_hits(gui):
    gui.set_option("SyzygyPath", SYZYGY)
    gui.sync()
    return gui.search("go depth 8", "position fen 8/8/8/8/4k3/8/4P3/4K3 w - - 0 1").last["tbhits"]


@rows(206)
def test_tables_are_probed(gui):
    gui.option("SyzygyPath")
    assert table_hits(gui) > 0


@rows(211)
def test_probe_limit_0_probes_nothing(gui):
    gui.option("SyzygyProbeLimit")
    gui.set_option("SyzygyProbeLimit", 0)
    assert table_hits(gui) == 0


@rows(211)
def test_syzygy_options(gui):
    assert gui.option("SyzygyProbeDepth")["type"] == "spin"
    assert gui.option("Syzygy50MoveRule")["type"] == "check"
    assert gui.option("SyzygyProbeLimit")["type"] == "spin"


@rows(216)
def test_chess960(gui):
    assert_is(gui.option("UCI_Chess960"), "check", default="false")


# --- what they do


def book(path, move):
    """Write a Polyglot book with one move for the start position.

    An entry is 16 bytes: key, move, weight and learning value, big-endian.  The
    move has file and row of its end in bits 0 to 5, of its start in bits 6 to 11.
    """
    move = chess.Move.from_uci(move)
    key = chess.polyglot.zobrist_hash(chess.Board())
    coded = move.to_square | move.from_square << 6
    path.write_bytes(key.to_bytes(8) + coded.to_bytes(2) + (100).to_bytes(2) + (0).to_bytes(4))
    return path


@rows(192)
def test_own_book_is_a_check_and_false_means_no_book_move(gui):
    gui.option("OwnBook")
    assert_is(gui.option("OwnBook"), "check", default="false")
    gui.set_option("OwnBook", "false")
    assert gui.search("go depth 4", START).pvs


@rows(192)
def test_own_book_plays_from_the_book_only_if_true(gui, tmp_path):
    gui.option("OwnBook")
    gui.option("BookFile")
    gui.set_option("BookFile", book(tmp_path / "one.bin", "a2a4"))
    assert plays(gui, "go depth 4") != "a2a4"
    gui.set_option("OwnBook", "true")
    assert plays(gui, "go depth 4") == "a2a4"
    gui.set_option("OwnBook", "false")
    assert plays(gui, "go depth 4") != "a2a4"


@rows(196)
def test_elo_is_ignored_while_strength_is_not_limited(gui):
    gui.option("UCI_Elo")
    gui.set_option("UCI_LimitStrength", "false")
    found = []
    for value in ("min", "max"):
        gui.set_option("UCI_Elo", gui.options["uci_elo"][value])
        gui.say("ucinewgame")
        search = gui.search("go depth 8", START)
        found.append((search.nodes, search.move))
    assert found[0] == found[1]


@rows(197)
@pytest.mark.parametrize("end", ["min", "max"])
def test_limited_strength_plays_on(gui, end):
    gui.option("UCI_LimitStrength")
    gui.set_option("UCI_LimitStrength", "true")
    gui.set_option("UCI_Elo", gui.options["uci_elo"][end])
    board = chess.Board()
    while len(board.move_stack) < 20 and any(board.legal_moves):  # The weakest may be mated soon.
        moves = " ".join(move.uci() for move in board.move_stack)
        position = f"{START} moves {moves}" if moves else START
        move = plays(gui, "go wtime 300 btime 300", position)
        assert move, (board.fen(), gui.transcript())
        board.push_uci(move)


@rows(198)
@pytest.mark.parametrize("value", ["true", "false"])
def test_analyse_mode(gui, value):
    assert gui.option("UCI_AnalyseMode")["type"] == "check"
    gui.set_option("UCI_AnalyseMode", value)
    assert plays(gui)


@rows(201)
def test_set_position_value(gui):
    assert gui.option("UCI_SetPositionValue")["type"] == "string"
    for value in (f"500+{chess.STARTING_FEN}", f"clear+{chess.STARTING_FEN}", "clearall"):
        gui.set_option("UCI_SetPositionValue", value)
        gui.sync()
        assert plays(gui)


@rows(203)
def test_threads(gui):
    assert_is(gui.option("Threads"), "spin", default="1", min=1)
    gui.set_option("Threads", 2)
    assert plays(gui, "go depth 8")
    gui.say("go infinite")
    gui.assert_no_bestmove(0.2)
    assert gui.stop().move


@rows(207)
def test_no_wdl_by_default(gui):
    assert_is(gui.option("UCI_ShowWDL"), "check", default="false")
    assert not any("wdl" in info for info in gui.search("go depth 4", START).infos)


@rows(208)
def test_skill_level(gui):
    assert_is(gui.option("Skill Level"), "spin", min=0, max=20)
    gui.set_option("Skill Level", 0)
    for _ in range(5):
        assert plays(gui, "go depth 5")


@rows(208)
def test_lowest_skill_plays_other_moves_than_the_highest(gui):
    def play(level):
        gui.set_option("Skill Level", level)
        gui.say("ucinewgame")
        return [plays(gui, "go depth 6", f"{START} moves {move}") for move in FIRST_MOVES]

    gui.option("Skill Level")
    assert play(0) != play(20)


@rows(209)
def test_nodestime_counts_the_clock_in_nodes(gui):
    assert gui.option("nodestime")["type"] == "spin"
    few, many = [], []
    for rate, nodes in ((1, few), (100, many)):
        gui.set_option("nodestime", rate)
        gui.say("ucinewgame")
        for _ in range(2):
            gui.say("ucinewgame")
            nodes.append(gui.search("go wtime 2000 btime 2000", START).nodes)
    assert few[0] <= 2000 * 1.5
    assert many[0] > 2 * few[0]


@rows(210)
@pytest.mark.parametrize("policy", ["system", "none", "hardware", "auto", "0-1", "0:1"])
def test_numa_policy(gui, policy):
    assert_is(gui.option("NumaPolicy"), "string", default="auto")
    gui.set_option("NumaPolicy", policy)
    assert plays(gui)


@rows(212)
def test_debug_log_file_has_all_that_was_said(fresh, tmp_path):
    fresh.option("Debug Log File")
    file = tmp_path / "debug.log"
    fresh.set_option("Debug Log File", file)
    fresh.search("go depth 3", START)
    fresh.set_option("Debug Log File", "<empty>" if fresh.own else "")
    fresh.sync()
    text = file.read_text()
    for part in (START, "go depth 3", "info depth 3", "bestmove"):
        assert part in text


@rows(213)
def test_bad_eval_file_does_not_kill(fresh):
    option = fresh.option("EvalFile")
    fresh.set_option("EvalFile", "/there/is/no/such.nnue")
    fresh.sync()
    fresh.set_option("EvalFile", option["default"])
    assert plays(fresh)


@rows(213)
def test_bad_eval_file_in_force_does_not_kill(fresh):
    fresh.option("EvalFile")
    fresh.set_option("EvalFile", "/there/is/no/such.nnue")
    assert plays(fresh)


@rows(215)
def test_large_overhead_moves_earlier(gui):
    overhead = gui.option("Move Overhead")

    def measure():
        gui.set_option("Move Overhead", overhead["default"])
        usual = gui.search("go wtime 3000 btime 3000 movestogo 2", START).took
        assert usual > 0.3
        gui.set_option("Move Overhead", 2500)
        careful = gui.search("go wtime 3000 btime 3000 movestogo 2", START).took
        assert careful < usual / 2

    measured(measure)
