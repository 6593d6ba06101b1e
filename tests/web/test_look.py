"""Pieces, boards, sounds and the language of one's choice."""

import re
from collections.abc import Callable

from helpers.browsing import Site, drag, until, violations
from playwright.sync_api import Page, expect

PIECE = "getComputedStyle(document.querySelector('.board piece.white.bishop')).backgroundImage"
SQUARES = "getComputedStyle(document.querySelector('.board cg-board')).backgroundImage"
# What is cut at the right edge of a window.
CUT = """() => {
  const edge = document.querySelector("dialog").getBoundingClientRect().right + 1;
  const all = [...document.querySelectorAll("dialog *")];
  const cut = all.filter((each) => each.getBoundingClientRect().right > edge);
  return cut.map((each) => each.className);
}
"""
# Each source of sound that begins is counted.
COUNT = """() => {
  window.heard = 0;
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (at) { window.heard++; return start.call(this, at); };
  }
}
"""


def test_pieces_board_and_sounds_are_chosen(board: Page) -> None:
    """Walk through the choices of Settings: they are seen and heard at once, and kept."""
    classic, slate = board.evaluate(PIECE), board.evaluate(SQUARES)
    board.evaluate(COUNT)
    drag(board, "e2", "e4")
    assert board.evaluate("heard") == 0

    board.get_by_role("button", name="Settings").click()
    window = board.get_by_role("dialog", name="Settings")
    window.get_by_role("radio", name="Flat").check()
    until(board, f"{PIECE} != {classic!r}")
    flat = board.evaluate(PIECE)
    board.keyboard.press("ArrowDown")
    expect(window.get_by_role("radio", name="Signs with letters")).to_be_checked()
    until(board, f"![{classic!r}, {flat!r}].includes({PIECE})")
    window.get_by_role("radio", name="High contrast").check()
    assert board.evaluate(SQUARES) != slate
    expect(window.get_by_label("Volume")).to_be_disabled()
    window.get_by_label(re.compile("^Sounds")).check()
    until(board, "heard > 0")
    assert violations(board) == []
    window.get_by_role("button", name="Close").click()

    before = board.evaluate("heard")
    drag(board, "e7", "e5")
    until(board, f"heard > {before}")
    signs = board.evaluate(PIECE)
    board.get_by_role("button", name="Share").click()
    picture = board.get_by_alt_text("Preview of the board").get_attribute("src")
    assert picture
    assert "%23000000" in picture

    board.reload()
    until(board, f"document.querySelector('.board piece') && {PIECE} == {signs!r}")
    assert board.evaluate("document.documentElement.dataset.board") == "contrast"


def test_page_speaks_the_language_of_the_browser_or_the_chosen_one(
    site: Site, open_page: Callable[..., Page]
) -> None:
    page = open_page(site.url, locale="de-AT", viewport={"width": 390, "height": 844})
    page.get_by_role("button", name="Einstellungen").click()
    window = page.get_by_role("dialog", name="Einstellungen")
    assert violations(page) == []
    window.get_by_label("Sprache").select_option("Русский")
    window = page.get_by_role("dialog", name="Настройки")
    expect(window.get_by_role("radio", name="Классические")).to_be_checked()
    assert page.evaluate(CUT) == []
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    page.get_by_role("button", name="Настройки").click()
    window.get_by_label("Язык").select_option("English")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
