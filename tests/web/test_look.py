"""Pieces, boards and sounds of one's choice."""

import re

from helpers.browsing import drag, until, violations
from playwright.sync_api import Page, expect

PIECE = "getComputedStyle(document.querySelector('.board piece.white.bishop')).backgroundImage"
SQUARES = "getComputedStyle(document.querySelector('.board cg-board')).backgroundImage"
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
