"""The opening explorer with games of the server."""

from collections.abc import Callable
from pathlib import Path

import chess
from helpers.browsing import expect_moves, paste, searching, serving_ours, violations
from helpers.polyglot import book_of
from playwright.sync_api import Page, expect

from rookery_server.explorer.build import BuildOptions, build

GAMES = """[White "Ann"]
[Black "<b>Bob</b>"]
[Result "1-0"]
[Date "2001.01.01"]

1. d4 d5 2. c4 e6 3. Nc3 1-0

[White "Cid"]
[Black "Dan"]
[Result "0-1"]

1. c4 d5 2. d4 c6 0-1
"""


def test_games_of_the_server_are_looked_up_played_and_opened(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    build([str(tmp_path / "games.pgn")], tmp_path / "games.explorer", BuildOptions())
    settings = "[explorer]\nfile = 'games.explorer'\nname = 'Our club'"
    with serving_ours(settings, folder=tmp_path) as site:
        page = open_page(site.url)
        searching(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.keyboard.press("b")
        book = page.get_by_test_id("book")
        row = book.locator("tbody tr")
        expect(row).to_have_count(2)
        for move in ("c4", "d5", "d4"):
            book.get_by_role("button", name=move, exact=True).click()
        expect(book.get_by_role("button", name="c6")).to_be_visible()
        expect(row).to_have_count(2)
        ends = book.get_by_role("img", name="White won 100 %, draw 0 %, Black won 0 %")
        expect(ends).to_have_count(1)
        book.get_by_text("Games with this position").click()
        assert violations(page) == []
        book.get_by_role("button", name="Ann \u2013 <b>Bob</b>, 1-0, 2001").click()
        expect(page.locator(".move[aria-current]")).to_have_text("c4")
        expect_moves(page, ["d4", "d5", "c4", "e6", "Nc3"])
        book.get_by_role("button", name="Played here").click()
        expect(book).to_contain_text("No games yet.")
        paste(page, GAMES)
        expect(book.get_by_role("button", name="This file")).to_be_visible()
        book.get_by_role("button", name="Our club").click()
        expect(row).to_have_count(2)
        assert sum("/v1/explorer?" in each for each in asked) <= 4, "what is known is not asked"
        page.close()


def test_a_book_of_the_server_has_shares_and_no_games(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    start = chess.Board()
    (tmp_path / "club.bin").write_bytes(book_of((start, "d2d4", 1), (start, "e2e4", 3)))
    with serving_ours("[explorer]\nfile = 'club.bin'\nname = 'Our book'", folder=tmp_path) as site:
        page = open_page(site.url)
        searching(page)
        page.keyboard.press("b")
        book = page.get_by_test_id("book")
        expect(book.locator("tbody tr")).to_have_text(["e475 %", "d425 %"])
        expect(book.locator("details")).to_have_count(0)
        assert violations(page) == []
        book.get_by_role("button", name="e4", exact=True).click()
        expect(book).to_contain_text("The book does not have this position.")
        expect_moves(page, ["e4"])
        page.close()
