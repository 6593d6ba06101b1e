"""Items of jobs: what is searched, and what is answered at once."""

import json

import chess
import pytest
from helpers.jobbing import new_job

from rookery_analysis.analysed_game import PositionAnalysis
from rookery_analysis.evaluation import PositionEvaluation
from rookery_analysis.pgn_splitter import GameText, Mark
from rookery_server.access.account import LOCAL
from rookery_server.jobs.job_items import PendingPositions, game_input, read_items
from rookery_server.jobs.stored_job import GAMES, POSITIONS, Claim, JobStage, StoredJob

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
BLACK = "4k3/8/8/8/8/8/8/4K2R b K - 0 1"


def job(kind: str = POSITIONS) -> StoredJob:
    new = new_job()
    return StoredJob(
        1, "a" * 32, LOCAL, None, "", kind, new.engine, new.settings, 0, JobStage.ACTIVE, None,
        total=9, size=0, claimed=0, done=0, failed=0, positions=0, nodes=0, spent=0, created=0,
        finished=None, expires=None,
    )  # fmt: skip


def claim_of(*items: object) -> Claim:
    return Claim(1, 1, tuple((n, json.dumps(item)) for n, item in enumerate(items)))


def search_result(fen: str, said: str) -> PositionAnalysis:
    evaluation = PositionEvaluation.of_search(said.encode(), chess.Board(fen))
    assert evaluation
    return PositionAnalysis(evaluation, evaluation.lines[0].pv[0], "e1e2")


@pytest.mark.parametrize(("item", "detail"), [
    ({"fen": "rubbish"}, "a board needs 8 ranks"),
    ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "king"),
    ({"moves": ["e2e4", "e2e4"]}, "move 2 (e2e4) is not legal"),
    ({"moves": ["Ke5"]}, "move 1 (Ke5) is not legal"),
    ({"fen": CHESS960}, "'HFhf' are of Chess960: set `variant` to `chess960`"),
    ({"variant": "checkers"}, "there is no variant 'checkers'; there are: standard, chess960"),
])  # fmt: skip
def test_position_that_cannot_be_is_answered_at_once(item: object, detail: str) -> None:
    items = read_items(job(), claim_of(item))
    assert items.positions == ()
    (answer,) = items.answers
    document = json.loads(answer.text)
    assert answer.is_error
    assert (document["index"], document["error"]["code"]) == (0, "illegal-position")
    assert detail in document["error"]["detail"]


def test_moves_may_be_san() -> None:
    items = read_items(job(), claim_of({"moves": ["e4", "e7e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]}))
    (pending,) = items.positions
    assert str(pending.positions()[0]).endswith("f1b5 a7a6 e1g1")


def test_positions_of_other_rules_are_searched_apart() -> None:
    items = read_items(
        job(), claim_of({}, {"fen": BLACK}, {"variant": "chess960"}, {"variant": "atomic"}, {})
    )
    rules = [(each.chess960, each.variant, len(each.items)) for each in items.positions]
    assert rules == [
        (False, "chess", 2), (True, "chess", 1), (False, "atomic", 1), (False, "chess", 1),
    ]  # fmt: skip


def test_fen_that_was_mended_has_a_notice() -> None:
    (pending,) = read_items(
        job(), claim_of({"fen": f"{MATED.split()[0]} w KQkq - 1 3 bm"})
    ).positions
    (answer,) = answers(pending)
    assert answer["analysis"] == {
        "fen": MATED, "engine": "E", "final": True, "outcome": "checkmate",
        "notices": ["position-mended: 'bm' behind the FEN is left out"],
    }  # fmt: skip


def answers(pending: PendingPositions) -> list[dict[str, object]]:
    return [json.loads(each.text) for each in pending.answers(set(), "E")]


def test_scores_are_those_of_white() -> None:
    (pending,) = read_items(job(), claim_of({"fen": BLACK, "id": "x"})).positions
    assert answers(pending) == []
    said = "info depth 9 seldepth 12 score cp 30 wdl 500 300 200 nodes 77 time 5 pv e8e7 e1e2\n"
    pending.found[0] = search_result(BLACK, said)
    (answer,) = answers(pending)
    assert answer == {
        "index": 0,
        "id": "x",
        "analysis": {
            "fen": BLACK, "engine": "E", "final": True, "best": "e8e7", "ponder": "e1e2",
            "depth": 9, "nodes": 77, "time": 5,
            "lines": [{
                "cp": -30, "wdl": [200, 300, 500], "depth": 9, "seldepth": 12, "nodes": 77,
                "pv": ["e8e7", "e1e2"],
            }],
        },
    }  # fmt: skip


def test_mates_are_those_of_white() -> None:
    (pending,) = read_items(job(), claim_of({"fen": BLACK})).positions
    pending.found[0] = search_result(BLACK, "info depth 9 score mate -3 pv e8e7\n")
    assert '"mate":3' in pending.answers(set(), "E")[0].text


def test_game_that_is_over_has_an_outcome_and_no_search() -> None:
    (pending,) = read_items(job(), claim_of({"fen": MATED})).positions
    assert pending.is_over(0)
    (answer,) = answers(pending)
    assert answer["analysis"] == {
        "fen": MATED, "engine": "E", "final": True, "outcome": "checkmate",
    }  # fmt: skip


def test_position_that_kills_engines_is_answered_with_the_reason() -> None:
    (pending,) = read_items(job(), claim_of({}, {"fen": BLACK})).positions
    pending.add_failure(1, "it hangs")
    assert answers(pending) == []
    pending.add_failure(1, "it is dead")
    (answer,) = answers(pending)
    assert answer == {"index": 1, "error": {"code": "engine-failed", "detail": "it is dead"}}


def test_answers_are_told_once() -> None:
    (pending,) = read_items(job(), claim_of({"fen": MATED}, {"fen": MATED})).positions
    assert [each.number for each in pending.answers({0}, "E")] == [1]


def game(text: str, line: int = 1) -> object:
    return json.loads(game_input(GameText(text, line, Mark())))


def test_game_that_cannot_be_analysed_is_answered_at_once() -> None:
    items = read_items(job(GAMES), claim_of(game('[FEN "x"]\n\n1. e4 *', 7), game("1. e4 e5 *")))
    assert [each.number for each in items.games] == [1]
    (answer,) = items.answers
    error = json.loads(answer.text)["error"]
    assert error["code"] == "illegal-position"
    assert error["detail"].startswith("line 7: ")
    assert answer.annotated is not None
    assert '[UnreadableFEN "x"]' in answer.annotated
    assert f"{{ [analysis] {error['detail']}" in " ".join(answer.annotated.split())
