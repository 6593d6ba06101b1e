"""Threats, practice, clocks, whole lines, comments and ratings."""

import re
from collections.abc import Callable

import pytest
from helpers.browsing import Site, analyse_in_tab, drag, paste, searching
from playwright.sync_api import Page, expect

BLUNDERS = """[White "Ann"]
[Black "Bob"]

1. e4 e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. f3 Nc6 5. Qg3 O-O 6. Qxg7+ Kxg7 *
"""
JUDGED = """{ [%eval 0.30,12] } 1. f3 $6 { [%eval -0.60,12] } 1... e5 { [%eval -0.60,12] }
2. g4 $4 { [%eval #-1,12] } 2... Qh4# 0-1
"""
CLOCKS = """[White "Ann"]
[Black "Bob"]

1. e4 {[%clk 0:05:00]} e5 {[%clk 0:04:58]} 2. Nf3 {[%eval 0.2] [%clk 0:04:51]} *
"""


@pytest.fixture
def board(endless_board: Page) -> Page:
    """Return the page while its engine searches."""
    return endless_board


def analysed(page: Page, game: str) -> None:
    paste(page, game)
    analyse_in_tab(page)
    expect(page.get_by_role("button", name="Analyse again")).to_be_visible()


def test_threat_is_the_best_move_of_the_other_side(board: Page) -> None:
    paste(board, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
    searching(board)
    board.get_by_role("button", name="Show threat").click()
    expect(board.get_by_test_id("status")).to_contain_text("threat: depth")
    first = board.locator(".line").first
    expect(first.locator(".score")).to_contain_text("#1")
    expect(first.locator(".pv-move").first).to_have_text("4.Qxf7#")
    expect(board.get_by_test_id("headline")).not_to_contain_text("#1")
    first.locator(".pv-move").first.click()
    expect(board.locator(".mainline > button.move")).to_have_count(0)
    board.keyboard.press("x")
    expect(first.locator(".number").first).to_have_text("3\u2026")
    board.keyboard.press("x")
    drag(board, "g7", "g6")
    expect(first.locator(".number").first).to_have_text("4.")
    expect(board.get_by_test_id("status")).not_to_contain_text("threat")


def test_no_threat_is_shown_in_check(board: Page) -> None:
    paste(board, "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1")
    searching(board)
    board.keyboard.press("x")
    expect(board.locator(".toast")).to_contain_text("The king is in check")
    searching(board)


def test_mistakes_are_practised(board: Page) -> None:
    analysed(board, BLUNDERS)
    board.locator(".summary").first.get_by_role("button", name="Practise").click()
    practice = board.get_by_role("region", name="Practice")
    said = board.get_by_test_id("practice")
    expect(said).to_contain_text("Find a better move for White")
    expect(board.locator(".moves")).to_have_count(0)  # nothing gives the answer away
    expect(board.locator(".line")).to_have_count(0)
    while "Qxg7+" not in said.inner_text():
        practice.get_by_role("button", name="Skip").click()
    drag(board, "g3", "g7")
    expect(said).to_have_text("Qxg7+ is not good enough: Black answers 6\u2026\u00a0Kxg7.")
    practice.get_by_role("button", name="Try again").click()
    drag(board, "g3", "g5")  # gives the queen away, too: the engine has to look
    expect(said).to_contain_text("Qg5 is not good enough: Black answers 6\u2026")
    practice.get_by_role("button", name="Try again").click()
    practice.get_by_role("button", name="Show the move").click()
    expect(said).to_contain_text("The engine prefers")
    practice.get_by_role("button", name="Done").click()
    searching(board)
    board.reload()
    expect(board.locator(".moves")).not_to_contain_text("Qg5")
    board.locator(".summary").first.get_by_role("button", name="Practise").click()
    expect(said).to_contain_text("Find a better move for White")


def test_equally_good_move_is_accepted(board: Page) -> None:
    # Both rooks mate: the analysis prefers one, and the other is as good.
    analysed(board, '[FEN "6k1/5ppp/7q/8/8/8/5PPP/R2R2K1 w - - 0 1"]\n\n1. h3 g6 *')
    expect(board.locator(".missed").first).to_contain_text("It was mate: R")
    board.locator(".summary").first.get_by_role("button", name="Practise").click()
    said = board.get_by_test_id("practice")
    expect(said).to_contain_text("1. h3 was a blunder")
    for rook, mate in (("d1", "d8"), ("a1", "a8")):
        drag(board, rook, mate)
        expect(said).to_have_text(f"R{mate}# is good.")
        expect(board.get_by_role("region", name="Practice")).to_contain_text("1 found so far")
        board.get_by_role("button", name="Done").click()
        board.locator(".summary").first.get_by_role("button", name="Practise").click()


@pytest.mark.parametrize("size", [(1280, 800), (1280, 600), (820, 1180), (390, 844)], ids=str)
def test_message_does_not_cover_the_report(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(site.url, viewport=viewport)
    searching(page)
    paste(page, JUDGED)
    expect(page.locator(".summary")).to_have_count(2)
    page.locator(".report").scroll_into_view_if_needed()
    paste(page, "no game at all")
    message = page.locator(".toast").bounding_box()
    assert message
    for part in (".report", ".controls", ".engine"):
        box = page.locator(part).bounding_box()
        assert box
        is_above = message["y"] + message["height"] <= box["y"]
        assert is_above or box["y"] + box["height"] <= message["y"], part
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".toast")).to_have_count(0)


def test_analysis_searches_a_first_position_again_that_was_just_searched(board: Page) -> None:
    paste(board, "1. e4 e5 2. Nf3 *")
    board.get_by_role("button", name="Engine options").click()
    board.get_by_role("slider", name="Lines").fill("1")
    board.get_by_label("Search until").select_option("seconds")
    board.get_by_label("Limit", exact=True).fill("0.3")
    board.get_by_label("Limit", exact=True).press("Tab")
    board.keyboard.press("Escape")
    expect(board.get_by_test_id("status")).to_contain_text("done")
    analyse_in_tab(board)
    expect(board.locator(".summary")).to_have_count(2)


@pytest.mark.parametrize("key", ["End", "ArrowLeft"])
def test_clocks_of_a_game_are_shown_at_each_move(board: Page, key: str) -> None:
    paste(board, CLOCKS)
    expect(board.get_by_test_id("noted-white")).to_have_count(0)
    board.keyboard.press("End")
    if key != "End":
        board.keyboard.press(key)
    white, black = ("4:51", "4:58") if key == "End" else ("5:00", "4:58")
    expect(board.get_by_test_id("noted-white")).to_have_text(white)
    expect(board.get_by_test_id("noted-black")).to_have_text(black)


def test_line_is_expanded_and_collapsed(board: Page) -> None:
    board.get_by_role("switch", name="Engine").click()  # so that the line stays as it is
    line = board.locator(".line").first
    folded = line.bounding_box()
    line.get_by_role("button", name="Expand line").click()
    open_ = line.bounding_box()
    assert folded
    assert open_
    assert open_["height"] >= folded["height"]
    line.get_by_role("button", name="Collapse line").click()
    assert line.bounding_box() == folded


def test_move_is_commented_and_rated(board: Page) -> None:
    paste(board, CLOCKS)
    board.keyboard.press("ArrowRight")
    board.keyboard.press("c")
    window = board.get_by_role("dialog", name="Comment on 1. e4")
    window.get_by_label("Comment").fill("<b>mine</b>")
    window.get_by_label("interesting").click()
    window.get_by_role("button", name="Save").click()
    expect(board.locator(".comment")).to_have_text("<b>mine</b>")
    expect(board.locator(".move[aria-current]")).to_have_text("e4!?")
    expect(board.get_by_test_id("noted-white")).to_have_text("5:00")
    board.get_by_role("button", name="Share or save").click()
    expect(board.get_by_label("PGN")).to_have_value(re.compile(r"1\. e4 \$5 \{ <b>mine</b>"))
    board.keyboard.press("Escape")
    board.get_by_role("button", name="Comment on this move").click()
    window.get_by_label("Comment").fill("")
    window.get_by_label("interesting").click()
    window.get_by_role("button", name="Save").click()
    expect(board.locator(".comment")).to_have_count(0)
    expect(board.locator(".move[aria-current]")).to_have_text("e4")


def test_comment_field_has_focus_and_is_saved_however_it_is_closed(board: Page) -> None:
    paste(board, CLOCKS)
    board.keyboard.press("ArrowRight")
    board.keyboard.press("c")
    expect(
        board.get_by_role("dialog", name="Comment on 1. e4").get_by_label("Comment")
    ).to_be_focused()
    board.keyboard.type("a long thought")
    board.evaluate("window.late = document.querySelector('dialog')")
    board.mouse.click(5, 5)  # beside the window
    expect(board.get_by_role("dialog")).to_have_count(0)
    expect(board.locator(".comment")).to_have_text("a long thought")
    board.keyboard.press("Control+z")
    expect(board.locator(".comment")).to_have_count(0)
    board.evaluate("late.dispatchEvent(new Event('close'))")  # A busy browser says so this late.
    expect(board.locator(".comment")).to_have_count(0)
    expect(board.get_by_test_id("noted-white")).to_have_text("5:00")
