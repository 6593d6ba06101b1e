"""What tests of the page do with it: look, click, drag, paste."""

from playwright.sync_api import Page, expect
from support import TIMEOUT

PATIENCE = 1000 * TIMEOUT  # ms; far beyond what anything here takes


def searching(page: Page) -> None:
    """Wait until the engine has said something about the position."""
    expect(page.get_by_test_id("status")).to_contain_text("depth")
    expect(page.locator(".line .score").first).to_be_visible()


def square(page: Page, name: str, *, flipped: bool = False) -> tuple[float, float]:
    """Return where a square is."""
    box = page.get_by_test_id("board").locator("cg-board").bounding_box()
    assert box
    file, rank = "abcdefgh".index(name[0]), int(name[1]) - 1
    if flipped:
        file, rank = 7 - file, 7 - rank
    side = box["width"] / 8
    return box["x"] + (file + 0.5) * side, box["y"] + (7 - rank + 0.5) * side


def click(page: Page, *squares: str) -> None:
    for name in squares:
        page.mouse.click(*square(page, name))


def drag(page: Page, start: str, end: str) -> None:
    page.mouse.move(*square(page, start))
    page.mouse.down()
    page.mouse.move(*square(page, end), steps=4)
    page.mouse.up()


def paste(page: Page, text: str) -> None:
    """Paste onto the page itself."""
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            document.body.dispatchEvent(
                new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }""",
        text,
    )


def moves(page: Page) -> list[str]:
    """Return the moves of the main line, as they are shown."""
    return page.locator(".mainline > button.move > span:first-child").all_inner_texts()
