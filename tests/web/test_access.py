"""Accessibility of all views, as axe-core checks it, and their use by keys."""

from collections.abc import Callable

import pytest
from helpers.browsing import (
    Site,
    analyse_in_tab,
    drag,
    expect_fit,
    expect_moves,
    paste,
    searching,
    violations,
)
from playwright.sync_api import Page, expect


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible(site: Site, open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page(site.url, color_scheme=scheme)
    searching(page)
    paste(page, "1. e4 {good} e5 (1... c5 2. Nf3) 2. Qh5? Nc6 *")
    page.keyboard.press("ArrowRight")
    searching(page)
    assert violations(page) == []


WINDOWS = (
    "Engine options",
    "Share or save",
    "Settings",
    "Keys",
    "Comment on this move",
    "Play against an engine",
    "Analyse together",
    "Open a game or a position",
)
SIZES = [(1280, 800), (390, 844)]
# Each size and each scheme once, and the rest of the pairs in `make endure`.
LOOKS = [
    (SIZES[0], "light"),
    (SIZES[1], "dark"),
    pytest.param(SIZES[0], "dark", marks=pytest.mark.long),
    pytest.param(SIZES[1], "light", marks=pytest.mark.long),
]


@pytest.mark.parametrize("button", WINDOWS)
def test_windows_are_accessible(board: Page, button: str) -> None:
    board.get_by_role("button", name=button).click()
    assert violations(board) == []


def sized(open_page: Callable[..., Page], url: str, size: tuple[int, int], scheme: str) -> Page:
    width, height = size
    page = open_page(url, viewport={"width": width, "height": height}, color_scheme=scheme)
    searching(page)
    return page


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_other_views_are_accessible_and_have_room(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int], scheme: str
) -> None:
    page = sized(open_page, site.url, size, scheme)
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_test_id("legality")).to_be_visible()
    assert violations(page) == []
    expect_fit(page, size[0])
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Analyse together").click()
    page.get_by_role("button", name="Open a room").click()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_test_id("watching")).to_be_visible()
    assert violations(page) == []
    expect_fit(page, size[0])
    page.get_by_role("button", name="Play against an engine").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_test_id("play-status")).to_have_text("your move")
    drag(page, "e2", "e4")
    expect(page.locator(".mainline > button.move")).to_have_count(2)
    assert violations(page) == []
    expect_fit(page, size[0])


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_operators_page_is_accessible_and_has_room(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int], scheme: str
) -> None:
    page = sized(open_page, site.url, size, scheme)
    page.context.new_page().goto(site.url)
    page.goto(f"{site.url}admin")
    expect(page.get_by_role("button", name="End session").first).to_be_visible()
    assert violations(page) == []
    expect_fit(page, size[0])


GAMES = """[White "Ann"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. f3 Nc6 5. Qg3 O-O 6. Qxg7+ Kxg7 1-0

[White "Cid"]
[Result "0-1"]

1. e4 c5 0-1
"""


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_learning_views_are_accessible_and_have_room(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int], scheme: str
) -> None:
    """Check the explorer with its games, a threat, a judged game, and practice."""
    page = sized(open_page, site.url, size, scheme)
    paste(page, GAMES)
    page.keyboard.press("b")
    page.get_by_text("Games with this position: 2").click()
    page.get_by_role("button", name="Show threat").click()
    expect(page.get_by_test_id("status")).to_contain_text("threat: depth")
    assert violations(page) == []
    expect_fit(page, size[0])
    page.keyboard.press("b")
    analyse_in_tab(page, 100)
    page.locator(".summary").first.get_by_role("button", name="Practise").click()
    expect(page.get_by_test_id("practice")).to_contain_text("Find a better move")
    assert violations(page) == []
    expect_fit(page, size[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_promotion_and_a_message_are_accessible(
    site: Site, open_page: Callable[..., Page], scheme: str
) -> None:
    page = open_page(site.url, color_scheme=scheme)
    searching(page)
    paste(page, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    drag(page, "e7", "e8")
    expect(page.get_by_role("dialog", name="Promote to")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    paste(page, "no game at all")
    expect(page.locator(".toast")).to_be_visible()
    assert violations(page) == []


def test_moves_can_be_typed(board: Page) -> None:
    board.keyboard.press("m")
    field = board.get_by_label("Your move")
    expect(field).to_be_focused()
    for move in ("e4", "e7e5"):
        board.keyboard.type(move)
        board.keyboard.press("Enter")
        expect(field).to_have_value("")
    expect_moves(board, ["e4", "e5"])
    board.keyboard.type("Ke3")
    board.keyboard.press("Enter")
    expect(board.get_by_role("alert")).to_contain_text("“Ke3” is not a legal move here")
    assert violations(board) == []
    board.keyboard.press("Escape")
    board.keyboard.press("ArrowLeft")
    expect(board.locator(".move[aria-current]")).to_have_text("e4")


@pytest.mark.parametrize("size", [(844, 390), (640, 400), (568, 320)], ids=str)
def test_board_is_large_enough_in_a_low_window(
    site: Site, open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    """Check a phone on its side, and a page at twice its size."""
    page = sized(open_page, site.url, size, "light")
    box = page.get_by_test_id("board").bounding_box()
    assert box
    assert box["width"] >= 230
    expect_fit(page, size[0])
    page.get_by_role("button", name="Set up a position").click()
    box = page.get_by_test_id("setup-board").bounding_box()
    assert box
    assert box["width"] >= 230
    expect_fit(page, size[0])
