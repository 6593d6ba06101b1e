"""Evaluations from the lines of engines, and their lines for clients."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_analysis.evaluation import MAX_PV, PositionEvaluation, choose_evaluation
from rookery_protocol.notices import Code, Notice
from rookery_uci import Info, Score, parse_reply

START = chess.Board()
LINE = "info depth 20 seldepth 28 multipv 1 score cp 31 nodes 5000 nps 9 time 700 pv e2e4 e7e5"
SECOND = "info depth 19 multipv 2 score cp 20 nodes 5000 time 700 pv d2d4"


def of(*lines: str, board: chess.Board = START) -> PositionEvaluation | None:
    return PositionEvaluation.of_search("".join(f"{line}\n" for line in lines).encode(), board)


def kept(*lines: str) -> list[str]:
    evaluation = of(*lines)
    return str(evaluation).splitlines() if evaluation else []


def test_only_lasting_fields_are_kept() -> None:
    (line,) = kept(LINE.replace(" nps", " hashfull 7 tbhits 3 cpuload 5 nps"))
    assert line == (
        "info depth 20 seldepth 28 multipv 1 score cp 31 nodes 5000 time 700 pv e2e4 e7e5"
    )


def test_expectations_are_kept() -> None:
    assert " wdl 100 800 100 " in kept(LINE.replace("cp 31", "cp 31 wdl 100 800 100"))[0]


def test_newest_of_each_variation_is_kept() -> None:
    evaluation = of(LINE.replace("20", "18"), SECOND, LINE)
    assert evaluation
    assert [each.depth for each in evaluation.lines] == [20, 19]
    assert (evaluation.depth, evaluation.nodes, evaluation.time) == (19, 5000, 700)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "bestmove e2e4",
        "info string depth 20 score cp 3 pv e2e4",
        "info depth 20 score cp 31 lowerbound pv e2e4",
        "info depth 20 score cp 31 upperbound pv e2e4",
        "info depth 20 pv e2e4",
        "info score cp 3 pv e2e4",
        "info depth 20 score cp 3",
        "info depth 0 score mate 0",
        "info depth x score cp 3 pv e2e4",
        "info depth 20 multipv 2 score cp 3 pv e2e4",
        "info depth 20 score cp 3 pv e2e5",
        "info depth 20 score cp 3 pv \xff",
    ],
)
def test_line_without_a_lasting_score_is_not_kept(line: str) -> None:
    assert of(line) is None


def test_bound_does_not_replace_an_exact_score() -> None:
    assert kept(LINE, LINE.replace("cp 31", "cp 90 lowerbound")) == kept(LINE)


def test_variation_ends_before_a_move_that_is_not_legal() -> None:
    assert kept(LINE + " e4e5 g1f3")[0].endswith(" pv e2e4 e7e5")


def test_variation_has_an_end() -> None:
    evaluation = of(LINE + " g1f3 g8f6 f3g1 f6g8" * 100)
    assert evaluation
    assert len(evaluation.lines[0].pv) == MAX_PV


def test_castling_is_sent_as_it_was_written() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for chess960, move in ((False, "e1g1"), (True, "e1h1")):
        line = f"info depth 20 multipv 1 score cp 3 pv {move} e8e7"
        evaluation = of(line, board=chess.Board(fen, chess960=chess960))
        assert str(evaluation) == line


@pytest.mark.parametrize(
    "third", ["", "info depth 20 multipv 4 score cp 3 pv a2a3", SECOND.replace("pv 2", "pv 3")]
)
def test_variations_are_taken_up_to_a_gap_or_a_twin(third: str) -> None:
    evaluation = of(LINE, SECOND, third)
    assert evaluation
    assert [each.multipv for each in evaluation.lines] == [1, 2]


def test_client_gets_the_number_of_lines_and_their_origin() -> None:
    evaluation = of(LINE, SECOND)
    assert evaluation
    notice, *lines = evaluation.for_client("2026-11-22").decode().splitlines()
    assert Notice.parse(notice) == Notice(
        Code.CACHED, "2 lines follow, of a search of 2026-11-22: depth 19, 5000 nodes, 0.7 s"
    )
    assert lines == [
        "info depth 20 seldepth 28 multipv 1 score cp 31 nodes 0 time 0 pv e2e4 e7e5",
        "info depth 19 multipv 2 score cp 20 nodes 0 time 0 pv d2d4",
    ]
    assert b": 1 line follows, " in evaluation.cut(1).for_client("2026-11-22")


def test_lines_that_come_late_have_the_nodes_and_the_time_of_the_search() -> None:
    """Row 180."""
    evaluation = of(LINE, SECOND)
    assert evaluation
    told = evaluation.for_client("2026-11-22")
    said = b"info depth 3 score cp 3 nodes 70 time 8 pv a2a3\n"
    said += b"info depth 2 score cp 1 nodes 60 time 7 pv a2a3\n"
    notice, *lines = PositionEvaluation.for_client_later(told, said).decode().splitlines()
    assert "5000 nodes, 0.7 s" in notice
    assert [line.partition(" nodes ")[2][:12] for line in lines] == ["70 time 8 pv"] * 2
    assert PositionEvaluation.for_client_later(told, b"") == told


def test_best_has_all_variations_and_then_the_largest_depth() -> None:
    one = of(LINE.replace("depth 20", "depth 40"))
    two = of(LINE, SECOND)
    assert one
    assert two
    assert choose_evaluation([one, two], 1) == one
    assert choose_evaluation([one, two], 2) == two
    assert choose_evaluation([one, two], 5) == two
    assert choose_evaluation([two], 1) == two.cut(1)
    assert choose_evaluation([], 1) is None


def test_engines_may_count_from_0() -> None:
    assert kept(LINE.replace("pv 1", "pv 0"), SECOND.replace("pv 2", "pv 1")) == kept(LINE, SECOND)


MOVES = st.lists(st.sampled_from(["e2e4", "e7e5", "a7a8q", "e1h1"]), min_size=1)
SCORES = st.one_of(
    st.integers(-30000, 30000).map(lambda cp: Score(cp=cp)),
    st.integers(-99, 99).map(lambda mate: Score(mate=mate)),
)


@given(
    st.lists(
        st.builds(
            lambda **fields: Info(**fields),
            depth=st.integers(1, 245),
            seldepth=st.none() | st.integers(1, 300),
            score=SCORES,
            nodes=st.none() | st.integers(0, 2**60),
            time=st.none() | st.integers(0, 2**40),
            pv=MOVES.map(tuple),
        ),
        min_size=1,
    ),
    st.integers(0, 2**33),
)
def test_what_is_written_is_read(lines: list[Info], stored: int) -> None:
    numbered = tuple(line._replace(multipv=n) for n, line in enumerate(lines, start=1))
    evaluation = PositionEvaluation(numbered, stored)
    assert PositionEvaluation.parse(str(evaluation), stored) == evaluation


@given(st.text())
def test_any_text_is_borne(text: str) -> None:
    read = PositionEvaluation.parse(text, 0)
    assert read is None or all(parse_reply(str(each)) == each for each in read.lines)


@given(st.binary())
def test_any_bytes_of_an_engine_are_borne(said: bytes) -> None:
    assert PositionEvaluation.of_search(said, START) is None
