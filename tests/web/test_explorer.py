"""The opening explorer."""

from helpers.browsing import expect_moves, paste
from playwright.sync_api import Page, expect

GAMES = """[White "Ann"]
[Black "<b>Bob</b>"]
[Result "1-0"]

1. d4 d5 2. c4 e6 1-0

[White "Cid"]
[Black "Dan"]
[Result "0-1"]

1. d4 Nf6 2. c4 0-1

[White "Eve"]
[Black "Fay"]
[Result "1/2-1/2"]

1. c4 d5 2. d4 c6 1/2-1/2
"""


def rows(page: Page) -> list[str]:
    """Return each move of the explorer with the number of its games."""
    cells = page.get_by_test_id("book").locator("tbody tr").all()
    return [" ".join(each.locator("td").all_inner_texts()[:2]) for each in cells]


def test_moves_of_the_games_are_counted_and_played(board: Page) -> None:
    paste(board, GAMES)
    board.keyboard.press("b")
    book = board.get_by_test_id("book")
    expect(book).to_contain_text("3 games in the file")
    assert rows(board) == ["d4 2", "c4 1"]
    ends = book.get_by_role("img", name="White won 50 %, draw 0 %, Black won 50 %")
    expect(ends).to_be_visible()
    for move in ("c4", "d5", "d4"):  # of the third game, but the position is in the first, too
        book.get_by_role("button", name=move, exact=True).click()
    expect(board.locator(".move[aria-current]")).to_have_text("d4")
    assert rows(board) == ["e6 1", "c6 1"]
    book.get_by_text("Games with this position: 2").click()
    book.get_by_role("button", name="Ann \u2013 <b>Bob</b>").click()
    expect(board.get_by_text("Ann \u2013 <b>Bob</b>").first).to_be_visible()
    expect_moves(board, ["d4", "d5", "c4", "e6"])
    board.keyboard.press("End")
    expect(book).to_contain_text("None of them continues from this position.")
    board.get_by_role("button", name="Opening explorer (b)").click()
    expect(book).to_have_count(0)


def test_explorer_without_games_explains_itself(board: Page) -> None:
    board.get_by_role("button", name="Opening explorer (b)").click()
    expect(board.get_by_test_id("book")).to_contain_text("No games yet.")
