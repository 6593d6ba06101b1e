"""The end of games: by the rules of chess, by agreement, or by a player's fault."""

import sys
import time
from contextlib import ExitStack
from pathlib import Path

import chess
import pytest
from bench.ladder.__main__ import match
from bench.match import player, uci
from bench.match.game import End, MatchGame, Rules, play
from bench.match.opening import openings
from bench.match.player import Limit, MoveRequest, PlayerError, PlayerSpec, open_player
from bench.match.uci import read_answer

from rookery_uci import Limits, Position
from rookery_uci.uci_client import UciClient

SCRIPTED = Path(__file__).parents[1] / "data" / "scripted_engine.py"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
NODES = Limit.parse("nodes 1")
MUTE = """
import sys
for line in sys.stdin:
    if line.startswith("protover"):
        print("feature ping=1 setboard=1 usermove=1 done=1", flush=True)
    elif line.startswith("ping"):
        print("pong", line.split()[1], flush=True)
"""


def scripted(*steps: str, name: str = "") -> PlayerSpec:
    return PlayerSpec(name, (sys.executable, str(SCRIPTED), *steps))


def played(white: list[str], black: list[str], opening: str = START, **how: object) -> MatchGame:
    """Return the game of two scripts."""
    limit = how.pop("limit", NODES)
    assert isinstance(limit, Limit)
    with ExitStack() as stack:
        players = [stack.enter_context(open_player(scripted(*steps))) for steps in (white, black)]
        return play(players[0], players[1], opening, limit, **how)  # type: ignore[arg-type]


def test_mate() -> None:
    game = played(["f2f3", "g2g4"], ["e7e5", "d8h4"])
    assert (game.points, game.end, len(game.answers)) == (0.0, End.MATE, 4)


def test_stalemate() -> None:
    game = played(["g5g6"], ["first"], "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1")
    assert (game.points, game.end) == (0.5, End.STALEMATE)


def test_insufficient_material() -> None:
    game = played(["e4d5"], ["first"], "7k/8/8/3p4/4K3/8/8/8 w - - 0 1")
    assert (game.points, game.end) == (0.5, End.MATERIAL)


def test_third_repetition_counts_from_the_opening() -> None:
    game = played(["g1f3", "f3g1"] * 4, ["g8f6", "f6g8"] * 4)
    assert (game.points, game.end, len(game.answers)) == (0.5, End.REPETITION, 8)


def test_fifty_moves_count_from_the_opening() -> None:
    opening = "7k/8/8/8/8/8/R7/K7 w - - 96 80"
    game = played(["a2b2", "b2c2"], ["h8h7", "h7h6"], opening)
    assert (game.points, game.end, len(game.answers)) == (0.5, End.FIFTY, 4)


def test_mate_comes_before_the_fifty_moves() -> None:
    game = played(["a2a8"], ["first"], "7k/8/6K1/8/8/8/R7/8 w - - 99 80")
    assert (game.points, game.end) == (1.0, End.MATE)


def test_a_game_that_never_ends_is_drawn() -> None:
    game = played(["a2a3", "b2b3"], ["a7a6", "b7b6"], most_plies=4)
    assert (game.points, game.end) == (0.5, End.LENGTH)


def test_adjudication_needs_rules() -> None:
    white, black = ["g1f3=1200", "f3g1=1200"], ["g8f6=-1200", "f6g8=-1200"]
    assert played(white * 3, black * 3).end is End.REPETITION
    game = played(white * 3, black * 3, rules=Rules())
    assert (game.points, game.end, len(game.answers)) == (1.0, End.ADJUDICATED, 6)


def test_an_illegal_move_loses() -> None:
    game = played(["e2e4", "illegal"], ["first"])
    assert (game.points, game.end) == (0.0, End.ILLEGAL)
    assert "a1a1" in game.detail


def test_a_null_move_is_none() -> None:
    game = played(["e2e4", "0000"], ["first"])
    assert (game.points, game.end) == (0.0, End.ILLEGAL)
    assert "0000" in game.detail


@pytest.mark.parametrize(("limit", "seconds"), [
    ("nodes 5000", 20.5),
    ("movetime 30000", 50.0),
    ("depth 20", 600.0),
    ("10+0.1", 22.0),
])  # fmt: skip
def test_a_player_has_its_time_and_some_patience(limit: str, seconds: float) -> None:
    request = MoveRequest(chess.Board(), Limit.parse(limit), white=2000.0)
    assert request.seconds == seconds


def test_faults_on_the_ladder_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with open_player(scripted("illegal")) as one, open_player(scripted("first")) as two:
        tally = match(one, two, openings(None, seed=1), games=2, limit=NODES)
    assert (tally.wins, tally.losses) == (0, 2)
    assert capsys.readouterr().out.count("illegal move: ") == 2


def test_xboard_engine_that_hangs_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "PATIENCE", 1.0)
    spec = PlayerSpec("mute", (sys.executable, "-c", MUTE), protocol="xboard")
    with open_player(scripted("first")) as one, open_player(spec) as two:
        game = play(one, two, START, Limit.parse("0.5+0"))
    assert (game.points, game.end) == (1.0, End.HANG)


def test_a_crash_loses_one_game_and_the_next_begins_anew() -> None:
    with open_player(scripted("e2e4", "crash")) as one, open_player(scripted("first")) as two:
        for _ in range(2):
            game = play(one, two, START, NODES)
            assert (game.points, game.end, len(game.answers)) == (0.0, End.CRASH, 2)
            assert "status 3" in game.detail
            assert play(two, one, START, NODES, most_plies=1).end is End.LENGTH


def test_a_hang_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "PATIENCE", 1.0)
    game = played(["first"], ["silent"])
    assert (game.points, game.end) == (1.0, End.HANG)


def test_player_that_hangs_is_restarted_for_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "PATIENCE", 1.0)
    started = time.monotonic()
    with open_player(scripted("late:60000")) as one, open_player(scripted("first")) as two:
        assert play(one, two, START, NODES).end is End.HANG
        assert play(two, one, START, NODES, most_plies=1).end is End.LENGTH
    assert time.monotonic() - started < uci.START


def test_overstepping_the_clock_by_more_than_the_margin_loses() -> None:
    limit = Limit.parse("0.1+0")
    game = played(["late:250"], ["first"], limit=limit, margin=50.0)
    assert (game.points, game.end) == (0.0, End.TIME)
    assert game.clocks[0] <= -150
    late = played(["late:130"], ["illegal"], limit=limit, margin=5000.0)
    assert late.end is End.ILLEGAL  # Black's fault; White's lateness is within the margin


def test_clocks_get_their_increment_after_the_move() -> None:
    game = played(["late:60"], ["first"], limit=Limit.parse("10+5"), most_plies=3)
    assert game.clocks[0] <= 9940
    assert game.clocks[0] + 2000 < game.clocks[2] <= game.clocks[0] + 4940


def test_an_option_that_does_not_exist_is_refused() -> None:
    spec = PlayerSpec("", (sys.executable, str(SCRIPTED)), (("Threads", "2"),))
    with pytest.raises(PlayerError, match="Scripted has no option 'Threads'"):
        open_player(spec)


def test_a_value_that_an_option_cannot_have_is_refused() -> None:
    spec = PlayerSpec("", (sys.executable, str(SCRIPTED)), (("Hash", "0"),))
    with pytest.raises(PlayerError, match="Hash"):
        open_player(spec)


def test_a_program_that_does_not_exist_is_refused() -> None:
    with pytest.raises(PlayerError, match="cannot start"):
        open_player(PlayerSpec("", ("/nowhere/engine",)))


def test_castling_in_chess960_is_king_takes_rook() -> None:
    opening = "1k6/8/8/8/8/8/8/RK5R w KQ - 0 1"
    game = played(["b1h1"], ["first"], opening, chess960=True, most_plies=1)
    assert (game.end, game.answers[0].move) == (End.LENGTH, "b1h1")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([b"info depth 5 score cp -30 nodes 9 nps 7 pv e2e4 e7e5"], (-30, 5, 9, 7)),
        ([b"info depth 5 score mate 3 nodes 9"], (31997, 5, 9, None)),
        ([b"info depth 5 score mate -3 nodes 9"], (-31997, 5, 9, None)),
        (
            [b"info depth 5 multipv 1 score cp 8 pv a2a3", b"info depth 5 multipv 2 score cp 1"],
            (8, 5, None, None),
        ),
        ([b"info depth 4 score cp 8 lowerbound", b"info string score cp"], (8, 4, None, None)),
        ([b"info depth 4 currmove e2e4"], (None, None, None, None)),
    ],
)
def test_the_last_info_of_the_first_variation_is_read(
    lines: list[bytes], expected: tuple[int | None, ...]
) -> None:
    client = UciClient()
    search = client.search(Position(), Limits(nodes=1))
    client.receive(b"\n".join([*lines, b"bestmove e2e4 ponder e7e5\n"]))
    answer = read_answer(search, 0.1)
    assert answer.move == "e2e4"
    assert (answer.score, answer.depth, answer.nodes, answer.nps) == expected


@pytest.mark.parametrize("text", ["10+0.1", "1+0", "0.5+0.02", "nodes 3000", "depth 8"])
def test_limit_prints_itself(text: str) -> None:
    assert str(Limit.parse(text)) == text


@pytest.mark.parametrize("text", ["", "x", "0+1", "-1+0", "nodes", "nodes x", "nodes 0", "nan"])
def test_wrong_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a limit is"):
        Limit.parse(text)
