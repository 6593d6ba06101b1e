"""The board, the engine's panel and the game."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.browsing import (
    Site,
    analyse_in_tab,
    click,
    drag,
    expect_fit,
    expect_moves,
    moves,
    paste,
    searching,
    serving,
    serving_ours,
    square,
    until,
    violations,
)
from playwright.sync_api import Page, expect

GAME = """[Event "Club"]
[White "Ann"]
[Black "<img src=x onerror=alert(1)>"]
[Result "0-1"]

1. f3 {<script>alert(2)</script> [%clk 0:05:00]} e5 (1... d5 2. d4 (2. c3) e6) 2. g4 Qh4# 0-1
"""
SCRIPTED = Path(__file__).parents[1] / "data/scripted_engine.py"
TABLES = Path(__file__).parents[1] / "data/syzygy"
PROMOTION = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


def test_moves_are_made_by_dragging_and_by_clicking(board: Page) -> None:
    drag(board, "e2", "e4")
    expect(board.locator(".mainline .move[aria-current]")).to_have_text("e4")
    click(board, "e7", "e5")
    expect(board.locator(".mainline .move[aria-current]")).to_have_text("e5")
    drag(board, "e1", "e3")
    expect_moves(board, ["e4", "e5"])
    expect(board.get_by_test_id("position")).to_contain_text("White to move")


def test_promotion_asks_for_the_piece(board: Page) -> None:
    paste(board, PROMOTION)
    drag(board, "a7", "a8")
    board.get_by_role("dialog", name="Promote to").get_by_label("rook").click()
    expect(board.locator(".mainline .move[aria-current]")).to_have_text("a8=R+")


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "Checkmate: open a game"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Stalemate: open a game"),
        (PROMOTION, "Make a move on the board, or open a game"),
    ],
)
def test_finished_game_asks_for_no_move(board: Page, fen: str, words: str) -> None:
    paste(board, fen)
    expect(board.locator(".moves")).to_contain_text(words)


def test_cancelled_promotion_puts_the_pawn_back(board: Page) -> None:
    paste(board, PROMOTION)
    drag(board, "a7", "a8")
    expect(board.get_by_role("dialog", name="Promote to")).to_be_visible()
    board.keyboard.press("Escape")
    expect(board.get_by_role("dialog", name="Promote to")).to_have_count(0)
    drag(board, "a7", "a8")
    board.get_by_role("dialog", name="Promote to").get_by_label("queen").click()
    expect_moves(board, ["a8=Q+"])


def test_immediate_reload_keeps_the_whole_game(board: Page) -> None:
    paste(board, GAME)
    board.keyboard.press("ArrowRight")
    until(board, "location.hash == '#moves=f2f3'")
    with board.expect_navigation():
        board.evaluate(
            """() => {
                document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
                location.reload();
            }"""
        )
    expect(board.locator(".move[aria-current]")).to_have_text("e5")
    expect_moves(board, ["f3", "e5", "g4", "Qh4#"])


def test_keys_step_through_the_game(board: Page) -> None:
    paste(board, GAME)
    for key, san in (("End", "Qh4#"), ("ArrowLeft", "g4"), ("Home", ""), ("ArrowRight", "f3")):
        board.keyboard.press(key)
        current = board.locator(".move[aria-current]")
        if san:
            expect(current).to_contain_text(san)
        else:
            expect(current).to_have_count(0)
    board.keyboard.press("f")
    expect(board.locator(".board.orientation-black")).to_be_visible()
    board.mouse.move(*square(board, "e5", flipped=True))
    board.keyboard.press("Delete")
    expect_moves(board, [])


def test_focused_list_does_not_take_the_keys_of_the_game(board: Page) -> None:
    paste(board, "1. e4 e5 *")
    board.keyboard.press("End")
    for name in ("Choose the engine", "Time per move"):
        chosen = board.get_by_label(name).input_value()
        board.get_by_label(name).focus()
        board.keyboard.press("ArrowLeft")
        expect(board.locator(".move[aria-current]")).to_have_text("e4")
        board.keyboard.press("ArrowRight")
        expect(board.locator(".move[aria-current]")).to_have_text("e5")
        expect(board.get_by_label(name)).to_have_value(chosen)


def test_space_plays_the_best_move(searching_board: Page) -> None:
    searching_board.keyboard.press("Space")
    expect(searching_board.locator(".mainline .move[aria-current]")).to_be_visible()
    assert len(moves(searching_board)) == 1


def test_game_text_is_never_markup(board: Page) -> None:
    paste(board, GAME)
    expect(board.locator(".player.top")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(board.locator(".comment").first).to_have_text("<script>alert(2)</script>")
    assert board.locator("#app script, #app img[src=x]").count() == 0
    expect(board.locator(".variation .move").first).to_have_text("d5")


def test_finished_game_has_a_result_and_no_search(searching_board: Page) -> None:
    paste(searching_board, GAME)
    expect(searching_board.locator(".variation .move").first).to_have_text("d5")
    searching_board.keyboard.press("End")
    expect(searching_board.get_by_test_id("headline")).to_have_text("0\u20131")
    expect(searching_board.locator(".line")).to_have_count(0)


def test_unreadable_text_is_refused_with_a_message(board: Page) -> None:
    paste(board, "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1")
    expect(board.locator(".toast")).to_contain_text("is in check but not to move")


def test_message_over_a_window_can_be_read_and_dismissed(board: Page) -> None:
    board.get_by_role("button", name="Open a game or a position").click()
    window = board.get_by_role("dialog")
    window.get_by_label("PGN or FEN").fill("no game at all")
    window.get_by_role("button", name="Open", exact=True).click()
    expect(window.get_by_role("status")).to_contain_text("no game or position")
    window.get_by_role("button", name="Dismiss").click()
    expect(board.locator(".toast")).to_have_count(0)


def test_pasted_file_reports_its_other_games(board: Page) -> None:
    paste(board, "\n\n".join(f'[White "Ann"]\n\n1. {move} *' for move in ("e4", "d4", "c4")))
    expect(board.locator(".toast")).to_contain_text("3 games")
    board.get_by_role("button", name="Open a game or a position").click()
    board.get_by_role("list", name="Games").get_by_role("button").nth(1).click()
    expect(board.locator(".mainline > button.move")).to_have_text(["d4"])


def test_epd_file_lists_its_positions_by_name(board: Page) -> None:
    fields = "4k3/8/8/8/8/8/4P3/4K3 w - -"
    paste(board, f'{fields} bm e4; id "first";\n{fields.replace(" w ", " b ")} id "second";\n')
    board.get_by_role("button", name="Open a game or a position").click()
    board.get_by_role("list", name="Games").get_by_role("button", name="second").click()
    expect(board.get_by_test_id("position")).to_contain_text("Black to move")


def test_reload_restores_the_game(board: Page) -> None:
    paste(board, GAME)
    board.keyboard.press("ArrowRight")
    board.wait_for_url("**#moves=f2f3")
    board.reload()
    expect(board.locator(".move[aria-current]")).to_contain_text("f3")
    expect(board.locator(".player.bottom")).to_contain_text("Ann")


def test_link_leads_to_the_position(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{site.url}#moves=e2e4.c7c5")
    expect(page.locator(".move[aria-current]")).to_have_text("c5")
    searching(page)


# --- the engine


def test_number_of_lines_follows_the_setting_and_lines_can_be_played(searching_board: Page) -> None:
    expect(searching_board.locator(".line .score")).to_have_count(3)
    searching_board.get_by_role("button", name="Engine options").click()
    searching_board.get_by_role("slider", name="Lines").fill("5")
    searching_board.keyboard.press("Escape")
    expect(searching_board.locator(".line .score")).to_have_count(5)
    third = searching_board.locator(".line").first.locator(".pv-move").nth(2)
    expect(third).to_be_visible()
    searching_board.get_by_role("switch", name="Engine").click()  # so that the line stays as it is
    third.hover()
    expect(searching_board.locator(".preview cg-board")).to_be_visible()
    third.click()
    expect(searching_board.locator(".mainline > button.move")).to_have_count(3)


def test_engine_stops_and_continues(searching_board: Page) -> None:
    switch = searching_board.get_by_role("switch", name="Engine")
    switch.click()
    expect(searching_board.get_by_test_id("status")).to_have_text("stopped")
    switch.click()
    searching(searching_board)


def test_engine_with_one_line_has_one_row(open_page: Callable[..., Page], tmp_path: Path) -> None:
    with serving("--engine", f"one={sys.executable} {SCRIPTED} first", folder=tmp_path) as site:
        page = open_page(site.url)
        searching(page)
        expect(page.locator(".line")).to_have_count(1)
        page.get_by_role("button", name="Engine options").click()
        expect(page.get_by_role("slider", name="Lines")).to_be_disabled()
        page.close()


def test_position_with_one_move_has_one_row(searching_board: Page) -> None:
    paste(searching_board, "7k/8/6K1/8/8/8/8/R7 b - - 0 1")
    searching(searching_board)
    expect(searching_board.locator(".line")).to_have_count(1)


def test_search_ends_at_its_limit(searching_board: Page) -> None:
    searching_board.get_by_role("button", name="Engine options").click()
    searching_board.get_by_label("Search until").select_option("depth")
    searching_board.get_by_label("Limit", exact=True).fill("4")
    searching_board.keyboard.press("Tab")
    searching_board.keyboard.press("Escape")
    drag(searching_board, "a2", "a3")
    expect(searching_board.get_by_test_id("status")).to_have_text("depth 4, done")


def test_engine_can_be_changed_and_has_its_own_options(searching_board: Page) -> None:
    searching_board.get_by_label("Choose the engine").select_option("stockfish")
    searching(searching_board)
    expect(searching_board.get_by_label("Choose the engine")).to_contain_text("Stockfish")
    searching_board.get_by_role("button", name="Engine options").click()
    window = searching_board.get_by_role("dialog", name=re.compile("Stockfish.* options"))
    window.get_by_label("Skill Level").fill("99")
    searching_board.keyboard.press("Tab")
    expect(window.get_by_role("alert")).to_have_text("from 0 to 20")
    window.get_by_label("Skill Level").fill("3")
    searching_board.keyboard.press("Tab")
    expect(window.get_by_role("alert")).to_have_count(0)
    expect(window.get_by_label("Debug Log File")).to_have_count(0)


# --- the whole game


def test_game_is_analysed_and_judged(endless_board: Page) -> None:
    paste(endless_board, GAME)
    analyse_in_tab(endless_board, 100)
    expect(endless_board.get_by_role("button", name="Analyse again")).to_be_visible()
    expect(endless_board.locator(".mainline .move.blunder")).to_contain_text("g4")
    endless_board.get_by_role("button", name="1 blunder").click()
    expect(endless_board.locator(".mainline .move[aria-current]")).to_contain_text("g4")
    box = endless_board.locator(".graph svg").bounding_box()
    assert box
    endless_board.mouse.click(box["x"] + 1, box["y"] + 10)
    expect(endless_board.locator(".move[aria-current]")).to_have_count(0)
    endless_board.get_by_role("button", name="Share or save").click()
    written = endless_board.get_by_label("PGN").input_value()
    assert "2. g4 $4" in written
    assert "[%eval " in written


GAMES = """[White "Ann"]
[Black "Bob"]

1. e4 {mine} e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. Qxe7+ Qxe7 *

[White "Cid"]
[Black "Dan"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def opened_list(page: Page) -> None:
    page.get_by_role("button", name="My analyses on the server").click()


def test_analysis_goes_on_without_the_page_and_is_opened_by_another(
    site: Site, open_page: Callable[..., Page]
) -> None:
    first = open_page(site.url)
    searching(first)
    paste(first, GAMES)
    first.get_by_label("Time per move").select_option("100")
    expect(first.get_by_label("Where to analyse")).to_have_value("server")
    first.get_by_label("Games to analyse").select_option("all")
    # By a key: the button moves when the message about the games goes.
    first.get_by_role("button", name="Analyse the games").press("Enter")
    expect(first.get_by_role("dialog", name="My analyses")).to_contain_text("Ann \u2013 Bob, and 1")
    page = first.context.new_page()
    first.close()

    page.goto(site.url)
    opened_list(page)
    entry = page.get_by_role("dialog", name="My analyses").get_by_role("listitem")
    expect(entry).to_contain_text("Finished: 2 games")
    with page.expect_download() as download:
        entry.get_by_role("button", name="Download PGN").click()
    assert download.value.path().read_text().count("[%eval") > 8
    entry.get_by_role("button", name="Open the games").click()
    page.get_by_role("dialog").get_by_role("button", name="Ann \u2013 Bob").click()
    expect(page.locator(".comment").first).to_contain_text("mine")
    expect(page.locator(".mainline .move.blunder")).to_contain_text("Qxe7+")
    expect(page.locator(".summary").first.get_by_role("button", name="Practise")).to_be_visible()

    opened_list(page)
    entry.get_by_role("button", name="Delete\u2026").press("Enter")
    page.set_viewport_size({"width": 320, "height": 640})
    assert violations(page) == []
    expect_fit(page, 320)
    entry.get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(page.get_by_role("dialog", name="My analyses")).to_contain_text("There are none yet")


# --- the layout


NAMES = """[White "Maximilian-Alexander von Hohenzollern-Sigmaringen-Neuburg zu Altenstein"]
[Black "\u05d3\u05d5\u05d3 \u05d1\u05df \u05d9\u05d5\u05e1\u05e3"]
[WhiteElo "2412"]
[BlackElo "2388"]

1. e4 {[%clk 1:30:00]} e5 {[%clk 1:30:00]} *
"""


@pytest.mark.parametrize("size", [(1440, 900), (844, 390), (390, 844), (320, 480)], ids=str)
def test_long_names_stay_in_their_lines(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = open_page(site.url, viewport={"width": size[0], "height": size[1]})
    searching(page)
    paste(page, NAMES)
    page.keyboard.press("End")
    for side in ("top", "bottom"):
        line = page.locator(f".player.{side}")
        box = line.bounding_box()
        assert box
        for part in line.locator("i, bdi, .rating, time").all():
            inner = part.bounding_box()
            assert inner
            assert inner["y"] >= box["y"]
            assert inner["y"] + inner["height"] <= box["y"] + box["height"]
            assert inner["x"] + inner["width"] <= box["x"] + box["width"]
        ring = line.locator("i").bounding_box()
        assert ring
        assert ring["width"] == ring["height"]


@pytest.mark.parametrize("width", [390, 320])
def test_window_content_does_not_overlap(
    site: Site, open_page: Callable[..., Page], width: int
) -> None:
    page = open_page(site.url, viewport={"width": width, "height": 700})
    searching(page)
    for name in ("Engine options", "Open a game or a position", "Play against an engine"):
        page.get_by_role("button", name=name).click()
        window = page.get_by_role("dialog")
        assert window.evaluate("it => it.scrollWidth <= it.clientWidth"), name
        cut = window.locator(".row > span:first-child").evaluate_all(
            "all => all.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"
        )
        assert cut == []
        page.keyboard.press("Escape")


def test_page_is_not_higher_than_the_window(board: Page) -> None:
    height = board.evaluate("document.documentElement.scrollHeight")
    assert height == board.evaluate("innerHeight")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (820, 1180), (390, 844), (320, 640)], ids=str)
def test_everything_has_room(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int], scheme: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(site.url, viewport=viewport, color_scheme=scheme, has_touch=size[0] < 1000)
    searching(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for part in (page.get_by_test_id("board"), page.get_by_role("button", name="Previous move")):
        box = part.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]


@pytest.mark.parametrize("width", [360, 320])
def test_game_has_room_on_a_phone(site: Site, open_page: Callable[..., Page], width: int) -> None:
    page = open_page(site.url, viewport={"width": width, "height": 640}, has_touch=True)
    searching(page)
    paste(page, "1. e4 e5 *")
    paste(page, "1. d4 d5 *")
    page.keyboard.press("Control+z")
    expect(page.get_by_label("Redo")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse the game")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    bar = page.get_by_role("navigation", name="Moves")
    assert bar.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_touch_makes_moves(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(site.url, viewport={"width": 390, "height": 844}, has_touch=True)
    searching(page)
    for name in ("d2", "d4"):
        page.touchscreen.tap(*square(page, name))
    expect(page.locator(".mainline .move[aria-current]")).to_have_text("d4")


# --- openings and tablebases


def test_opening_has_its_name_however_it_was_reached(board: Page) -> None:
    name = board.get_by_test_id("opening")
    expect(name).to_have_count(0)
    paste(board, "1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3 h5 *")
    board.keyboard.press("End")
    expect(name).to_have_text("D37 Queen's Gambit Declined: Three Knights Variation")
    board.keyboard.press("Home")
    expect(name).to_have_count(0)
    board.keyboard.press("ArrowRight")
    expect(name).to_contain_text("A04")


def test_tablebase_win_is_shown_in_words(open_page: Callable[..., Page], tmp_path: Path) -> None:
    options = f"[engines.rookery.options]\nSyzygyPath = {str(TABLES)!r}"
    with serving_ours(options, folder=tmp_path) as site:
        page = open_page(site.url)
        searching(page)
        tablebase = page.get_by_test_id("tablebase")
        expect(tablebase).to_have_count(0)
        settings = {"limits": {"kind": "depth", "value": 4}}
        page.evaluate("it => localStorage['rookery.settings'] = JSON.stringify(it)", settings)
        page.reload()
        searching(page)
        paste(page, "8/8/8/8/4p3/4k3/8/4K3 b - - 0 1")
        expect(tablebase).to_have_text("Tablebase: Black wins")
        page.close()
