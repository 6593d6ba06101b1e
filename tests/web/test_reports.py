"""Files that players have tried, on the page: what is beside the board and the moves."""

import re
from pathlib import Path

from helpers.browsing import paste
from playwright.sync_api import Page, expect

DATA = Path(__file__).parents[1] / "data"


def drop_file(page: Page, path: Path) -> None:
    """Drop a file on the page."""
    script = """([name, bytes]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], name));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer }));
    }"""
    page.evaluate(script, [path.name, list(path.read_bytes())])


def test_files_of_players_are_shown_as_they_meant(board: Page) -> None:
    """Check scores, times, drawings and the direction of the board, file after file."""
    paste(board, (DATA / "pgn/engine_match_cutechess.pgn").read_text())
    scores = board.locator(".move-score")
    expect(scores.nth(0)).to_have_text("book")
    expect(scores.nth(4)).to_have_text("+0.16")
    expect(scores.nth(4)).to_have_attribute("title", "depth 13, 0.07 s")
    expect(board.locator(".comment")).to_have_count(0)
    expect(board.get_by_test_id("coverage")).to_contain_text("Scores at 7 of 12 positions")
    expect(board.locator(".graph").first).to_be_visible()

    paste(board, (DATA / "page/single_eval.pgn").read_text())
    expect(board.get_by_test_id("coverage")).to_contain_text("no move is judged")
    expect(board.locator(".summary")).to_have_count(0)
    expect(board.get_by_role("button", name="Analyse the game")).to_be_visible()

    paste(board, (DATA / "pgn/clocks_without_names.pgn").read_text())
    board.keyboard.press("End")
    expect(board.get_by_test_id("noted-white")).to_have_text("9:50")
    expect(board.get_by_test_id("noted-black")).to_have_text("9:58")

    paste(board, (DATA / "page/chesscom_arrows.pgn").read_text())
    board.keyboard.press("ArrowRight")
    expect(board.get_by_test_id("noted-white")).to_have_text("1.7 s")

    paste(board, (DATA / "pgn/study_position_chapters.pgn").read_text())
    expect(board.get_by_test_id("board")).to_have_class(re.compile("orientation-black"))
    expect(board.locator(".toast").last).to_contain_text("3 games")

    paste(board, (DATA / "page/lichess_analysed_again.pgn").read_text())
    expect(board.get_by_role("button", name="Practise")).to_have_count(2)


def test_letters_of_an_old_file_can_be_chosen(board: Page) -> None:
    drop_file(board, DATA / "pgn/cp1251.pgn")
    name = board.locator(".player-name").first
    expect(name).to_have_text("Игрок Второй")
    expect(board.locator(".toast").last).to_contain_text("Cyrillic (Windows-1251)")
    board.get_by_role("button", name="Open a game or a position").click()
    choice = board.get_by_role("dialog").get_by_label("Letters of the file")
    expect(choice).to_have_value("windows-1251")
    choice.select_option("windows-1252")
    expect(name).not_to_have_text("Игрок Второй")
    choice.select_option("windows-1251")
    expect(name).to_have_text("Игрок Второй")
