"""Drawings, comments and judgements of a game, which PGN keeps."""

import re
from collections.abc import Callable

from helpers.browsing import Site, click, expect_moves, paste, searching, square
from playwright.sync_api import Page, expect

DRAWN = "1. e4 {the centre [%csl Rd5] [%cal Ge4d5]} e5 2. Nf3 *"
VARIED = "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *"
JUDGED = """[Result "0-1"]

{ [%eval 0.30,12] } 1. f3 $6 { [%eval -0.60,12] } ( 1. e4 { better } ) 1... e5 { [%eval -0.60,12] }
2. g4 $4 { [%eval #-1,12] } 2... Qh4# 0-1
"""


def expect_drawn(page: Page, *drawn: str) -> None:
    """Wait for exactly these drawings, in chessground's words, without the engine's arrows."""
    shapes = page.get_by_test_id("board").locator("svg.cg-shapes g[cgHash]")
    expect(shapes).to_have_count(len(drawn))
    for each in drawn:
        expect(page.locator(f"g[cgHash$='{each}']")).to_have_count(1)


def draw(page: Page, start: str, end: str) -> None:
    page.mouse.move(*square(page, start))
    page.mouse.down(button="right")
    page.mouse.move(*square(page, end), steps=4)
    expect(page.locator(f"g[cgHash*=',true,1,{start},{end}']")).to_have_count(1)
    page.mouse.up(button="right")


def pgn(page: Page) -> str:
    page.get_by_role("button", name="Share or save").click()
    written = page.get_by_label("PGN")
    expect(written).to_be_visible()  # before, Esc would do nothing
    text = written.input_value()
    page.keyboard.press("Escape")
    expect(written).to_be_hidden()  # until then, the window has the keys
    return text


def test_arrows_and_circles_stay_with_their_position_and_in_the_pgn(board: Page) -> None:
    paste(board, DRAWN)
    board.keyboard.press("a")
    expect_drawn(board)
    board.keyboard.press("ArrowRight")
    expect_drawn(board, ",d5,red", ",e4,d5,green")
    board.keyboard.press("ArrowRight")
    expect_drawn(board)
    draw(board, "g1", "f3")
    expect_drawn(board, ",g1,f3,green")
    written = pgn(board)
    assert "{ the centre [%csl Rd5] [%cal Ge4d5] } e5 { [%cal Gg1f3] } 2. Nf3" in written
    board.reload()
    expect_drawn(board, ",g1,f3,green")


def test_drawings_survive_a_move_and_can_be_undone(board: Page) -> None:
    paste(board, DRAWN)
    board.keyboard.press("a")
    board.keyboard.press("ArrowRight")
    click(board, "d7", "d6")
    expect_drawn(board)
    board.keyboard.press("ArrowLeft")
    expect_drawn(board, ",d5,red", ",e4,d5,green")
    click(board, "e3")  # A click on an empty square removes the drawings.
    expect_drawn(board)
    board.keyboard.press("Control+z")
    expect_drawn(board, ",d5,red", ",e4,d5,green")


def test_tap_beside_the_pieces_keeps_drawings(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(site.url, has_touch=True)
    searching(page)
    paste(page, DRAWN)
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    expect_drawn(page, ",d5,red", ",e4,d5,green")
    page.touchscreen.tap(*square(page, "e3"))
    expect_drawn(page)  # until one comes back
    assert "[%csl Rd5] [%cal Ge4d5]" in pgn(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect_drawn(page, ",d5,red", ",e4,d5,green")


def test_wheel_over_the_board_steps_through_the_game(board: Page) -> None:
    paste(board, DRAWN)
    board.mouse.move(*square(board, "e4"))
    current = board.locator(".move[aria-current]")
    for way, san in ((120, "e4"), (120, "e5"), (-120, "e4")):
        board.mouse.wheel(0, way)
        expect(current).to_contain_text(san)
    for _ in range(5):  # A touch pad says little at a time.
        board.mouse.wheel(0, 13)
    expect(current).to_contain_text("e5")


def test_wheel_scrolls_a_page_longer_than_the_window(board: Page) -> None:
    board.set_viewport_size({"width": 600, "height": 700})
    paste(board, DRAWN)
    board.mouse.move(*square(board, "e4"))
    board.mouse.wheel(0, 120)
    expect(board.get_by_test_id("board")).not_to_be_in_viewport(ratio=1)
    expect(board.locator(".move[aria-current]")).to_have_count(0)


def test_promotion_to_main_line_can_be_undone(board: Page) -> None:
    paste(board, VARIED)
    for undo in (
        lambda: board.keyboard.press("Control+z"),
        board.get_by_role("button", name="Undo").click,
    ):
        board.locator(".variation .move", has_text="c5").click()
        board.get_by_role("button", name="Make this the main line").click()
        expect(board.locator(".mainline > .move[aria-current]")).to_have_text("c5")
        expect_moves(board, ["e4", "c5", "Nf3"])
        undo()
        expect(board.locator(".variation .move[aria-current]")).to_have_text("c5")
        expect_moves(board, ["e4", "e5", "Nc3"])


def test_judged_game_is_read_back_with_graph_and_accuracy(board: Page) -> None:
    paste(board, JUDGED)
    report = board.get_by_role("region", name="Game analysis")
    expect(report.locator(".accuracy")).to_have_text([re.compile("%"), "100 % accuracy"])
    expect(report.get_by_role("button", name="1 blunder")).to_be_enabled()
    expect(report.locator(".dot")).to_have_count(2)
    edge = report.locator(".graph-white").get_attribute("d") or ""
    assert edge.count(",") == 6 + 1  # the start, four moves, and back to where it began
    assert "2... Qh4# 0-1" in pgn(board)


def test_graph_is_neutral_without_scores(board: Page) -> None:
    paste(board, "1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Nf3 Nc6 *")
    black, white = board.locator(".graph-black"), board.locator(".graph-white")
    expect(black).to_have_attribute("x", "150")
    expect(black).to_have_attribute("width", "150")
    expect(white).to_have_attribute("d", re.compile(r"^M150\.0,120 L150\.0,.* L300\.0,120 Z$"))


def test_step_buttons_work_while_a_message_is_shown(board: Page) -> None:
    paste(board, "1. e4 e5 *\n\n1. d4 d5 *")
    expect(board.locator(".toast")).to_contain_text("2 games")
    board.get_by_role("button", name="Next move").click()
    expect(board.locator(".move[aria-current]")).to_contain_text("e4")
    expect(board.locator(".toast")).to_have_count(1)


def test_null_move_is_stepped_through_and_analysed(searching_board: Page) -> None:
    paste(searching_board, "1. e4 e5 2. Qh5 { and } -- { threatens } 3. Qxf7+ *")
    for san in ("e4", "e5", "Qh5", "--"):
        searching_board.keyboard.press("ArrowRight")
        expect(searching_board.locator(".move[aria-current]")).to_contain_text(san)
    expect(searching_board.get_by_test_id("position")).to_contain_text("White to move")
    searching(searching_board)
    # The engine searches this position: its moves are White's.
    expect(searching_board.locator(".line").first).to_contain_text("3.")
    click(searching_board, "h5", "f7")
    expect(searching_board.locator(".move[aria-current]")).to_contain_text("Qxf7+")
    searching_board.reload()
    searching(searching_board)
    expect(searching_board.locator(".move[aria-current]")).to_contain_text("Qxf7+")
    assert "-- { threatens } 3. Qxf7+" in pgn(searching_board)
