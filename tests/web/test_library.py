"""The library: files of games that the browser keeps."""

from collections.abc import Callable
from pathlib import Path

from helpers.browsing import Site, expect_moves, searching
from playwright.sync_api import Locator, Page, expect

NAMES = ("Ann", "Bob", "Eve")
FIRST = ("e4", "d4", "c4")


def written(name: str, move: str) -> str:
    return f'[Event "Club"]\n[White "{name}"]\n[Result "1-0"]\n\n1. {move} e5 1-0\n'


FILE = "\n\n".join(map(written, NAMES, FIRST)).replace("\n", "\r\n")


def opened(page: Page) -> Locator:
    page.get_by_role("button", name="Open a game or a position").click()
    return page.get_by_role("dialog")


def choose_file(window: Locator, name: str, content: str) -> None:
    file = {"name": name, "mimeType": "application/x-chess-pgn", "buffer": content.encode()}
    window.get_by_label("File with games").set_input_files(file)


def downloaded(page: Page, window: Locator, name: str) -> bytes:
    with page.expect_download() as download:
        window.get_by_role("button", name=f"Download {name}").click()
    return Path(download.value.path()).read_bytes()


def test_file_is_kept_saved_and_had_again(board: Page) -> None:
    window = opened(board)
    choose_file(window, "club.pgn", FILE)
    kept = window.get_by_role("list", name="Files")
    expect(kept).to_contain_text("club.pgn 3 games")
    assert downloaded(board, window, "club.pgn") == FILE.encode()

    # The games of the file are listed after a reload, and a changed one is saved in its place.
    board.reload()
    window = opened(board)
    games = window.get_by_role("list", name="Games", exact=True).get_by_role("button")
    expect(games).to_have_count(3)
    games.nth(1).click()
    board.keyboard.press("End")
    board.keyboard.press("m")
    board.keyboard.type("Nf3")
    board.keyboard.press("Enter")
    expect_moves(board, ["d4", "e5", "Nf3"])
    window = opened(board)
    window.get_by_role("button", name="Save in club.pgn").click()
    expect(window.get_by_role("status")).to_contain_text("Saved in club.pgn")
    changed = downloaded(board, window, "club.pgn").decode()
    assert changed.count("\n") == changed.count("\r\n")
    assert changed.startswith(FILE[: FILE.index("\r\n\r\n\r\n")])
    assert "1. d4 e5 2. Nf3" in changed
    assert changed.endswith(FILE[-60:])

    # The state before is there, and so is a game by its names.
    window.get_by_text("Earlier versions").click()
    window.get_by_role("list", name="Earlier versions").get_by_role("button").first.click()
    expect_moves(board, ["d4", "e5"])
    window = opened(board)
    window.get_by_label("Search the library").fill("club eve")
    window.get_by_role("list", name="Games found").get_by_role("button").click()
    expect(window).to_have_count(0)
    expect_moves(board, ["c4", "e5"])


def test_files_are_moved_and_deleted_and_another_tab_sees_it(
    site: Site, open_page: Callable[..., Page]
) -> None:
    page = open_page(site.url)
    searching(page)
    window = opened(page)
    choose_file(window, "club.pgn", FILE)
    other = page.context.new_page()
    other.goto(site.url)
    seen = opened(other)
    expect(seen.get_by_role("list", name="Files")).to_contain_text("club.pgn")

    window.get_by_role("button", name="Rename or move club.pgn").click()
    window.get_by_label("Name; a slash makes a folder").fill("2026/club.pgn")
    window.get_by_role("button", name="Rename", exact=True).click()
    expect(seen.get_by_role("list", name="Files in 2026")).to_contain_text("club.pgn")
    window.get_by_role("button", name="Delete club.pgn").click()
    expect(seen.get_by_role("list", name="Files in 2026")).to_have_count(0)
    window.get_by_role("button", name="Undo", exact=True).click()
    expect(seen.get_by_role("list", name="Files in 2026")).to_contain_text("club.pgn")


def test_games_are_found_by_position_and_exported(board: Page) -> None:
    window = opened(board)
    choose_file(window, "club.pgn", FILE)
    expect(window.get_by_role("list", name="Files")).to_contain_text("club.pgn 3 games")
    board.reload()
    window = opened(board)
    window.get_by_label("Search the library").fill("Bob")
    window.get_by_role("list", name="Games found").get_by_role("button").click()
    expect_moves(board, ["d4", "e5"])

    # One click finds the games with the position on the board, one more downloads them.
    board.get_by_role("button", name="Opening explorer (b)").click()
    board.get_by_role("button", name="Find this position in the library").click()
    window = board.get_by_role("dialog")
    found = window.get_by_role("list", name="Games found").get_by_role("button")
    expect(found).to_have_count(3)
    expect(
        window.get_by_text("Games with the position on the board", exact=True)
    ).to_be_in_viewport()
    window.get_by_text("Search by position").click()
    window.get_by_label("Opening", exact=True).fill("english")
    window.get_by_role("button", name="Show 1 game").click()
    expect(found).to_have_count(1)
    expect(found).to_be_in_viewport()
    expect(window.get_by_label("Opening", exact=True)).to_be_hidden()
    with board.expect_download() as download:
        window.get_by_role("button", name="Download all that were found").click()
    exported = Path(download.value.path()).read_text()
    assert exported == written("Eve", "c4")
    found.click()
    expect_moves(board, ["c4", "e5"])


def test_large_file_is_read_beside_the_page(board: Page) -> None:
    board.evaluate(
        """() => {
            window.longest = 0;
            new PerformanceObserver((list) => {
                for (const { duration } of list.getEntries())
                    window.longest = Math.max(window.longest, duration);
            }).observe({ type: "longtask" });
        }"""
    )
    window = opened(board)
    choose_file(window, "large.pgn", "\n\n".join(written(f"Ann {n}", "e4") for n in range(20_000)))
    expect(window.get_by_text("Reading")).to_be_visible()
    expect(window.get_by_role("list", name="Files")).to_contain_text("large.pgn 20,000 games")
    window.get_by_label("Search games").fill("Ann 19999")
    expect(
        window.get_by_role("list", name="Games", exact=True).get_by_role("button")
    ).to_have_count(1)
    assert board.evaluate("window.longest") < 2000  # ms; the machine may be busy
