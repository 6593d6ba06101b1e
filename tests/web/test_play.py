"""Games against an engine: moves, clocks, results, and a bad network."""

import json
import os
import re
import signal
import time
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest
from helpers.browsing import Site, drag, expect_moves, moves, paste, searching
from playwright.sync_api import Locator, Page, expect

SETTINGS = "rookery.settings"
MATE = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"


@pytest.fixture
def board(searching_board: Page) -> Page:
    """Return the page with what its engine has found before a game."""
    return searching_board


def choose(page: Page, **choice: Any) -> None:
    """Store the choices for the next game, beyond those that the window offers."""
    stored = json.loads(page.evaluate(f"localStorage['{SETTINGS}']"))
    stored["play"] |= choice
    page.evaluate("([key, text]) => localStorage[key] = text", [SETTINGS, json.dumps(stored)])
    page.reload()
    searching(page)


def begin(page: Page, *, here: bool = False) -> None:
    page.get_by_role("button", name="Play against an engine").click()
    window = page.get_by_role("dialog", name="Play against an engine")
    window.get_by_role("button", name="Play from this" if here else "Play", exact=not here).click()
    expect(status(page)).to_have_text("your move")


def status(page: Page) -> Locator:
    return page.get_by_test_id("play-status")


def played(page: Page, number: int) -> None:
    """Wait for a number of moves."""
    expect(page.locator(".mainline > button.move")).to_have_count(number)


def test_engine_answers_and_clocks_run(board: Page) -> None:
    choose(board, minutes=3, increment=30, strength="elo", elo=1400, ponders=False)
    begin(board)
    expect(board.get_by_role("switch", name="Engine")).to_have_count(0)  # No help for anybody.
    drag(board, "e2", "e4")
    played(board, 2)
    expect(board.get_by_test_id("clock-white")).to_have_text(re.compile(r"^2:5\d$"))  # It runs.
    drag(board, "e7", "e5")  # not ours, wherever its pawns are
    drag(board, "d2", "d3")
    played(board, 4)
    expect(board.get_by_test_id("clock-white")).to_have_text(re.compile(r"^3:[0-2]\d$"))


@pytest.mark.parametrize("color", ["white", "black"])
def test_clocks_start_after_the_first_move_of_each_side(board: Page, color: str) -> None:
    board.clock.install()  # the page's, which goes on as far as it is told
    choose(board, color=color, minutes=5, increment=3, strength="elo", elo=1400, ponders=False)
    begin(board)
    ours, engines = (board.get_by_test_id(f"clock-{side}") for side in sides(color))
    played(board, 0 if color == "white" else 1)
    board.clock.fast_forward(60_000)
    for clock in (ours, engines):
        expect(clock).to_have_text("5:00")
    expect(board.locator(".clock.runs")).to_have_count(0)
    board.keyboard.press("m")
    board.keyboard.type("e4" if color == "white" else "e5")
    board.keyboard.press("Enter")
    played(board, 2 if color == "white" else 3)
    expect(board.locator(".clock.runs")).to_have_count(1)
    board.clock.fast_forward(60_000)
    expect(ours).to_have_text(re.compile(r"^(4:00|3:\d\d)$"))  # without an increment


def sides(color: str) -> tuple[str, str]:
    """Return the colours of the user and of the engine."""
    return (color, "black" if color == "white" else "white")


def test_black_board_is_turned_and_the_engine_moves_first(board: Page) -> None:
    choose(board, color="black")
    begin(board)
    played(board, 1)
    expect(board.locator(".board.orientation-black")).to_be_visible()


def test_weaker_engine_has_a_rating_in_the_game(board: Page) -> None:
    board.get_by_role("button", name="Play against an engine").click()
    window = board.get_by_role("dialog", name="Play against an engine")
    window.get_by_role("combobox", name="Engine").select_option("stockfish")
    board.get_by_label("Strength").select_option("elo")
    board.get_by_role("slider", name="Rating").fill("1500")
    board.get_by_role("button", name="Play", exact=True).click()
    expect(board.locator(".player.top")).to_contain_text("Stockfish")
    expect(board.locator(".player.top .rating")).to_have_text("1500")
    expect(status(board)).to_have_text("your move")


@pytest.mark.parametrize(
    ("fen", "move", "result", "words"),
    [
        (MATE, "f2 f8", "1\u20130", "White wins by checkmate"),
        (MATE, "f2 f7", "\u00bd\u2013\u00bd", "stalemate"),
        ("7k/8/8/8/8/8/5pK1/8 w - - 0 1", "g2 f2", "\u00bd\u2013\u00bd", "insufficient material"),
        ("7k/7p/8/8/8/8/R7/K7 w - - 99 80", "a2 b2", "\u00bd\u2013\u00bd", "fifty-move rule"),
    ],
)
def test_game_ends_by_the_rules(board: Page, fen: str, move: str, result: str, words: str) -> None:
    paste(board, fen)
    begin(board, here=True)
    drag(board, *move.split())
    expect(status(board)).to_contain_text(words)
    expect(board.locator(".play .headline")).to_have_text(result)


def test_resigned_game_is_listed(board: Page) -> None:
    begin(board)
    drag(board, "e2", "e4")
    played(board, 2)
    board.get_by_role("button", name="Resign").click()
    board.get_by_role("button", name="Yes, resign").click()
    expect(status(board)).to_have_text("White resigns")
    board.get_by_role("button", name="Analyse", exact=True).click()
    searching(board)
    board.get_by_role("button", name="Open a game or a position").click()
    board.get_by_role("button", name="New game", exact=True).click()
    board.get_by_role("button", name="Open a game or a position").click()
    board.get_by_role("list", name="Played here").get_by_role("button").first.click()
    assert moves(board)[0] == "e4"
    board.get_by_role("button", name="Share or save").click()
    written = board.get_by_label("PGN").input_value()
    assert '[Result "0-1"]' in written
    assert '[TimeControl "300+3"]' in written
    assert "[%clk 0:0" in written


def test_next_game_has_the_strength_of_the_last(board: Page) -> None:
    choose(board, strength="elo", elo=1600)
    begin(board)
    board.get_by_role("button", name="Resign").click()
    board.get_by_role("button", name="Yes, resign").click()
    expect(status(board)).to_have_text("White resigns")
    board.get_by_role("button", name="Play against an engine").click()
    expect(board.get_by_label("Strength")).to_have_value("elo")
    board.get_by_role("button", name="Play", exact=True).click()
    expect(status(board)).to_have_text("your move")
    expect(board.locator(".player.top .rating")).to_have_text("1600")


def test_no_game_starts_before_the_engine_has_listed_its_levels(site: Site, board: Page) -> None:
    board.get_by_role("button", name="Play against an engine").click()
    window = board.get_by_role("dialog", name="Play against an engine")
    expect(window).to_be_visible()
    site.process.send_signal(signal.SIGSTOP)
    try:
        window.get_by_role("combobox", name="Engine").select_option("stockfish")
        expect(window.get_by_role("status").first).to_contain_text("has not listed")
        expect(window.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    finally:
        site.process.send_signal(signal.SIGCONT)
    expect(window.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def test_draw_is_declined_at_the_start(board: Page) -> None:
    begin(board)
    drag(board, "e2", "e4")
    played(board, 2)
    board.get_by_role("button", name="Offer draw").click()
    expect(board.locator(".toast")).to_contain_text("declines the draw")


def test_move_is_taken_back(board: Page) -> None:
    begin(board)
    expect(board.get_by_role("button", name="Take back")).to_be_disabled()
    drag(board, "e2", "e4")
    played(board, 2)
    board.get_by_role("button", name="Take back").click()
    played(board, 0)
    drag(board, "d2", "d4")
    played(board, 2)
    assert moves(board)[0] == "d4"


def test_take_back_cancels_the_premove(board: Page) -> None:
    choose(board, minutes=60, increment=30, strength="full", ponders=False)
    begin(board)
    drag(board, "e2", "e4")
    drag(board, "a2", "a3")
    expect(board.locator("square.current-premove:visible")).to_have_count(2)
    board.get_by_role("button", name="Take back").click()
    played(board, 0)
    expect(board.locator("square.current-premove:visible")).to_have_count(0)
    expect(status(board)).to_have_text("your move")
    expect_moves(board, [])


def test_clocks_are_restored_by_taking_back_after_a_reload(board: Page) -> None:
    choose(board, minutes=3, increment=30, strength="elo", elo=1400, ponders=False)
    begin(board)
    drag(board, "e2", "e4")
    played(board, 2)
    drag(board, "d2", "d3")
    played(board, 4)
    board.reload()
    expect(status(board)).to_have_text("your move")
    board.get_by_role("button", name="Take back").click()
    played(board, 2)
    expect(board.get_by_test_id("clock-white")).to_have_text(re.compile(r"^3:[0-2]\d$"))


def test_game_opened_after_a_finished_one_is_analysed(board: Page) -> None:
    begin(board)
    board.evaluate("location.hash = '#moves=d2d4'")
    drag(board, "e2", "e4")
    played(board, 2)
    board.get_by_role("button", name="Resign").click()
    board.get_by_role("button", name="Yes, resign").click()
    expect(status(board)).to_have_text("White resigns")
    board.get_by_role("button", name="Open a game or a position").click()
    board.get_by_role("list", name="Played here").get_by_role("button").first.click()
    searching(board)
    assert moves(board)[0] == "e4"


def test_flag_loses_the_game(board: Page) -> None:
    choose(board, minutes=0.02, increment=0)
    begin(board)
    drag(board, "e2", "e4")
    expect(status(board)).to_have_text("Black wins on time")
    expect(board.get_by_test_id("clock-white")).to_have_text("0:00.0")


def test_premove_is_played(board: Page) -> None:
    choose(board, minutes=0.3, increment=1, strength="full")
    begin(board)
    drag(board, "e2", "e4")
    expect(status(board)).to_have_text("the engine is thinking")
    drag(board, "a2", "a3")  # It can be played whatever the answer is.
    played(board, 4)
    assert moves(board)[2] == "a3"


def test_game_survives_a_reload(board: Page) -> None:
    begin(board)
    board.reload()
    expect(status(board)).to_have_text("your move")
    drag(board, "e2", "e4")
    played(board, 2)
    board.reload()
    expect(status(board)).to_have_text("your move")
    drag(board, "d2", "d3")
    played(board, 4)


@pytest.mark.parametrize("kind", ["reset", "half"])
def test_game_continues_after_a_cut(site: Site, board: Page, kind: str) -> None:
    choose(board, minutes=0.5, increment=1, strength="full")
    begin(board)
    drag(board, "e2", "e4")
    site.cut(kind)
    played(board, 2)
    site.cut(kind)
    drag(board, "a2", "a3")
    played(board, 4)


def test_engine_loses_no_time_while_the_server_is_away(site: Site, board: Page) -> None:
    """Check that the clock is halted, though more time passes than the engine has."""
    choose(board, minutes=0.1, increment=3, strength="full", ponders=False)
    begin(board)
    drag(board, "a2", "a3")
    played(board, 2)
    drag(board, "b2", "b3")
    os.kill(site.process.pid, signal.SIGSTOP)
    try:
        expect(status(board)).to_contain_text("the server does not answer")
        board.wait_for_timeout(7000)  # more than the engine has
        expect(status(board)).to_contain_text("the server does not answer")
    finally:
        os.kill(site.process.pid, signal.SIGCONT)
    played(board, 4)
    expect(status(board)).to_have_text("your move")
    clock = board.get_by_test_id("clock-black").inner_text()
    assert float(clock.removeprefix("0:")) > 3, "what the server kept back is not the engine's time"


def test_engine_loses_no_time_while_it_waits_for_its_turn(
    narrow: Site, open_page: Callable[..., Page]
) -> None:
    page = open_page(narrow.url)
    searching(page)
    begin(page)
    drag(page, "a2", "a3")
    played(page, 2)
    first = open_page(narrow.url, endless=True)
    expect(first.get_by_test_id("status")).to_contain_text("you are number 1")
    page.reload()
    searching(first)
    expect(status(page)).to_have_text("your move")
    drag(page, "b2", "b3")
    expect(status(page)).to_contain_text("you are number 1")
    before = page.get_by_test_id("clock-black").inner_text()
    page.wait_for_timeout(2500)
    assert page.get_by_test_id("clock-black").inner_text() == before
    first.close()
    played(page, 4)
    page.close()


def test_engine_without_a_search_makes_no_move(full: Site, open_page: Callable[..., Page]) -> None:
    """Check that the server's substitute, any legal move, is not played."""
    first = open_page(full.url, endless=True)
    searching(first)
    page = open_page(full.url)
    expect(page.get_by_role("alert")).to_contain_text("queue is full")
    begin(page)
    drag(page, "e2", "e4")
    expect(page.get_by_role("alert")).to_contain_text("queue is full")
    expect(status(page)).to_contain_text("its clock is paused")
    expect_moves(page, ["e4"])
    first.close()
    free_again(full)
    page.get_by_role("button", name="Try again").click()
    played(page, 2)
    page.close()


def free_again(site: Site) -> None:
    """Wait until the server has an engine free."""
    while True:
        with urlopen(f"{site.direct_url}metrics") as metrics:
            if b"\nrookery_budget_threads_used 0.0\n" in metrics.read():
                return
        time.sleep(0.1)  # so long it is left alone


def test_network_latency_costs_the_engine_no_time(
    site: Site, open_page: Callable[..., Page]
) -> None:
    site.proxy.delay = 0.3  # at most, for each piece, in each direction
    try:
        page = open_page(site.url)
        searching(page)
        choose(page, minutes=1, increment=0, strength="elo", elo=1400, ponders=False)
        begin(page)
        for number, move in enumerate(("a2 a3", "b2 b3", "h2 h3", "g2 g3"), 1):
            drag(page, *move.split())
            played(page, 2 * number)
        expect(status(page)).to_have_text("your move")
    finally:
        site.proxy.delay = 0.0
