"""The room that the parts of the page have: moves and buttons stay in sight, whatever is open."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.browsing import Site, check_rows, expect_fit, paste, searching
from playwright.sync_api import Page, expect

# A game of 40 moves that an analysis has judged.
SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")
JUDGED = " ".join(
    f"{SHUFFLE[at % 4]} {{[%eval {-2 if at == 6 else 0.3}]}}{' $4' if at == 6 else ''}"
    for at in range(80)
)
# Pairs of texts that cover one another.  Parts that stay while others are scrolled may do so.
OVERLAPS = """() => {
    const apart = ".unseen, dialog, cg-container, .typed-move, .graph, .controls, .opening";
    const isText = it => [...it.childNodes].some(each => each.nodeType === 3 && each.data.trim());
    const seen = it => {
        let { left, top, right, bottom } = it.getBoundingClientRect();
        for (let at = it.parentElement; at !== document.body; at = at.parentElement) {
            if (getComputedStyle(at).overflow === "visible") continue;
            const frame = at.getBoundingClientRect();
            [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
            [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
        }
        return { it, left, top, right, bottom };
    };
    const texts = [...document.querySelectorAll("#app *")]
        .filter(it => isText(it) && !it.closest(apart)).map(seen);
    return texts.flatMap((one, at) => texts.slice(at + 1).flatMap(other => {
        if (one.it.contains(other.it)) return [];
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        return width > 3 && height > 3 ? [[one.it.textContent, other.it.textContent]] : [];
    }));
}"""
LANGUAGES = Path(__file__).parents[2] / "server/web/src/language"
# What the status of a search says, without those that may take two lines.
STATUS = re.compile(
    r"^engine-(?:analysing-game|at-live-position|depth\S*|ready|searching|stopped) = (.*)$", re.M
)
# Of these texts those for which the status has no room.
CUT = """(status, texts) => texts.filter((text) => {
    status.firstChild.data = text;
    const range = document.createRange();
    range.selectNodeContents(status);
    return range.getBoundingClientRect().width > status.getBoundingClientRect().width;
})"""


def judged(open_page: Callable[..., Page], url: str, lines: int) -> Page:
    """Open a judged game and the explorer, with a number of lines."""
    page = open_page(url, viewport={"width": 1440, "height": 900})
    settings = f'{{"lines": {lines}}}'
    page.evaluate("it => localStorage['rookery.settings'] = it", settings)
    page.reload()
    searching(page)
    paste(page, JUDGED)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".summary")).to_have_count(2)
    expect(page.locator(".line .score")).to_have_count(lines)
    return page


# Ten lines are the worst, and the others are for `make endure`.
FEWER = [pytest.param(lines, marks=pytest.mark.long) for lines in (1, 3)]


@pytest.mark.parametrize("lines", [10, *FEWER])
def test_moves_have_their_rows_whatever_is_open(
    site: Site, open_page: Callable[..., Page], lines: int
) -> None:
    page = judged(open_page, site.url, lines)
    check_rows(page)
    page.keyboard.press("b")
    expect(page.get_by_test_id("book")).to_be_visible()
    check_rows(page)
    page.get_by_role("button", name="Analyse together").click()
    page.get_by_role("button", name="Open a room").click()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_test_id("watching")).to_be_visible()
    check_rows(page)
    page.get_by_role("button", name="Game analysis", expanded=True).click()
    check_rows(page)
    page.get_by_role("button", name="Add an engine beside this one").click()
    expect(page.get_by_test_id("opinion")).to_be_visible()
    check_rows(page)
    page.reload()
    expect(page.get_by_role("button", name="Game analysis", expanded=False)).to_be_visible()


def test_text_of_twice_the_size_overlaps_nowhere(board: Page) -> None:
    """Check the text size of the browser; a page at twice its size is one of half the pixels."""
    paste(board, JUDGED)
    board.keyboard.press("ArrowRight")
    board.keyboard.press("b")
    sizes = {"standard": 32, "fixed": 26}
    board.context.new_cdp_session(board).send("Page.setFontSizes", {"fontSizes": sizes})
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        board.set_viewport_size({"width": width, "height": height})
        assert board.evaluate(OVERLAPS) == [], width
        expect_fit(board, width)


def test_preview_of_a_line_covers_no_moves(searching_board: Page) -> None:
    paste(searching_board, JUDGED)
    searching_board.locator(".pv-move").nth(1).hover()
    preview = searching_board.locator(".preview").bounding_box()
    listed = searching_board.locator(".moves").bounding_box()
    assert preview
    assert listed
    assert preview["x"] + preview["width"] <= listed["x"]
    assert preview["x"] >= 0


def test_status_of_the_engine_is_not_cut_on_a_phone(
    site: Site, open_page: Callable[..., Page]
) -> None:
    page = open_page(site.url, viewport={"width": 390, "height": 844})
    searching(page)
    page.get_by_role("switch", name="Engine").click()
    status = page.get_by_test_id("status")
    expect(status).to_have_text("stopped")
    files = [file.read_text() for file in LANGUAGES.glob("*/page.ftl")]
    texts = [re.sub(r"{.*?}", "99", text) for file in files for text in STATUS.findall(file)]
    assert len(texts) == 9 * len(files) == 45
    assert status.evaluate(CUT, texts) == []
