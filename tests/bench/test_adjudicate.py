"""The adjudication of games on which both players agree."""

from bench.match.game import Adjudicator, Rules


def points(
    scores: list[int | None], *, first_move: int = 1, rules: Rules | None = None
) -> list[float | None]:
    """Return the points after each score; White's is first, each is the mover's."""
    referee = Adjudicator(rules or Rules())
    return [
        referee.add_score(score, first_move + ply // 2, white=ply % 2 == 0)
        for ply, score in enumerate(scores)
    ]


def test_game_is_won_when_both_report_it_for_three_moves() -> None:
    assert points([1000, -1000] * 3) == [None] * 5 + [1.0]
    assert points([-1500, 1200] * 3) == [None] * 5 + [0.0]


def test_game_goes_on_if_one_player_disagrees() -> None:
    assert points([2000, -999] * 10) == [None] * 20
    assert points([1000, 1000] * 10) == [None] * 20  # both think that they win
    assert points([1000, -1000, 1000, -1000, 1000, None, 1000, -1000]) == [None] * 8


def test_game_is_drawn_after_move_40_when_both_scores_are_small_for_eight_moves() -> None:
    assert points([8, -8] * 8, first_move=41) == [None] * 15 + [0.5]
    assert points([0, 0] * 40)[: 2 * 47] == [None] * 80
    assert points([0, 0] * 50).index(0.5) == 2 * 48 - 1  # moves 41 to 48
    assert points([8, -9] * 20, first_move=41) == [None] * 40


def test_rules_can_be_switched_off() -> None:
    off = Rules(win_moves=0, draw_moves=0)
    assert points([3000, -3000] * 9, rules=off) == [None] * 18
    assert points([0, 0] * 60, rules=off) == [None] * 120
