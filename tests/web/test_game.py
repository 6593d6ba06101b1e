"""The game on the board as a whole: its names and result, time and material."""

import re

import pytest
from helpers.browsing import click, paste, violations
from playwright.sync_api import Page, expect

MATED = "1. f3 e5 2. g4"
TIMED = """[TimeControl "300"]

1. e4 {[%clk 0:04:50]} d5 {[%clk 0:04:58]} 2. exd5 {[%clk 0:04:10]} Nf6 {[%clk 0:00:09]}"""


def test_names_and_result_of_a_game_are_edited(board: Page) -> None:
    paste(board, MATED)
    board.get_by_role("button", name="White", exact=True).click()
    window = board.get_by_role("dialog", name="Game")
    window.get_by_label("White", exact=True).fill("Ann Ödegård")
    window.get_by_label("Rating of White").fill("strong")
    window.get_by_label("Date").fill("26.11.2026")
    window.get_by_role("button", name="Save").click()
    expect(window.get_by_role("alert")).to_have_text("a rating is a number like 1850")
    window.get_by_label("Rating of White").fill("1850")
    window.get_by_role("button", name="Save").click()
    expect(window).to_be_hidden()
    expect(board.locator(".player.bottom")).to_contain_text("Ann Ödegård1850")
    expect(board.locator(".game-title")).to_contain_text("2026.11.26")

    board.get_by_role("button", name="Share or save").click()
    board.get_by_label("How did the game end?").select_option("0-1")
    text = board.get_by_label("PGN")
    assert '[White "Ann Ödegård"]' in text.input_value()
    assert text.input_value().strip().endswith("0-1")
    board.keyboard.press("Escape")
    board.reload()
    expect(board.locator(".game-title")).to_contain_text("2026.11.26, 0-1")


def test_a_new_game_is_begun_and_undone_and_mate_ends_it(board: Page) -> None:
    paste(board, MATED)
    board.get_by_role("button", name="Start a new game").click()
    expect(board.locator(".mainline .move")).to_have_count(0)
    board.keyboard.press("Control+z")
    expect(board.locator(".mainline .move[data-node]")).to_have_count(3)
    board.keyboard.press("End")
    click(board, "d8", "h4")
    expect(board.locator(".result")).to_have_text("0\N{EN DASH}1")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_window_of_a_game_is_accessible(board: Page, width: int) -> None:
    board.set_viewport_size({"width": width, "height": 844})
    board.get_by_role("button", name="White", exact=True).click()
    expect(board.get_by_role("dialog", name="Game")).to_be_visible()
    assert violations(board) == []


def test_a_file_without_games_is_named_for_what_it_is(board: Page) -> None:
    for name, content, words in [
        ("photo.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "is a picture"),
        ("empty.pgn", [], "is empty"),
    ]:
        board.evaluate(
            """([name, bytes]) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
                document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true}));
            }""",
            [name, content],
        )
        expect(board.locator(".toast").last).to_contain_text(f"“{name}” {words}")


def test_set_up_without_a_change_keeps_the_game(board: Page) -> None:
    paste(board, MATED)
    board.get_by_role("button", name="Set up a position").click()
    board.get_by_role("button", name="Analyse", exact=True).click()
    expect(board.locator(".mainline .move[data-node]")).to_have_count(3)


def test_time_and_material_are_shown(board: Page) -> None:
    paste(board, TIMED)
    graph = board.get_by_role("img", name="Time for each move.")
    in_all = "In all: White 50 s; Black 4:51, in time trouble from move 2."
    expect(graph).to_have_accessible_name(re.compile(re.escape(in_all)))
    box = graph.bounding_box()
    assert box
    graph.hover(position={"x": 0.9 * box["width"], "y": box["height"] / 2})
    expect(board.locator(".graph-label")).to_contain_text("2\N{HORIZONTAL ELLIPSIS} Nf6")
    graph.click(position={"x": 0.6 * box["width"], "y": box["height"] / 2})
    expect(board.locator(".move[aria-current]")).to_have_text("exd5")
    expect(board.locator(".player.bottom .material")).to_have_accessible_name(
        "a pawn more, 1 point ahead"
    )
    expect(board.locator(".player.top .material")).to_have_count(0)
    board.keyboard.press("ArrowLeft")
    expect(board.locator(".material")).to_have_count(0)
