"""The room that the parts of the page have: moves and buttons stay in sight, whatever is open."""

from collections.abc import Callable

import pytest
from helpers.browsing import Site, fits, paste, searching
from playwright.sync_api import Page, expect

# A game of 40 moves that an analysis has judged.
SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")
JUDGED = " ".join(
    f"{SHUFFLE[at % 4]} {{[%eval {-2 if at == 6 else 0.3}]}}{' $4' if at == 6 else ''}"
    for at in range(80)
)
ROWS = """() => {
    const box = document.querySelector(".moves");
    const { top, bottom } = box.getBoundingClientRect();
    const head = box.querySelector(".opening")?.getBoundingClientRect().bottom ?? top;
    const isSeen = it => it.top >= Math.max(head, top) - 1 && it.bottom <= bottom + 1;
    const rows = [...box.querySelectorAll(".row-number")].map(it => it.getBoundingClientRect());
    return rows.filter(isSeen).length;
}"""
LEAST_ROWS = {(1440, 900): 10, (1024, 768): 6, (1920, 1080): 10}


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


def check_rows(page: Page) -> None:
    for (width, height), least in LEAST_ROWS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(ROWS) >= least, (width, height)
        buttons = page.get_by_role("navigation", name="Moves").bounding_box()
        assert buttons
        assert buttons["y"] + buttons["height"] <= height
        assert fits(page, width)


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
    page.reload()
    expect(page.get_by_role("button", name="Game analysis", expanded=False)).to_be_visible()
